"""What is taken off a board: cells of the board, each once, where edges do not match."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.improvers.repair.windows import MAX_SHARE, WINDOWS, mismatched_cells
from dovetail.improvers.shared.board_arrays import BoardArrays, board_arrays
from dovetail.improvers.shared.greedy import fill
from dovetail.models.partial_board import mismatched_edges
from dovetail.puzzles.edge_boards import random_board
from dovetail.random_stream import RandomStream


def filled(width: int, height: int, seed: int) -> tuple[BoardArrays, np.ndarray]:
    """A board filled greedily."""
    board = board_arrays(random_board(width, height, 9, seed))
    lies = board.fixed.copy()
    fill(board, lies)
    return board, lies


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 99))
def test_mismatches_of_cells(width: int, height: int, seed: int) -> None:
    """Each edge that does not match counts for both of its cells."""
    board, lies = filled(width, height, seed)
    expected = np.zeros(board.cells, dtype=np.int64)
    for edge in mismatched_edges(board.puzzle, board.partial_board(lies)):
        for position in edge:
            expected[board.puzzle.geometry.cell(position)] += 1
    assert (mismatched_cells(board, lies) == expected).all()


@pytest.mark.parametrize("name", WINDOWS)
@settings(deadline=None, max_examples=30)
@given(width=st.integers(2, 12), height=st.integers(2, 12), seed=st.integers(0, 99))
def test_cells_of_windows(name: str, width: int, height: int, seed: int) -> None:
    """Each once, the same for the same seed; a component has a mismatch if the board has."""
    board, lies = filled(width, height, seed)
    cells = WINDOWS[name](board, lies, RandomStream(seed))
    assert cells == WINDOWS[name](board, lies, RandomStream(seed))
    assert len(set(cells)) == len(cells)
    assert set(cells) <= set(range(board.cells))
    wrong = set(np.flatnonzero(mismatched_cells(board, lies)).tolist())
    if name == "rectangle":
        columns, rows = {c // height for c in cells}, {c % height for c in cells}
        assert len(cells) == len(columns) * len(rows) > 0
        for axis in (columns, rows):
            assert all(after - before == 1 for before, after in pairwise(sorted(axis)))
    elif wrong:
        assert wrong & set(cells)
        assert len(cells) <= max(MAX_SHARE * board.cells, 25)
    else:
        assert not cells
