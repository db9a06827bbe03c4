"""What counts as one solution unless the user says: what the number in the puzzle's file counts.

Files of BurrTools hold a number of assemblies without the convention. It is found by counting
before the run, so that every command and every solver uses it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dovetail.errors import DovetailError
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle

MAX_NODES = 3_000_000  # of each count, about a second; a limit on time would not be deterministic
COARSEST_FIRST = (Symmetry.MIRROR, Symmetry.UNIQUE, Symmetry.ALL)


class Convention(NamedTuple):
    """What counts as one assembly."""

    symmetry: Symmetry
    labelled: bool

    def refines(self, other: Convention) -> bool:
        """Whether this convention counts at least as many assemblies as the other one."""
        ranks = COARSEST_FIRST.index(self.symmetry), COARSEST_FIRST.index(other.symmetry)
        return ranks[0] >= ranks[1] and self.labelled >= other.labelled


CONVENTIONS = tuple(
    Convention(symmetry, labelled)
    for labelled in (False, True)
    for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR, Symmetry.ALL)
)


def by_convention(request: Request, puzzle: Puzzle) -> Request:
    """`request` with the convention that yields the number in the puzzle's file.

    Unchanged where the file has no number, or where no convention yields it within `MAX_NODES`. A
    `labelled` request stays so.
    """
    assembled = puzzle.assembled if isinstance(puzzle, PackingPuzzle) else None
    recorded = None if assembled is None else assembled.recorded
    if recorded is None:
        return request
    known: dict[Convention, int] = {}
    for convention in CONVENTIONS:
        if convention.labelled < request.labelled or not _may_yield(convention, recorded, known):
            continue
        count = _count(puzzle, convention)
        if count == recorded:
            return replace(request, **convention._asdict())
        if count is not None:
            known[convention] = count
        elif not known:
            break  # other counts would take as long
    return request


def _may_yield(convention: Convention, recorded: int, known: dict[Convention, int]) -> bool:
    """Whether counts by finer and coarser conventions leave the number possible."""
    return all(
        (not convention.refines(other) or count <= recorded)
        and (not other.refines(convention) or recorded <= count)
        for other, count in known.items()
    )


def _count(puzzle: Puzzle, convention: Convention) -> int | None:
    """The number of assemblies; None if it cannot be counted within `MAX_NODES`."""
    from dovetail.harness.execution.launch import finish, run
    from dovetail.harness.run.job import Job, Limits

    job = Job(puzzle, Request(**convention._asdict()), "dlx", limits=Limits(nodes=MAX_NODES))
    try:
        finished = finish(run(job))
    except DovetailError:  # the run itself reports it; some cannot be counted labelled
        return None
    return finished.count if finished.status == Status.EXHAUSTED else None
