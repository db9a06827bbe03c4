"""Searches that merge equal states: they count without going through the solutions.

Such a search is a generator of slices over a memory budget. From its states it counts solutions,
lists them, or finds the solution that has a number.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, SamplingSearch
from dovetail.backends.shared.kernels.state import SOLUTIONS
from dovetail.backends.shared.memory_budget import (
    MemoryBudget,
    MemoryBudgetExceededError,
    RepresentationLimitError,
)
from dovetail.backends.shared.slices import SolutionBuffer
from dovetail.models.outcome import Status
from dovetail.models.task import Task

SAMPLE = 200
NO_ROWS = np.empty((0, 0), dtype=np.int32)


class StateSearch(SamplingSearch):
    """Counts the solutions of a task, or lists them, or numbers them.

    A count is of the solutions requested, also up to symmetry; it comes with a sample, so that
    solutions can be verified. Listed solutions are completed later, as in other searches. With
    `sampling` no state is forgotten, so that solutions have numbers.
    """

    def __init__(self, task: Task, *, listing: bool, sampling: bool) -> None:
        self.task, self._listing, self._sampling = task, listing, sampling
        self._budget, self._memory_budget = Budget(work=0), MemoryBudget()
        self._listed: tuple[SolutionBuffer, NDArray[np.generic]] | None = None
        self._rows = NO_ROWS
        self._sample = NO_ROWS
        self._total: int | None = None
        self._status: Status | None = None
        self._reason: str | None = None
        self._slices = self._run()

    @abstractmethod
    def _run(self) -> Iterator[Status | None]:
        """Yield after each slice: None, or the limit that was reached.

        Sets `_total` and `_sample` of a count. A listing begins with `_list`, and its slices write
        into `_rows`, which ends where the limit on solutions is.
        """

    @abstractmethod
    def _solutions(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], Sequence[int]]:
        """Return the options of the solutions with some numbers, and which images are meant."""

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return rows of a kernel as options of the task; −1 stays."""
        return rows

    def _memory_reason(self) -> str:
        """Return the reason if an allocation failed within the memory budget."""
        return "the memory limit was reached"

    @property
    def counts_only(self) -> bool:
        return not self._listing

    @property
    def total(self) -> int | None:
        return self._total

    @property
    def count(self) -> int | None:
        return self._found if self._listing else self._total

    @property
    def reason(self) -> str | None:
        return self._reason

    @property
    def _found(self) -> int:
        """Number of solutions listed so far."""
        return 0 if self._listed is None else int(self._listed[1][SOLUTIONS])

    def advance(self, budget: Budget) -> Status | None:
        self._budget, self._memory_budget.work = budget, budget.work
        if self._memory_budget.memory_bytes is None:  # in all: later budgets are less states held
            self._memory_budget.memory_bytes = budget.memory_bytes
        if budget.solutions is not None and budget.solutions <= 0:
            return Status.SOLUTION_LIMIT
        if self._listed is not None:
            rows = self._listed[0].open_for(budget)
            if rows is None:
                return None
            self._rows = rows
        if self._status is not None:
            return self._status
        found = self._found
        try:
            status = next(self._slices)
        except StopIteration:
            self._status = Status.EXHAUSTED
        except MemoryBudgetExceededError as error:
            self._status, self._reason = Status.MEMORY_LIMIT, str(error)
        except MemoryError:
            self._status, self._reason = Status.MEMORY_LIMIT, self._memory_reason()
        except RepresentationLimitError as error:
            self._status, self._reason = Status.SKIPPED, str(error)
        else:
            limit = inf if status is not None or budget.solutions is None else budget.solutions
            return Status.SOLUTION_LIMIT if self._found - found >= limit else status
        return self._status

    def take(self) -> NDArray[np.int32]:
        if self._listed is not None:
            return self._options(self._listed[0].take())
        sample, self._sample = self._sample, NO_ROWS
        return sample

    def unrank(self, number: int) -> tuple[NDArray[np.int32], int]:
        rows, images = self._solutions([number])
        return rows[0], int(images[0])

    def _list(self, buffer: SolutionBuffer, state: NDArray[np.generic]) -> None:
        """Begin to list solutions; `state` is that of the kernel that finds them."""
        self._listed = buffer, state
        rows = buffer.open_for(self._budget)
        assert rows is not None, "the buffer is empty"
        self._rows = rows

    def _sample_of(self, total: int) -> NDArray[np.int32]:
        """Return some solutions, evenly spread over all numbers, each once."""
        numbers = sorted({total * n // SAMPLE for n in range(SAMPLE)}) if total else []
        rows, _ = self._solutions(numbers)
        distinct: NDArray[np.int32] = np.unique(rows, axis=0) if rows.shape[1] else rows[:1]
        return distinct
