"""Find the convention by which the number of assemblies in a puzzle's file was counted.

Files of BurrTools hold a number without the convention. It is found by counting before the run, so
that all commands and solvers that take the puzzle use it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from dovetail.errors import DovetailError
from dovetail.models.outcome import Status
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Reduction, ReductionName, Request, Symmetry
from dovetail.models.task import Puzzle

# Of all counts by `bitset`: half a second. A limit on time would not be deterministic.
MAX_NODES = 5_000_000
COARSEST_FIRST = (Symmetry.MIRROR, Symmetry.UNIQUE, Symmetry.ALL)
MAX_REMEMBERED = 100


class Convention(NamedTuple):
    """What counts as one assembly."""

    symmetry: Symmetry
    labelled: bool

    def __str__(self) -> str:
        return f"{self.symmetry} labelled" if self.labelled else str(self.symmetry)

    def refines(self, other: Convention) -> bool:
        """Return whether this convention counts at least as many assemblies as the other one."""
        ranks = COARSEST_FIRST.index(self.symmetry), COARSEST_FIRST.index(other.symmetry)
        return ranks[0] >= ranks[1] and self.labelled >= other.labelled


CONVENTIONS = tuple(
    Convention(symmetry, labelled)
    for labelled in (False, True)
    for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR, Symmetry.ALL)
)


@dataclass(frozen=True)
class Comparison:
    """The convention that yields the number in a file, and the counts by others.

    `convention` is None if none does. A count is None if it takes too many nodes.
    """

    convention: Convention | None
    counts: dict[Convention, int | None]


_compared: dict[tuple[str, int, bool], Comparison] = {}


def by_convention(request: Request, puzzle: Puzzle) -> Request:
    """Return `request` with the convention that yields the number in the puzzle's file.

    Unchanged if the file has no number, or if no convention yields it. A `labelled` request stays
    so.
    """
    found = comparison(puzzle, labelled=request.labelled, counts=True)
    if found is None or found.convention is None:
        return request
    return replace(request, **found.convention._asdict())


def comparison(puzzle: Puzzle, *, labelled: bool, counts: bool = False) -> Comparison | None:
    """Return how conventions compare with the number in the puzzle's file; None if it has none.

    Unless it `counts`, only what this process has compared before.
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
    """Count by one convention after the other until one yields the number."""
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
    """Return whether counts by finer and coarser conventions leave the number possible."""
    return all(
        (not convention.refines(other) or count <= recorded)
        and (not other.refines(convention) or recorded <= count)
        for other, count in counts.items()
        if count is not None
    )


def _count(puzzle: Puzzle, convention: Convention, max_nodes: int) -> tuple[int | None, int]:
    """Return the number of assemblies, None if it takes more nodes, and the nodes that it took."""
    from dovetail.harness.execution.launch import finish, run
    from dovetail.harness.run.job import Job, Limits

    broken = (Reduction(ReductionName.REDUNDANCY),)
    request = Request(**convention._asdict(), reductions=broken)
    for backend in ("bitset", "dlx"):
        try:
            result = finish(run(Job(puzzle, request, backend, limits=Limits(nodes=max_nodes))))
        except DovetailError:  # the run itself reports it; some cannot be counted labelled
            return None, 0
        if result.status != Status.SKIPPED:
            break
    exact = result.count if result.status == Status.EXHAUSTED else None
    return exact, result.nodes or 0
