"""Axes: what they reach to, what is marked, and where values lie."""

from __future__ import annotations

import pytest

from dovetail.reports.charts.axes import Axis, logarithmic_axis


@pytest.mark.parametrize(
    ("values", "low", "high", "marks"),
    [
        ([30, 200], 10, 1000, [10, 20, 50, 100, 200, 500, 1000]),
        ([3, 70_000], 1, 100_000, [1, 10, 100, 1000, 10_000, 100_000]),
        ([1, 10**9 + 1], 1, 10**10, [1, 100, 10**4, 10**6, 10**8, 10**10]),
        ([0, 5], 1, 10, [1, 2, 5, 10]),
        ([100], 100, 1000, [100, 200, 500, 1000]),
        ([], 1, 10, [1, 2, 5, 10]),
    ],
)
def test_a_logarithmic_axis(
    values: list[float], low: float, high: float, marks: list[float]
) -> None:
    """From one power of ten to another."""
    axis = logarithmic_axis("nodes", values, str)
    assert (axis.low, axis.high) == (low, high)
    assert axis.ticks() == pytest.approx(marks)


@pytest.mark.parametrize(
    ("values", "low", "high", "marks"),
    [
        ([0.57, 30], 0.5, 50, [0.5, 1, 2, 5, 10, 20, 50]),
        ([0, 0.2, 0.3], 0.2, 0.5, [0.2, 0.5]),
        ([3, 70_000], 2, 100_000, [10, 100, 1000, 10_000, 100_000]),
        ([5], 5, 10, [5, 10]),
        ([100], 100, 200, [100, 200]),
        ([0.001, 1000], 0.001, 1000, [0.001, 0.01, 0.1, 1, 10, 100, 1000]),
        ([0], 1, 10, [1, 2, 5, 10]),
    ],
)
def test_a_fitted_logarithmic_axis(
    values: list[float], low: float, high: float, marks: list[float]
) -> None:
    """It ends at 1, 2 or 5 times a power of ten."""
    axis = logarithmic_axis("rate", values, str, is_fitted=True)
    assert (axis.low, axis.high) == pytest.approx((low, high))
    assert axis.ticks() == pytest.approx(marks)


@pytest.mark.parametrize(
    ("low", "high", "whole", "marks"),
    [
        (0.5, 51.5, True, [10, 20, 30, 40, 50]),
        (0.5, 3.5, True, [1, 2, 3]),
        (0.5, 3.5, False, [0.5, 1, 1.5, 2, 2.5, 3, 3.5]),
        (0, 7, False, [0, 2, 4, 6]),
    ],
)
def test_a_linear_axis(low: float, high: float, whole: bool, marks: list[float]) -> None:
    """Multiples of a round step."""
    assert Axis("boards", low, high, False, str, whole).ticks() == pytest.approx(marks)


def test_where_values_lie() -> None:
    """What is beyond the ends lies at them: nothing is drawn outside."""
    axis = logarithmic_axis("nodes", [1, 10_000], str)
    assert [axis.share(value) for value in (0, 1, 100, 10_000, 1e9)] == [0, 0, 0.5, 1, 1]
    line = Axis("seconds", 0.0, 8.0, False, str)
    assert [line.share(value) for value in (-1, 0, 2, 8, 9)] == [0, 0, 0.25, 1, 1]
