"""Contests whose rankings were worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dovetail.harness.evaluation.contest import Clock, Contest
from dovetail.harness.evaluation.contests import contests
from dovetail.harness.evaluation.solver_runs import solver_runs
from dovetail.harness.records.summary import JobResult
from dovetail.harness.run.job import Limits
from reports.results.synthetic import cut, result

LIMIT_S = 100.0
STOPPED = None

# Seconds of five solvers on six puzzles, with a limit of 100 s. Chosen so that the geometric means
# are powers of two, with two ties (A and B on 2, A and C on 4) and ten runs that were stopped.
TIMES: dict[str, tuple[float | None, ...]] = {
    "A": (1, 2, 4, 8, 16, STOPPED),
    "B": (2, 2, 2, STOPPED, 8, 50),
    "C": (4, 1, 8, 8, STOPPED, 25),
    "D": (8, 16, 1, 2, 32, STOPPED),
    "E": (STOPPED, STOPPED, STOPPED, STOPPED, STOPPED, 100),
}


def answers(
    times: Mapping[str, Sequence[float | None]] = TIMES, **figures: object
) -> list[JobResult]:
    """A result for each time, named puzzle 1, 2, …; None for a run that the limit stopped."""
    limits = Limits(time_s=LIMIT_S)
    return [
        cut(f"puzzle {number}", solver, LIMIT_S, limits=limits, **figures)
        if seconds is None
        else result(f"puzzle {number}", solver, seconds, limits=limits, **figures)
        for solver, row in times.items()
        for number, seconds in enumerate(row, start=1)
    ]


def contests_of(results: Sequence[JobResult], clock: Clock = Clock.WARM) -> list[Contest]:
    """The contests among results."""
    return contests(solver_runs(results), clock)


def worked_example() -> Contest:
    """The contest of `TIMES`."""
    (contest,) = contests_of(answers())
    return contest
