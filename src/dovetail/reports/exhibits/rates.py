"""An exhibit of rates: published and measured solutions per second of rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.errors import how_many
from dovetail.harness.exhibits.measured import Measured
from dovetail.harness.exhibits.rates import MeasuredRate, RateOrder, rate_order
from dovetail.reports.charts.axes import Axis, fitted_logarithmic_axis
from dovetail.reports.charts.intervals import EstimatedLine, EstimatedPoint, IntervalChart
from dovetail.reports.exhibits.words import paragraphs
from dovetail.reports.numbers import ABSENT, show_rounded, show_whole
from dovetail.reports.page import Part, Table
from dovetail.reports.published import show_rate_interval

MEASURED, PUBLISHED = "measured", "published"
LABEL = "solutions per second"
MARGIN = 0.03  # of the axis on either side of the points
MAX_SHARE = 10.0  # how far below the lowest rate an interval may draw the axis
ABOUT = (
    "Measured rates are per second of processor time, with the 95 % interval by the spread of the "
    "trials; fewer than ten trials with solutions give no interval. Published rates are those of "
    "another machine: compare the order of the rows and not the height of the lines."
)


def rates_part(measured: Measured) -> Part:
    """A line for the measured and one for the published rates, and the table of both."""
    exhibit, rates = measured.exhibit, measured.rates
    known = [one for one in rates if one.rate is not None]
    text = [
        *paragraphs(exhibit.about),
        ABOUT,
        f"The exhibit has {how_many(len(rates), 'row')}. Measured: {len(known)}.",
        *_order(rate_order(rates)),
    ]
    chart = _chart(measured)
    return Part(
        exhibit.name,
        exhibit.title,
        tuple(text),
        (chart,) if chart is not None else (),
        (_table(measured),),
    )


def _order(order: RateOrder) -> list[str]:
    """Return the sentences on the order of the rows, none if there are too few."""
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


def _chart(measured: Measured) -> IntervalChart | None:
    """The picture; None if nothing was measured."""
    exhibit, rates = measured.exhibit, sorted(measured.rates, key=lambda one: one.point.x)
    lines = (
        EstimatedLine(MEASURED, 0, tuple(_measured_points(rates))),
        EstimatedLine(PUBLISHED, 1, tuple(_published_points(rates))),
    )
    if not lines[0].points:
        return None
    shown = [point.y for line in lines for point in line.points]
    lowest = min(shown) / MAX_SHARE
    ends = [end for point in lines[0].points for end in (point.low, point.high) if end is not None]
    y = fitted_logarithmic_axis(
        LABEL, [*shown, *(end for end in ends if end >= lowest)], show_rounded
    )
    first, last = rates[0].point.x, rates[-1].point.x
    margin = MARGIN * (last - first) or 1.0
    whole = all(float(one.point.x).is_integer() for one in rates)
    x = Axis(exhibit.axis, first - margin, last + margin, False, show_rounded, whole=whole)
    text = (
        f"Solutions per second on a logarithmic scale by {exhibit.axis}: a line for the measured "
        "rates with the 95 % interval of each as a bar, and a line for the published rates. The "
        "table below lists the figures."
    )
    return IntervalChart(exhibit.title, text, x, y, tuple(line for line in lines if line.points))


def _measured_points(rates: Sequence[MeasuredRate]) -> list[EstimatedPoint]:
    """The points of the rates above 0: a logarithmic axis has no place for others."""
    return [
        EstimatedPoint(
            one.point.x,
            one.rate,
            f"{one.point.row}: {show_rate_interval(one.rate, one.interval)}",
            None if one.interval is None else one.interval.low,
            None if one.interval is None else one.interval.high,
        )
        for one in rates
        if one.rate
    ]


def _published_points(rates: Sequence[MeasuredRate]) -> list[EstimatedPoint]:
    points = [(one.point, one.point.published) for one in rates]
    return [
        EstimatedPoint(point.x, rate, f"{point.row}: {show_rounded(rate)} ({PUBLISHED})")
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
    return Table(columns, tuple(map(_row, measured.rates)))


def _row(one: MeasuredRate) -> tuple[str, ...]:
    point, searched, interval = one.point, one.searched, one.interval
    ends = (
        ABSENT
        if interval is None
        else f"{show_rounded(interval.low)} to {show_rounded(interval.high)}"
    )
    return (
        point.row,
        f"{point.x:g}",
        ABSENT if point.published is None else show_rounded(point.published),
        ABSENT if one.rate is None else show_rounded(one.rate),
        ends,
        show_whole(None if searched is None else searched.found),
        show_whole(None if searched is None else searched.begun),
        show_whole(None if searched is None else searched.with_solutions),
    )
