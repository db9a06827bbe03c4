"""The improver `portfolio`: beams, and repair of the best board, in turn.

Turns get longer, up to `MAX_TURN_S`. Turns of repair are at first as long as turns of beams. Each
turn of repair without an improvement halves the length of later turns of repair, relative to turns
of beams and down to `MIN_SHARE`. A turn of repair with an improvement restores the length.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from dovetail.backends.base import Budget, Config
from dovetail.improvers.base import NO_SCORE, Improver, ImprovingSearch, Placed
from dovetail.improvers.beam import Beam, BeamConfig
from dovetail.improvers.repair.improver import Repair, RepairConfig
from dovetail.improvers.shared.beam import refusal
from dovetail.improvers.shared.board import BoardArrays, score
from dovetail.models.boards.partial_board import Objective
from dovetail.random_stream import RandomStream

# Turns of beams: seconds of the first turn, factor from turn to turn, largest number of seconds.
FIRST_TURN_S, GROWTH, MAX_TURN_S = 0.05, 1.5, 20.0
MIN_SHARE = 1 / 8  # least length of a turn of repair, in turns of beams
REPAIR = RepairConfig(width=512, temperature=0.5)  # `repair` alone is better with wider beams
BEAM_SHARE = 0.8  # share of the time left that `beam` gets as its budget


@dataclass(frozen=True)
class PortfolioConfig(Config):
    """No settings: `beam` runs with its defaults, and `repair` with `REPAIR`."""


class Portfolio(Improver[PortfolioConfig]):
    """Beam search and large neighbourhood search."""

    name = "portfolio"
    summary = "beams, and repair of the best board, in turn (numba)"
    config_type = PortfolioConfig
    objectives = tuple(Objective)

    def refuses(self, board: BoardArrays, config: PortfolioConfig) -> str | None:
        return refusal(board)

    def warm_up(self, config: PortfolioConfig) -> None:
        Beam().warm_up(BeamConfig())
        Repair().warm_up(REPAIR)

    def begin(
        self, board: BoardArrays, config: PortfolioConfig, seed: int, start: Placed | None
    ) -> PortfolioSearch:
        return PortfolioSearch(board, seed, start)


class PortfolioSearch(ImprovingSearch):
    """A search by `beam` and searches by `repair` that advance in turn."""

    def __init__(self, board: BoardArrays, seed: int, start: Placed | None) -> None:
        super().__init__(board)
        self._board, self._random = board, RandomStream(seed)
        self._beam = Beam().begin(board, BeamConfig(), self._random.word(), None)
        self._repair: ImprovingSearch | None = None  # None while `beam` has its turn
        if start is not None:
            self.keep(start, score(board, start))
        self._repaired, self._repaired_score = self.best, self.score  # board for the next repair
        self._repairs = self._repair_nodes = self._turns = 0
        self._turn_s, self._share = FIRST_TURN_S, 1.0
        self._spent_s, self._improved = 0.0, False

    @property
    def nodes(self) -> int:
        under_way = 0 if self._repair is None else self._repair.nodes
        return self._beam.nodes + self._repair_nodes + under_way

    @property
    def counters(self) -> dict[str, int]:
        return {**self._beam.counters, "repairs": self._repairs, "turns": self._turns}

    def advance(self, budget: Budget) -> bool:
        now = self._beam if self._repair is None else self._repair
        left_s = budget.seconds
        if now is self._beam and left_s is not None:
            budget = replace(budget, seconds=BEAM_SHARE * left_s)
        before, began = now.score, time.perf_counter()
        now.advance(budget)
        self._spent_s += time.perf_counter() - began
        self.keep(now.best, now.score)
        if now.score > max(before, self._repaired_score):
            self._repaired, self._repaired_score, self._improved = now.best, now.score, True
        self._end_turn_if_over()
        return True

    def accept(self, placed: Placed) -> None:
        """Repair the board `placed`: at once if `repair` has its turn, else in its next turn.

        If a beam finds a better board before that turn, the better board is repaired instead.
        """
        self._repaired, self._repaired_score = placed, score(self._board, placed)
        self.keep(placed, self._repaired_score)
        if self._repair is not None:
            self._count_repair(self._repair)
            self._repair = self._new_repair()

    def _end_turn_if_over(self) -> None:
        """Switch to the other search if the turn is over; to `repair` only if there is a board."""
        if self._repair is None:
            if self._spent_s >= self._turn_s and self.score > NO_SCORE:
                self._repair = self._new_repair()
                self._begin_turn()
        elif self._spent_s >= self._turn_s * self._share:
            self._share = 1.0 if self._improved else max(MIN_SHARE, self._share / 2)
            self._count_repair(self._repair)
            self._repair = None
            self._turn_s = min(MAX_TURN_S, self._turn_s * GROWTH)
            self._begin_turn()

    def _new_repair(self) -> ImprovingSearch:
        return Repair().begin(self._board, REPAIR, self._random.word(), self._repaired)

    def _count_repair(self, repair: ImprovingSearch) -> None:
        self._repair_nodes += repair.nodes
        self._repairs += repair.counters["repairs"]

    def _begin_turn(self) -> None:
        self._turns += 1
        self._spent_s, self._improved = 0.0, False
