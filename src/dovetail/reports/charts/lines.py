"""Charts of lines: a value at each of a few places along x."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Row
from dovetail.reports.charts.marks import line_class, mark
from dovetail.reports.charts.plot import Plot
from dovetail.reports.charts.series import Series, SeriesChart
from dovetail.reports.elements import element


@dataclass(frozen=True)
class Point:
    """A point of a line; a `hollow` one is a bound. Pointing at it shows the `tooltip`."""

    x: float
    y: float
    tooltip: str
    hollow: bool = False


@dataclass(frozen=True)
class Line(Series):
    """Points, joined where none is missing between.

    Points that follow one another by more than 1 along x are not joined, nor are hollow ones.
    """

    points: tuple[Point, ...]


@dataclass(frozen=True)
class LineChart(SeriesChart[Line]):
    """Lines over two axes."""

    def strokes(self, plot: Plot) -> Iterator[Element]:
        for line in self.series:
            places = [(plot.across(point.x), plot.down(point.y)) for point in line.points]
            yield _path(line, places)
            for point, (x, y) in zip(line.points, places, strict=True):
                yield mark(line.style, x, y, hollow=point.hollow, tooltip=point.tooltip)

    def rows(self) -> Iterator[Row]:
        yield "series", self.x.csv_column, self.y.csv_column, "bound", "text"
        for line in self.series:
            for point in line.points:
                yield line.name, point.x, point.y, int(point.hollow), point.tooltip


def _path(line: Line, places: Sequence[tuple[float, float]]) -> Element:
    """Strokes between neighbouring points that are no bounds; in one path, so that dashes go on."""
    strokes = []
    before: Point | None = None
    for point, (x, y) in zip(line.points, places, strict=True):
        joined = before and point.x - before.x <= 1 and not (before.hollow or point.hollow)
        strokes.append(f"{'L' if joined else 'M'}{x:.1f},{y:.1f}")
        before = point
    return element(
        "path", class_=line_class(line.style), d="".join(strokes), data_series=line.style
    )
