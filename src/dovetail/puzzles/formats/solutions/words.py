"""What all formats of solutions have in common: bounds on numbers and sizes."""

from __future__ import annotations

import re

from dovetail.errors import PuzzleError, shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution
from dovetail.models.task import Puzzle

LARGEST_NUMBER = 999_999_999

_WHOLE = re.compile(r"-?[0-9]{1,9}")


def whole(word: str) -> int:
    """`word` as a whole number of at most nine digits; `PuzzleError` for anything else."""
    if not _WHOLE.fullmatch(word):
        raise PuzzleError(f"{shorten(word)!r} is not a whole number of at most nine digits")
    return int(word)


def max_entries(puzzle: Puzzle) -> int:
    """More cells, tiles or options than any solution has, wrong ones included.

    A reader stops there, so that a solution cannot be larger than its puzzle by much.
    """
    match puzzle:
        case PackingPuzzle():
            entries = len(puzzle.region)
        case EdgePuzzle():
            entries = puzzle.width * puzzle.height
        case CoverProblem():
            entries = puzzle.option_count
    return 10 * entries + 100


def board(puzzle: EdgePuzzle, rows: tuple[tuple[tuple[int, int], ...], ...]) -> EdgeSolution:
    """The solution with these rows, bottom row first; `PuzzleError` if it has another size."""
    if len(rows) != puzzle.height or any(len(row) != puzzle.width for row in rows):
        raise PuzzleError(f"the size of the board is not {puzzle.width} x {puzzle.height}")
    return EdgeSolution(rows)
