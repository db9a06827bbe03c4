"""The time left of searches whose shares are made up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dovetail.harness.progress import LATER, MAX_SAMPLES, MIN_S, SOONER, TimeLeft


def time_left(samples: list[tuple[float, float]]) -> TimeLeft:
    """Return an estimator that was given these shares after these seconds."""
    left = TimeLeft()
    for elapsed_s, share in samples:
        left.add(elapsed_s, share)
    return left


def test_an_even_search() -> None:
    """All speeds are the same, and only the factors are between the ends of the range."""
    left = time_left([(second, second / 40) for second in range(11)]).range_s()
    assert left == pytest.approx((30 / SOONER, 30 * LATER))


def test_an_uneven_search() -> None:
    """The ends come from the fastest and the slowest of the whole, its last half and quarter."""
    samples = [(0.0, 0.0), (6.0, 0.3), (9.0, 0.6), (12.0, 0.7)]
    speeds = [0.7 / 12, 0.4 / 6, 0.1 / 3]
    low, high = (0.3 / max(speeds) / SOONER, 0.3 / min(speeds) * LATER)
    assert time_left(samples).range_s() == pytest.approx((low, high))


def test_a_search_in_jumps() -> None:
    """Branches of very different sizes one after another: the range holds what came."""
    seconds = [1.0, 3.0, 2.0, 4.0, 1.0, 2.0, 3.0, 2.0, 1.5, 1.0]  # of ten branches
    left, now, hits = TimeLeft(), 0.0, []
    left.add(0.0, 0.0)
    for branch, took in enumerate(seconds, start=1):
        now += took
        left.add(now, branch / 10)
        left_s = left.range_s()
        if left_s is not None and branch < 10:
            hits.append(left_s[0] <= sum(seconds) - now <= left_s[1])
    assert hits == [True] * 8


@pytest.mark.parametrize(
    "samples",
    [
        [],
        [(0.0, 0.0), (MIN_S / 2, 0.4)],  # too short
        [(0.0, 0.0), (100.0, 0.001)],  # too little
        [(0.0, 0.0), (10.0, 0.5), (20.0, 0.5)],  # nothing of late
    ],
)
def test_too_little_is_known(samples: list[tuple[float, float]]) -> None:
    """Where too little is known."""
    assert time_left(samples).range_s() is None


def test_only_some_samples_are_kept() -> None:
    """And the range is as good with every other of them."""
    left = time_left([(second, second / 10_000) for second in range(5 * MAX_SAMPLES)])
    assert len(left._seconds) <= MAX_SAMPLES
    assert all(before < after for before, after in pairwise(left._seconds))
    rest = 10_000 - 5 * MAX_SAMPLES + 1
    assert left.range_s() == pytest.approx((rest / SOONER, rest * LATER))
