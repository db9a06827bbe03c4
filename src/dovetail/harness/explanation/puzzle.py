"""A puzzle explained: its sizes and symmetries, the facts of its kind, who takes it."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.backends.base import AnyBackend
from dovetail.backends.registry import backends, not_installed
from dovetail.harness.explanation.edges import EdgeFacts, edge_facts
from dovetail.harness.explanation.packing import PackingFacts, packing_facts
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task


@dataclass(frozen=True)
class BackendSupport:
    """Reasons why a backend with its default config cannot solve the puzzle; both None: it can."""

    backend: str
    missing: str | None
    refusal: str | None


@dataclass(frozen=True)
class Explanation:
    """A puzzle explained.

    `sizes` are what there is how many of, `symmetries` how many maps of the puzzle onto itself
    each count is up to; `packing` and `edges` are None for other kinds of puzzle.
    """

    puzzle: str
    digest: str
    sizes: dict[str, int]
    symmetries: dict[str, int]
    packing: PackingFacts | None
    edges: EdgeFacts | None
    backends: tuple[BackendSupport, ...]


def explain(puzzle: Puzzle) -> Explanation:
    """Explain a puzzle; nothing is searched."""
    task = build_task(puzzle, Request())
    options = task.options
    return Explanation(
        puzzle=puzzle.name,
        digest=puzzle.digest,
        sizes=puzzle_sizes(puzzle, options.option_count),
        symmetries={str(one): len(options.symmetries(one)) for one in Symmetry},
        packing=packing_facts(options) if isinstance(options, PackingOptions) else None,
        edges=edge_facts(puzzle) if isinstance(puzzle, EdgePuzzle) else None,
        backends=backend_supports(task),
    )


def backend_supports(task: Task) -> tuple[BackendSupport, ...]:
    """Return which backends take a task."""
    return tuple(_support(backend, task) for backend in backends().values())


def puzzle_sizes(puzzle: Puzzle, options: int) -> dict[str, int]:
    """Return what a puzzle, lowered to so many options, has how many of."""
    match puzzle:
        case PackingPuzzle():
            pieces = sum(piece.max_count for piece in puzzle.pieces)
            return {"cells": len(puzzle.open_cells), "pieces": pieces, "placements": options}
        case EdgePuzzle():
            sides = {"columns": puzzle.width, "rows": puzzle.height}
            return {**sides, "tiles": len(puzzle.tiles), "options": options}
        case CoverProblem():
            primary = puzzle.primary_count
            secondary = puzzle.item_count - primary
            return {"primary items": primary, "secondary items": secondary, "options": options}


def _support(backend: AnyBackend, task: Task) -> BackendSupport:
    missing = not_installed(backend)
    refusal = None if missing else backend.refuses(task, backend.config_type())
    return BackendSupport(backend.name, missing, refusal)
