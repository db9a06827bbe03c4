"""A memoised search of a task: trials of ways to branch, the count, and results of the table.

Which item a search branches on decides everything, and is found out by short trials. Sources of the
three choices: the first open item, as the diagrams of Nishino and others (AAAI 2017) have it; the
item with fewest options (Knuth's Algorithm X); and the first open item unless another has a single
option left.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from math import inf, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.kernel_search import SolutionBuffer
from dovetail.backends.shared.state_search import (
    StateSearch,
    counts_add_up,
    solutions_for_each,
    total_of,
)
from dovetail.backends.zdd.components import Component, components, narrow_order, orbit_cover
from dovetail.backends.zdd.counting import Counting, TableMemory
from dovetail.backends.zdd.kernels.search import (
    FEWEST,
    FIXED,
    FORCED,
    FORGOTTEN,
    HITS,
    STATES,
)
from dovetail.backends.zdd.states import NO_OPTION, CoverStates, item_roles
from dovetail.kernels.layout import NODE_LIMIT, NODES, WORK
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

AUTO = "auto"
CHOICES = {"fixed": FIXED, "forced": FORCED, "fewest": FEWEST}
ORDERS: dict[str, Callable[[CoverProblem, NDArray[np.int64]], NDArray[np.int64]]] = {
    "given": lambda _, items: items,
    "narrow": narrow_order,
}
FIRST_WORK = 2**16
ROUNDS = 5
FIRST_COMPARED = 2  # the round after which searches are given up
BEHIND = 2.5  # times what the best is thought to need: what needs more is given up


def counts_by_states(task: Task) -> bool:
    """Return whether the count that a task asks for comes from counts of states alone.

    Else the solutions are listed. Up to symmetry, solutions that a symmetry leaves as they are have
    to be counted apart: not within a sub-problem, nor where an item is covered several times.
    """
    if task.request.listing or task.labelling is not None:
        return False
    whole = task.sub_problem is None and not len(item_roles(task.all_options.cover).counted)
    return counts_add_up(task) or whole


def item_orders(
    cover: CoverProblem, items: NDArray[np.int64], order: str
) -> list[NDArray[np.int64]]:
    """Return the orders of the items to be tried: the one called `order`, or all that differ."""
    found: list[NDArray[np.int64]] = []
    for name in ORDERS if order == AUTO else [order]:
        made = ORDERS[name](cover, items)
        if not any(np.array_equal(made, known) for known in found):
            found.append(made)
    return found


class Race:
    """Searches for the solutions of a component, run by turns; `best` is the search that goes on.

    The share of the tree that is done grows by orders of magnitude, and its logarithm about in
    proportion to the work. The forecast is the logarithm's rest divided by the last round's gain.
    Searches that are expected to take `BEHIND` times as long as the best are given up.
    """

    def __init__(self, running: list[Counting], numbers: NDArray[np.int64]) -> None:
        self._running, self._numbers = running, numbers
        # The kernels' states, which outlive the tables; the best search's first.
        self.states = [counting.stack.state for counting in running]

    @property
    def best(self) -> Counting:
        return self._running[0]

    def go_on_with(self, running: list[Counting]) -> None:
        """Keep some searches alone, the best first."""
        self._running, best = running, running[0].stack.state
        self.states[:] = [best, *(state for state in self.states if state is not best)]

    def steps(
        self, advance: Callable[[Counting, int], Iterator[Status | None]]
    ) -> Iterator[Status | None]:
        """Advance all by turns, with `advance`, until a search has ended or is ahead."""
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
                lacking = {counting: lacking[counting] for counting in ranked}  # drops tables
            self.go_on_with(ranked)
        self.go_on_with(self._running[:1])

    def options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the task's numbers of options; −1 for an option that leaves an item uncovered."""
        of_states = np.append(self.best.states.option, np.int32(NO_OPTION))[rows]
        numbers = np.append(self._numbers, NO_OPTION).astype(np.int32)
        return numbers[of_states]


class ZddSearch(StateSearch):
    """Search for the solutions of a task by states: counted, listed or numbered.

    Counts of components multiply; listing takes the problem as a whole.
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
        """Counters of the best searches; nodes are of all, those of other trials apart as well."""
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
        """Return the sum of an entry of all searches' states."""
        return sum(int(state[entry]) for states in self._states for state in states)

    def _of_best(self, entry: int) -> int:
        """Return the sum of an entry of the best searches' states."""
        return sum(int(states[0][entry]) for states in self._states)

    def _run(self) -> Iterator[Status | None]:
        if self._listing:
            part = self._parts[0]
            yield from part.steps(self._advance)
            states, choice = part.best.states, part.best.choice  # the count was a trial
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

    def _count(self, parts: list[Race]) -> Generator[Any, None, int]:
        """Count the solutions of components, until a component has none."""
        total = 1
        for part in parts:
            yield from part.steps(self._advance)
            yield from self._advance(part.best)
            total *= part.best.total
            if not total:
                break
        return total

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[Any, None, int]:
        """Count the solutions that a permutation of all options leaves as they are."""
        fixed = orbit_cover(self.task.all_options.cover, symmetry)
        weight = np.ones(fixed.option_count, dtype=np.uint64)
        return (yield from self._count(self._races(fixed, weight)))

    def _races(self, cover: CoverProblem, weight: NDArray[np.uint64]) -> list[Race]:
        """Return the searches of all components, or of the whole problem if it is to be listed.

        `weight` says for each option how many solutions a solution with it stands for.
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
            races.append(Race(running, part.numbers))
        self._states += [race.states for race in races]
        return races

    def _advance(self, counting: Counting, work: int | None = None) -> Iterator[Status | None]:
        """Advance a search to its end, or until `work` is done."""
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
        """Return solutions and images; the last component's numbers run fastest.

        Options of at most 1 component have images.
        """
        left, images, rows = [*numbers], [0] * len(numbers), []
        for part in reversed(self._parts):
            total = part.best.total
            own = [number % total for number in left]
            left = [number // total for number in left]
            known = {number: part.best.unrank(number) for number in {*own}}
            rows.append(part.options(np.stack([known[number][0] for number in own])))
            images = [image + known[number][1] for image, number in zip(images, own, strict=True)]
        return _packed(np.concatenate(rows, axis=1)), images

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        return _packed(self._parts[0].options(rows))


def _packed(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows of options without the columns that only −1 would fill; −1 stands behind."""
    behind = np.argsort(rows < 0, axis=1, kind="stable")
    longest = int((rows >= 0).sum(axis=1).max(initial=0))
    return np.take_along_axis(rows, behind, axis=1)[:, :longest]


def _rounds_left(before: float, lacking: float) -> float:
    """Estimate the remaining rounds from what was lacking before and after the last round."""
    if inf in (before, lacking) or before <= lacking:
        return inf
    return lacking / (before - lacking)
