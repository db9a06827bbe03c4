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
    "load",
)


def summaries(records: Iterable[Record]) -> list[Record]:
    """One record per job, in the order in which jobs first appear.

    Of several records of the same repeat the last one counts: a run that failed may have been
    done again. A job is represented by its median run by solving time, with the bare figures
    of all its runs under `repeats`; by one that could not be repeated if there is one. It is
    `wrong` when its runs differ in count or nodes.
    """
    jobs: dict[str, dict[int, Record]] = {}
    for record in records:
        jobs.setdefault(record["job"], {})[record["repeat"]] = record
    return [_summary([runs[repeat] for repeat in sorted(runs)]) for runs in jobs.values()]


def _summary(runs: Sequence[Record]) -> Record:
    cut = [run for run in runs if run["status"] not in REPEATABLE]
    ordered = sorted(runs, key=lambda run: run["solve_s"])
    chosen = cut[-1] if cut else ordered[(len(runs) - 1) // 2]
    summary = {**chosen, "repeats": [{key: run.get(key) for key in PER_REPEAT} for run in runs]}
    said = {(run["count"], run["nodes"] if run["status"] in SAME_WORK else None) for run in runs}
    if len(said) > 1 and not cut:
        summary["status"] = str(Status.WRONG)
        summary["reason"] = f"repeats differ in (count, nodes): {sorted(said, key=str)}"
    return summary
