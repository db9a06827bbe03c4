"""Refills of small windows, of which a kernel makes many in a slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from dovetail.backends.base import Budget
from dovetail.improvers.repair.kernels.layout import Window
from dovetail.improvers.repair.refill import Refill
from dovetail.improvers.repair.walk import BoardWalk


class KernelRefill(Refill):
    """Greedily, by assignment or exactly: `refill` is a number of the kernels' layout."""

    def __init__(self, walk: BoardWalk, refill: int, max_cells: int) -> None:
        from dovetail.improvers.repair.kernels.rounds import rounds

        super().__init__(walk)
        self._rounds: Any = rounds
        self._refill, self._window = refill, window_of(walk.board.cells, max_cells)

    def advance(self, budget: Budget) -> None:
        self._rounds(*self._walk.arrays, self._window, self._refill, budget.work)


def window_of(cells: int, max_cells: int) -> Window:
    """Space for the refill of a window of so many cells, on a board of `cells`."""
    more = max_cells + 1
    return Window(
        tiles=np.zeros(max_cells, dtype=np.int32),
        entries=np.zeros(4 * max_cells, dtype=np.int32),
        facing=np.zeros(4, dtype=np.int32),
        worth=np.zeros((max_cells, max_cells), dtype=np.int64),
        turned=np.zeros((max_cells, max_cells), dtype=np.int32),
        potential=np.zeros((2, more), dtype=np.int64),
        slack=np.zeros(more, dtype=np.int64),
        held=np.zeros(more, dtype=np.int64),
        before=np.zeros(more, dtype=np.int64),
        at=np.zeros(more, dtype=np.int64),
        missed=np.zeros(more, dtype=np.int64),
        rest=np.zeros(more, dtype=np.int64),
        chosen=np.zeros(max_cells, dtype=np.int32),
        used=np.zeros(max(cells, more), dtype=np.uint8),
    )
