"""Exhibits of rates: published and measured solutions per second, and their orders.

All rates on another machine may be higher or lower, so only the order of the rows is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many
from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import Chart, Point, Series
from dovetail.reports.charts.kinds import INTERVALS
from dovetail.reports.exhibits.measured import Measured, MeasuredRate, paragraphs
from dovetail.reports.numbers import ABSENT, show_rounded, show_whole
from dovetail.reports.page import Section
from dovetail.reports.published import show_rate_interval
from dovetail.reports.table import Table, text_table

MEASURED, PUBLISHED = "measured", "published"
LABEL = "solutions per second"
# Margin on either side of the points, as a share of the axis.
MARGIN = 0.03
# Maximum factor by which an interval extends the axis below the lowest rate.
MAX_SHARE = 10.0
# Minimum number of rows for a rank correlation.
MIN_ROWS = 3
ABOUT = (
    "Measured rates are per second of processor time. Their 95 % interval is estimated from the "
    "spread of the trials; it needs ten trials with solutions. Published rates are from another "
    "machine: compare the order of the rows and not the height of the lines."
)


@dataclass(frozen=True)
class RateOrder:
    """Order of the measured rates of rows, compared with the published order."""

    rows: int
    # Spearman's rank correlation. None if there are fewer than `MIN_ROWS` rows, or if all measured
    # or all published rates are equal.
    correlation: float | None
    # Number of pairs of rows in the published order whose intervals do not overlap.
    agreeing: int
    # Pairs of rows in the opposite order whose intervals do not overlap. The row with the higher
    # published rate is first.
    opposed: tuple[tuple[str, str], ...]
    # Number of pairs whose intervals overlap or are unknown.
    undecided: int

    @property
    def pairs(self) -> int:
        """Number of pairs of rows with different published rates."""
        return self.agreeing + len(self.opposed) + self.undecided


def rate_order(rates: Sequence[MeasuredRate]) -> RateOrder:
    """Compare the measured and the published order of the rows that have both rates."""
    known = [
        (row.point.published, row.rate, row)
        for row in rates
        if row.point.published is not None and row.rate is not None
    ]
    agreeing = undecided = 0
    opposed = list[tuple[str, str]]()
    for (x, _, row), (y, _, other_row) in combinations(known, 2):
        if x == y:
            continue
        higher, lower = (row, other_row) if x > y else (other_row, row)
        if _is_above(higher, lower):
            agreeing += 1
        elif _is_above(lower, higher):
            opposed.append((higher.point.row, lower.point.row))
        else:
            undecided += 1
    published = np.array([x for x, _, _ in known])
    correlation = _rank_correlation(published, np.array([rate for _, rate, _ in known]))
    return RateOrder(len(known), correlation, agreeing, tuple(opposed), undecided)


def _is_above(row: MeasuredRate, other_row: MeasuredRate) -> bool:
    """Return True if the interval of `row` is above the interval of `other_row`."""
    if row.interval is None or other_row.interval is None:
        return False
    return row.interval.low > other_row.interval.high


def _rank_correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Return Spearman's rank correlation; equal values share the mean of their ranks."""
    if len(x) < MIN_ROWS or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    # twice the rank: the number of smaller values plus the number of values not above
    ranks = [(v[:, None] > v).sum(axis=1) + (v[:, None] >= v).sum(axis=1) for v in (x, y)]
    return float(np.corrcoef(*ranks)[0, 1])


def rates_part(measured: Measured) -> Section:
    """Return a chart and a table of the measured and published rates."""
    exhibit, rates = measured.exhibit, measured.rates
    known = [row for row in rates if row.rate is not None]
    text = [
        *paragraphs(exhibit.about),
        ABOUT,
        f"The exhibit has {how_many(len(rates), 'row')}. Measured: {len(known)}.",
        *_order(rate_order(rates)),
    ]
    chart = _chart(measured)
    return Section(
        exhibit.name,
        exhibit.title,
        tuple(text),
        (chart,) if chart is not None else (),
        (_table(measured),),
    )


