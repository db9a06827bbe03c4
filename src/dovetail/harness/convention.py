"""Find the convention by which the number of assemblies in a puzzle's file was counted.

BurrTools files contain the number without its convention. The convention is found by counting
before the run, so that all commands and solvers use the same convention.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from dovetail.errors import DovetailError
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry
from dovetail.models.task import Puzzle

# Maximum number of nodes of all counts together: half a second of `bitset`. A time limit would make
# the result depend on the machine.
MAX_NODES = 5_000_000
COARSEST_FIRST = (Symmetry.MIRROR, Symmetry.UNIQUE, Symmetry.ALL)
MAX_REMEMBERED = 100


class Convention(NamedTuple):
    """A convention that defines which assemblies count as the same assembly."""

    symmetry: Symmetry
    labelled: bool

    def __str__(self) -> str:
        return f"{self.symmetry} labelled" if self.labelled else str(self.symmetry)

    def refines(self, other: Convention) -> bool:
        """Return whether this convention counts at least as many assemblies as the other."""
        ranks = COARSEST_FIRST.index(self.symmetry), COARSEST_FIRST.index(other.symmetry)
        return ranks[0] >= ranks[1] and self.labelled >= other.labelled


CONVENTIONS = tuple(
    Convention(symmetry, labelled)
    for labelled in (False, True)
    for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR, Symmetry.ALL)
)


@dataclass(frozen=True)
class Comparison:
    """Counts according to several conventions, compared with the number in a file."""

    # The convention that yields the number; None if no convention does.
    convention: Convention | None
    # Counts according to the other conventions; None for a count that needs too many nodes.
    counts: dict[Convention, int | None]


_compared: dict[tuple[str, int, bool], Comparison] = {}


def by_convention(request: Request, puzzle: Puzzle) -> Request:
    """Return a request with the convention that yields the number in the puzzle's file.

    The request is unchanged if the file has no number, or if no convention yields the number. A
    `labelled` request stays labelled.
    """
    found = comparison(puzzle, labelled=request.labelled, counts=True)
    if found is None or found.convention is None:
        return request
    return replace(request, **found.convention._asdict())


def comparison(puzzle: Puzzle, *, labelled: bool, counts: bool = False) -> Comparison | None:
    """Compare conventions with the number in the puzzle's file.

    Returns None if the file has no number. Unless `counts`, also returns None if this process has
    not compared the conventions for the puzzle before.
    """
    assembled = puzzle.assembled if isinstance(puzzle, PackingPuzzle) else None
    recorded = None if assembled is None else assembled.recorded
    if recorded is None:
        return None
    key = puzzle.digest, recorded, labelled
    if counts and key not in _compared:
        if len(_compared) >= MAX_REMEMBERED:
            _compared.clear()
        _compared[key] = _compare(puzzle, recorded, labelled)
    return _compared.get(key)


def _compare(puzzle: Puzzle, recorded: int, labelled: bool) -> Comparison:
    """Count according to each convention in turn until a convention yields the number."""
    counts: dict[Convention, int | None] = {}
    nodes_left = MAX_NODES
    for convention in CONVENTIONS:
        if convention.labelled < labelled or not _may_yield(convention, recorded, counts):
            continue
        count, nodes = _count(puzzle, convention, nodes_left)
        if count == recorded:
            return Comparison(convention, counts)
        counts[convention] = count
        nodes_left = max(0, nodes_left - nodes)
    return Comparison(None, counts)


def _may_yield(convention: Convention, recorded: int, counts: dict[Convention, int | None]) -> bool:
    """Return whether the counts so far allow a convention to yield the number."""
    return all(
        (not convention.refines(other) or count <= recorded)
        and (not other.refines(convention) or recorded <= count)
        for other, count in counts.items()
        if count is not None
    )


def _count(puzzle: Puzzle, convention: Convention, max_nodes: int) -> tuple[int | None, int]:
    """Return the number of assemblies, and the number of nodes searched.

    The number of assemblies is None if the count needs more than `max_nodes` nodes or fails.
    """
    from dovetail.harness.run.job import Job, Limits
    from dovetail.harness.workers.runs import finish, run

    broken = (Reduction(ReductionName.REDUNDANCY),)
    request = Request(**convention._asdict(), reductions=broken)
    for backend in ("bitset", "dlx"):
        try:
            result = finish(run(Job(puzzle, request, backend, limits=Limits(nodes=max_nodes))))
        except DovetailError:  # reported by the run; some puzzles cannot be counted labelled
            return None, 0
        if result.status != Status.SKIPPED:
            break
    exact = result.count if result.status == Status.EXHAUSTED else None
    return exact, result.nodes or 0
