"""The search of `breaks` for the objective `tiles`: depth-first, with holes that unlock by depth.

The search restarts after a number of nodes, or when it is exhausted, in a random turn of the order
and with other lists. Each restart adapts the schedule of holes to the depths that were reached.
Consider the depth that was reached most often and all greater depths. Another hole unlocks one step
before the first of these depths that was reached too rarely. If all of them were reached often
enough, the hole that unlocks first is locked.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from itertools import product

import numpy as np

from dovetail.backends.base import Budget
from dovetail.improvers.base import NO_SCORE, ImprovingSearch
from dovetail.improvers.breaks.kernels import holes as kernel
from dovetail.improvers.breaks.kernels.holes import HolesLists, HolesStack
from dovetail.improvers.shared.board import TURNS, BoardArrays, completed, fill_order
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED
from dovetail.models.boards.geometry import SIDES, opposite
from dovetail.random_stream import RandomStream, random_words


class HolesSearch(ImprovingSearch):
    """Search that fills the free cells of a board in an order, which each restart turns."""

    def __init__(
        self,
        board: BoardArrays,
        order: tuple[str, ...],
        restart_nodes: int,
        boards: float,
        seed: int,
    ) -> None:
        super().__init__(board)
        self._board, self._names, self._restart_nodes = board, order, restart_nodes
        self._boards, self._random = boards, RandomStream(seed)
        self._unlocks: list[int] = []
        self._restarts = self._made = 0
        self._begin()

    @property
    def nodes(self) -> int:
        return self._made + int(self._stack.state[kernel.NODES])

    @property
    def counters(self) -> dict[str, int]:
        return {"restarts": self._restarts}

    def advance(self, budget: Budget) -> bool:
        state = self._stack.state
        nodes = max(1, min(budget.work, self._restart_nodes - int(state[kernel.NODES])))
        tables = self._lists, self._stack, self._board.colours, self._allowed
        ended = kernel.search(*tables, nodes)
        over = ended == EXHAUSTED or state[kernel.NODES] >= self._restart_nodes
        if ended == BUFFER_FULL or over:
            self._take_record()
        if over:
            self._adapt()
            self._made += int(state[kernel.NODES])
            self._restarts += 1
            self._begin()
        return True

    def _begin(self) -> None:
        turn = (self._random.below(TURNS) + self._restarts) % TURNS
        self._order = fill_order(self._board, self._names, turn=turn)
        self._lists = make_lists(self._board, self._order, self._random.word())
        self._stack = empty_stack(self._board, len(self._order))
        depths = np.arange(len(self._order))
        self._allowed = np.searchsorted(self._unlocks, depths, side="right").astype(np.int64)
        kernel.open_step(self._lists, self._stack, self._board.colours, 0, 0)

    def _adapt(self) -> None:
        """Unlock a hole before a depth that was reached too rarely; else lock the first hole."""
        visits = self._stack.visits
        peak = int(visits.argmax())
        few = peak + np.flatnonzero(visits[peak:] < self._boards)
        if len(few):
            insort(self._unlocks, max(0, int(few[0]) - 1))
        elif self._unlocks:
            self._unlocks.pop(0)

    def _take_record(self) -> None:
        """Complete the best partial board if it is new; keep the completed board if it is better.

        Before the first board, the board with only hinted tiles is completed. A slice does not
        complete boards at its end, because results must not depend on where slices end.
        """
        filled = int(self._stack.state[kernel.IMPROVED])
        if not filled and self.score > NO_SCORE:
            return
        self._stack.state[kernel.IMPROVED] = 0
        self.keep(*completed(self._board, self._order, self._stack.record[:filled]))


def make_lists(board: BoardArrays, order: Sequence[int], seed: int) -> HolesLists:
    """Return the lists of all cells of an order; each list is in random order, by `seed`."""
    steps = np.zeros((len(order), kernel.STEP_SIZE), dtype=np.int64)
    numbers: dict[tuple[int, int, int], int] = {}
    keys, entries = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    lists = board.colours**2
    for row, cell, sides in zip(steps, order, board.known_sides(order), strict=True):
        first, second = [*sides, *(side for side in SIDES if side not in sides)][:2]
        context = int(board.cell_frame[cell]), first, second
        if context not in numbers:
            numbers[context] = len(numbers)
            fitting = board.fitting(context[0])
            for by_first, by_second in product((0, 1), repeat=2):  # 0 for any colour
                shown = board.sides[fitting]
                key = by_first * shown[:, first] * board.colours + by_second * shown[:, second]
                no_frame = (by_first * shown[:, first] > 0) == by_first
                no_frame &= (by_second * shown[:, second] > 0) == by_second
                keys.append((numbers[context] * lists + key)[no_frame])
                entries.append(fitting[no_frame])
        row[kernel.CELL], row[kernel.LISTS] = cell, numbers[context] * lists
        row[kernel.FIRST], row[kernel.SECOND] = first, second
        for side, other in enumerate(board.neighbours[cell].tolist()):
            at = 4 * board.cells if other < 0 else 4 * other + opposite(side)
            row[kernel.FACING + side] = at
    key, entry = np.concatenate(keys), np.concatenate(entries)
    by_key = np.lexsort((random_words(seed, 0, len(key)), key))
    begin = np.searchsorted(key[by_key], np.arange(len(numbers) * lists + 1))
    return HolesLists(board.sides, steps, begin.astype(np.int64), entry[by_key].astype(np.int32))


def empty_stack(board: BoardArrays, steps: int) -> HolesStack:
    """Return a stack for a number of steps; only hinted tiles are on the board."""
    at, end, holes, visits = np.zeros((4, steps + 1), dtype=np.int64)
    return HolesStack(
        shown=board.hinted_sides,
        used=np.zeros(board.cells, dtype=np.uint8),
        at=at,
        end=end,
        holes=holes,
        chosen=np.full(steps + 1, kernel.NOTHING, dtype=np.int32),
        record=np.full(steps, kernel.SKIPPED, dtype=np.int32),
        visits=visits,
        state=np.zeros(kernel.STATE_SIZE, dtype=np.int64),
    )
