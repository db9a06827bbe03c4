"""One search by `repair`: part of a board is taken off and filled again, over and over."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.improvers.base import NO_SCORE, Improvement, Lies
from dovetail.improvers.repair.windows import WINDOWS
from dovetail.improvers.shared.beam.fill import WORK_PER_STATE, BeamFill
from dovetail.improvers.shared.board_arrays import EMPTY, BoardArrays
from dovetail.improvers.shared.fill_order import fill_order
from dovetail.improvers.shared.greedy import score
from dovetail.models.board_orders import BEST
from dovetail.random_stream import RandomStream

TEMPERATURE = 0.5  # matched edges, at the beginning of the time
MIN_TEMPERATURE = 0.01


class RepairImprovement(Improvement):
    """Large neighbourhood search, accepted by annealing.

    Without a board to start from, it begins with a beam over the whole board.
    """

    def __init__(
        self,
        board: BoardArrays,
        windows: tuple[str, ...],
        potential: NDArray[np.float64],
        width: int,
        seed: int,
        start: Lies | None,
    ) -> None:
        super().__init__(board)
        self._board, self._windows, self._potential = board, windows, potential
        self._width, self._random = width, RandomStream(seed)
        self._made, self._repairs, self._accepted = 0, 0, 0
        self._all_s: float | None = None
        self._heat = 1.0
        self._lies = board.fixed.copy() if start is None else start.copy()
        self._now = NO_SCORE
        order = [cell for cell in fill_order(board, (BEST,)) if self._lies[cell] == EMPTY]
        self._fill = self._filled(self._lies, order)

    @property
    def nodes(self) -> int:
        return self._made + self._fill.nodes

    @property
    def counters(self) -> dict[str, int]:
        return {"repairs": self._repairs, "accepted": self._accepted}

    def advance(self, budget: Budget) -> bool:
        self._cool(budget.seconds)
        if not self._fill.done:
            self._fill.advance(max(1, budget.work // WORK_PER_STATE))
        if self._fill.done:
            self._take(self._fill.lies)
            self._made += self._fill.nodes
            self._fill = self._next_fill()
        return True

    def _cool(self, left_s: float | None) -> None:
        """Set the share of the time that is left, or keep it where there is no limit."""
        if left_s is None:
            return
        self._all_s = self._all_s or max(left_s, 1e-3)
        self._heat = max(0.0, min(1.0, left_s / self._all_s))

    def _take(self, lies: Lies) -> None:
        """Go on from a board that is no worse, or by chance."""
        found = score(self._board, lies)
        temperature = max(MIN_TEMPERATURE, TEMPERATURE * self._heat)
        luck = self._random.below(2**32) / 2**32
        if found >= self._now or luck < exp((found - self._now) / temperature):
            self._lies, self._now = lies, found
            self._accepted += 1
        self.keep(lies, found)

    def _next_fill(self) -> BeamFill:
        """Take the cells of a window off, but those of hints."""
        self._repairs += 1
        window = WINDOWS[self._windows[self._random.below(len(self._windows))]]
        cells = window(self._board, self._lies, self._random)
        order = [cell for cell in cells if self._board.fixed[cell] == EMPTY]
        lies = self._lies.copy()
        lies[np.array(order, dtype=np.int64)] = EMPTY
        return self._filled(lies, order)

    def _filled(self, lies: Lies, order: list[int]) -> BeamFill:
        seed = self._random.word()
        return BeamFill(self._board, lies, order, self._potential, self._width, seed)
