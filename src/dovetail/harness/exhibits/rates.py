"""Measured and published solutions per second of rows of a table, and whether they agree in order.

Rates of another machine are higher or lower throughout; the order of rows can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.exhibits.declared import RatePoint
from dovetail.harness.records.published import measured_rate
from dovetail.harness.records.record import Record
from dovetail.harness.run.result import RateInterval, Searched

MIN_ROWS = 3  # below which a rank correlation means nothing


@dataclass(frozen=True)
class MeasuredRate:
    """The rate of a row; None for what is not known.

    `interval` is the 95 % interval of `rate`, and `searched` the totals of its searches.
    """

    point: RatePoint
    rate: float | None = None
    interval: RateInterval | None = None
    searched: Searched | None = None


@dataclass(frozen=True)
class RateOrder:
    """Whether measured rates are in the order of the published ones.

    `correlation` is Spearman's rank correlation over so many `rows`, None for fewer than
    `MIN_ROWS` or if all rates of one kind are equal. Of the pairs of rows whose published rates
    differ, `agreeing` is how many have the published order and intervals that do not overlap;
    `opposed` are those that have the opposite order and intervals that do not overlap, the
    row first whose published rate is higher; `undecided` is how many overlap or have no interval.
    """

    rows: int
    correlation: float | None
    agreeing: int
    opposed: tuple[tuple[str, str], ...]
    undecided: int

    @property
    def pairs(self) -> int:
        """How many pairs of rows have different published rates."""
        return self.agreeing + len(self.opposed) + self.undecided


def measured_rates(
    points: Sequence[RatePoint], by_job: Mapping[str, Record]
) -> tuple[MeasuredRate, ...]:
    """The rate of each row that `by_job` has a usable result of, and the others without one."""
    return tuple(_measured(point, by_job.get(point.job)) for point in points)


def _measured(point: RatePoint, record: Record | None) -> MeasuredRate:
    if record is None or record.result.searched is None or not record.result.status.has_answer:
        return MeasuredRate(point)
    return MeasuredRate(point, *measured_rate(record), record.result.searched)


def rate_order(rates: Sequence[MeasuredRate]) -> RateOrder:
    """Compare the order of the rows that have both rates."""
    known = [
        (one.point.published, one.rate, one)
        for one in rates
        if one.point.published is not None and one.rate is not None
    ]
    agreeing = undecided = 0
    opposed = list[tuple[str, str]]()
    for (x, _, one), (y, _, other) in combinations(known, 2):
        if x == y:
            continue
        higher, lower = (one, other) if x > y else (other, one)
        if _is_above(higher, lower):
            agreeing += 1
        elif _is_above(lower, higher):
            opposed.append((higher.point.row, lower.point.row))
        else:
            undecided += 1
    published = np.array([x for x, _, _ in known])
    correlation = _rank_correlation(published, np.array([rate for _, rate, _ in known]))
    return RateOrder(len(known), correlation, agreeing, tuple(opposed), undecided)


def _is_above(one: MeasuredRate, other: MeasuredRate) -> bool:
    """Whether the interval of `one` lies above that of the other."""
    if one.interval is None or other.interval is None:
        return False
    return one.interval.low > other.interval.high


def _rank_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Spearman's rank correlation; equal values have the mean of their ranks."""
    if len(x) < MIN_ROWS or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    return float(np.corrcoef(_ranks(x), _ranks(y))[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many values are below each, and half of the others that equal it."""
    below = (values[:, None] > values).sum(axis=1)
    equal = (values[:, None] == values).sum(axis=1) - 1
    ranks: NDArray[np.float64] = below + equal / 2
    return ranks
