"""The improver `portfolio`: beams first, then repair of the best board and beams in turn.

Who has improved the best board in its last turn goes on; otherwise the other has the next turn.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from dovetail.backends.base import Budget, Config
from dovetail.improvers.base import Improvement, Improver, Lies
from dovetail.improvers.beam.improver import Beam, BeamConfig
from dovetail.improvers.repair.improver import Repair, RepairConfig
from dovetail.improvers.shared.beam.refusal import refusal
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.greedy import score

FIRST_SHARE, TURN_SHARE = 0.6, 0.05  # of the time
FIRST_S, TURN_S = 30.0, 5.0  # without a limit


@dataclass(frozen=True)
class PortfolioConfig(Config):
    """No settings: those of `beam` and `repair` are the defaults."""


class Portfolio(Improver[PortfolioConfig]):
    """Beam search and large neighbourhood search."""

    name = "portfolio"
    summary = "beam first, then repair and beam in turn, as long as either makes progress"
    config_type = PortfolioConfig

    def refuses(self, board: BoardArrays, config: PortfolioConfig) -> str | None:
        return refusal(board)

    def begin(
        self, board: BoardArrays, config: PortfolioConfig, seed: int, start: Lies | None
    ) -> PortfolioImprovement:
        return PortfolioImprovement(board, seed, start)


class PortfolioImprovement(Improvement):
    """Two searches, of which one is advanced at a time."""

    def __init__(self, board: BoardArrays, seed: int, start: Lies | None) -> None:
        self._board, self._seed = board, seed
        self._beam: Improvement = Beam().begin(board, BeamConfig(), seed, None)
        self._repair: Improvement | None = None
        self._best = board.fixed.copy() if start is None else start.copy()
        self._score = -1 if start is None else score(board, start)
        self._now: Improvement = self._beam
        self._turns = self._repairs = self._ended_nodes = 0
        self._spent_s, self._improved = 0.0, False
        self._all_s: float | None = None

    @property
    def score(self) -> int:
        return self._score

    @property
    def best(self) -> Lies:
        return self._best

    @property
    def nodes(self) -> int:
        repaired = 0 if self._repair is None else self._repair.nodes
        return self._ended_nodes + self._beam.nodes + repaired

    @property
    def counters(self) -> dict[str, int]:
        under_way = 0 if self._repair is None else self._repair.counters["repairs"]
        repairs = self._repairs + under_way
        return {**self._beam.counters, "repairs": repairs, "turns": self._turns}

    def advance(self, budget: Budget) -> bool:
        if self._all_s is None and budget.seconds is not None:
            self._all_s = budget.seconds
        began = time.perf_counter()
        self._now.advance(budget)
        self._spent_s += time.perf_counter() - began
        if self._now.score > self._score:
            self._score, self._best = self._now.score, self._now.best
            self._improved = True
        if self._spent_s >= self._turn_s():
            self._end_turn()
        return True

    def _turn_s(self) -> float:
        """How long this turn is: the first one, of beams, is longer."""
        if self._all_s is None:
            return FIRST_S if self._turns == 0 else TURN_S
        return self._all_s * (FIRST_SHARE if self._turns == 0 else TURN_SHARE)

    def _end_turn(self) -> None:
        """Let the other go on unless this one has made progress."""
        goes_on = self._improved and self._turns > 0
        self._turns += 1
        self._spent_s, self._improved = 0.0, False
        if goes_on:
            return
        if self._now is not self._beam:
            self._now = self._beam
            return
        if self._repair is not None:
            self._ended_nodes += self._repair.nodes
            self._repairs += self._repair.counters["repairs"]
        seed = self._seed + self._turns
        start = self._best if self._score >= 0 else None
        self._repair = Repair().begin(self._board, RepairConfig(), seed, start)
        self._now = self._repair
