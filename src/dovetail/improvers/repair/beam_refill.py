"""Large windows filled by a beam search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.improvers.repair.refill import Refill
from dovetail.improvers.repair.walk import BoardWalk
from dovetail.improvers.shared.beam.fill import WORK_PER_STATE, BeamFill
from dovetail.improvers.shared.board_arrays import EMPTY
from dovetail.random_stream import RandomStream


class BeamRefill(Refill):
    """A beam of a width, in the order of the window's cells."""

    def __init__(
        self, walk: BoardWalk, potential: NDArray[np.float64], width: int, seed: int
    ) -> None:
        super().__init__(walk)
        self._potential, self._width, self._random = potential, width, RandomStream(seed)
        self._fill: BeamFill | None = None

    def advance(self, budget: Budget) -> None:
        fill = self._fill = self._fill or self._next_fill()
        if not fill.done:
            before = fill.nodes
            fill.advance(max(1, budget.work // WORK_PER_STATE))
            self._walk.count(placements=fill.nodes - before)
        if fill.done:
            self._walk.settle(fill.placed)
            self._fill = None

    def _next_fill(self) -> BeamFill:
        walk, order = self._walk, self._walk.window()
        placed = walk.placed.copy()
        placed[np.array(order, dtype=np.int64)] = EMPTY
        seed = self._random.word()
        return BeamFill(walk.board, placed, order, self._potential, self._width, seed)
