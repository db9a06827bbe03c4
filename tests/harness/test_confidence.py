"""Confidence intervals of skewed samples."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.harness.confidence import (
    exactly,
    mean_interval,
    ratio_interval,
    share_interval,
    student_quantile,
)
from harness.known import known


def test_the_quantile_of_student() -> None:
    """Against scipy."""
    stats = pytest.importorskip("scipy.stats")
    for freedom in (*range(1, 12), 59):
        expected = stats.t.ppf(0.975, freedom)
        assert student_quantile(freedom) == pytest.approx(expected, rel=1e-3)


def test_samples_that_are_all_the_same() -> None:
    """Are exact, also where their mean is rounded."""
    assert mean_interval(np.full(50, 7.0)) == exactly(7.0)
    interval = known(mean_interval(np.full(77, 0.1)))
    assert interval.low == interval.high


def test_samples_that_are_almost_all_the_same() -> None:
    """Many resamples have equal samples only, and do not widen the interval."""
    interval = known(mean_interval(np.array([100.0] * 299 + [101.0])))
    assert interval.low == pytest.approx(100 - 0.0032, abs=1e-3)
    assert interval.high == pytest.approx(100 + 0.0099, abs=1e-3)


def test_too_few_that_are_not_0() -> None:
    """Tell nothing: an interval would be far too narrow."""
    samples = np.zeros(100)
    samples[:9] = 1
    assert mean_interval(samples) is None
    samples[:10] = 1
    assert mean_interval(samples) is not None


def test_skewed_samples_are_covered() -> None:
    """The mean of a lognormal distribution.

    Of 5,000 intervals from 60 samples each 94.5 % cover it, and of Student's alone 90.3 %; the
    bound is three standard errors of 400 below.
    """
    random, truth = np.random.default_rng(1), float(np.exp(0.5))
    covered = student = 0
    for _ in range(400):
        samples = random.lognormal(size=60)
        interval = known(mean_interval(samples))
        covered += interval.covers(truth)
        half = student_quantile(59) * samples.std(ddof=1) / 60**0.5
        student += abs(samples.mean() - truth) <= half
    assert covered >= 0.911 * 400
    assert student < covered


@pytest.mark.parametrize(
    ("number", "count", "low", "high"),
    [
        (711, 1000, 0.6821, 0.7382),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I
    ],
)
def test_shares(number: int, count: int, low: float, high: float) -> None:
    """Wilson's interval; it does not leave 0 to 1."""
    interval = share_interval(number, count)
    assert interval.mean == number / count
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-4)
    assert interval.low >= 0
    assert interval.high <= 1


def test_the_deviation_of_a_ratio() -> None:
    """By hand: that of the residuals, over the mean of x (Cochran 1977, 6.3).

    The bootstrap is wider than Student's quantile times that deviation, never narrower.
    """
    y, x = np.arange(1.0, 41.0), np.array([1.0, 3.0] * 20)
    ratio = y.sum() / x.sum()
    residuals = y - ratio * x
    deviation = float(np.sqrt((residuals**2).sum() / 39)) / 2.0
    interval = known(ratio_interval(y, x))
    assert interval.mean == pytest.approx(ratio)
    half = student_quantile(39) * deviation / 40**0.5
    assert interval.low <= ratio - half * (1 - 1e-9)
    assert interval.high >= ratio + half * (1 - 1e-9)
    assert interval.high - interval.low < 2.6 * half


def test_ratios_of_random_sums_are_covered() -> None:
    """Of pairs whose numbers rise together; Student's of the pairs' own ratios would miss."""
    random, covered = np.random.default_rng(2), 0
    for _ in range(200):
        x = random.lognormal(size=60)
        y = x * random.exponential(size=60)
        interval = known(ratio_interval(y, x))
        covered += interval.covers(1.0)
    assert covered >= 0.88 * 200
