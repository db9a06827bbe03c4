"""Boards as arrays: what matches, what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings

from dovetail.errors import PuzzleError
from dovetail.improvers.shared.board import board_arrays, fill, score
from dovetail.models.board_geometry import opposite
from dovetail.models.edges import EdgePuzzle, Hint, turned
from dovetail.models.partial_board import verified_score
from dovetail.puzzles.edge_boards import random_board
from oracle.strategies import edge_puzzles

TILES = ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1))


@settings(deadline=None)
@given(edge_puzzles())
def test_sides_are_equal_where_colours_match(puzzle: EdgePuzzle) -> None:
    """For all pairs of orientations and sides; and greedy boards are boards with their scores."""
    board = board_arrays(puzzle)
    for one in range(4 * board.cells):
        for other in range(4 * board.cells):
            first, second = (turned(puzzle.tiles[o // 4], o % 4) for o in (one, other))
            for side in range(2):
                matches = first[side] == puzzle.mate(second[opposite(side)])
                equal = board.sides[one, side] == board.sides[other, opposite(side)]
                assert matches == equal
    placed = board.fixed.copy()
    found = fill(board, placed)
    assert (placed >= 0).all()
    assert found == verified_score(puzzle, board.partial_board(placed)) == score(board, placed)


def test_one_of_several_equal_turns() -> None:
    """The first of them is distinct."""
    puzzle = EdgePuzzle("turns", 3, 3, (*random_board(3, 3, 1, 1).tiles,))
    distinct = board_arrays(puzzle).distinct.reshape(-1, 4)
    for tile, found in zip(puzzle.tiles, distinct, strict=True):
        turns = [turned(tile, rotation) for rotation in range(4)]
        assert found.tolist() == [turns.index(one) == at for at, one in enumerate(turns)]


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (
            EdgePuzzle("frameless", 2, 2, ((1, 1, 1, 1),) * 4),
            "frameless cannot be filled: it has 0 corner tiles",
        ),
        (
            EdgePuzzle("turned", 2, 2, TILES, (Hint(0, 0, 0, 0),)),
            "turned: the hint for (0, 0) puts tile 0 where its sides of colour 0 are not on the",
        ),
        (
            EdgePuzzle("apart", 2, 2, TILES, (Hint(0, 0, 2, 0), Hint(0, 1, 1, 1))),
            "apart: the hints for (0, 0) and (0, 1) do not match",
        ),
    ],
)
def test_what_cannot_be_filled(puzzle: EdgePuzzle, message: str) -> None:
    """Tiles that fit no frame, and hints that contradict it or one another."""
    with pytest.raises(PuzzleError, match=re.escape(message)):
        board_arrays(puzzle)


def test_a_board_keeps_what_lies() -> None:
    """Filling leaves the hints, and a full board, as they are."""
    puzzle = random_board(4, 4, 3, 1)
    board = board_arrays(puzzle)
    placed = board.fixed.copy()
    fill(board, placed)
    again = placed.copy()
    assert fill(board, again) == score(board, placed)
    assert (again == placed).all()
    placed[3] = -1
    fill(board, placed)
    assert np.count_nonzero(placed != again) <= 1
