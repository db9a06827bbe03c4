"""Confidence intervals of means and ratios whose samples are skewed.

Descents through a search tree are: few of them meet the large branches, and an interval that takes
their mean for normal lies too low. Bootstrap-t takes the distribution of the studentized mean from
resampling instead (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 12).
It has a skewness of its own to learn from few samples, so at each end the wider of it and Student's
t is taken; docs/solvers/methods/estimates.md has how often the result covers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
LOT = 100  # of them are in memory at a time
TAIL = 0.025
NORMAL = 1.959963984540054  # the normal distribution's quantile for that tail
MIN_NONZERO = 10  # samples that are not 0, below which nothing is known of the distribution


@dataclass(frozen=True)
class Interval:
    """An estimate, and where with 95 % confidence the truth lies."""

    mean: float
    low: float
    high: float

    def times(self, factor: float) -> Interval:
        """The interval of something proportional."""
        return Interval(self.mean * factor, self.low * factor, self.high * factor)

    def covers(self, truth: float) -> bool:
        """Whether a value lies in it."""
        return self.low <= truth <= self.high


def exactly(value: float) -> Interval:
    """The interval of what is known."""
    return Interval(value, value, value)


def mean_interval(samples: NDArray[np.float64]) -> Interval | None:
    """The interval of the mean of independent samples that are not negative.

    None where fewer than `MIN_NONZERO` of them are other than 0.
    """
    return ratio_interval(samples, np.ones(len(samples)))


def ratio_interval(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64]
) -> Interval | None:
    """The interval of a ratio of sums over independent pairs of numbers that are not negative.

    Both arrays have the length of the sample, and the denominators a sum above 0. None where fewer
    than `MIN_NONZERO` of the numerators are other than 0.

    The deviation is that of the pairs' residuals (W. G. Cochran, "Sampling Techniques", 1977, 6.3).
    """
    count = len(numerators)
    if np.count_nonzero(numerators) < MIN_NONZERO:
        return None
    ratio, deviation = map(float, _ratio_and_deviation(numerators, denominators))
    if deviation <= 1e-12 * ratio:  # all the same, as far as numbers go
        return exactly(ratio)
    random = np.random.default_rng(0)
    lots = (random.integers(0, count, (LOT, count)) for _ in range(RESAMPLES // LOT))
    resampled = [_ratio_and_deviation(numerators[lot], denominators[lot]) for lot in lots]
    ratios, deviations = np.concatenate(resampled, axis=1)
    studentized = (ratios - ratio) / np.maximum(deviations, 1e-12 * ratio)
    lower, upper = np.quantile(studentized, [TAIL, 1 - TAIL])
    student = student_quantile(count - 1) / math.sqrt(count)
    low = ratio - max(student, float(upper)) * deviation
    high = ratio + max(student, -float(lower)) * deviation
    return Interval(ratio, max(0.0, low), high)


def share_interval(number: int, count: int) -> Interval:
    """The interval of a probability of which `number` of `count` independent trials came true.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal
    of the American Statistical Association 22 (1927).
    """
    share, square = number / count, NORMAL**2
    middle = share + square / (2 * count)
    half = NORMAL * math.sqrt((share * (1 - share) + square / (4 * count)) / count)
    whole = 1 + square / count
    return Interval(share, max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole))


def _ratio_and_deviation(
    numerators: NDArray[np.float64], denominators: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ratio of the sums along the last axis, and the deviation of one pair's share in it."""
    mean = denominators.mean(axis=-1)
    ratio = numerators.mean(axis=-1) / mean
    residuals = numerators - ratio[..., None] * denominators
    return ratio, residuals.std(axis=-1, ddof=1) / mean


def shares_differ(number: int, count: int, other_number: int, other_count: int) -> bool:
    """Whether two shares differ by more than chance explains, at the 5 % level.

    The counts are above 0; the test is that of two proportions with a pooled variance.
    """
    pooled = (number + other_number) / (count + other_count)
    deviation = math.sqrt(pooled * (1 - pooled) * (1 / count + 1 / other_count))
    return abs(number / count - other_number / other_count) > NORMAL * deviation


def student_quantile(freedom: int) -> float:
    """Student's t for `TAIL` with so many degrees of freedom, from ten on to three digits.

    M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 26.7.5.
    """
    x = NORMAL
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))
