"""Charts of estimates: lines whose points have bars, from one end of an interval to the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Row
from dovetail.reports.charts.marks import line_class, mark, series_class
from dovetail.reports.charts.plot import Plot
from dovetail.reports.charts.series import Series, SeriesChart
from dovetail.reports.elements import element

CAP = 3.0  # half the width of the strokes at the ends of a bar


@dataclass(frozen=True)
class EstimatedPoint:
    """A point of a line; `low` and `high` are None without an interval."""

    x: float
    y: float
    tooltip: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class EstimatedLine(Series):
    """Points by ascending x, each joined to the next."""

    points: tuple[EstimatedPoint, ...]


@dataclass(frozen=True)
class IntervalChart(SeriesChart[EstimatedLine]):
    """Lines over two axes, with the intervals of their points."""

    def strokes(self, plot: Plot) -> Iterator[Element]:
        for line in self.series:
            yield from _bars(plot, line)
            yield _path(plot, line)
            for point in line.points:
                x, y = plot.across(point.x), plot.down(point.y)
                yield mark(line.style, x, y, hollow=False, tooltip=point.tooltip)

    def rows(self) -> Iterator[Row]:
        yield "series", self.x.csv_column, self.y.csv_column, "low", "high", "text"
        for line in self.series:
            for point in line.points:
                yield line.name, point.x, point.y, point.low, point.high, point.tooltip


def _bars(plot: Plot, line: EstimatedLine) -> Iterator[Element]:
    """A bar for each interval. An end beyond the axis has no cap."""
    for point in line.points:
        if point.low is None or point.high is None:
            continue
        x, low, high = plot.across(point.x), plot.down(point.low), plot.down(point.high)
        strokes = f"M{x:.1f},{low:.1f}V{high:.1f}"
        for value, y in ((point.low, low), (point.high, high)):
            if plot.y.low <= value <= plot.y.high:
                strokes += f"M{x - CAP:.1f},{y:.1f}h{2 * CAP:g}"
        yield element(
            "path",
            class_=f"line interval {series_class(line.style)}",
            d=strokes,
            data_series=line.style,
        )


def _path(plot: Plot, line: EstimatedLine) -> Element:
    places = (f"{plot.across(point.x):.1f},{plot.down(point.y):.1f}" for point in line.points)
    strokes = f"M{'L'.join(places)}"
    return element("path", class_=line_class(line.style), d=strokes, data_series=line.style)