def _order(order: RateOrder) -> list[str]:
    """Return a paragraph on the order of the rows, or an empty list without a correlation."""
    if order.correlation is None:
        return []
    correlation = f"{order.correlation:.2f}".replace("-", "−")
    text = (
        f"Spearman's rank correlation of the published and the measured rates of {order.rows} rows "
        f"is {correlation}."
    )
    if order.pairs:
        opposed = "; ".join(f"{higher} above {lower}" for higher, lower in order.opposed)
        text += (
            f" {how_many(order.pairs, 'pair')} of rows have different published rates: "
            f"{order.agreeing} with the published order and intervals that do not overlap, "
            f"{len(order.opposed)} with the opposite order and intervals that do not overlap"
            f"{f' (published: {opposed})' if opposed else ''}, "
            f"{order.undecided} undecided because the intervals overlap or are unknown."
        )
    return [text]


def _chart(measured: Measured) -> Chart | None:
    """Return the chart, or None if no rate was measured."""
    exhibit, rates = measured.exhibit, sorted(measured.rates, key=lambda row: row.point.x)
    lines = (
        Series(MEASURED, 0, tuple(_measured_points(rates))),
        Series(PUBLISHED, 1, tuple(_published_points(rates))),
    )
    if not lines[0].points:
        return None
    shown = [point.y for line in lines for point in line.points]
    lowest = min(shown) / MAX_SHARE
    ends = [end for point in lines[0].points for end in (point.low, point.high) if end is not None]
    shown += (end for end in ends if end >= lowest)
    y = logarithmic_axis(LABEL, shown, show_rounded, is_fitted=True)
    first, last = rates[0].point.x, rates[-1].point.x
    margin = MARGIN * (last - first) or 1.0
    whole = all(float(row.point.x).is_integer() for row in rates)
    x = Axis(exhibit.axis, first - margin, last + margin, False, show_rounded, whole=whole)
    text = (
        f"Solutions per second on a logarithmic scale by {exhibit.axis}: a line for the measured "
        "rates with the 95 % interval of each as a bar, and a line for the published rates. The "
        "table below lists the figures."
    )
    drawn = tuple(line for line in lines if line.points)
    return Chart(exhibit.title, text, x, y, drawn, INTERVALS)


def _measured_points(rates: Sequence[MeasuredRate]) -> list[Point]:
    """Return the points of the rates above 0, because the axis is logarithmic."""
    return [
        Point(
            row.point.x,
            row.rate,
            f"{row.point.row}: {show_rate_interval(row.rate, row.interval)}",
            low=None if row.interval is None else row.interval.low,
            high=None if row.interval is None else row.interval.high,
        )
        for row in rates
        if row.rate
    ]


def _published_points(rates: Sequence[MeasuredRate]) -> list[Point]:
    points = [(row.point, row.point.published) for row in rates]
    return [
        Point(point.x, rate, f"{point.row}: {show_rounded(rate)} ({PUBLISHED})")
        for point, rate in points
        if rate is not None
    ]


def _table(measured: Measured) -> Table:
    columns = (
        "row",
        measured.exhibit.axis,
        f"{PUBLISHED} per s",
        f"{MEASURED} per s",
        "95 % interval",
        "solutions found",
        "trials",
        "with solutions",
    )
    return text_table(columns, tuple(map(_row, measured.rates)))


def _row(row: MeasuredRate) -> tuple[str, ...]:
    point, searched, interval = row.point, row.searched, row.interval
    ends = (
        ABSENT
        if interval is None
        else f"{show_rounded(interval.low)} to {show_rounded(interval.high)}"
    )
    return (
        point.row,
        f"{point.x:g}",
        ABSENT if point.published is None else show_rounded(point.published),
        ABSENT if row.rate is None else show_rounded(row.rate),
        ends,
        show_whole(None if searched is None else searched.found),
        show_whole(None if searched is None else searched.begun),
        show_whole(None if searched is None else searched.with_solutions),
    )
