"""Estimate of the remaining search tree, from the costs of the parts so far.

The expected cost of a branch is the mean cost of the branches of its level. The level is the number
of options above the branch. The unexplored parts of a branch are estimated in the same way, so the
deepest level is estimated first.

Sources: D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975, for means by level;
P. Kilby, J. Slaney, S. Thiébaux, T. Walsh, "Estimating search tree size", AAAI 2006, for estimates
from the part of the tree that a search has seen.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dovetail.harness.confidence import NORMAL
from dovetail.harness.workers.base import WHOLE, parent_key

# Factor on the standard deviation, which is computed as if branches were independent. The branches
# of a node are more alike than the branches of a level (docs/solvers/estimates-measurements.md).
ALIKE = 2.0


@dataclass(frozen=True)
class PartCost:
    """A part of the tree: some branches of a node, and the cost of their search."""

    level: int
    branches: int
    cost: float | None = None  # cost of the search; None until the search has ended or was cut


@dataclass(frozen=True)
class TreeEstimate:
    """The cost of a tree: the cost so far, and the estimate of the remaining cost."""

    done: float  # cost so far
    left: float  # expected remaining cost
    deviation: float  # standard deviation of `left`
    per_branch: Mapping[int, float]  # mean cost of a branch of each level

    def share(self, under_way: float = 0.0) -> float:
        """Return the share of the cost that is done.

        `under_way` is the cost of the running searches so far, which `done` does not include.
        """
        done = self.done + under_way
        return done / max(done, self.done + self.left) if done else 0.0

    def range_left(self, under_way: float = 0.0) -> tuple[float, float]:
        """Return the range of the remaining cost with a confidence of 95 %.

        The logarithm of the cost is assumed to be normally distributed. `under_way`, the cost of
        the running searches so far, is subtracted.
        """
        if self.left <= 0:
            return 0.0, 0.0
        relative = ALIKE * self.deviation / self.left
        factor = math.exp(NORMAL * math.sqrt(math.log1p(relative**2)))
        low, high = self.left / factor, self.left * factor
        return max(0.0, low - under_way), max(0.0, high - under_way)

    def left_s(self, workers: int, under_way: float = 0.0) -> tuple[float, float] | None:
        """Return the range of the remaining seconds for a number of `workers`.

        Returns None if nothing is left, if no cost is known, or if there are no workers. Costs must
        be in worker seconds. `under_way` is the cost of the running searches so far.
        """
        if not workers or not self.done or not self.left:
            return None
        low, high = self.range_left(under_way)
        return low / workers, high / workers


def estimate_tree(parts: Mapping[bytes, PartCost]) -> TreeEstimate | None:
    """Estimate the cost of a tree from all its parts, by key.

    Returns None if no cost is known for a level with waiting parts or for any deeper level, or if
    the variance is no finite float.
    """
    if WHOLE not in parts:  # divided by task: all parts have the same level
        parts = {key: PartCost(0, part.branches, part.cost) for key, part in parts.items()}
    try:
        estimate = _Estimation(parts).estimate()
    except OverflowError:
        return None
    return estimate if estimate and math.isfinite(estimate.deviation) else None


class _Level:
    """The parts of a level, and the mean cost of their branches."""

    def __init__(self) -> None:
        self.keys: list[bytes] = []
        self.branches = 0  # number of branches that were searched, completely or in part
        self.mean: float | None = None
        self.variance = 0.0

    def measure(self, samples: Iterable[tuple[float, int]]) -> None:
        """Set `branches`, `mean` and `variance` from the cost and branches of each search.

        Without branches, `mean` and `variance` are unchanged.
        """
        known = list(samples)
        self.branches = sum(branches for _, branches in known)
        if self.branches == 0:
            return
        mean = self.mean = sum(cost for cost, _ in known) / self.branches
        count = sum(branches > 0 for _, branches in known)
        squares = sum((cost - n * mean) ** 2 / max(n, 1) for cost, n in known)
        self.variance = squares / (count - 1) if count > 1 else mean**2


class _Estimation:
    """Estimates costs from the deepest level up, and then the variance from the root down."""

    def __init__(self, parts: Mapping[bytes, PartCost]) -> None:
        self._parts = parts
        # Keys of the unexplored parts of each search: at its first node, and below this node.
        self._beside: dict[bytes, list[bytes]] = defaultdict(list)
        self._below: dict[bytes, list[bytes]] = defaultdict(list)
        levels: dict[int, _Level] = defaultdict(_Level)
        self._roots = list[bytes]()
        for key, part in parts.items():
            levels[part.level].keys.append(key)
            above = None if key == WHOLE else parts.get(parent_key(key))
            if above is None:
                self._roots.append(key)
            else:
                left = self._beside if part.level == above.level else self._below
                left[parent_key(key)].append(key)
        self._levels = dict(sorted(levels.items(), reverse=True))
        # Cost of each part, including the unexplored parts of its search.
        self._cost: dict[bytes, float] = {}

    def estimate(self) -> TreeEstimate | None:
        deeper = 0.0
        for level in self._levels.values():
            searched = self._searched(level)
            if level.mean is None and any(self._parts[key].cost is None for key in level.keys):
                if not deeper:
                    return None
                level.mean, level.variance = deeper, deeper**2
            deeper = max(deeper, level.mean or 0.0)
            for key in sorted(level.keys, key=len, reverse=True):
                if self._parts[key].cost is None:
                    self._cost[key] = self._parts[key].branches * (level.mean or 0.0)
                else:
                    beside = sum(self._cost[child] for child in self._beside[key])
                    self._cost[key] = searched[key] + beside
        done = sum(part.cost or 0.0 for part in self._parts.values())
        whole = sum(self._cost[key] for key in self._roots)
        means = {number: level.mean or 0.0 for number, level in self._levels.items()}
        return TreeEstimate(done, max(0.0, whole - done), math.sqrt(self._variance()), means)

    def _searched(self, level: _Level) -> dict[bytes, float]:
        """Measure a level; return the cost of the branches that each search has begun, by key.

        The cost includes the expected cost of the unexplored parts below the first node.
        """
        searched: dict[bytes, float] = {}
        samples = list[tuple[float, int]]()
        for key in level.keys:
            part = self._parts[key]
            if part.cost is not None:
                searched[key] = part.cost + sum(self._cost[child] for child in self._below[key])
                left = sum(self._parts[child].branches for child in self._beside[key])
                begun = part.branches - left
                samples.append((searched[key], begun))
        level.measure(samples)
        return searched

    def _variance(self) -> float:
        """Return the variance of the estimate, to first order in the means of the levels.

        The weight of a mean is the number of times that it stands for a branch, also within the
        means of higher levels.
        """
        counts: dict[bytes, float] = defaultdict(float, dict.fromkeys(self._roots, 1.0))
        variance = 0.0
        for level in reversed(self._levels.values()):
            uses = squares = 0.0
            for key in sorted(level.keys, key=len):
                for child in self._beside[key]:
                    counts[child] += counts[key]
                if self._parts[key].cost is None:
                    branches = self._parts[key].branches
                    uses += branches * counts[key]
                    squares += branches * counts[key] ** 2
            searched = max(level.branches, 1)
            for key in level.keys:
                for child in self._below[key]:
                    counts[child] += counts[key] + uses / searched
            variance += level.variance * (uses**2 / searched + squares)
        return variance
