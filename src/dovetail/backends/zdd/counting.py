"""The state of one memoised search between slices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.bit_sets import bits_of
from dovetail.backends.shared.kernels.state import LEVEL, NODES, PHASE
from dovetail.backends.shared.memory_budget import MemoryBudget
from dovetail.backends.shared.slices import NO_LIMIT
from dovetail.backends.zdd.cover_states import CoverStates
from dovetail.backends.zdd.kernels import layout
from dovetail.backends.zdd.kernels.layout import BRANCH_SIZE, STATE_SIZE, Stack
from dovetail.backends.zdd.memo_table import MemoTable
from dovetail.backends.zdd.ordered_options import NO_OPTION
from dovetail.kernels import slices
from dovetail.kernels.word_size import WORD_BITS

NO_ROWS = np.empty((0, 0), dtype=np.int32)


def first_stack(states: CoverStates, count_words: int = 1) -> Stack:
    """Return the stack at the root, where all options are live."""
    words, live_words = states.words, int(states.problem.live_words)
    levels = states.depth + 1
    key = np.zeros(levels * words, dtype=np.uint64)
    key[:words] = states.root
    live = np.zeros(levels * live_words, dtype=np.uint64)
    live[:live_words] = bits_of(np.ones(states.option_count, dtype=bool), live_words)
    return Stack(
        key=key,
        live=live,
        single=np.zeros(levels * words, dtype=np.uint64),
        sums=np.zeros(levels * (count_words + 1), dtype=np.uint64),
        branches=np.zeros(levels * BRANCH_SIZE, dtype=np.uint64),
        state=np.zeros(STATE_SIZE, dtype=np.uint64),
    )


class Counting:
    """The search for the solutions of some states, which branches by a `choice` of `layout`.

    Its table is one of the `tables` that have the same memory budget. With `listing` the solutions
    are put into rows, and only states without any are kept; with `keeps_all` no state may be
    forgotten.
    """

    def __init__(
        self,
        states: CoverStates,
        choice: int,
        memory_budget: MemoryBudget,
        tables: WeakSet[MemoTable],
        *,
        listing: bool = False,
        keeps_all: bool = False,
    ) -> None:
        from dovetail.backends.zdd.kernels.count import count

        self._kernel: Any = count
        self.states, self.choice = states, choice
        self.table = MemoTable(states.words, memory_budget, tables, keeps_all=keeps_all)
        self.stack = first_stack(states)
        self._listing = listing
        self._growth: Iterator[None] | None = None

    def advance(
        self, work: int, nodes: int | None = None, rows: NDArray[np.int32] = NO_ROWS
    ) -> int:
        """Do about so much work and make so many nodes at most; returns why it ended.

        Solutions to be listed go into `rows`, from the entry `BUFFERED` on. Raises
        `MemoryBudgetExceededError` where no state may be forgotten and the table is full.
        """
        if self._growth is not None:
            if next(self._growth, slices) is slices:
                self._growth = None
            return slices.WORK_SPENT
        made = self[NODES]
        reason: int = self._kernel(
            self.states.problem,
            np.uint64(self.choice),
            self.stack,
            self.table.arrays,
            rows,
            np.uint64(self._listing),
            np.uint64(work),
            np.uint64(NO_LIMIT if nodes is None else made + max(0, nodes)),
        )
        if reason == layout.TABLE_FULL:
            self._growth = self.table.grow()
        elif reason == layout.COUNT_FULL:
            self._growth = self._widen()
        else:
            return reason
        return slices.WORK_SPENT

    def __getitem__(self, entry: int) -> int:
        """Return an entry of the kernel's state."""
        return int(self.stack.state[entry])

    @property
    def is_over(self) -> bool:
        """Whether everything was searched."""
        return bool(self[PHASE] == layout.DONE)

    @property
    def total(self) -> int:
        """The solutions counted below the root so far."""
        words = self.stack.sums[: self.table.count_words + 1].tolist()
        return sum(word << (WORD_BITS * k) for k, word in enumerate(words))

    @cached_property
    def _root(self) -> Stack:
        """The stack at which unranking begins; it writes to the levels below only."""
        return first_stack(self.states)

    @property
    def share(self) -> float:
        """The share of the tree that is done, were all branches of a node equally large."""
        if self.is_over:
            return 1.0
        share, done = 1.0, 0.0
        rows = self.stack.branches.reshape(-1, BRANCH_SIZE)
        for row in rows[: self[LEVEL] + 1]:
            width, tried = int(row[layout.WIDTH]), int(row[layout.TRIED])
            if not width:
                break
            done += share * max(0, tried - 1) / width
            share /= width
        return done

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        """Return the options of the states that the solution with a number has, and its image.

        The table must be complete. The row has shape (depth,), −1 behind the options.
        """
        from dovetail.backends.zdd.kernels import unrank as kernels

        words = self.table.count_words
        digits = [number >> (WORD_BITS * k) & (2**WORD_BITS - 1) for k in range(words)]
        row = np.full(self.states.depth, NO_OPTION, dtype=np.int32)
        kernel: Any = kernels.unrank
        image = kernel(
            self.states.problem,
            np.uint64(self.choice),
            self._root,
            self.table.arrays,
            np.array(digits, dtype=np.uint64),
            row,
        )
        assert image >= 0, "the table is complete"
        return row, int(image)

    def _widen(self) -> Iterator[None]:
        """Give all counts one word more."""
        yield from self.table.widen()
        words = self.table.count_words
        sums = np.zeros((self.states.depth + 1, words + 1), dtype=np.uint64)
        sums[:, :words] = self.stack.sums.reshape(-1, words)
        self.stack = self.stack._replace(sums=sums.ravel())
