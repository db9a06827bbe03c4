"""Whether random probes show how large a tree is, or a model of the puzzle has to.

Probes that all end before the levels with most nodes say nothing of these: their mean is too low,
and so is the upper end of its interval. A model knows which levels these are.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

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
