"""A memoised search of a task: trials of branching rules, counting, and solutions by number.

Short trials select the rule for the item to branch on. The rule determines the number of states.
The rules are: the first open item, as in the diagrams of Nishino and others (AAAI 2017); the item
with fewest options (Knuth's Algorithm X); and the first open item unless another item has a single
option left.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, log, prod
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.kernel_search import NO_LIMIT, SolutionBuffer
from dovetail.backends.shared.state_search import (
    NO_ROWS,
    MemoryBudget,
    StateSearch,
    counts_add_up,
    solutions_for_each,
    total_of,
)
from dovetail.backends.zdd.kernels import search
from dovetail.backends.zdd.kernels.search import (
    BRANCH_SIZE,
    FEWEST,
    FIXED,
    FORCED,
    FORGOTTEN,
    HITS,
    STATE_SIZE,
    STATES,
    TRIED,
    WIDTH,
    StateTable,
    ZddStack,
)
from dovetail.backends.zdd.tables import (
    BYTES_PER_WORD,
    NO_OPTION,
    Component,
    CoverStates,
    components,
    item_roles,
    narrow_order,
    orbit_cover,
)
from dovetail.kernels.bits import bits_of
from dovetail.kernels.layout import LEVEL, NODE_LIMIT, NODES, PHASE, WORD_BITS, WORK, WORK_SPENT
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

FIRST_SLOTS = 2**10
LOAD = 0.625  # share of the slots in use at which the number of slots is doubled
WORK_PER_SLOT = 2

kernels: Any = search


@dataclass(frozen=True, eq=False)
class TableMemory:
    """Memory budget and tables of a search."""

    budget: MemoryBudget
    keeps_all: bool = False
    """True if no state may be forgotten; then a table that cannot grow is an error."""
    tables: WeakSet[MemoTable] = field(default_factory=WeakSet)


class MemoTable:
    """A growing table of states and their counts, within the memory budget.

    If the table cannot grow any more, the table is not `complete` and may have forgotten states.
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

        Yields after each part of the budgeted work. If the new table would exceed the memory
        budget, the table keeps its number of slots, or gets fewer slots if `wider`. Raises
        `MemoryBudgetExceededError` if even the smallest table would exceed the budget, or if no
        state may be forgotten and the new table would exceed the budget.
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
            kernels.move_slots(
                np.uint64(first), np.uint64(last), self.arrays, arrays, np.uint64(self._words)
            )
            first = last
            yield
        self.arrays = arrays

    def _bytes_with(self, slots: int, count_words: int) -> int:
        """Return the bytes of all tables and a new table of `slots` slots."""
        held = sum(table.held_bytes for table in self._memory.tables)
        return held + slots * (self._words + count_words) * BYTES_PER_WORD

    def _new(self, slots: int, count_words: int) -> StateTable:
        one = np.zeros(count_words, dtype=np.uint64)
        one[0] = 1
        return StateTable(
            slots=np.zeros(slots * (self._words + count_words), dtype=np.uint64),
            one=one,
            count_words=np.uint64(count_words),
            shift=np.uint64(WORD_BITS + 1 - slots.bit_length()),
            mask=np.uint64(slots - 1),
            limit=np.uint64(LOAD * slots),
            may_grow=np.uint64(1),
        )


