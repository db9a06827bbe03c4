"""Geometric means with intervals over puzzles.

At each end of an interval stands the wider of two: the percentile interval of the bootstrap over
puzzles (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13), and
Student's t of the logarithms, because the percentiles alone are too narrow for few puzzles. It is
about other puzzles of the same kind, not about the noise of the clock;
docs/solvers/methods/evaluation.md has how often it covers.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.confidence import RESAMPLES, TAIL, Interval, exactly, student_quantile

SEED = 0


def geometric_mean(ratios: NDArray[np.float64]) -> Interval:
    """The geometric mean of positive ratios, one for each puzzle, and its interval.

    The interval is the mean itself where there is one puzzle.
    """
    if len(ratios) == 1:
        return exactly(float(ratios[0]))
    logs = np.log(ratios)
    mean = float(logs.mean())
    random = np.random.default_rng(SEED)
    drawn = random.integers(0, len(logs), (RESAMPLES, len(logs)))
    low, high = map(float, np.quantile(logs[drawn].mean(axis=1), [TAIL, 1 - TAIL]))
    half = student_quantile(len(logs) - 1) * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    return Interval(
        math.exp(mean), math.exp(min(low, mean - half)), math.exp(max(high, mean + half))
    )
