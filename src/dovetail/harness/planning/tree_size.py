"""How large a search tree is, and which of several is the smallest.

Estimates by random descents are unbiased and far from normal: most are much too small, and a few
hundreds of times too large. Of several trees a few thousand descents are drawn for each, and then
many more for the best ones alone. Probes that all end before the levels with most nodes say nothing
of these: their mean is too low, and so is the upper end of its interval. A model of the puzzle
knows which levels these are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import TreeEstimator
from dovetail.harness.confidence import MIN_NONZERO, Interval

# On all boards tried with more than 2·10^8 nodes the truth was between a third of what B. Owen's
# model expects and three times as much (docs/solvers/methods/owens-model.md).
MODEL_FACTOR = 3.0


class Source(StrEnum):
    """Where the nodes of an estimate come from."""

    TREE = "whole tree"
    PROBES = "random probes"
    MODEL = "Owen's model"


def probes_fail(samples: NDArray[np.float64], expected: NDArray[np.float64]) -> str | None:
    """Return the reason not to go by random probes, or None.

    `samples`, shape (n, d + 1), are those of levels by a `TreeEstimator`; `expected`, shape (d,),
    has what a model expects of each. Probes fail where fewer than `MIN_NONZERO` of the samples
    have a node at the level of which the model expects most.
    """
    level = int(expected.argmax())
    reached = int(np.count_nonzero(samples[:, level]))
    if reached >= MIN_NONZERO:
        return None
    return (
        f"{reached} of {len(samples)} samples reached the level where most nodes are expected, "
        f"{level + 1} of {len(expected)}"
    )


def by_model(expected: NDArray[np.float64]) -> Interval:
    """Return the nodes that a model expects in all, and how far it may be off."""
    nodes = float(expected.sum())
    return Interval(nodes, nodes / MODEL_FACTOR, nodes * MODEL_FACTOR)


# About 0.2 s for twelve trees, at 1.7 µs a descent.
FIRST_DESCENTS, FINAL_DESCENTS, FINALISTS = 4_000, 15_000, 4
DESCENTS_AT_ONCE = 250  # between two looks at the clock


@dataclass(frozen=True, eq=False)
class Drawn:
    """Estimates of one tree, shape (n,)."""

    estimates: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return float(self.estimates.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(self.estimates.std(ddof=1)) / math.sqrt(len(self.estimates))


def draw(
    estimator: TreeEstimator, estimates: int, is_over: Callable[[], bool]
) -> NDArray[np.float64]:
    """Draw so many estimates of a tree, or fewer if drawing `is_over`."""
    drawn = [np.empty(0)]
    while estimates > 0 and not is_over():
        drawn.append(estimator.totals(min(estimates, DESCENTS_AT_ONCE)))
        estimates -= DESCENTS_AT_ONCE
    return np.concatenate(drawn)


def smallest_trees(
    trees: Mapping[str, TreeEstimator], is_over: Callable[[], bool]
) -> tuple[dict[str, Drawn], Sequence[str]]:
    """What is drawn of each tree, and the names of the finalists.

    These are few, and many more estimates are drawn of them. As soon as drawing `is_over` it ends;
    when that is before every tree has had a few, there are no finalists.
    """
    drawn = dict[str, Drawn]()
    finalists: Sequence[str] = ()
    for descents in (FIRST_DESCENTS, FINAL_DESCENTS):
        for name in finalists or trees:
            if is_over():
                return drawn, finalists
            found = draw(trees[name], descents, is_over)
            if name in drawn:
                drawn[name] = Drawn(np.concatenate([drawn[name].estimates, found]))
            elif len(found) == descents:
                drawn[name] = Drawn(found)
        finalists = sorted(drawn, key=lambda name: drawn[name].mean)[:FINALISTS]
    return drawn, finalists
