"""Runs in this process, with their answers in plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.packings.placements import Placements, bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load


def packing(name: str) -> PackingPuzzle:
    """A packing puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


def placements_of(name: str) -> Placements:
    """All placements of a packing puzzle of the catalogue."""
    return bounded_placements(packing(name))


def counted(
    puzzle: Puzzle,
    backend: str = "dlx",
    symmetry: str = "all",
    *,
    labelled: bool = False,
    reduce: Sequence[str] = (),
    config: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> Result:
    """The result of counting."""
    request = Request(Symmetry(symmetry), labelled, reductions=_reductions(reduce))
    return finish(execute(Job(puzzle, request, backend, config or {}, limits or Limits())))


def listed(
    puzzle: Puzzle,
    backend: str = "dlx",
    symmetry: str = "all",
    *,
    labelled: bool = False,
    reduce: Sequence[str] = (),
    limits: Limits | None = None,
) -> tuple[Result, set[tuple[int, ...]]]:
    """The result of listing, and the solutions as sorted options."""
    request = Request(Symmetry(symmetry), labelled, True, _reductions(reduce))
    return solved(puzzle, request, backend, {}, limits)


def solved(
    puzzle: Puzzle,
    request: Request,
    backend: str,
    config: Mapping[str, object],
    limits: Limits | None = None,
) -> tuple[Result, set[tuple[int, ...]]]:
    """The same for any request and config."""
    solutions: set[tuple[int, ...]] = set()
    for event in execute(Job(puzzle, request, backend, config, limits=limits or Limits())):
        if isinstance(event, Found):
            solutions |= {tuple(sorted(o for o in row.tolist() if o >= 0)) for row in event.options}
        if isinstance(event, Result):
            finished = event
    return finished, solutions


def _reductions(words: Sequence[str]) -> tuple[Reduction, ...]:
    return tuple(map(Reduction.parse, words))
