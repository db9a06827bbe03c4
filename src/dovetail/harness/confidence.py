"""Confidence intervals of means and ratios whose samples are skewed.

The estimates from random descents through a search tree are skewed, because few descents reach the
large branches. An interval that assumes a normal distribution is then too low. The bootstrap-t
method instead estimates the distribution of the studentized mean by resampling (B. Efron,
R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 12). A small sample says little
about the skewness, so each end of an interval is the outer of the two ends from the bootstrap and
from Student's t.
docs/solvers/estimates-measurements.md reports the coverage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.plain_data import Finite
from dovetail.printable import Reported

RESAMPLES = 2000
# Number of resamples in memory at a time.
LOT = 100
# Probability on each side of an interval.
TAIL = 0.025
# Upper quantile of the normal distribution for `TAIL`.
NORMAL = 1.959963984540054
# Upper quantiles of Student's t for `TAIL`, for 1 to 5 degrees of freedom.
STUDENT = (12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836)
# Minimum number of nonzero samples for an interval.
MIN_NONZERO = 10


@dataclass(frozen=True, repr=False)
class Interval(Reported):
    """An estimate with its 95 % confidence interval.

    >>> Interval(mean=10.0, low=8.0, high=13.0).covers(9.0)
    True
    """

    mean: Finite
    low: Finite
    high: Finite

    def times(self, factor: float) -> Interval:
        """Return the interval with all values multiplied by a factor of 0 or more."""
        return Interval(self.mean * factor, self.low * factor, self.high * factor)

    def covers(self, truth: float) -> bool:
        """Return whether a value lies in the interval."""
        return self.low <= truth <= self.high


def exactly(value: float) -> Interval:
    """Return the interval whose mean and ends are all `value`."""
    return Interval(value, value, value)


def mean_interval(samples: NDArray[np.float64]) -> Interval | None:
    """Return the interval of the mean of independent samples that are not negative.

    Returns None if fewer than `MIN_NONZERO` samples are nonzero.
    """
    return ratio_interval(samples, np.ones(len(samples)))


def ratio_interval(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64]
) -> Interval | None:
    """Return the interval of a ratio of sums over independent pairs of nonnegative numbers.

    Both arrays have the length of the sample, and the sum of the denominators must be above 0.
    Returns None if fewer than `MIN_NONZERO` numerators are nonzero.

    The standard error is estimated from the residuals of the pairs (W. G. Cochran, "Sampling
    Techniques", 1977, 6.3).
    """
    count = len(numerators)
    if np.count_nonzero(numerators) < MIN_NONZERO:
        return None
    ratio, deviation = map(float, _ratio_and_deviation(numerators, denominators))
    if deviation <= 1e-12 * ratio:  # equal up to rounding
        return exactly(ratio)
    random = np.random.default_rng(0)
    lots = (random.integers(0, count, (LOT, count)) for _ in range(RESAMPLES // LOT))
    resampled = [_ratio_and_deviation(numerators[lot], denominators[lot]) for lot in lots]
    ratios, deviations = np.concatenate(resampled, axis=1)
    spread = deviations > 1e-12 * ratio  # a resample of equal pairs has no studentized mean
    studentized = (ratios - ratio)[spread] / deviations[spread]
    lower, upper = np.quantile(studentized, [TAIL, 1 - TAIL])
    student = student_quantile(count - 1) / math.sqrt(count)
    low = ratio - max(student, float(upper)) * deviation
    high = ratio + max(student, -float(lower)) * deviation
    return Interval(ratio, max(0.0, low), high)


def share_interval(number: int, count: int) -> Interval:
    """Return the interval of a probability after `number` successes in `count` ≥ 1 trials.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927).
    """
    share, square = number / count, NORMAL**2
    middle = share + square / (2 * count)
    half = NORMAL * math.sqrt((share * (1 - share) + square / (4 * count)) / count)
    whole = 1 + square / count
    return Interval(share, max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole))


def _ratio_and_deviation(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ratio of the sums along the last axis, and the deviation of a pair from the ratio.

    The deviation is the standard deviation of the residuals, divided by the mean denominator.
    """
    mean = denominators.mean(axis=-1)
    ratio = numerators.mean(axis=-1) / mean
    residuals = numerators - ratio[..., None] * denominators
    return ratio, residuals.std(axis=-1, ddof=1) / mean


def shares_differ(number: int, count: int, other_number: int, other_count: int) -> bool:
    """Return whether two shares differ significantly at the 5 % level.

    The test is the z-test of two proportions with a pooled variance. Both counts must be above 0. A
    published share may be above 1 by mistake.
    """
    pooled = min(1.0, (number + other_number) / (count + other_count))
    deviation = math.sqrt(pooled * (1 - pooled) * (1 / count + 1 / other_count))
    return abs(number / count - other_number / other_count) > NORMAL * deviation


def student_quantile(freedom: int) -> float:
    """Return the upper quantile of Student's t for `TAIL`, with `freedom` degrees of freedom.

    `freedom` is 1 or more. The error is below 0.1 %. Source: M. Abramowitz, I. Stegun, "Handbook of
    Mathematical Functions", table 26.10, and 26.7.5 for 6 and more degrees of freedom.
    """
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    x = NORMAL
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))
