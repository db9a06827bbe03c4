"""The improver `beam`: a series of beams, by default as wide as the time left allows."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Config, setting
from dovetail.improvers.base import Improver, ImprovingSearch, Placed
from dovetail.improvers.shared.beam import (
    SOFTNESS,
    WEIGHT,
    WORK_PER_STATE,
    BeamFill,
    max_sides,
    max_width,
    pairing_potential,
    refusal,
)
from dovetail.improvers.shared.board import TURNS, BoardArrays, fill_order, score
from dovetail.models.boards.orders import BEST, check_order
from dovetail.models.boards.partial_board import Objective
from dovetail.random_stream import RandomStream

FIRST_WIDTH = 256
SHARE = 0.75  # largest share of the time left for the next beam
MAX_GROWTH = 2  # largest ratio of a width to the width before


class BeamSearch(ImprovingSearch):
    """A series of beams that fill the free cells in an order.

    Each beam turns or reflects the order in the next of `TURNS` ways. With a `width`, beams keep at
    most this number of states. Otherwise the width of each beam suits the time left. A seed then
    determines the beams only without a time limit.
    """

    def __init__(
        self,
        board: BoardArrays,
        order: tuple[str, ...],
        potential: NDArray[np.float64],
        width: int | None,
        seed: int,
    ) -> None:
        super().__init__(board)
        self._board, self._order, self._potential = board, order, potential
        self._fixed_width, self._random = width, RandomStream(seed)
        self._first_turn = self._random.below(TURNS)
        self._max_width = max_width(board)
        self._width = min(width or FIRST_WIDTH, self._max_width)
        self._made = self._beams = self._widest = 0
        self._expanded, self._spent_s = 0, 0.0
        self._fill = self._next_fill()

    @property
    def nodes(self) -> int:
        return self._made + self._fill.nodes

    @property
    def counters(self) -> dict[str, int]:
        """Number of finished beams, and the largest width of a finished beam."""
        return {"beams": self._beams, "width": self._widest}

    def advance(self, budget: Budget) -> bool:
        began = time.perf_counter()
        if not self._fill.done:
            self._expanded += self._fill.advance(max(1, budget.work // WORK_PER_STATE))
        self._spent_s += time.perf_counter() - began
        if self._fill.done:
            self._end_beam(budget.seconds)
        return True

    def _end_beam(self, left_s: float | None) -> None:
        placed = self._fill.placed
        self.keep(placed, score(self._board, placed))
        self._made += self._fill.nodes
        self._beams += 1
        self._widest = max(self._widest, self._width)
        self._width = self._next_width(left_s)
        self._fill = self._next_fill()

    def _next_width(self, left_s: float | None) -> int:
        """Return the width of the next beam.

        A fixed width stays. Without a time limit, the width doubles up to its maximum. With a time
        limit, the width is the largest power of two with which a beam is expected to take at most
        `SHARE` of the time left and which is at most `MAX_GROWTH` times the width before, but at
        least `FIRST_WIDTH`. The width never exceeds its maximum.
        """
        if self._fixed_width is not None:
            return self._width
        widest = min(self._max_width, MAX_GROWTH * self._width)
        if left_s is None:
            return min(widest, 2 * self._width)
        states = SHARE * left_s * self._expanded / max(self._spent_s, 1e-3)
        width = int(min(widest, states / max(1, int(np.count_nonzero(self._board.fixed < 0)))))
        return min(self._max_width, max(FIRST_WIDTH, 1 << max(1, width).bit_length() - 1))

    def _next_fill(self) -> BeamFill:
        order = fill_order(self._board, self._order, turn=(self._first_turn + self._beams) % TURNS)
        seed = self._random.word()
        return BeamFill(
            self._board, self._board.fixed.copy(), order, self._potential, self._width, seed
        )


@dataclass(frozen=True)
class BeamConfig(Config):
    """Settings of `beam`."""

    order: tuple[str, ...] = setting(
        (BEST,),
        "Order in which to fill the cells, as for the backend rows; best is the order with the "
        "fewest mismatches by the model. Each beam turns or reflects the order.",
    )
    width: int = setting(
        0, "Number of states kept after each cell; 0 is as many as the time left allows.", least=0
    )
    weight: float = setting(
        WEIGHT,
        "Weight of the logarithm of the number of ways to pair the remaining sides of each colour, "
        "in matched edges.",
        least=0,
        most=1000,
    )
    softness: float = setting(
        SOFTNESS,
        "Number added to each factor of the number of pairings; open sides may lack partners.",
        above=0,
        most=1000,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_order(self.order)


class Beam(Improver[BeamConfig]):
    """Beam search that fills the cells in a fixed order."""

    name = "beam"
    summary = "beam search that keeps the remaining colours easy to pair (numba)"
    config_type = BeamConfig
    objectives = tuple(Objective)

    def refuses(self, board: BoardArrays, config: BeamConfig) -> str | None:
        return refusal(board, config.width)

    def begin(
        self, board: BoardArrays, config: BeamConfig, seed: int, start: Placed | None
    ) -> BeamSearch:
        potential = pairing_potential(max_sides(board), config.weight, config.softness)
        return BeamSearch(board, config.order, potential, config.width or None, seed)
