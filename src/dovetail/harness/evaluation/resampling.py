"""Geometric means with intervals by the bootstrap over puzzles.

The interval is the percentile interval of B. Efron, R. Tibshirani, "An Introduction to the
Bootstrap" (1993), chapter 13. It is about other puzzles of the same kind, not about the noise of
the clock. Of fewer than about ten puzzles it is too narrow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.confidence import RESAMPLES, TAIL, Interval, exactly

SEED = 0


def geometric_mean(ratios: NDArray[np.float64]) -> Interval:
    """The geometric mean of positive ratios, one for each puzzle, and its interval.

    The interval is the mean itself where there is one puzzle.
    """
    if len(ratios) == 1:
        return exactly(float(ratios[0]))
    logs = np.log(ratios)
    random = np.random.default_rng(SEED)
    drawn = random.integers(0, len(logs), (RESAMPLES, len(logs)))
    low, high = np.quantile(logs[drawn].mean(axis=1), [TAIL, 1 - TAIL])
    mean, low, high = (float(np.exp(value)) for value in (logs.mean(), low, high))
    return Interval(mean, min(low, mean), max(high, mean))
