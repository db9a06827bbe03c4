"""Scores of boards beside a count over sides, and the rules that a board must keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.api import solve
from dovetail.errors import PuzzleError
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.boards.partial_board import (
    PartialBoard,
    board_error,
    max_score,
    mismatched_edges,
    score,
    verified_score,
)
from dovetail.models.solution import EdgeSolution
from dovetail.puzzles.edge_boards import random_board
from oracle.strategies import signed_twin

PUZZLE = EdgePuzzle("square", 2, 2, ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1)))
BOARD = PartialBoard((((2, 0), (3, 0)), ((0, 0), (1, 0))))


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 50), st.booleans())
def test_a_solution_has_the_highest_score(width: int, height: int, seed: int, signed: bool) -> None:
    """And each cell that is emptied loses the edges that were its own."""
    puzzle = random_board(width, height, 3, seed)
    if signed:
        puzzle = signed_twin(puzzle, seed)
    found = next(iter(solve(puzzle, "rows", symmetry="all", limit=1)))
    assert isinstance(found, EdgeSolution)
    board = PartialBoard(found.cells)
    edges = (width - 1) * height + width * (height - 1)
    assert verified_score(puzzle, board) == max_score(puzzle) == edges
    assert board.solution == found
    x, y = seed % width, seed % height
    rows = [list(row) for row in board.cells]
    rows[y][x] = None
    emptied = PartialBoard(tuple(map(tuple, rows)))
    own = sum([x > 0, x + 1 < width, y > 0, y + 1 < height])
    assert verified_score(puzzle, emptied) == edges - own
    assert emptied.solution is None
    assert (x, y) not in emptied.laid
    assert len(emptied.laid) == width * height - 1


def test_mismatches_by_hand() -> None:
    """A board of four corners on which two tiles have changed places."""
    swapped = PartialBoard((((2, 0), (1, 3)), ((0, 0), (3, 1))))
    assert board_error(PUZZLE, swapped) is None
    expected = [((0, 0), (1, 0)), ((0, 1), (1, 1))]
    assert sorted(mismatched_edges(PUZZLE, swapped)) == expected
    assert score(PUZZLE, swapped) == 2


@pytest.mark.parametrize(
    ("board", "puzzle", "reason"),
    [
        (PartialBoard((((2, 0), None), (None, (2, 0)))), PUZZLE, "tile 2 lies in two cells"),
        (PartialBoard((((4, 0), None), (None, None))), PUZZLE, "no such tile or turn"),
        (
            PartialBoard(((None, (3, 0)), ((0, 0), (1, 0)))),
            EdgePuzzle("hinted", 2, 2, PUZZLE.tiles, (Hint(0, 0, 2, 0),)),
            "the hint for (0, 0) is violated",
        ),
        (
            PartialBoard((((2, 0), (3, 0)), ((0, 0), (1, 0)))),
            EdgePuzzle("hole", 2, 2, ((0, 0, 0, 0),) * 3, unbounded=True, holes=((1, 0),)),
            "(1, 0) has a tile; the board has no cell there",
        ),
    ],
)
def test_rules(board: PartialBoard, puzzle: EdgePuzzle, reason: str) -> None:
    """The first rule that is broken, with the place."""
    error = board_error(puzzle, board)
    assert error is not None
    assert reason in error
    with pytest.raises(PuzzleError) as raised:
        verified_score(puzzle, board)
    assert str(raised.value) == error


def test_text() -> None:
    """Empty cells are dashes."""
    assert str(PartialBoard((((2, 0), None), ((10, 3), (1, 0))))) == "10/3  1/0\n 2/0    -"
