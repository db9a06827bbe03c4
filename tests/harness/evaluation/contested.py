"""Contests whose rankings were worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dovetail.harness.evaluation.contests import Clock, Contest, contests, solver_runs
from dovetail.harness.records.record import Record
from dovetail.harness.run.job import Limits
from reports.results.synthetic import cut, result

LIMIT_S = 100.0
STOPPED = None
REFUSED = math.inf

# Seconds of five solvers on six puzzles, with a limit of 100 s. Chosen so that the geometric means
# are powers of two, with two ties (A and B on 2, A and C on 4) and ten runs that were stopped.
TIMES: dict[str, tuple[float | None, ...]] = {
    "A": (1, 2, 4, 8, 16, STOPPED),
    "B": (2, 2, 2, STOPPED, 8, 50),
    "C": (4, 1, 8, 8, STOPPED, 25),
    "D": (8, 16, 1, 2, 32, STOPPED),
    "E": (STOPPED, STOPPED, STOPPED, STOPPED, STOPPED, 100),
}


def answers(times: Mapping[str, Sequence[float | None]] = TIMES, **figures: object) -> list[Record]:
    """A result for each time, named puzzle 1, 2, …; or one that was stopped or refused."""
    return [
        _answer(f"puzzle {number}", solver, seconds, figures)
        for solver, row in times.items()
        for number, seconds in enumerate(row, start=1)
    ]


def _answer(
    puzzle: str, solver: str, seconds: float | None, figures: Mapping[str, object]
) -> Record:
    own = {"limits": Limits(time_s=LIMIT_S), **figures}
    if seconds is STOPPED:
        return cut(puzzle, solver, LIMIT_S, **own)
    if seconds == REFUSED:
        none = {"count": None, "nodes": None, "reason": "not such puzzles"}
        return result(puzzle, solver, 0.0, status="skipped", **own, **none)
    return result(puzzle, solver, seconds, **own)


def contests_of(results: Sequence[Record], clock: Clock = Clock.WARM) -> list[Contest]:
    """The contests among results."""
    return contests(solver_runs(results), clock)


def worked_example() -> Contest:
    """The contest of `TIMES`."""
    (contest,) = contests_of(answers())
    return contest
