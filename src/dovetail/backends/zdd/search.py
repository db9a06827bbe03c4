"""One memoised search of a task: the race, the count, and what is made of the table."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, SamplingSearch
from dovetail.backends.shared.burnside import counts_add_up, solutions_for_each, total_of
from dovetail.backends.shared.memory_budget import MemoryBudget, MemoryBudgetExceededError
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.backends.zdd.components import Component, components
from dovetail.backends.zdd.counting import NO_ROWS, Counting
from dovetail.backends.zdd.cover_states import (
    NO_OPTION,
    CoverStates,
    item_roles,
)
from dovetail.backends.zdd.kernels import layout
from dovetail.backends.zdd.memo_table import MemoTable
from dovetail.backends.zdd.orbit_cover import orbit_cover
from dovetail.backends.zdd.trials import Race, choices, item_orders
from dovetail.kernels import slices
from dovetail.models.cover import CoverProblem
from dovetail.models.outcome import Counters, Status
from dovetail.models.task import Task

SAMPLE = 200


def counts_by_states(task: Task) -> bool:
    """Whether the count that a task asks for comes from counts of states alone.

    Else the solutions are listed. Up to symmetry, those that a symmetry leaves as they are have to
    be counted apart: not within a sub-problem, nor where an item is covered several times.
    """
    if task.request.listing or task.labelling is not None:
        return False
    whole = task.sub_problem is None and not len(item_roles(task.all_options.cover).counted)
    return counts_add_up(task) or whole


@dataclass(frozen=True, eq=False)
class _Part:
    """The searches of one component, and the numbers of its options in the whole problem."""

    race: Race
    numbers: NDArray[np.int64]

    @property
    def best(self) -> Counting:
        return self.race.best

    def options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Options of the states as the problem's; −1 for those that leave an item uncovered."""
        of_states = np.append(self.best.states.option, np.int32(NO_OPTION))[rows]
        numbers = np.append(self.numbers, NO_OPTION).astype(np.int32)
        return numbers[of_states]


