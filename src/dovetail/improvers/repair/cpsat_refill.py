"""Windows filled by OR-Tools CP-SAT, for comparison."""

from __future__ import annotations

from dovetail.backends.base import Budget
from dovetail.improvers.repair.refill import Refill
from dovetail.improvers.repair.walk import BoardWalk
from dovetail.random_stream import RandomStream

MAX_WORK = 1.0  # for a window, in CP-SAT's deterministic seconds
MAX_SECONDS = 5.0


class CpSatRefill(Refill):
    """Maximises the matched edges of a window, within a bounded amount of work."""

    def __init__(self, walk: BoardWalk, seed: int) -> None:
        super().__init__(walk)
        self._random = RandomStream(seed)

    def advance(self, budget: Budget) -> None:
        from dovetail.improvers.repair.cpsat_window import CpSatWindow

        walk, cells = self._walk, self._walk.window()
        seconds = MAX_SECONDS if budget.seconds is None else min(MAX_SECONDS, budget.seconds)
        window = CpSatWindow(walk.board, walk.placed, cells)
        found, proved = window.solve(max(0.0, seconds), MAX_WORK, self._random.below(2**31))
        walk.count(placements=max(1, len(cells)), proved=proved)
        walk.settle(walk.placed if found is None else found)
