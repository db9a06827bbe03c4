"""The catalogue as the page shows it: entries by family, with the names of some puzzles."""

from __future__ import annotations

from functools import cache
from typing import Any

from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import catalogue, catalogue_puzzle

PACKING, EDGES, COVER = "packing", "edges", "cover"


def puzzle_class(puzzle: Puzzle) -> str:
    """Return the class of a puzzle in one word: packing, board of edges or bare cover problem."""
    if isinstance(puzzle, EdgePuzzle):
        return EDGES
    return COVER if isinstance(puzzle, CoverProblem) else PACKING


@cache
def catalogue_rows() -> tuple[dict[str, Any], ...]:
    """Return a row for each entry: its `name` or `pattern`, family, summary, kind and examples."""
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
            }
        )
    return tuple(rows)


def _family(puzzle: Puzzle) -> str:
    """Return the family of pieces that a puzzle is made of."""
    if isinstance(puzzle, EdgePuzzle):
        return "edge matching"
    return "exact cover" if isinstance(puzzle, CoverProblem) else puzzle.lattice.title
