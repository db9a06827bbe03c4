"""One memoised search of a task: the race, the count, and what is made of the table."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from math import prod
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, SamplingSearch
from dovetail.backends.shared.burnside import counts_add_up, solutions_for_each, total_of
from dovetail.backends.shared.kernels.state import NODES, SOLUTIONS, WORK
from dovetail.backends.shared.memory_budget import MemoryBudget, MemoryBudgetExceededError
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.backends.zdd.component_searches import (
    ComponentSearch,
    SearchSettings,
    component_search,
    packed,
    solutions_numbered,
)
from dovetail.backends.zdd.components import Component, components
from dovetail.backends.zdd.counting import NO_ROWS, Counting
from dovetail.backends.zdd.item_roles import item_roles
from dovetail.backends.zdd.kernels import layout
from dovetail.backends.zdd.orbit_cover import orbit_cover
from dovetail.backends.zdd.trials import RaceFigures
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


class ZddSearch(SamplingSearch):
    """Counts the solutions of a task, or lists them.

    What is counted is what was asked for, up to symmetry too; a sample of the solutions is given,
    so that they can be verified. What is listed is left to be completed. For `sampling` no state is
    forgotten, and solutions have numbers. Counts of components multiply; listing takes the problem
    as a whole.
    """

    def __init__(self, task: Task, choice: str, order: str, *, sampling: bool = False) -> None:
        self.task, self._sampling = task, sampling
        self._listing = not sampling and not counts_by_states(task)
        self._memory_budget, self._budget = MemoryBudget(), Budget(work=0)
        self._settings = SearchSettings(
            choice, order, self._memory_budget, WeakSet(), keeps_all=sampling
        )
        self._last_node: int | None = None
        self._figures: list[RaceFigures] = []
        self._parts = self._parts_of(task.cover, solutions_for_each(task))
        self._buffer: SolutionBuffer | None = None
        self._sample: NDArray[np.int32] | None = None
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
        """Those of the best searches; nodes are of all, those of trials given up apart as well."""
        nodes = self._nodes
        native = {
            "states": self._of_best(layout.STATES),
            "hits": self._of_best(layout.HITS),
            "forgotten": self._of_best(layout.FORGOTTEN),
            "trial_nodes": nodes - self._of_best(NODES),
            "components": len(self._parts),
            "table_bytes": sum(part.best.table.held_bytes for part in self._parts),
        }
        return Counters(nodes, native=native)

    def progress(self) -> float:
        return sum(part.best.share for part in self._parts) / len(self._parts)

    def advance(self, budget: Budget) -> Status | None:
        self._memory_budget.work, self._budget = budget.work, budget
        if self._memory_budget.memory_bytes is None:
            self._memory_budget.memory_bytes = budget.memory_bytes
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        self._last_node = None if budget.nodes is None else self._nodes + max(0, budget.nodes)
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
            return packed(self._parts[0].options(self._buffer.take()))
        sample, self._sample = self._sample, None
        return NO_ROWS if sample is None else sample

    @property
    def work(self) -> int:
        return sum(figures.of_all(WORK) for figures in self._figures)

    @property
    def numbers(self) -> int:
        return prod(part.best.total for part in self._parts)

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        rows, images = solutions_numbered(self._parts, [number])
        return rows[0], images[0]

    @property
    def _nodes(self) -> int:
        return sum(figures.of_all(NODES) for figures in self._figures)

    def _of_best(self, entry: int) -> int:
        """The sum of an entry of the best searches' states."""
        return sum(figures.of_best(entry) for figures in self._figures)

    def _all_steps(self) -> Iterator[Status | None]:
        """What `advance` does, a slice at a time."""
        if self._listing:
            yield from self._parts[0].race.steps(self._run)
            yield from self._list(self._parts[0])
            return
        total = yield from self._count(self._parts)
        if self._sampling:
            return
        if total and all(part.best.table.complete for part in self._parts):
            self._sample = self._sample_of(total)
        self._total = yield from total_of(self.task, total, self._fixed_by)

    def _count(self, parts: list[ComponentSearch]) -> Generator[Any, None, int]:
        """Count the solutions of components, until one has none."""
        total = 1
        for part in parts:
            yield from part.race.steps(self._run)
            yield from self._run(part.best)
            total *= part.best.total
            if not total:
                break
        return total

    def _sample_of(self, total: int) -> NDArray[np.int32]:
        """Some solutions, evenly spread over all numbers, each once."""
        spread = sorted({total * n // SAMPLE for n in range(SAMPLE)})
        rows, _ = solutions_numbered(self._parts, spread)
        return np.unique(rows, axis=0)

    def _list(self, part: ComponentSearch) -> Iterator[Status | None]:
        """List the solutions by the best way to search; what counted them was a trial."""
        settings, best = self._settings, part.best
        listing = Counting(
            best.states, best.choice, settings.memory_budget, settings.tables, listing=True
        )
        state = listing.stack.state
        part.race.figures.searches.append(state)
        part.race.figures.best = state
        self._buffer = SolutionBuffer(best.states.depth, np.int32, state)
        yield from self._run(listing)

    def _fixed_by(self, symmetry: NDArray[np.int32]) -> Generator[Any, None, int]:
        """Count the solutions that a permutation of all options leaves as they are."""
        fixed = orbit_cover(self.task.all_options.cover, symmetry)
        parts = self._parts_of(fixed, np.ones(fixed.option_count, dtype=np.uint64))
        return (yield from self._count(parts))

    def _parts_of(self, cover: CoverProblem, weight: NDArray[np.uint64]) -> list[ComponentSearch]:
        """Return the searches of all components, or of the whole problem if it is to be listed."""
        whole = Component(cover, np.arange(cover.option_count))
        parts = [
            component_search(component, weight, self._settings)
            for component in ([whole] if self._listing else components(cover))
        ]
        self._figures += [part.race.figures for part in parts]
        return parts

    def _run(self, counting: Counting, work: int | None = None) -> Iterator[Status | None]:
        """Advance a search to its end, or until so much `work` is done."""
        while not counting.is_over and (work is None or work > 0):
            budget, done = self._budget, counting[WORK]
            rows = NO_ROWS
            if self._buffer is not None:
                opened = self._buffer.open_for(budget)
                if opened is None:
                    yield None
                    continue
                rows = opened
            nodes = None if self._last_node is None else self._last_node - self._nodes
            found = counting[SOLUTIONS]
            reason = counting.advance(
                budget.work if work is None else min(work, budget.work), nodes, rows
            )
            if work is not None:
                work -= max(1, counting[WORK] - done)
            if self._buffer is not None:
                self._listed = counting[SOLUTIONS]
            if counting.is_over:
                return
            if reason == slices.NODE_LIMIT:
                yield Status.NODE_LIMIT
            elif self._buffer is not None and budget.solutions is not None:
                enough = counting[SOLUTIONS] - found >= budget.solutions
                yield Status.SOLUTION_LIMIT if enough else None
            else:
                yield None
