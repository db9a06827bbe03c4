"""Axes of a chart: positions of values and the values marked by ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

MAX_DECADES = 8
FEWEST_DECADES = 2
LINEAR_TICKS = 6
ROUNDING = 1e-12  # relative difference attributed to rounding
# Ends of logarithmic axes; values beyond are drawn there. Their ratio has a logarithm.
MIN_END, MAX_END = 1e-150, 1e150


@dataclass(frozen=True)
class Axis:
    """A linear or logarithmic scale from `low` to `high`."""

    label: str
    low: float
    high: float
    logarithmic: bool
    # Formats the value of a tick.
    show: Callable[[float], str]
    # True if a linear axis has ticks at whole numbers only.
    whole: bool = False
    # Title of the column with the values in a CSV file; empty for the label.
    column: str = ""
    # Values with ticks; None for round values.
    at: tuple[float, ...] | None = None

    @property
    def csv_column(self) -> str:
        """Title of the column with the values in a CSV file."""
        return self.column or self.label

    def share(self, value: float) -> float:
        """Return the position of a value: 0 at or below `low`, 1 at or above `high`."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Return the values with ticks."""
        if self.at is not None:
            return list(self.at)
        if self.logarithmic:
            return _decades(self.low, self.high)
        return _steps(self.low, self.high, min_step=1.0 if self.whole else 0.0)


def logarithmic_axis(
    label: str,
    values: Iterable[float],
    show: Callable[[float], str],
    column: str = "",
    *,
    is_fitted: bool = False,
) -> Axis:
    """Return an axis from a power of ten to another that contains all positive values.

    If it is fitted, it may also end at 2 and 5 times a power of ten.
    """
    positive = [min(max(value, MIN_END), MAX_END) for value in values if value > 0] or [1.0, 10.0]
    first, last = _powers(min(positive), max(positive))
    factors = (1, 2, 5) if is_fitted else (1,)
    ends = [factor * 10.0**power for power in range(first, last + 2) for factor in factors]
    low = max(end for end in ends if end <= min(positive) * (1 + ROUNDING))
    high = min(end for end in ends if end >= max(positive) * (1 - ROUNDING) and end > low)
    return Axis(label, low, high, logarithmic=True, show=show, column=column)


def _powers(low: float, high: float) -> tuple[int, int]:
    """Return the exponents of the powers of ten at or below `low` and at or above `high`."""
    return math.floor(math.log10(low) + ROUNDING), math.ceil(math.log10(high) - ROUNDING)


def _decades(low: float, high: float) -> list[float]:
    """Return powers of ten: each or every n-th of many, and 2 and 5 times each of a few."""
    first, last = _powers(low, high)
    if math.log10(high / low) <= FEWEST_DECADES + ROUNDING:
        between = [f * 10.0**power for power in range(first, last) for f in (1, 2, 5)]
        ticks = [*between, 10.0**last]
    else:
        step = math.ceil((last - first) / MAX_DECADES)
        ticks = [10.0**power for power in range(first, last + 1, step)]
    return [tick for tick in ticks if low * (1 - ROUNDING) <= tick <= high * (1 + ROUNDING)]


def _steps(low: float, high: float, min_step: float) -> list[float]:
    """Return multiples of a step that is 1, 2 or 5 times a power of ten."""
    rough = max((high - low) / LINEAR_TICKS, min_step)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
