"""One search by `breaks`: restarts in new orders, each of a capped number of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.improvers.base import ImprovingSearch
from dovetail.improvers.breaks.kernels import layout
from dovetail.improvers.breaks.kernels.layout import Apart, Lists, Rules, Stack
from dovetail.improvers.breaks.lists import known_sides, make_lists
from dovetail.improvers.breaks.schedule import Schedule
from dovetail.improvers.shared.board_arrays import BoardArrays
from dovetail.improvers.shared.greedy import fill
from dovetail.random_stream import RandomStream


class BreaksSearch(ImprovingSearch):
    """Fills the free cells of a board in an order."""

    def __init__(
        self,
        board: BoardArrays,
        order: Sequence[int],
        schedule: Schedule,
        preferred: NDArray[np.uint32],
        seed: int,
    ) -> None:
        from dovetail.improvers.breaks.kernels.search import begin, search

        super().__init__(board)
        self._kernels: tuple[Any, Any] = begin, search
        self._board, self._order, self._schedule = board, order, schedule
        self._preferred, self._random = preferred, RandomStream(seed)
        self._restarts, self._restart_at = 0, schedule.restart_nodes
        self._stack = empty_stack(board, len(order))
        self._rules = make_rules(board, order, schedule)
        self._apart = empty_apart(board, len(order)) if schedule.apart else None
        self._lists = self._new_lists()
        self._begin()

    @property
    def nodes(self) -> int:
        return int(self._stack.progress[layout.NODES])

    @property
    def counters(self) -> dict[str, int]:
        return {"restarts": self._restarts}

    def advance(self, budget: Budget) -> bool:
        from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED

        nodes = max(1, min(budget.work, self._restart_at - self.nodes))
        _, search = self._kernels
        colours = np.uint64(self._board.colours)
        ended = search(
            self._lists, self._rules, self._stack, self._apart, colours, np.uint64(nodes)
        )
        over = self.nodes >= self._restart_at
        if ended == BUFFER_FULL or over:
            self._take_record()
        if ended == EXHAUSTED:
            return self._allow_more()
        if over:
            self._restarts += 1
            self._restart_at = self.nodes + self._schedule.restart_nodes
            self._lists = self._new_lists()
            self._begin()
        return True

    def _allow_more(self) -> bool:
        """Allow one mismatch more where all that the rules allow was tried; False if there is none.

        Neither quotas nor the rule that none touch hold any longer. In another order of the lists
        the same boards would be found.
        """
        rules = self._rules
        any_board = rules.allowed[-1] >= rules.joined[-1] and not rules.quota.any()
        if any_board and self._apart is None:
            return False
        rules.allowed[:] += np.uint64(1)
        rules.quota[:] = 0
        self._apart = None
        self._begin()
        return True

    def _new_lists(self) -> Lists:
        return make_lists(self._board, self._order, self._preferred, self._random.word())

    def _begin(self) -> None:
        """Take all tiles off."""
        self._stack.used[:] = 0
        if self._apart is not None:
            self._apart.touched[:] = 0
        begin, _ = self._kernels
        begin(self._lists, self._rules, self._stack, np.uint64(self._board.colours))

    def _take_record(self) -> None:
        """Complete the best partial board, if it is new, and keep it if that is better.

        Not after each slice: what is completed must not depend on where slices end.
        """
        filled = int(self._stack.progress[layout.IMPROVED])
        if not filled:
            return
        self._stack.progress[layout.IMPROVED] = 0
        placed = self._board.fixed.copy()
        placed[np.array(self._order[:filled])] = self._stack.record[:filled]
        self.keep(placed, fill(self._board, placed))


def empty_stack(board: BoardArrays, steps: int) -> Stack:
    """A stack for so many steps, on which only the hints lie."""
    shown = np.zeros(4 * board.cells + 1, dtype=np.uint32)
    for cell in np.flatnonzero(board.fixed >= 0):
        shown[4 * cell : 4 * cell + 4] = board.sides[board.fixed[cell]]
    at, mismatch_begin, end, missed, reached = np.zeros((5, steps + 1), dtype=np.uint64)
    return Stack(
        shown=shown,
        used=np.zeros(board.cells, dtype=np.uint8),
        at=at,
        mismatch_begin=mismatch_begin,
        end=end,
        missed=missed,
        reached=reached,
        chosen=np.zeros(steps, dtype=np.uint32),
        record=np.zeros(steps, dtype=np.uint32),
        progress=np.zeros(layout.PROGRESS_SIZE, dtype=np.uint64),
    )


def empty_apart(board: BoardArrays, steps: int) -> Apart:
    """No mismatches yet, for so many steps."""
    return Apart(np.zeros(board.cells, dtype=np.uint8), np.zeros(steps, dtype=np.uint32))


def make_rules(board: BoardArrays, order: Sequence[int], schedule: Schedule) -> Rules:
    """The rules of a schedule for the cells of an order."""
    joined = np.cumsum([len(known) for known in known_sides(board, order)])
    return Rules(
        allowed=np.array(schedule.allowed, dtype=np.uint64),
        quota=np.array(schedule.quota, dtype=np.uint64),
        joined=joined.astype(np.uint64),
    )
