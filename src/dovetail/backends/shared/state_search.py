"""Searches that merge equal states, and so can count solutions without listing them.

A search is a generator of slices and has a memory budget. The states of a search serve to count
solutions, to list solutions, or to find the solution with a given number. The number of solutions
up to symmetry follows from Burnside's lemma: it is the number of solutions that a symmetry maps to
themselves, averaged over all symmetries.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, SamplingSearch
from dovetail.backends.shared.kernel_search import SolutionBuffer
from dovetail.kernels.layout import SOLUTIONS
from dovetail.models.outcome import Status
from dovetail.models.request import Symmetry
from dovetail.models.task import Task

SAMPLE = 200
NO_ROWS = np.empty((0, 0), dtype=np.int32)


class StateSearch(SamplingSearch):
    """A search that counts, lists or numbers the solutions of a task.

    A count is the number of all solutions, or of solutions up to symmetry, as the task asks. If the
    search counts, `take` returns a sample of solutions for verification. The caller expands listed
    solutions by their images, as for other searches; see `models.symmetry_expansion`. With
    `sampling` all states are kept, so that solutions have numbers.
    """

    def __init__(self, task: Task, *, listing: bool, sampling: bool) -> None:
        self.task, self._listing, self._sampling = task, listing, sampling
        self._budget, self._memory_budget = Budget(work=0), MemoryBudget()
        self._listed: tuple[SolutionBuffer, NDArray[np.generic]] | None = None
        self._rows = NO_ROWS
        self._sample = NO_ROWS
        self._total: int | None = None
        self._total_of_all: int | None = None
        self._status: Status | None = None
        self._reason: str | None = None
        self._slices = self._run()

    @abstractmethod
    def _run(self) -> Iterator[Status | None]:
        """Run the search; after each slice, yield None or the limit that was reached.

        A count sets `_total`, `_total_of_all` and `_sample`. A listing first calls `_list`. Later
        slices fill `_rows`, which has no rows beyond the limit on solutions.
        """

    @abstractmethod
    def _solutions(self, numbers: Sequence[int]) -> tuple[NDArray[np.int32], Sequence[int]]:
        """Return the options of the solutions with these numbers, and the indices of their images.

        See `SamplingSearch.unrank`.
        """

    def _options(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return a kernel's rows converted to options of the task; −1 stays −1."""
        return rows

    def _memory_reason(self) -> str:
        """Return the reason for the status `MEMORY_LIMIT` after a failed allocation."""
        return "the memory limit was reached"

    @property
    def counts_only(self) -> bool:
        return not self._listing

    @property
    def total(self) -> int | None:
        return self._total

    @property
    def total_of_all(self) -> int | None:
        return None if self.task.request.symmetry == Symmetry.ALL else self._total_of_all

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
        if self._memory_budget.memory_bytes is None:  # later budgets exclude the states held
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
        """Begin to list solutions; `state` is the state array of the kernel that finds them."""
        self._listed = buffer, state
        rows = buffer.open_for(self._budget)
        assert rows is not None, "the buffer is empty"
        self._rows = rows

    def _sample_of(self, total: int) -> NDArray[np.int32]:
        """Return up to `SAMPLE` distinct solutions with numbers spread evenly below `total`."""
        numbers = sorted({total * n // SAMPLE for n in range(SAMPLE)}) if total else []
        rows, _ = self._solutions(numbers)
        distinct: NDArray[np.int32] = np.unique(rows, axis=0) if rows.shape[1] else rows[:1]
        return distinct


@dataclass
class MemoryBudget:
    """Limits on the work of a slice and on the memory of a search."""

    # Work to do before the next pause.
    work: int = 0
    # Limit on the memory of the whole search; None for no limit.
    memory_bytes: int | None = None

    def allows(self, bytes_held: int) -> bool:
        """Return whether `bytes_held` are within the budget."""
        return self.memory_bytes is None or bytes_held <= self.memory_bytes

    def check(self, bytes_held: int, what: str) -> None:
        """Raise `MemoryBudgetExceededError` if `bytes_held`, used by `what`, exceed the budget."""
        if not self.allows(bytes_held):
            raise MemoryBudgetExceededError(
                f"{what} would take {bytes_held:,} bytes; {self.memory_bytes or 0:,} are left"
            )


class MemoryBudgetExceededError(Exception):
    """Raised if a search would take more memory than its budget."""


class RepresentationLimitError(Exception):
    """Raised if numbers or windows of a search are too large for the words of the kernels."""


def counts_add_up(task: Task) -> bool:
    """Return whether the counts of sub-problems add up to the count of the whole.

    The counts do not add up if solutions that a symmetry maps to themselves have to be counted
    separately.
    """
    breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    complete = breaking is not None and breaking.complete
    return task.request.symmetry == Symmetry.ALL or len(task.group) == 1 or complete


def total_of(
    task: Task,
    every: int,
    fixed_by: Callable[[NDArray[np.int32]], Generator[None, None, int]],
) -> Generator[None, None, int]:
    """Return the number of solutions that a task asks for, of `every` solutions in total.

    `fixed_by` counts the solutions that a permutation of all options maps to themselves, and yields
    after each slice. `fixed_by` is not called if the task asks for all solutions, or if only the
    identity maps a solution to itself: without symmetries, or with a restricted piece whose orbits
    are all as large as the group.
    """
    if task.request.symmetry == Symmetry.ALL:
        return every
    group, fixed = task.group, 0
    if not counts_add_up(task):
        known: dict[bytes, int] = {}
        for symmetry in group[1:]:
            inverse = np.argsort(symmetry).astype(symmetry.dtype)
            if inverse.tobytes() not in known:  # the inverse fixes the same solutions
                known[inverse.tobytes()] = yield from fixed_by(symmetry)
            known[symmetry.tobytes()] = known[inverse.tobytes()]
            fixed += known[symmetry.tobytes()]
    unique, rest = divmod(every + fixed, len(group))
    assert rest == 0, "the symmetries are a group"
    return unique


def solutions_for_each(task: Task) -> NDArray[np.uint64]:
    """Return the number of solutions that a solution with each option stands for.

    The number for an option of a restricted piece is the number of its images, else 1. The result
    has the shape (options,).
    """
    breaking = None if task.reduced is None else task.reduced.symmetry_breaking
    if task.reduced is None or breaking is None:
        return np.ones(task.options.option_count, dtype=np.uint64)
    return np.maximum(1, breaking.orbit[task.reduced.kept]).astype(np.uint64)


def orbits_of(symmetry: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the lowest option of the orbit of each option under a permutation of all options."""
    lowest = np.arange(len(symmetry))
    image = symmetry.astype(np.int64)
    while (image != np.arange(len(symmetry))).any():
        lowest = np.minimum(lowest, image)
        image = symmetry[image].astype(np.int64)
    return lowest
