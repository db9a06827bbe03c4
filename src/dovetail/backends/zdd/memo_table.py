"""The table of states and their counts, which grows until it may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

import numpy as np

from dovetail.backends.shared.memory_budget import MemoryBudget, MemoryBudgetExceededError
from dovetail.backends.zdd.kernels.layout import Table
from dovetail.kernels.word_size import WORD_BITS

FIRST_SLOTS = 2**10
LOAD = 0.625  # of the slots, before there are twice as many
BYTES_PER_WORD = 8
WORK_PER_SLOT = 2


class MemoTable:
    """Slots for states of so many words.

    One that is not `complete` has forgotten states, or will: it could not grow within the memory
    budget. With `keeps_all` that is an error instead. The tables `beside` it have the same budget.
    """

    def __init__(
        self,
        words: int,
        memory_budget: MemoryBudget,
        beside: WeakSet[MemoTable],
        *,
        keeps_all: bool,
    ) -> None:
        from dovetail.backends.zdd.kernels import table

        self._kernels: Any = table
        self._words, self._memory_budget, self._keeps_all = words, memory_budget, keeps_all
        self._beside = beside
        self.complete = True
        self.arrays = self._new(FIRST_SLOTS, 1)
        beside.add(self)

    @property
    def held_bytes(self) -> int:
        return self.arrays.slots.nbytes

    @property
    def count_words(self) -> int:
        return int(self.arrays.count_words)

    @property
    def _slot_count(self) -> int:
        return int(self.arrays.mask) + 1

    def grow(self) -> Iterator[None]:
        """Make room for twice as many states, or for no more; yields when the work is done."""
        slots = 2 * self._slot_count
        if self._keeps_all:
            self._check(slots, self.count_words)
        elif not self._fits(slots, self.count_words):
            self.complete = False
            self.arrays = self.arrays._replace(may_grow=np.uint64(0))
            return
        yield from self._move_to(self._new(slots, self.count_words))

    def widen(self) -> Iterator[None]:
        """Give counts one word more; yields when the work is done.

        Where that does not fit the memory budget, there are fewer slots afterwards.
        """
        slots, words = self._slot_count, self.count_words + 1
        while not self._keeps_all and slots > FIRST_SLOTS and not self._fits(slots, words):
            slots //= 2
            self.complete = False
        self._check(slots, words)
        may_grow = self.arrays.may_grow if self.complete else np.uint64(0)
        yield from self._move_to(self._new(slots, words)._replace(may_grow=may_grow))

    def _move_to(self, arrays: Table) -> Iterator[None]:
        budget, first = self._memory_budget, 0
        while first < self._slot_count:
            last = min(self._slot_count, first + max(FIRST_SLOTS, budget.work // WORK_PER_SLOT))
            self._kernels.move_slots(
                np.uint64(first), np.uint64(last), self.arrays, arrays, np.uint64(self._words)
            )
            first = last
            yield
        self.arrays = arrays

    def _check(self, slots: int, count_words: int) -> None:
        more = slots * (self._words + count_words) * BYTES_PER_WORD
        held = sum(table.held_bytes for table in self._beside)
        self._memory_budget.check(held + more, f"a table of {int(LOAD * slots):,} states")

    def _fits(self, slots: int, count_words: int) -> bool:
        try:
            self._check(slots, count_words)
        except MemoryBudgetExceededError:
            return False
        return True

    def _new(self, slots: int, count_words: int) -> Table:
        one = np.zeros(count_words, dtype=np.uint64)
        one[0] = 1
        return Table(
            slots=np.zeros(slots * (self._words + count_words), dtype=np.uint64),
            one=one,
            count_words=np.uint64(count_words),
            shift=np.uint64(WORD_BITS + 1 - slots.bit_length()),
            mask=np.uint64(slots - 1),
            limit=np.uint64(LOAD * slots),
            may_grow=np.uint64(1),
        )
