"""One search by `repair`: part of a board is taken off and filled again, over and over."""

from __future__ import annotations

from collections.abc import Callable

from dovetail.backends.base import Budget
from dovetail.improvers.base import ImprovingSearch, Placed
from dovetail.improvers.repair.kernels import layout
from dovetail.improvers.repair.refill import Refill
from dovetail.improvers.repair.walk import BoardWalk
from dovetail.improvers.shared.beam.fill import WORK_PER_STATE, BeamFill
from dovetail.improvers.shared.board_arrays import BoardArrays


class RepairSearch(ImprovingSearch):
    """Large neighbourhood search, accepted by annealing.

    It begins with a beam that fills the cells that are empty, all of them where there is no board
    to start from.
    """

    def __init__(
        self,
        board: BoardArrays,
        opening: BeamFill,
        begin: Callable[[Placed], tuple[BoardWalk, Refill]],
    ) -> None:
        super().__init__(board)
        self._opening, self._begin = opening, begin
        self._repairing: tuple[BoardWalk, Refill] | None = None

    @property
    def nodes(self) -> int:
        return self._opening.nodes + self._progress(layout.PLACEMENTS)

    @property
    def counters(self) -> dict[str, int]:
        return {
            "repairs": self._progress(layout.REPAIRS),
            "accepted": self._progress(layout.ACCEPTED),
            "proved": self._progress(layout.PROVED),
        }

    def advance(self, budget: Budget) -> bool:
        if self._repairing is None:
            if not self._opening.done:
                self._opening.advance(max(1, budget.work // WORK_PER_STATE))
            if not self._opening.done:
                return True
            self._repairing = self._begin(self._opening.placed)
        else:
            walk, refill = self._repairing
            walk.cool(budget.seconds)
            refill.advance(budget)
        walk, _ = self._repairing
        if walk.progress(layout.BEST) > self.score:
            self.keep(walk.best, walk.progress(layout.BEST))
        return True

    def _progress(self, entry: int) -> int:
        return 0 if self._repairing is None else self._repairing[0].progress(entry)
