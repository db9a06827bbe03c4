"""Budgets for kernels that search in slices, their return values, and their solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dovetail.backends.base import Budget
from dovetail.backends.shared.kernels.state import BUFFERED
from dovetail.kernels import slices
from dovetail.models.outcome import Status

NO_LIMIT = 2**63 - 1
BUFFERED_SOLUTIONS = 4096
BUFFERED_PLACEMENTS = 2**22


def node_limit(budget: Budget, nodes: int) -> int:
    """Return the number of nodes to stop at, when `nodes` have been made."""
    return NO_LIMIT if budget.nodes is None else min(NO_LIMIT, nodes + max(0, budget.nodes))


def status_of(reason: int, budget: Budget, found: int) -> Status | None:
    """Return why the search has ended after a slice with `found` solutions; None to go on."""
    if reason == slices.EXHAUSTED:
        return Status.EXHAUSTED
    if reason == slices.NODE_LIMIT:
        return Status.NODE_LIMIT
    if reason == slices.STOPPED_AT_REMAINING:
        return Status.REMAINING_LIMIT
    if budget.solutions is not None and found >= budget.solutions:
        return Status.SOLUTION_LIMIT
    return None


def buffer_rows(placements: int, max_rows: int = BUFFERED_SOLUTIONS) -> int:
    """Return how many solutions of this many placements are buffered, at most `max_rows`."""
    return max(1, min(max_rows, BUFFERED_PLACEMENTS // max(1, placements)))


class SolutionBuffer:
    """The solutions that a kernel has found since the last `take`, a solution in each row.

    The kernel counts the rows that it has filled in `state[BUFFERED]`; see `kernels.state`.
    """

    def __init__(
        self,
        placements: int,
        dtype: DTypeLike,
        state: NDArray[Any],
        max_rows: int = BUFFERED_SOLUTIONS,
    ) -> None:
        rows = buffer_rows(placements, max_rows)
        self._rows: NDArray[Any] = np.empty((rows, placements), dtype=dtype)
        self._state = state

    def open_for(self, budget: Budget) -> NDArray[Any] | None:
        """Return the rows that a slice may fill up to; None if there are none before `take`."""
        filled, end = int(self._state[BUFFERED]), len(self._rows)
        if filled == end:
            return None
        if budget.solutions is not None:
            end = min(end, filled + budget.solutions)
        return self._rows[:end]

    def take(self) -> NDArray[Any]:
        """Return the rows that are filled, which may be filled anew."""
        filled = int(self._state[BUFFERED])
        self._state[BUFFERED] = 0
        return self._rows[:filled].copy()
