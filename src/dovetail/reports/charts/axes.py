"""Axes of a chart: where a value lies along them, and which values are marked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

MAX_DECADES = 8
FEWEST_DECADES = 2
LINEAR_MARKS = 6
ROUNDING = 1e-9  # a relative difference that rounding explains
# Ends of logarithmic axes; values beyond are drawn there. Their ratio has a logarithm.
MIN_END, MAX_END = 1e-150, 1e150


@dataclass(frozen=True)
class Axis:
    """`low` to `high` on a linear or logarithmic scale; `show` writes a value that is marked.

    On a linear scale of things that are counted, only `whole` numbers are marked. `column` names
    the values in a file, with their unit; where it is empty, `label` does.
    """

    label: str
    low: float
    high: float
    logarithmic: bool
    show: Callable[[float], str]
    whole: bool = False
    column: str = ""

    @property
    def csv_column(self) -> str:
        """The title of the column that has the values in a file."""
        return self.column or self.label

    def share(self, value: float) -> float:
        """Where `value` lies, from 0 at `low` to 1 at `high`; what is beyond lies at the end."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def marks(self) -> list[float]:
        """Round values from `low` to `high`."""
        if self.logarithmic:
            return _decades(self.low, self.high)
        return _steps(self.low, self.high, min_step=1.0 if self.whole else 0.0)


def logarithmic_axis(
    label: str, values: Iterable[float], show: Callable[[float], str], column: str = ""
) -> Axis:
    """An axis that has all positive `values`, from one power of ten to another."""
    positive = _positive(values) or [1.0]
    low = 10.0 ** math.floor(math.log10(min(positive)))
    high = 10.0 ** math.ceil(math.log10(max(positive)))
    high = high if high > low else 10 * low
    return Axis(label, low, high, logarithmic=True, show=show, column=column)


def fitted_logarithmic_axis(
    label: str, values: Iterable[float], show: Callable[[float], str], column: str = ""
) -> Axis:
    """An axis that has all positive `values`, from one of 1, 2, 5, 10, … to another."""
    wide = logarithmic_axis(label, values := _positive(values), show, column)
    ends = [f * 10.0**p for p in range(*_powers(wide.low, wide.high)) for f in (1, 2, 5)]
    ends.append(wide.high)
    if not values:
        return wide
    low = max(end for end in ends if end <= min(values) * (1 + ROUNDING))
    high = min(end for end in ends if end >= max(values) * (1 - ROUNDING) and end > low)
    return replace(wide, low=low, high=high)


def _positive(values: Iterable[float]) -> list[float]:
    """The values above 0, within the ends of logarithmic axes."""
    return [min(max(value, MIN_END), MAX_END) for value in values if value > 0]


def _powers(low: float, high: float) -> tuple[int, int]:
    """The powers of ten at `low` or below and at `high` or above."""
    return math.floor(math.log10(low) + ROUNDING), math.ceil(math.log10(high) - ROUNDING)


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten, every second or third where there are many; 2 and 5 between a few."""
    first, last = _powers(low, high)
    if math.log10(high / low) <= FEWEST_DECADES + ROUNDING:
        between = [f * 10.0**power for power in range(first, last) for f in (1, 2, 5)]
        marks = [*between, 10.0**last]
    else:
        step = math.ceil((last - first) / MAX_DECADES)
        marks = [10.0**power for power in range(first, last + 1, step)]
    return [mark for mark in marks if low * (1 - ROUNDING) <= mark <= high * (1 + ROUNDING)]


def _steps(low: float, high: float, min_step: float) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten, at `min_step` so far apart."""
    rough = max((high - low) / LINEAR_MARKS, min_step)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
