"""Searches written as generators, for solvers in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import Budget, Search, option_rows
from dovetail.errors import BackendError
from dovetail.models.outcome import Counters, Status

STEP_WORK = 10**5  # work of a step, as counted by `Budget.work`: about a millisecond
WAITING = 1_000  # number of solutions not yet taken at which `advance` returns


class StepwiseSearch(Search):
    """A search by a generator `steps`, which yields None for a node and options for a solution.

    Limits on nodes and solutions are exact, because no further step is requested at a limit.
    """

    def __init__(self, steps: Iterator[Sequence[int] | None]) -> None:
        self._steps = steps
        self._nodes = self._count = 0
        self._found: list[Sequence[int]] = []

    @property
    def counters(self) -> Counters:
        return Counters(nodes=self._nodes)

    @property
    def count(self) -> int:
        return self._count

    def advance(self, budget: Budget) -> Status | None:
        nodes, count = self._nodes, self._count
        for _ in range(max(1, budget.work // STEP_WORK)):
            if budget.nodes is not None and self._nodes - nodes >= budget.nodes:
                return Status.NODE_LIMIT
            if budget.solutions is not None and self._count - count >= budget.solutions:
                return Status.SOLUTION_LIMIT
            if len(self._found) >= WAITING:
                return None
            try:
                solution = next(self._steps)
            except StopIteration:
                return Status.EXHAUSTED
            if solution is None:
                self._nodes += 1
            else:
                self._count += 1
                self._found.append(solution)
        return None

    def take(self) -> NDArray[np.int32]:
        found, self._found = self._found, []
        try:
            return option_rows(found)
        except (TypeError, ValueError, OverflowError):
            wrong = next(each for each in found if not _is_row(each))
            problem = f"a search has yielded {wrong!r:.60}; expected None or numbers of options"
            raise BackendError(problem) from None


def _is_row(solution: Sequence[int]) -> bool:
    try:
        option_rows([solution])
    except (TypeError, ValueError, OverflowError):
        return False
    return True
