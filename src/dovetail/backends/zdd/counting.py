"""A memoised search between slices, and its table of states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.kernel_search import NO_LIMIT
from dovetail.backends.shared.state_search import NO_ROWS, MemoryBudget
from dovetail.backends.zdd.kernels import search, table
from dovetail.backends.zdd.kernels.search import BRANCH_SIZE, STATE_SIZE, TRIED, WIDTH, Stack
from dovetail.backends.zdd.kernels.table import Table
from dovetail.backends.zdd.states import BYTES_PER_WORD, NO_OPTION, CoverStates
from dovetail.kernels.bits import bits_of
from dovetail.kernels.layout import LEVEL, NODES, PHASE, WORD_BITS, WORK_SPENT

FIRST_SLOTS = 2**10
LOAD = 0.625  # of the slots, before there are twice as many
WORK_PER_SLOT = 2

kernels: Any = search
table_kernels: Any = table


@dataclass(frozen=True, eq=False)
class TableMemory:
    """The memory of all tables of a search."""

    budget: MemoryBudget
    keeps_all: bool = False
    """Whether no state may be forgotten: a table that cannot grow is an error then."""
    tables: WeakSet[MemoTable] = field(default_factory=WeakSet)


class MemoTable:
    """A table of states and their counts, which grows within the memory budget.

    A table that is not `complete` has forgotten states, or will: it could not grow within the
    memory budget.
    """

    def __init__(self, words: int, memory: TableMemory) -> None:
        self._words, self._memory = words, memory
        self.complete = True
        self.arrays = self._new(FIRST_SLOTS, 1)
        memory.tables.add(self)

    @property
    def held_bytes(self) -> int:
        return self.arrays.slots.nbytes

    @property
    def count_words(self) -> int:
        return int(self.arrays.count_words)

    @property
    def _slot_count(self) -> int:
        return int(self.arrays.mask) + 1

    def grow(self, *, wider: bool) -> Iterator[None]:
        """Make room for twice as many states, or for counts with another word if `wider`.

        Yields when the work is done. Where the room does not fit the memory budget, there are no
        more slots afterwards, or fewer if `wider`.
        """
        budget, first = self._memory.budget, 0
        slots, words = self._slot_count * (2 - wider), self.count_words + wider
        least = FIRST_SLOTS if wider else self._slot_count
        if self._memory.keeps_all:
            least = slots
        while slots > least and not budget.allows(self._bytes_with(slots, words)):
            slots //= 2
            self.complete = False
        if slots == self._slot_count and not wider:
            self.arrays = self.arrays._replace(may_grow=np.uint64(0))
            return
        needed = self._bytes_with(slots, words)
        budget.check(needed, f"a table of {int(LOAD * slots):,} states")
        arrays = self._new(slots, words)._replace(may_grow=np.uint64(self.complete))
        while first < self._slot_count:
            last = min(self._slot_count, first + max(FIRST_SLOTS, budget.work // WORK_PER_SLOT))
            table_kernels.move_slots(
                np.uint64(first), np.uint64(last), self.arrays, arrays, np.uint64(self._words)
            )
            first = last
            yield
        self.arrays = arrays

    def _bytes_with(self, slots: int, count_words: int) -> int:
        """Return the bytes of all tables and a new table of `slots` slots."""
        held = sum(table.held_bytes for table in self._memory.tables)
        return held + slots * (self._words + count_words) * BYTES_PER_WORD

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


class Counting:
    """The search for the solutions of some states, which branches by a `choice` of the kernels.

    With `listing` the solutions are put into rows, and only states without any are kept.
    """

    def __init__(
        self, states: CoverStates, choice: np.uint64, memory: TableMemory, *, listing: bool = False
    ) -> None:
        self.states, self.choice, self._listing = states, choice, listing
        self.table = MemoTable(states.words, memory)
        self.stack = first_stack(states)
        self._growth: Iterator[None] | None = None

    def advance(
        self, work: int, nodes: int | None = None, rows: NDArray[np.int32] = NO_ROWS
    ) -> int:
        """Do about `work` work and make at most `nodes` nodes; return why the slice ended.

        Solutions to be listed go into `rows`, from the entry `BUFFERED` on. Raises
        `MemoryBudgetExceededError` where no state may be forgotten and the table is full.
        """
        if self._growth is not None:
            if next(self._growth, self) is self:
                self._growth = None
            return WORK_SPENT
        reason: int = kernels.count(
            self.states.problem,
            self.choice,
            self.stack,
            self.table.arrays,
            rows,
            np.uint64(self._listing),
            np.uint64(work),
            np.uint64(NO_LIMIT if nodes is None else self[NODES] + max(0, nodes)),
        )
        if reason == kernels.TABLE_FULL:
            self._growth = self.table.grow(wider=False)
        elif reason == kernels.COUNT_FULL:
            self._growth = self._widen()
        else:
            return reason
        return WORK_SPENT

    def __getitem__(self, entry: int) -> int:
        """Return an entry of the kernel's state."""
        return int(self.stack.state[entry])

    @property
    def is_over(self) -> bool:
        """Whether everything was searched."""
        return bool(self[PHASE] == kernels.DONE)

    @property
    def total(self) -> int:
        """Number of solutions counted below the root so far."""
        words = self.stack.sums[: self.table.count_words + 1].tolist()
        return sum(word << (WORD_BITS * k) for k, word in enumerate(words))

    @property
    def share(self) -> float:
        """The share of the tree that is done, were all branches of a node equally large."""
        if self.is_over:
            return 1.0
        share, done = 1.0, 0.0
        rows = self.stack.branches.reshape(-1, int(BRANCH_SIZE))[: self[LEVEL] + 1].tolist()
        for row in rows:
            if not row[WIDTH]:
                break
            done += share * max(0, row[TRIED] - 1) / row[WIDTH]
            share /= row[WIDTH]
        return done

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        """Return the options of the states that the solution with a number has, and its image.

        The table must be complete. The row has shape (depth,), −1 behind the options.
        """
        words = self.table.count_words
        digits = [number >> (WORD_BITS * k) & (2**WORD_BITS - 1) for k in range(words)]
        row = np.full(self.states.depth, NO_OPTION, dtype=np.int32)
        image = kernels.unrank(
            self.states.problem,
            self.choice,
            self._root,
            self.table.arrays,
            np.array(digits, dtype=np.uint64),
            row,
        )
        assert image != kernels.NOT_FOUND, "the table is complete"
        return row, int(image)

    @cached_property
    def _root(self) -> Stack:
        """The stack at which unranking begins; it writes to the levels below only."""
        return first_stack(self.states)

    def _widen(self) -> Iterator[None]:
        """Give all counts another word."""
        yield from self.table.grow(wider=True)
        words = self.table.count_words
        sums = np.zeros((self.states.depth + 1, words + 1), dtype=np.uint64)
        sums[:, :words] = self.stack.sums.reshape(-1, words)
        self.stack = self.stack._replace(sums=sums.ravel())


def first_stack(states: CoverStates) -> Stack:
    """Return the stack at the root, where all options are live."""
    words, live_words, levels = states.words, int(states.problem.live_words), states.depth + 1
    key = np.zeros(levels * words, dtype=np.uint64)
    key[:words] = states.root
    live = np.zeros(levels * live_words, dtype=np.uint64)
    live[:live_words] = bits_of(np.ones(states.option_count, dtype=bool), live_words)
    return Stack(
        key=key,
        live=live,
        single=np.zeros(levels * words, dtype=np.uint64),
        sums=np.zeros(levels * 2, dtype=np.uint64),
        branches=np.zeros(levels * int(BRANCH_SIZE), dtype=np.uint64),
        state=np.zeros(STATE_SIZE, dtype=np.uint64),
    )
