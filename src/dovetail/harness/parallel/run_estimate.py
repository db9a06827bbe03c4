"""What is left of a run, estimated again while it goes on."""

from __future__ import annotations

import time

from dovetail.harness.parallel.branches import branches_of, level_of
from dovetail.harness.parallel.tree_estimate import PartCost, TreeEstimate, estimate_tree
from dovetail.harness.run.result import Result
from dovetail.models.sub_problem import SubProblem

# An estimate is not made again sooner, nor before so many times what the last one took.
MIN_PAUSE_S, PAUSES = 1.0, 50


def part_cost(part: SubProblem, result: Result | None = None) -> PartCost:
    """Return a sub-problem with the seconds of a worker that it has taken, if it has a result."""
    took_s = None if result is None else result.prepare_s + result.solve_s
    return PartCost(level_of(part), branches_of(part), took_s)


class RunEstimate:
    """The sub-problems of a run, each with its cost when it has one, and the estimate from them."""

    def __init__(self) -> None:
        self._parts: dict[bytes, PartCost] = {}
        self._estimate: TreeEstimate | None = None
        self._due = 0.0

    def put(self, key: bytes, part: SubProblem, result: Result | None = None) -> None:
        """Note a sub-problem, or its result."""
        self._parts[key] = part_cost(part, result)

    def clear(self) -> None:
        """Forget all: the run is divided in another way."""
        self._parts.clear()

    def now(self) -> TreeEstimate | None:
        """Return a recent estimate; see `estimate_tree`."""
        began = time.monotonic()
        if began >= self._due:
            self._estimate = estimate_tree(self._parts)
            ended = time.monotonic()
            self._due = ended + max(MIN_PAUSE_S, PAUSES * (ended - began))
        return self._estimate
