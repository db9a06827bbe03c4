"""Puzzles as the page shows them before a search: described, and explained."""

from __future__ import annotations

from functools import lru_cache

from dovetail.harness.convention import by_convention
from dovetail.harness.explanation import explain, puzzle_sizes
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

MAX_REMEMBERED = 20  # puzzles described: some take seconds


def puzzle_row(stored: StoredPuzzle) -> Fields:
    """A puzzle in a list."""
    puzzle = stored.puzzle
    return {
        "id": stored.identity,
        "name": puzzle.name,
        "kind": puzzle_class(puzzle),
    }


@lru_cache(maxsize=MAX_REMEMBERED)
def puzzle_fields(stored: StoredPuzzle) -> Fields:
    """What the page shows of a puzzle before it is searched, all but its explanation.

    Raises `RequestError` for one that is too large.
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
    """The reductions without a parameter that placements of a puzzle can be reduced by."""
    match puzzle:
        case PackingPuzzle():
            return list(PACKING_REDUCTIONS)
        case EdgePuzzle():
            return list(BOARD_REDUCTIONS)
        case CoverProblem():
            return []


@lru_cache(maxsize=MAX_REMEMBERED)
def explanation_fields(stored: StoredPuzzle) -> list[Fields]:
    """What `dovetail explain` shows of a puzzle: sections with a `key`, a `title` and `rows`.

    A row is a label and a text. That takes seconds for some.
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
