"""Budgets for kernels that search in slices, and what their returns mean."""

from __future__ import annotations

from dovetail.backends.base import Budget
from dovetail.kernels import slices
from dovetail.models.outcome import Status

NO_LIMIT = 2**63 - 1


def node_limit(budget: Budget, nodes: int) -> int:
    """The number of nodes to stop at, when `nodes` have been made."""
    return NO_LIMIT if budget.nodes is None else min(NO_LIMIT, nodes + max(0, budget.nodes))


def status_of(reason: int, budget: Budget, found: int) -> Status | None:
    """What ended the search, if the slice that found so many solutions did: None to go on."""
    if reason == slices.EXHAUSTED:
        return Status.EXHAUSTED
    if reason == slices.NODE_LIMIT:
        return Status.NODE_LIMIT
    if reason == slices.REMOVAL:
        return Status.REMOVAL_LIMIT
    if budget.solutions is not None and found >= budget.solutions:
        return Status.SOLUTION_LIMIT
    return None
