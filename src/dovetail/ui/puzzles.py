"""Descriptions and explanations of puzzles, shown before a search."""

from __future__ import annotations

from functools import lru_cache

from dovetail.harness.explanation import explain, puzzle_sizes
from dovetail.harness.parameters import by_convention
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import BOARD_REDUCTIONS, PACKING_REDUCTIONS, Request, Symmetry
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.formats.registry import board_formats
from dovetail.reports.describe_puzzle import in_words
from dovetail.reports.explanation import content_rows, sizes_text, solving_rows
from dovetail.reports.pictures.picture import PICTURES
from dovetail.ui.catalogue import puzzle_class
from dovetail.ui.drawings import drawing_of
from dovetail.ui.puzzle_files import puzzle_suffixes, solution_suffixes
from dovetail.ui.puzzle_pictures import board_fields, puzzle_picture
from dovetail.ui.requests import Fields
from dovetail.ui.sizes import check_size
from dovetail.ui.solvers import improver_rows, solver_rows
from dovetail.ui.workspace import StoredPuzzle

MAX_REMEMBERED = 20  # cached descriptions: some take seconds


def puzzle_row(stored: StoredPuzzle) -> Fields:
    """Return the row of a puzzle in a list."""
    puzzle = stored.puzzle
    return {
        "id": stored.identity,
        "name": puzzle.name,
        "kind": puzzle_class(puzzle),
    }


@lru_cache(maxsize=MAX_REMEMBERED)
def puzzle_fields(stored: StoredPuzzle) -> Fields:
    """Return the description of a puzzle before a search, without its explanation.

    Raises `RequestError` if the puzzle is too large.
    """
    puzzle = stored.puzzle
    check_size(puzzle)
    lowered = lower(puzzle)
    sizes = puzzle_sizes(puzzle, lowered.options.option_count)
    counted = by_convention(Request(), puzzle)
    lattice = puzzle.lattice if isinstance(puzzle, PackingPuzzle) else None
    return puzzle_row(stored) | {
        "lattice": None if lattice is None else lattice.name,
        "three_d": lattice is not None and lattice.dimension == 3,
        "editable": drawing_of(puzzle) is not None,
        "summary": [in_words(puzzle), sizes_text(sizes)],
        "picture": puzzle_picture(puzzle),
        "solvers": solver_rows(lowered),
        "improvers": improver_rows(puzzle) if isinstance(puzzle, EdgePuzzle) else [],
        "symmetries": list(map(str, Symmetry)),
        "default_symmetry": counted.symmetry,
        "default_labelled": counted.labelled,
        "may_be_labelled": not isinstance(puzzle, CoverProblem),
        "reductions": _reductions(puzzle),
        "formats": {
            "puzzle": puzzle_suffixes(puzzle),
            "solutions": solution_suffixes(stored),
            "boards": [*board_formats(), *PICTURES] if isinstance(puzzle, EdgePuzzle) else [],
        },
        "board": board_fields(puzzle) if isinstance(puzzle, EdgePuzzle) else None,
    }


def _reductions(puzzle: Puzzle) -> list[str]:
    """Return the reductions without a parameter that apply to the placements of a puzzle."""
    match puzzle:
        case PackingPuzzle():
            return list(PACKING_REDUCTIONS)
        case EdgePuzzle():
            return list(BOARD_REDUCTIONS)
        case CoverProblem():
            return []


@lru_cache(maxsize=MAX_REMEMBERED)
def explanation_fields(stored: StoredPuzzle) -> list[Fields]:
    """Return the output of `dovetail explain`: sections with a `key`, a `title` and `rows`.

    A row is a label and a text. Some puzzles take seconds.
    """
    check_size(stored.puzzle)
    explained = explain(stored.puzzle)
    sections: list[Fields] = [{"key": "puzzle", "title": "puzzle", "rows": []}]
    for row in (*content_rows(explained), *solving_rows(explained)):
        if row.text:
            sections[-1]["rows"].append([row.label.strip(), row.text])
        else:
            sections.append({"key": row.key, "title": row.label, "rows": []})
    return sections
