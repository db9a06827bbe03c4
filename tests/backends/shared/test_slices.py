"""The buffer between a kernel and whoever takes what it found."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.backends.base import Budget
from dovetail.backends.shared.kernel_search import SolutionBuffer, buffer_rows
from dovetail.kernels.layout import BUFFERED, OWN


@pytest.mark.parametrize(
    ("placements", "rows"), [(0, 4096), (1, 4096), (1024, 4096), (1025, 4092), (2**23, 1)]
)
def test_rows(placements: int, rows: int) -> None:
    """Many small solutions or a few large ones, at least one."""
    assert buffer_rows(placements) == rows


def test_filled_and_taken() -> None:
    """Rows are filled up to the last that a budget allows, and what is taken stays as it was."""
    state = np.zeros(OWN, dtype=np.uint64)
    buffer = SolutionBuffer(2**20, np.int32, state)
    rows = buffer.open_for(Budget(work=1))
    assert rows is not None
    assert rows.shape == (4, 2**20)
    rows[0] = 7
    state[BUFFERED] = 1
    fewer = buffer.open_for(Budget(work=1, solutions=2))
    assert fewer is not None
    assert len(fewer) == 3
    state[BUFFERED] = 4
    assert buffer.open_for(Budget(work=1)) is None
    state[BUFFERED] = 1
    taken = buffer.take()
    rows[0] = 8
    assert (taken.shape, np.unique(taken).tolist()) == ((1, 2**20), [7])
    assert not state.any()
    assert len(buffer.take()) == 0
