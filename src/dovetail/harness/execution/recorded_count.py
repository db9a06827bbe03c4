"""The convention by which the number of assemblies in a puzzle's file was counted.

Files hold a number without the convention. If a count differs from the number, other conventions
are counted for a short time, until one yields the number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dovetail.errors import ConfigError
from dovetail.harness.execution.launch import finish, run
from dovetail.harness.run.events import Finished
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Symmetry

MIN_TIME_S = 2.0  # for each convention, or twice as long as the count that differs has taken
COARSEST_FIRST = (Symmetry.MIRROR, Symmetry.UNIQUE, Symmetry.ALL)


class Convention(NamedTuple):
    """What counts as one assembly."""

    symmetry: Symmetry
    labelled: bool

    def __str__(self) -> str:
        return f"{self.symmetry} labelled" if self.labelled else str(self.symmetry)

    def refines(self, other: Convention) -> bool:
        """Whether this convention counts at least as many assemblies as the other one."""
        ranks = COARSEST_FIRST.index(self.symmetry), COARSEST_FIRST.index(other.symmetry)
        return ranks[0] >= ranks[1] and self.labelled >= other.labelled


CONVENTIONS = tuple(
    Convention(symmetry, labelled)
    for labelled in (False, True)
    for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR, Symmetry.ALL)
)


# Counts by conventions; None for one that was not finished in time.
OtherCounts = tuple[tuple[Convention, int | None], ...]
Compared = tuple[Job, Finished, OtherCounts]


def count_as_recorded(
    job: Job, finished: Finished, interruption: Interruption | None = None
) -> Compared:
    """Return the count of `job`, or the count by the convention that yields the file's number.

    Other conventions are counted only if the count is exact and differs from that number. Where no
    convention yields it, the counts by those that might have come last.
    """
    assembled = job.puzzle.assembled if isinstance(job.puzzle, PackingPuzzle) else None
    recorded = None if assembled is None else assembled.recorded
    count = finished.outcome.count
    if recorded is None or finished.status != Status.EXHAUSTED or count in (recorded, None):
        return job, finished, ()
    others = list[tuple[Convention, int | None]]()
    known = {Convention(job.request.symmetry, job.request.labelled): int(count)}
    for convention in CONVENTIONS:
        if convention in known or not _may_yield(convention, recorded, known):
            continue
        if interruption is not None and interruption.requested:
            break
        other, result = _counted(job, finished, convention, interruption)
        if result is None or result.status == Status.SKIPPED:
            continue
        exact = result.outcome.count if result.status == Status.EXHAUSTED else None
        if exact == recorded:
            return other, result, ()
        others.append((convention, exact))
        if exact is not None:
            known[convention] = exact
    return job, finished, tuple(others)


def _may_yield(convention: Convention, recorded: int, known: dict[Convention, int]) -> bool:
    """Whether counts by finer and coarser conventions leave the number possible."""
    return all(
        (not convention.refines(other) or count <= recorded)
        and (not other.refines(convention) or recorded <= count)
        for other, count in known.items()
    )


def _counted(
    job: Job, finished: Finished, convention: Convention, interruption: Interruption | None
) -> tuple[Job, Finished | None]:
    """Count `job` by a convention within the time for it; None if it cannot be counted so."""
    taken_s = finished.prepare_s + finished.solve_s
    time_s = max(MIN_TIME_S, 2 * taken_s)
    if job.limits.time_s is not None:
        time_s = min(time_s, max(0.0, job.limits.time_s - taken_s))
    request = replace(job.request, symmetry=convention.symmetry, labelled=convention.labelled)
    other = replace(job, request=request)
    limited = replace(other, limits=replace(job.limits, time_s=time_s))
    try:
        return other, finish(run(limited, interruption, reuse=True))
    except ConfigError:  # numbers of copies that vary cannot be labelled
        return other, None