class Counting:
    """A search for the solutions of a cover problem; `choice` is the branching rule.

    With `listing`, solutions are written into rows, and only states without solutions are stored.
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
        """Continue for about `work` steps and at most `nodes` nodes; return why the slice ended.

        A slice in which the table is enlarged makes no nodes. Listed solutions are written into
        `rows`, from row `state[BUFFERED]` on. Raises `MemoryBudgetExceededError` if the table
        cannot grow as needed; see `MemoTable.grow`.
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
        """True if the search has ended."""
        return bool(self[PHASE] == kernels.DONE)

    @property
    def total(self) -> int:
        """Number of solutions counted below the root so far."""
        words = self.stack.sums[: self.table.count_words + 1].tolist()
        return sum(word << (WORD_BITS * k) for k, word in enumerate(words))

    @property
    def share(self) -> float:
        """Share of the tree that is done if all branches of a node are equally large."""
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
        """Return the options of the solution with a number, and the index of its image.

        The table must be complete. Options are numbered as in `states`. The array of options has
        shape (depth,) and is padded with −1.
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
    def _root(self) -> ZddStack:
        """Stack for unranking, which begins at the root and leaves the root's state unchanged."""
        return first_stack(self.states)

    def _widen(self) -> Iterator[None]:
        """Add a word to all counts, of the table and of the stack."""
        yield from self.table.grow(wider=True)
        words = self.table.count_words
        sums = np.zeros((self.states.depth + 1, words + 1), dtype=np.uint64)
        sums[:, :words] = self.stack.sums.reshape(-1, words)
        self.stack = self.stack._replace(sums=sums.ravel())


def first_stack(states: CoverStates) -> ZddStack:
    """Return the stack at the root, where all options are live."""
    words, live_words, levels = states.words, int(states.problem.live_words), states.depth + 1
    key = np.zeros(levels * words, dtype=np.uint64)
    key[:words] = states.root
    live = np.zeros(levels * live_words, dtype=np.uint64)
    live[:live_words] = bits_of(np.ones(states.option_count, dtype=bool), live_words)
    return ZddStack(
        key=key,
        live=live,
        single=np.zeros(levels * words, dtype=np.uint64),
        sums=np.zeros(levels * 2, dtype=np.uint64),
        branches=np.zeros(levels * int(BRANCH_SIZE), dtype=np.uint64),
        state=np.zeros(STATE_SIZE, dtype=np.uint64),
    )


AUTO = "auto"
CHOICES = {"fixed": FIXED, "forced": FORCED, "fewest": FEWEST}
ORDERS: dict[str, Callable[[CoverProblem, NDArray[np.int64]], NDArray[np.int64]]] = {
    "given": lambda _, items: items,
    "narrow": narrow_order,
}
FIRST_WORK = 2**16
ROUNDS = 5
FIRST_COMPARED = 2  # the first round, from 0, after which searches are given up
BEHIND = 2.5  # a search that is expected to take longer than the best by this factor is given up


def counts_by_states(task: Task) -> bool:
    """Return whether the count that a task asks for follows from counts of states alone.

    Otherwise the solutions are listed, as for a task that asks for a listing or has a labelling.
    Unless `counts_add_up`, solutions that a symmetry maps to themselves have to be counted
    separately. This is not possible within a sub-problem, or if an item is counted (see
    `ItemRoles`).
    """
    if task.request.listing or task.labelling is not None:
        return False
    whole = task.sub_problem is None and not len(item_roles(task.all_options.cover).counted)
    return counts_add_up(task) or whole


def item_orders(
    cover: CoverProblem, items: NDArray[np.int64], order: str
) -> list[NDArray[np.int64]]:
    """Return the orders of items to be tried: the order called `order`, or all different orders."""
    found: list[NDArray[np.int64]] = []
    for name in ORDERS if order == AUTO else [order]:
        item_order = ORDERS[name](cover, items)
        if not any(np.array_equal(item_order, known) for known in found):
            found.append(item_order)
    return found


