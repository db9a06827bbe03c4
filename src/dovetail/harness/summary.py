"""What the repeats of a job come to together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dovetail.harness.record import Record
from dovetail.models.outcome import Status

# A job that ended so ends so again.
REPEATABLE = (
    Status.EXHAUSTED,
    Status.SOLUTION_LIMIT,
    Status.NODE_LIMIT,
    Status.REMOVAL_LIMIT,
)
# And after the same work: where solutions are sorted into classes, a limit on them is only
# noticed between two slices of the search, whose sizes are told by the clock.
SAME_WORK = (Status.EXHAUSTED, Status.NODE_LIMIT, Status.REMOVAL_LIMIT)
# Its run is no result: it is done again when the suite is resumed.
UNFINISHED = (Status.INTERRUPTED, Status.FAILED)
# What their count says is true: it is exact, or a lower bound.
BOUNDS = (*REPEATABLE, Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.INTERRUPTED)
PER_REPEAT = (
    "repeat",
    "status",
    "count",
    "nodes",
    "warm_up_s",
    "prepare_s",
    "solve_s",
    "solve_cpu_s",
    "check_s",
    "total_s",
    "peak_bytes",
    "verified",
    "load",
)


def summaries(records: Iterable[Record]) -> list[Record]:
    """One record per job, in the order in which jobs first appear.

    Of several records of the same repeat the last one counts: a run that failed may have been
    done again. A job is represented by its median run by solving time, with the bare figures
    of all its runs under `repeats`; by one that could not be repeated if there is one. It is
    `wrong` when its runs differ in count or nodes, whichever of them represents it.
    """
    jobs: dict[str, list[Record]] = {}
    for record in records:
        jobs.setdefault(record["job"], []).append(record)
    return [_summary(runs) for runs in jobs.values()]


def exact_count(summary: Record) -> int | None:
    """The count of a job that any of its runs has proved, None where none has."""
    runs = (summary, *summary.get("repeats", ()))
    return next((run["count"] for run in runs if run["status"] == Status.EXHAUSTED), None)


def _summary(told: Sequence[Record]) -> Record:
    """What a job comes to from all that was told of it."""
    last = {run["repeat"]: run for run in told}
    runs = [last[repeat] for repeat in sorted(last)]
    cut = [run for run in runs if run["status"] not in REPEATABLE]
    ordered = sorted(runs, key=lambda run: run["solve_s"])
    chosen = cut[-1] if cut else ordered[(len(runs) - 1) // 2]
    summary = {**chosen, "repeats": [{key: run.get(key) for key in PER_REPEAT} for run in runs]}
    reason = _contradiction(told, runs)
    if reason is not None:
        summary |= {"status": str(Status.WRONG), "reason": reason}
    return summary


def _contradiction(told: Iterable[Record], runs: Iterable[Record]) -> str | None:
    """Why what was `told` of a job, or the `runs` that count, cannot all be right; None if it can.

    Nodes are compared among the runs that count only: other records of a repeat may be of
    another version.
    """
    answers = [run for run in told if run["count"] is not None and run["status"] in BOUNDS]
    exact = {run["count"] for run in answers if run["status"] == Status.EXHAUSTED}
    if len(exact) > 1 and len({run["repeat"] for run in answers}) == 1:
        return f"records of one run differ in count: {sorted(exact)}"
    for status in REPEATABLE:
        said = {
            (run["count"], run["nodes"] if status in SAME_WORK else None)
            for run in runs
            if run["status"] == status
        }
        if len(said) > 1:
            return f"repeats differ in (count, nodes): {sorted(said, key=str)}"
    if len(exact) > 1:
        return f"records of its runs differ in count: {sorted(exact)}"
    most = max((run["count"] for run in answers), default=0)
    if exact and most > min(exact):
        return f"one of its runs found {most}, another counted {min(exact)} in all"
    return None