class ZddSearch(SamplingSearch):
    """Counts the solutions of a task, or lists them.

    What is counted is what was asked for, up to symmetry too; a few of the solutions are drawn, so
    that they can be verified. What is listed is left to be completed. For `drawing` no state is
    forgotten, and solutions have numbers. Counts of components multiply; listing takes the problem
    as a whole.
    """

    def __init__(self, task: Task, choice: str, order: str, *, drawing: bool = False) -> None:
        self.task, self._choice, self._order, self._drawing = task, choice, order, drawing
        self._listing = not drawing and not counts_by_states(task)
        self._memory_budget, self._budget = MemoryBudget(), Budget(work=0)
        self._tables: WeakSet[MemoTable] = WeakSet()
        self._last_node: int | None = None
        self._progress: list[NDArray[np.uint64]] = []
        self._parts = self._parts_of(task.cover, solutions_for_each(task))
        self._buffer: SolutionBuffer | None = None
        self._drawn: NDArray[np.int32] | None = None
        self._listed = 0
        self._total: int | None = None
        self._status: Status | None = None
        self._reason: str | None = None
        self._steps = self._all_steps()

    @property
    def reason(self) -> str | None:
        return self._reason

    @property
    def counts_only(self) -> bool:
        return not self._listing

    @property
    def total(self) -> int | None:
        return self._total

    @property
    def count(self) -> int | None:
        return self._listed if self._listing else self._total

    @property
    def counters(self) -> Counters:
        """Those of all searches, the ones given up included; the table is the best one's."""
        native = {
            "states": self._made(layout.STATES),
            "hits": self._made(layout.HITS),
            "forgotten": self._made(layout.FORGOTTEN),
            "components": len(self._parts),
            "table_bytes": sum(part.best.table.held_bytes for part in self._parts),
        }
        return Counters(self._made(layout.NODES), native=native)

    def progress(self) -> float:
        return sum(part.best.share for part in self._parts) / len(self._parts)

    def advance(self, budget: Budget) -> Status | None:
        self._memory_budget.work, self._budget = budget.work, budget
        if self._memory_budget.memory_bytes is None:
            self._memory_budget.memory_bytes = budget.memory_bytes
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        self._last_node = (
            None if budget.nodes is None else self._made(layout.NODES) + max(0, budget.nodes)
        )
        if self._status is None:
            try:
                return next(self._steps)
            except StopIteration:
                self._status = Status.EXHAUSTED
            except MemoryBudgetExceededError as error:
                self._status, self._reason = Status.MEMORY_LIMIT, str(error)
        return self._status

    def take(self) -> NDArray[np.int32]:
        if self._buffer is not None:
            return _packed(self._parts[0].options(self._buffer.take()))
        drawn, self._drawn = self._drawn, None
        return NO_ROWS if drawn is None else drawn

    @property
    def numbers(self) -> int:
        return prod(part.best.total for part in self._parts)

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        rows, images = self._rows([number])
        return rows[0], images[0]

    def _rows(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], list[int]]:
        """The options of the solutions with some numbers, −1 behind them, and the images meant.

        The last component's numbers run fastest. Options of one component at most have images.
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

    def _made(self, entry: int) -> int:
        """The sum of an entry of all searches' states: their tables are not kept for it."""
        return sum(int(state[entry]) for state in self._progress)

    def _all_steps(self) -> Iterator[Status | None]:
        """What `advance` does, a slice at a time."""
        if self._listing:
            yield from self._parts[0].race.steps(self._run)
            best = self._parts[0].best
            yield from self._list(
                Counting(best.states, best.choice, self._memory_budget, self._tables, listing=True)
            )
            return
        total = yield from self._count(self._parts)
        if self._drawing:
            return
        if total and all(part.best.table.complete for part in self._parts):
            self._drawn = self._sample(total)
        self._total = yield from total_of(self.task, total, self._fixed_by)

    def _count(self, parts: list[_Part]) -> Generator[Any, None, int]:
        """Count the solutions of components, until one has none."""
        total = 1
        for part in parts:
            yield from part.race.steps(self._run)
            yield from self._run(part.best)
            total *= part.best.total
            if not total:
                break
        return total

    def _sample(self, total: int) -> NDArray[np.int32]:
        """Some solutions, evenly spread over all numbers, each once."""
        rows, _ = self._rows(sorted({total * n // SAMPLE for n in range(SAMPLE)}))
        return np.unique(rows, axis=0)

    def _list(self, counting: Counting) -> Iterator[Status | None]:
        self._progress.append(counting.stack.state)
        self._buffer = SolutionBuffer(
            counting.states.depth, np.int32, counting.stack.state, layout.BUFFERED
        )
        yield from self._run(counting)

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[Any, None, int]:
        """Count the solutions that a permutation of all options leaves as they are."""
        fixed = orbit_cover(self.task.all_options.cover, symmetry)
        parts = self._parts_of(fixed, np.ones(fixed.option_count, dtype=np.uint64))
        return (yield from self._count(parts))

    def _parts_of(self, cover: CoverProblem, times: NDArray[np.uint64]) -> list[_Part]:
        """Return the races of all components, or of the whole problem if it is to be listed."""
        whole = Component(cover, np.arange(cover.option_count))
        return [
            _Part(self._race_of(one.cover, times[one.numbers]), one.numbers)
            for one in ([whole] if self._listing else components(cover))
        ]

    def _race_of(self, cover: CoverProblem, times: NDArray[np.uint64]) -> Race:
        """Return the race of all ways to search that the settings allow."""
        roles = item_roles(cover)
        made = [
            CoverStates(cover, roles, order, times)
            for order in item_orders(cover, roles.branching, self._order)
        ]
        of = partial(
            Counting,
            memory_budget=self._memory_budget,
            tables=self._tables,
            keeps_all=self._drawing,
        )
        running = [
            of(states, choice)
            for choice in choices(self._choice)
            for states in (made[:1] if choice == layout.FEWEST else made)
        ]
        self._progress += [one.stack.state for one in running]
        return Race(running)

    def _run(self, counting: Counting, work: int | None = None) -> Iterator[Status | None]:
        """Advance a search to its end, or until so much `work` is done."""
        while not counting.is_over and (work is None or work > 0):
            budget, done = self._budget, counting[layout.STEPS]
            rows = NO_ROWS
            if self._buffer is not None:
                opened = self._buffer.open_for(budget)
                if opened is None:
                    yield None
                    continue
                rows = opened
            nodes = None if self._last_node is None else self._last_node - self._made(layout.NODES)
            found = counting[layout.SOLUTIONS]
            reason = counting.advance(
                budget.work if work is None else min(work, budget.work), nodes, rows
            )
            if work is not None:
                work -= max(1, counting[layout.STEPS] - done)
            if self._buffer is not None:
                self._listed = counting[layout.SOLUTIONS]
            if counting.is_over:
                return
            if reason == slices.NODE_LIMIT:
                yield Status.NODE_LIMIT
            elif self._buffer is not None and budget.solutions is not None:
                enough = counting[layout.SOLUTIONS] - found >= budget.solutions
                yield Status.SOLUTION_LIMIT if enough else None
            else:
                yield None


def _packed(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows of options without the columns that only −1 would fill; −1 stands behind."""
    behind = np.argsort(rows < 0, axis=1, kind="stable")
    longest = int((rows >= 0).sum(axis=1).max(initial=0))
    return np.take_along_axis(rows, behind, axis=1)[:, :longest]
