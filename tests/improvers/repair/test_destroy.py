"""What `repair` takes off a board, against plain Python."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.improvers.repair.improver import DESTROY, board_of
from dovetail.improvers.repair.kernels import windows
from dovetail.models.partial_board import mismatched_edges
from improvers.repair.boards import arrays, filled
from improvers.repair.twin import Chooser, Draws

choose: Any = windows.choose
count_mismatches: Any = windows.count_mismatches


@settings(max_examples=10)
@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 99))
def test_mismatches_of_cells(width: int, height: int, seed: int) -> None:
    """Each edge that does not match counts for both of its cells."""
    board, placed = filled(width, height, seed)
    expected = np.zeros(board.cells, dtype=np.int32)
    for edge in mismatched_edges(board.puzzle, board.partial_board(placed)):
        for position in edge:
            expected[board.puzzle.geometry.cell(position)] += 1
    found = np.zeros(board.cells, dtype=np.int32)
    count_mismatches(board_of(board), placed, found)
    assert (found == expected).all()


@pytest.mark.parametrize("name", DESTROY)
@settings(max_examples=10)
@given(data=st.data())
def test_cells_of_windows(name: str, data: st.DataObject) -> None:
    """The same as in plain Python, draw by draw; no hint, and where asked for no neighbours."""
    width, height = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    seed, apart = data.draw(st.integers(0, 99)), data.draw(st.booleans())
    board, placed = filled(width, height, seed, hints=data.draw(st.integers(0, 3)))
    high = data.draw(st.integers(1, board.cells))
    low = data.draw(st.integers(1, high))
    sizes = {windows.LOW: low, windows.HIGH: high, windows.APART: int(apart)}
    taken = arrays(board, placed, DESTROY[name], sizes, seed)
    twin = Chooser(board, placed.tolist(), Draws(seed))
    for _ in range(3):
        cells = taken[2].cells[: choose(*taken)].tolist()
        assert cells == twin.choose(DESTROY[name], low, high, apart=apart)
        assert len(cells) <= high
        assert (board.fixed[cells] < 0).all()
        touching = set(board.neighbours[cells].ravel().tolist()) & set(cells)
        assert not (apart and touching)
        if name == "rectangle" and not apart and not (board.fixed >= 0).any():
            for axis in ({c // height for c in cells}, {c % height for c in cells}):
                assert all(after - before == 1 for before, after in pairwise(sorted(axis)))
