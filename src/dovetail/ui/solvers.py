"""Rows of the page's lists: entries of the catalogue, solvers and improvers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from dovetail.backends.base import AnyBackend
from dovetail.backends.config import Setting, settings_of
from dovetail.errors import ConfigError, PuzzleError
from dovetail.harness.explanation import backend_supports
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import backend_description, named_backend
from dovetail.improvers.registry import improvers
from dovetail.improvers.shared.board import board_arrays
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request, Trace
from dovetail.models.task import LoweredPuzzle, Puzzle, Task
from dovetail.puzzles.catalogue import catalogue, catalogue_puzzle, variables_of
from dovetail.puzzles.set_puzzles import published_regions
from dovetail.ui.race import Find
from dovetail.ui.requests import Fields
from dovetail.ui.steps import MAX_REGION

PACKING, EDGES, COVER = "packing", "edges", "cover"


def puzzle_class(puzzle: Puzzle) -> str:
    """Return the class of a puzzle in one word: packing, edges or cover."""
    if isinstance(puzzle, EdgePuzzle):
        return EDGES
    return COVER if isinstance(puzzle, CoverProblem) else PACKING


@cache
def catalogue_rows() -> tuple[dict[str, Any], ...]:
    """Return a row for each entry: its first name, pattern, family, summary, kind and examples.

    `pattern` is None for a single puzzle. `variables` are the values that the pattern's words in
    capitals have in the first example. `shapes` are the valid regions of a set with published
    regions.
    """
    rows = []
    for entry in catalogue():
        first, *_ = entry.examples
        puzzle = catalogue_puzzle(first)
        rows.append(
            {
                "name": first,
                "pattern": None if entry.examples == (entry.pattern,) else entry.pattern,
                "family": _family(puzzle),
                "summary": entry.summary,
                "kind": puzzle_class(puzzle),
                "examples": list(entry.examples),
                "variables": variables_of(first),
                "shapes": [
                    shape for name, shape in published_regions() if entry.pattern == f"{name}-SHAPE"
                ],
            }
        )
    return tuple(rows)


def _family(puzzle: Puzzle) -> str:
    """Return the family of a puzzle: edge matching, exact cover, or the title of its lattice."""
    if isinstance(puzzle, EdgePuzzle):
        return "edge matching"
    return "exact cover" if isinstance(puzzle, CoverProblem) else puzzle.lattice.title


# Preselected solvers of a race: fast solvers that work in different ways.
USUAL = {
    PACKING: ("dlx", "fila", "bitset"),
    EDGES: ("rows", "colorpair", "domains"),
    COVER: ("dlx", "bitset", "zdd"),
}
MAX_RECOMMENDED = 3


def solver_rows(lowered: LoweredPuzzle) -> list[Fields]:
    """Return a row for each solver, `auto` first.

    A row says whether the solver accepts the puzzle, lists solutions and shows steps.
    """
    listing, traced = lowered.task(Request(listing=True)), _traced(lowered)
    described = backend_description(AUTO)
    rows = [_row(AUTO, described.summary, described.settings, lists=True)]
    for support in backend_supports(lowered.task(Request())):
        name, refusal, missing = support.backend, support.refusal, support.missing
        backend, described = named_backend(name), backend_description(name)
        assert backend is not None
        can = missing is None and refusal is None
        lists = can and _takes(backend, listing)
        steps = can and traced is not None and _takes(backend, traced)
        figures = (name, described.summary, described.settings, refusal, missing)
        rows.append(_row(*figures, lists=lists, steps=steps))
    for find in (Find.SOLUTIONS, Find.COUNT):
        _recommend(rows, USUAL[puzzle_class(lowered.puzzle)], find)
    return rows


def _recommend(rows: list[Fields], usual: Sequence[str], find: str) -> None:
    """Mark at most `MAX_RECOMMENDED` rows that are preselected in a race for `find`.

    The `usual` solvers come first, followed by the others; solvers that cannot take part are
    skipped.
    """
    able = [
        row["name"]
        for row in rows
        if row["name"] != AUTO
        and row["refusal"] is None
        and row["missing"] is None
        and (row["lists"] or find != Find.SOLUTIONS)
    ]
    chosen = dict.fromkeys([*(name for name in usual if name in able), *able])
    for row in rows:
        if row["name"] in list(chosen)[:MAX_RECOMMENDED]:
            row["recommended_for"].append(find)


def improver_rows(board: EdgePuzzle) -> list[Fields]:
    """Return a row for each improver; every improver refuses a contradictory board."""
    rows = []
    for name, improver in improvers().items():
        try:
            refusal = improver.refuses(board_arrays(board), improver.config_type())
        except PuzzleError as error:
            refusal = str(error)
        settings = settings_of(improver.config_type)
        rows.append(_row(name, improver.summary, settings, refusal))
    _recommend(rows, (), Find.IMPROVE)
    return rows


def _traced(lowered: LoweredPuzzle) -> Task | None:
    """Return the task of a recorded search; None for a puzzle whose search cannot be shown."""
    puzzle = lowered.puzzle
    if not isinstance(puzzle, PackingPuzzle) or len(puzzle.region) > MAX_REGION:
        return None
    with suppress(ConfigError, PuzzleError):
        if puzzle.lattice.dimension != 3:
            puzzle.lattice.footprint(puzzle.region[0])  # raises if there are no pictures
        return lowered.task(Request(trace=Trace()))
    return None


def _takes(backend: AnyBackend, task: Task) -> bool:
    return backend.refuses(task, backend.config_type()) is None


def _row(
    name: str,
    summary: str,
    settings: Iterable[Setting],
    refusal: str | None = None,
    missing: str | None = None,
    *,
    lists: bool = False,
    steps: bool = False,
) -> Fields:
    return {
        "name": name,
        "idea": summary,
        "refusal": refusal,
        "missing": missing,
        "lists": lists,
        "steps": steps,
        "recommended_for": [],
        "settings": [
            {"name": s.key, "values": s.values, "default": s.default, "help": s.meaning}
            for s in settings
        ],
    }
