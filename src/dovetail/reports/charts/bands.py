"""Charts of values that rise by steps, with the range of several runs about each.

A line is the middle of the runs, and a band about it goes from the lowest to the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Row
from dovetail.reports.charts.marks import line_class, mark, series_class
from dovetail.reports.charts.plot import Plot
from dovetail.reports.charts.series import Series, SeriesChart
from dovetail.reports.elements import element


@dataclass(frozen=True)
class Range:
    """The lowest, middle and highest value from a place along x on, until the next one."""

    x: float
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Band(Series):
    """A series of ranges, ascending by x; the last one holds until `end`."""

    ranges: tuple[Range, ...]
    end: float


@dataclass(frozen=True)
class BandChart(SeriesChart[Band]):
    """Lines in bands over two axes; each line ends with a mark."""

    def strokes(self, plot: Plot) -> Iterator[Element]:
        """Yield the lines above all bands."""
        bands = [band for band in self.series if band.ranges]
        yield from (_area(plot, band) for band in bands)
        for band in bands:
            yield _line(plot, band)
            last = band.ranges[-1]
            values = self.y.show(last.middle)
            if last.low < last.high:
                values += f" ({self.y.show(last.low)} to {self.y.show(last.high)})"
            tooltip = f"{band.name}: {values} after {self.x.show(band.end)}"
            x, y = plot.across(band.end), plot.down(last.middle)
            yield mark(band.style, x, y, hollow=False, tooltip=tooltip)

    def rows(self) -> Iterator[Row]:
        yield "series", self.x.csv_column, "low", "median", "high"
        for band in self.series:
            for one in band.ranges:
                yield band.name, one.x, one.low, one.middle, one.high


def _line(plot: Plot, band: Band) -> Element:
    strokes = "M" + "L".join(_corners(plot, band, lambda one: one.middle))
    return element(
        "path", class_=f"{line_class(band.style)} curve", d=strokes, data_series=band.style
    )


def _area(plot: Plot, band: Band) -> Element:
    """The highest values from left to right, the lowest ones back."""
    corners = _corners(plot, band, lambda one: one.high)
    corners += reversed(_corners(plot, band, lambda one: one.low))
    return element(
        "path",
        class_=f"{series_class(band.style)} band",
        d=f"M{'L'.join(corners)}Z",
        data_series=band.style,
    )


def _corners(plot: Plot, band: Band, value: Callable[[Range], float]) -> list[str]:
    """The corners of the stairs that a value of the ranges makes."""
    ends = [one.x for one in band.ranges[1:]] + [band.end]
    stairs: Sequence[tuple[float, float]] = [
        (x, value(one)) for one, end in zip(band.ranges, ends, strict=True) for x in (one.x, end)
    ]
    return [f"{plot.across(x):.1f},{plot.down(y):.1f}" for x, y in stairs]
