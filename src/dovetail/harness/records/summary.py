"""What the repeats of a job come to together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from dovetail.backends.command.permission import NEEDS_PERMISSION
from dovetail.harness.records.fields import field_types
from dovetail.harness.records.record import RunRecord
from dovetail.models.outcome import Status

# A job that ended so ends so again.
REPEATABLE = (
    Status.EXHAUSTED,
    Status.SOLVED,
    Status.SOLUTION_LIMIT,
    Status.NODE_LIMIT,
    Status.REMAINING_LIMIT,
)
# And after the same work: where solutions are sorted into classes, a limit on them is only
# noticed between two slices of the search, whose sizes depend on the clock.
SAME_WORK = (Status.EXHAUSTED, Status.NODE_LIMIT, Status.REMAINING_LIMIT)
UNFINISHED = (Status.INTERRUPTED, Status.FAILED)
# What `--json` prints of every run of a job.
PER_REPEAT = (
    *("repeat", "status", "count", "score", "nodes"),
    *("warm_up_s", "prepare_s", "solve_s", "solve_cpu_s", "check_s", "total_s"),
    *("peak_bytes", "verified", "load"),
)


def is_result(record: RunRecord) -> bool:
    """Whether a run is a result; one that is not is done again when its suite is resumed."""
    return record.status not in UNFINISHED and record.reason != NEEDS_PERMISSION


@dataclass(frozen=True, kw_only=True)
class JobResult(RunRecord):
    """What the repeats of a job come to: the record of the run that represents it, and all runs.

    `shared_reductions` are those that all solvers of a question were asked, in place of
    `reductions`: see `with_shared_reductions`.
    """

    repeats: tuple[RunRecord, ...]
    shared_reductions: tuple[str, ...] = ()

    @property
    def exact_count(self) -> int | None:
        """The count that any of the runs has proved, None where none has."""
        runs = (self, *self.repeats)
        return next((run.count for run in runs if run.is_finished), None)

    def marked_wrong(self, reason: str) -> JobResult:
        """The same result, said to be wrong for this reason."""
        return replace(self, status=Status.WRONG, reason=reason)

    def json_fields(self, *names: str) -> dict[str, Any]:
        """The fields that `--json` prints: those of a record, and some of each run."""
        if names:
            return super().json_fields(*names)
        runs = [run.json_fields(*PER_REPEAT) for run in self.repeats]
        return {**super().json_fields(*field_types(RunRecord)), "repeats": runs}


def summaries(records: Iterable[RunRecord]) -> list[JobResult]:
    """One result per job, in the order in which jobs first appear.

    Of several records of the same repeat the last one counts: a run that failed may have been
    done again. A job is represented by its median run by solving time; by one that could not be
    repeated if there is one. It is `wrong` when its runs differ in count or nodes, whichever of
    them represents it.
    """
    jobs: dict[str, list[RunRecord]] = {}
    for record in records:
        jobs.setdefault(record.job, []).append(record)
    return [_summary(runs) for runs in jobs.values()]


def _summary(recorded: Sequence[RunRecord]) -> JobResult:
    """What a job comes to from all records of it."""
    last = {run.repeat: run for run in recorded}
    runs = [last[repeat] for repeat in sorted(last)]
    cut = [run for run in runs if run.status not in REPEATABLE]
    ordered = sorted(runs, key=lambda run: run.solve_s)
    chosen = cut[-1] if cut else ordered[(len(runs) - 1) // 2]
    own = {field.name: getattr(chosen, field.name) for field in fields(RunRecord) if field.init}
    result = JobResult(**own, repeats=tuple(runs))
    reason = _contradiction(recorded, runs)
    return result if reason is None else result.marked_wrong(reason)


def has_same_nodes(run: RunRecord) -> bool:
    """Whether each run of the same job makes the same nodes."""
    return run.parallel is None or run.parallel.same_nodes


def _contradiction(recorded: Iterable[RunRecord], runs: Iterable[RunRecord]) -> str | None:
    """Why the records of a job, or the `runs` that count, cannot all be right; None if they can.

    Nodes are compared among the runs that count only: other records of a repeat may be of
    another version.
    """
    answers = [
        (run, run.count) for run in recorded if run.status.has_answer and run.count is not None
    ]
    exact = {count for run, count in answers if run.is_finished}
    if len(exact) > 1 and len({run.repeat for run, _ in answers}) == 1:
        return f"records of one run differ in count: {sorted(exact)}"
    for status in REPEATABLE:
        ends = {
            (run.count, run.nodes if status in SAME_WORK and has_same_nodes(run) else None)
            for run in runs
            if run.status == status
        }
        if len(ends) > 1:
            return f"repeats differ in (count, nodes): {sorted(ends, key=str)}"
    if len(exact) > 1:
        return f"its runs differ in count: {sorted(exact)}"
    largest = max((count for _, count in answers), default=0)
    if exact and largest > min(exact):
        return f"one of its runs found {largest}, another counted {min(exact)} in all"
    return None