class ChoiceRace:
    """Searches for the solutions of a component, advanced in turn until the best is known.

    The logarithm of the share of the tree that is done grows about in proportion to the work. The
    number of rounds left is therefore estimated as the rest of the logarithm divided by its gain in
    the last round. Searches expected to take `BEHIND` times as long as the best are given up.
    """

    def __init__(self, running: list[Counting], numbers: NDArray[np.int64]) -> None:
        self._running, self._numbers = running, numbers
        # The state arrays of the kernels, the best search's first; they outlive the tables.
        self.states = [counting.stack.state for counting in running]

    @property
    def best(self) -> Counting:
        return self._running[0]

    def go_on_with(self, running: list[Counting]) -> None:
        """Give up all searches but `running`; the first of `running` is the best."""
        self._running, best = running, running[0].stack.state
        self.states[:] = [best, *(state for state in self.states if state is not best)]

    def steps(
        self, advance: Callable[[Counting, int], Iterator[Status | None]]
    ) -> Iterator[Status | None]:
        """Advance the searches in turn until one of them has ended, or all but one are given up.

        After `ROUNDS` rounds, only the best search is kept. Yields the results of `advance`.
        """
        lacking = dict.fromkeys(self._running, inf)
        for number in range(ROUNDS):
            if len(self._running) == 1:
                return
            left: dict[Counting, float] = {}
            for counting in self._running:
                yield from advance(counting, FIRST_WORK << max(0, number - 1))
                if counting.is_over:
                    self.go_on_with([counting])
                    return
                share, before = counting.share, lacking[counting]
                lacking[counting] = -log(share) if share else inf
                left[counting] = _rounds_left(before, lacking[counting])
            ranked = sorted(left, key=lambda counting: (left[counting], lacking[counting]))
            if number >= FIRST_COMPARED:
                enough = BEHIND * left[ranked[0]]
                ranked = [counting for counting in ranked if left[counting] <= enough]
                lacking = {counting: lacking[counting] for counting in ranked}  # frees tables
            self.go_on_with(ranked)
        self.go_on_with(self._running[:1])

    def options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return rows of options of the best search, with the options numbered as in the task.

        An option that leaves an item uncovered becomes −1.
        """
        of_states = np.append(self.best.states.option, np.int32(NO_OPTION))[rows]
        numbers = np.append(self._numbers, NO_OPTION).astype(np.int32)
        return numbers[of_states]


class ZddSearch(StateSearch):
    """A search by states that counts, lists or numbers the solutions of a task.

    The components of a problem are counted separately, and their counts are multiplied. A listing
    is of the problem as a whole.
    """

    def __init__(self, task: Task, choice: str, order: str, *, sampling: bool = False) -> None:
        listing = not sampling and not counts_by_states(task)
        super().__init__(task, listing=listing, sampling=sampling)
        self._choices = list(CHOICES.values()) if choice == AUTO else [CHOICES[choice]]
        self._order = order
        self._memory = TableMemory(self._memory_budget, sampling)
        self._last_node: int | None = None
        self._states: list[list[NDArray[np.uint64]]] = []
        self._parts = self._races(task.cover, solutions_for_each(task))

    @property
    def counters(self) -> Counters:
        """Counters of the best searches, and the nodes of other searches.

        `nodes` counts the nodes of all searches. `trial_nodes` counts the nodes of all searches but
        the best search of each component.
        """
        nodes = self._of_all(NODES)
        native = {
            "states": self._of_best(STATES),
            "hits": self._of_best(HITS),
            "forgotten": self._of_best(FORGOTTEN),
            "trial_nodes": nodes - self._of_best(NODES),
            "components": len(self._parts),
            "table_bytes": sum(part.best.table.held_bytes for part in self._parts),
        }
        return Counters(nodes, native=native)

    def progress(self) -> float:
        return sum(part.best.share for part in self._parts) / len(self._parts)

    def advance(self, budget: Budget) -> Status | None:
        nodes = budget.nodes
        self._last_node = None if nodes is None else self._of_all(NODES) + max(0, nodes)
        return super().advance(budget)

    @property
    def work(self) -> int:
        return self._of_all(WORK)

    @property
    def numbers(self) -> int:
        return prod(part.best.total for part in self._parts)

    def _of_all(self, entry: int) -> int:
        """Return the sum of an entry of the state arrays of all searches."""
        return sum(int(state[entry]) for states in self._states for state in states)

    def _of_best(self, entry: int) -> int:
        """Return the sum of an entry of the state arrays of the best searches."""
        return sum(int(states[0][entry]) for states in self._states)

    def _run(self) -> Iterator[Status | None]:
        if self._listing:
            part = self._parts[0]
            yield from part.steps(self._advance)
            states, choice = part.best.states, part.best.choice  # these counts were trials
            listing = Counting(states, choice, self._memory, listing=True)
            part.states.append(listing.stack.state)
            part.go_on_with([listing])
            buffer = SolutionBuffer(states.depth, np.int32, listing.stack.state)
            self._list(buffer, listing.stack.state)
            yield from self._advance(listing)
            return
        total = yield from self._count(self._parts)
        if self._sampling:
            return
        if total and all(part.best.table.complete for part in self._parts):
            self._sample = self._sample_of(total)
        self._total = yield from total_of(self.task, total, self._fixed_by)
        self._total_of_all = total

    def _count(self, parts: list[ChoiceRace]) -> Generator[Any, None, int]:
        """Return the product of the counts of components; stop at a component without solutions."""
        total = 1
        for part in parts:
            yield from part.steps(self._advance)
            yield from self._advance(part.best)
            total *= part.best.total
            if not total:
                break
        return total

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[Any, None, int]:
        """Count the solutions that a permutation of all options maps to themselves."""
        fixed = orbit_cover(self.task.all_options.cover, symmetry)
        weight = np.ones(fixed.option_count, dtype=np.uint64)
        return (yield from self._count(self._races(fixed, weight)))

    def _races(self, cover: CoverProblem, weight: NDArray[np.uint64]) -> list[ChoiceRace]:
        """Return the searches of all components, or of the whole problem if it is to be listed.

        `weight` has for each option the number of solutions that a solution with it stands for.
        """
        whole = Component(cover, np.arange(cover.option_count))
        races = []
        for part in [whole] if self._listing else components(cover):
            roles = item_roles(part.cover)
            ordered = [
                CoverStates(part.cover, roles, order, weight[part.numbers])
                for order in item_orders(part.cover, roles.branching, self._order)
            ]
            running = [
                Counting(states, choice, self._memory)
                for choice in self._choices
                for states in (ordered[:1] if choice == FEWEST else ordered)
            ]
            races.append(ChoiceRace(running, part.numbers))
        self._states += [race.states for race in races]
        return races

    def _advance(self, counting: Counting, work: int | None = None) -> Iterator[Status | None]:
        """Advance a search to its end, or until `work` is done.

        Yields after each slice: `NODE_LIMIT` at the limit on nodes, else None.
        """
        while not counting.is_over and (work is None or work > 0):
            done = counting[WORK]
            slice_work = self._budget.work if work is None else min(work, self._budget.work)
            last = self._last_node
            nodes = None if last is None else last - self._of_all(NODES)
            reason = counting.advance(slice_work, nodes, self._rows)
            if work is not None:
                work -= max(1, counting[WORK] - done)
            if counting.is_over:
                return
            yield Status.NODE_LIMIT if reason == NODE_LIMIT else None

    def _solutions(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], Sequence[int]]:
        """Return the solutions with these numbers, and the indices of their images.

        The solutions of the last component vary fastest. Only one component may have options with
        images.
        """
        left, images, rows = [*numbers], [0] * len(numbers), []
        for part in reversed(self._parts):
            total = part.best.total
            ranks = [number % total for number in left]
            left = [number // total for number in left]
            known = {number: part.best.unrank(number) for number in {*ranks}}
            rows.append(part.options(np.stack([known[number][0] for number in ranks])))
            images = [image + known[number][1] for image, number in zip(images, ranks, strict=True)]
        return _packed(np.concatenate(rows, axis=1)), images

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        return _packed(self._parts[0].options(rows))


def _packed(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows with −1 moved to the end, without columns that have only −1."""
    behind = np.argsort(rows < 0, axis=1, kind="stable")
    longest = int((rows >= 0).sum(axis=1).max(initial=0))
    return np.take_along_axis(rows, behind, axis=1)[:, :longest]


def _rounds_left(before: float, lacking: float) -> float:
    """Return an estimate of the rounds left; see `ChoiceRace`.

    The result is infinite if the share did not grow or is not known for both rounds. `before` and
    `lacking` are the negative logarithms of the share before and after the last round.
    """
    if inf in (before, lacking) or before <= lacking:
        return inf
    return lacking / (before - lacking)
