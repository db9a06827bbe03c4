"""How much of a search tree is left, from what its sub-problems have cost so far.

A branch that is not searched is expected to cost as much as those of its level did on average,
where the level is the number of options on the way to it. What a branch has left itself is expected
to cost what the branches of its own level did, so that the deepest level is estimated first.
Sources: D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975, for means by level;
P. Kilby, J. Slaney, S. Thiébaux, T. Walsh, "Estimating search tree size", AAAI 2006, for estimating
from the part of the tree that a search has seen.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dovetail.harness.confidence import NORMAL
from dovetail.harness.run.result import Result
from dovetail.harness.workers.part_tree import WHOLE, branches_of, level_of, parent_key
from dovetail.models.sub_problem import SubProblem

# Branches of one node resemble one another more than those of a level: by this factor the deviation
# is larger than if they did not (docs/solvers/methods/sub-problems.md).
ALIKE = 2.0


@dataclass(frozen=True)
class PartCost:
    """A sub-problem: so many `branches` of a node of a `level`.

    `cost` is what searching it has taken until it ended or was cut, None before.
    """

    level: int
    branches: int
    cost: float | None = None


@dataclass(frozen=True)
class TreeEstimate:
    """What sub-problems have cost that are `done`, and what those `left` are expected to cost.

    `deviation` is the standard deviation of what is left.
    """

    done: float
    left: float
    deviation: float

    def share(self, under_way: float = 0.0) -> float:
        """Return the share of the cost that is done; `under_way`: the share of the rest in work."""
        done = self.done + under_way
        return done / max(done, self.done + self.left) if done else 0.0

    def range_left(self, under_way: float = 0.0) -> tuple[float, float]:
        """Return within which factor what is left lies with a confidence of 95 %.

        The logarithm of the cost is taken to be normal.
        """
        if self.left <= 0:
            return 0.0, 0.0
        relative = ALIKE * self.deviation / self.left
        factor = math.exp(NORMAL * math.sqrt(math.log1p(relative**2)))
        low, high = self.left / factor, self.left * factor
        return max(0.0, low - under_way), max(0.0, high - under_way)

    def left_s(self, workers: int, under_way: float = 0.0) -> tuple[float, float] | None:
        """Return the range of seconds left for so many workers; None if nothing is left or known.

        Costs are seconds of a worker, of which so many are `under_way`.
        """
        if not workers or not self.done or not self.left:
            return None
        low, high = self.range_left(under_way)
        return low / workers, high / workers


def estimate_tree(parts: Mapping[bytes, PartCost]) -> TreeEstimate | None:
    """Estimate a tree from all its sub-problems by their keys.

    None while nothing is known of a level with sub-problems that wait, or of any deeper one.
    """
    if WHOLE not in parts:  # divided by task: all are alike
        parts = {key: PartCost(0, one.branches, one.cost) for key, one in parts.items()}
    return _Estimation(parts).estimate()


class _Level:
    """The sub-problems of a level, and the mean cost of one of their branches."""

    def __init__(self) -> None:
        self.keys: list[bytes] = []
        self.branches = 0  # that were searched or, in part, cut
        self.mean: float | None = None
        self.variance = 0.0

    def measure(self, samples: Iterable[tuple[float, int]]) -> None:
        """Take the mean and variance of costs, each that of so many branches."""
        known = list(samples)
        self.branches = sum(branches for _, branches in known)
        if self.branches == 0:
            return
        mean = self.mean = sum(cost for cost, _ in known) / self.branches
        count = sum(branches > 0 for _, branches in known)
        squares = sum((cost - n * mean) ** 2 / max(n, 1) for cost, n in known)
        self.variance = squares / (count - 1) if count > 1 else mean**2


class _Estimation:
    """Costs from the deepest level up, then how each mean bears on the sum from the root down."""

    def __init__(self, parts: Mapping[bytes, PartCost]) -> None:
        self._parts = parts
        self._left_by: dict[bytes, list[bytes]] = defaultdict(list)
        levels: dict[int, _Level] = defaultdict(_Level)
        self._roots = list[bytes]()
        for key, part in parts.items():
            levels[part.level].keys.append(key)
            if key == WHOLE or parent_key(key) not in parts:
                self._roots.append(key)
            else:
                self._left_by[parent_key(key)].append(key)
        self._levels = dict(sorted(levels.items(), reverse=True))
        # of a sub-problem with all that it has left
        self._cost: dict[bytes, float] = {}

    def estimate(self) -> TreeEstimate | None:
        deeper = 0.0
        for number, level in self._levels.items():
            searched = self._searched(number, level)
            if level.mean is None and any(self._parts[key].cost is None for key in level.keys):
                if not deeper:
                    return None
                level.mean, level.variance = deeper, deeper**2
            deeper = max(deeper, level.mean or 0.0)
            for key in sorted(level.keys, key=len, reverse=True):
                if self._parts[key].cost is None:
                    self._cost[key] = self._parts[key].branches * (level.mean or 0.0)
                else:
                    beside, _ = self._left_of(key, number)
                    self._cost[key] = searched[key] + sum(self._cost[one] for one in beside)
        done = sum(part.cost or 0.0 for part in self._parts.values())
        whole = sum(self._cost[key] for key in self._roots)
        return TreeEstimate(done, max(0.0, whole - done), math.sqrt(self._variance()))

    def _left_of(self, key: bytes, level: int) -> tuple[list[bytes], list[bytes]]:
        """Return which parts a sub-problem left at its own node, and which within its branches."""
        left = self._left_by.get(key, [])
        beside = [one for one in left if self._parts[one].level == level]
        return beside, [one for one in left if self._parts[one].level != level]

    def _searched(self, number: int, level: _Level) -> dict[bytes, float]:
        """Measure a level; returns the cost of the branches that each sub-problem has begun."""
        searched: dict[bytes, float] = {}
        samples = list[tuple[float, int]]()
        for key in level.keys:
            part = self._parts[key]
            if part.cost is not None:
                beside, below = self._left_of(key, number)
                searched[key] = part.cost + sum(self._cost[one] for one in below)
                begun = part.branches - sum(self._parts[one].branches for one in beside)
                samples.append((searched[key], begun))
        level.measure(samples)
        return searched

    def _variance(self) -> float:
        """Return the variance of the estimate, to first order in the means of the levels.

        A mean counts as often as it stands for a branch, also within the means of levels above.
        """
        counts: dict[bytes, float] = defaultdict(float, dict.fromkeys(self._roots, 1.0))
        variance = 0.0
        for number, level in reversed(self._levels.items()):
            uses = squares = 0.0
            below_all = list[tuple[bytes, list[bytes]]]()
            for key in sorted(level.keys, key=len):
                beside, below = self._left_of(key, number)
                below_all.append((key, below))
                for one in beside:
                    counts[one] += counts[key]
                if self._parts[key].cost is None:
                    branches = self._parts[key].branches
                    uses += branches * counts[key]
                    squares += branches * counts[key] ** 2
            searched = max(level.branches, 1)
            for key, below in below_all:
                for one in below:
                    counts[one] += counts[key] + uses / searched
            variance += level.variance * (uses**2 / searched + squares)
        return variance


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
