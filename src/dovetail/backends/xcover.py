"""The backend `xcover`: dancing cells in numba, by the package xcover.

Benchmarks of this project compare with xcover, since everybody can install it. The package supports
no multiplicities, counts no nodes and has no limits. A search holds the interpreter between two
solutions, so that another process has to enforce a time limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dovetail.backends.base import Budget, Config, trigger_refusal
from dovetail.backends.threaded import LibraryBackend, ThreadedSearch
from dovetail.models.cover import UNCOLOURED, CoverProblem, cover
from dovetail.models.outcome import Status
from dovetail.models.task import Task


@dataclass(frozen=True)
class XCoverConfig(Config):
    """Settings of `xcover`: none."""


class XCover(LibraryBackend[XCoverConfig]):
    """Backend for exact cover with colours, without multiplicities; it counts no nodes."""

    name = "xcover"
    summary = "dancing cells, by the package xcover (numba)"
    holds_interpreter = True
    extra = package = module = "xcover"
    config_type = XCoverConfig

    def refuses(self, task: Task, config: XCoverConfig) -> str | None:
        if not task.cover.unit_bounds:
            return "it does not support bounds: primary items must be covered exactly once"
        return trigger_refusal(task)

    def warm_up(self) -> None:
        list(solutions(cover(["a"], [["a"]], name="warm-up")))

    def prepare(self, task: Task, config: XCoverConfig) -> XCoverSearch:
        return XCoverSearch(task.cover)


class XCoverSearch(ThreadedSearch):
    """A search that takes solutions from xcover's iterator."""

    def __init__(self, cover: CoverProblem) -> None:
        super().__init__()
        self._solutions = solutions(cover)

    def advance(self, budget: Budget) -> Status | None:
        deadline = self.deadline(budget)
        if budget.solutions == 0:
            return Status.SOLUTION_LIMIT
        for options in self._solutions:
            self.found.add(options)
            if self.found.count == budget.solutions:
                return Status.SOLUTION_LIMIT
            if deadline.is_over:
                return Status.TIME_LIMIT
        return Status.EXHAUSTED


def solutions(cover: CoverProblem) -> Iterator[list[int]]:
    """Return an iterator over the solutions of `cover`, each a list of the options chosen.

    The search begins when the first solution is requested. An option with an additional secondary
    item is added, because xcover regards an item as covered if every option consists of this item.
    xcover rejects problems without primary items. The only solution of such a problem is the empty
    solution.
    """
    from xcover.dancing_cells import algorithm_c

    if cover.primary_count == 0:
        return iter([[]])
    return algorithm_c(  # type: ignore[no-any-return]
        np.append(cover.item, cover.item_count).astype(np.uint32),
        np.append(cover.start, len(cover.item) + 1).astype(np.uint32),
        np.append(cover.colour, UNCOLOURED).astype(np.uint32),
        np.uint32(cover.item_count + 1),
        np.uint32(cover.item_count + 1 - cover.primary_count),
    )
