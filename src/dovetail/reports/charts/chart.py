"""Charts: axes, series of points, a legend, and the figures as CSV.

All charts are of the same class. The `ChartKind` of a chart defines the marks of its points and the
columns of its figures; the kinds are in `kinds` and `scatter`.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element

from dovetail.reports.charts.marks import key, segment, text
from dovetail.reports.elements import element
from dovetail.reports.table import csv_lines

# Lengths in units of the drawing; a chart is 480 units wide.
WIDTH = 480.0
LEFT, RIGHT = 60.0, 24.0  # room beside a plot for labels of ticks
ABOVE, BELOW = 32.0, 40.0
HEIGHT = 260.0
CHARACTER = 7.0  # generous average width of a letter
CSV = "data:text/csv;charset=utf-8"
UNTOUCHED = "/,:;()*!"  # characters besides letters and digits that a data URL need not escape
DIGITS = 6
MAX_DECADES = 8
FEWEST_DECADES = 2
LINEAR_TICKS = 6
ROUNDING = 1e-12  # relative difference attributed to rounding
# Limits of logarithmic axes; values beyond are drawn at a limit. The ratio of the limits is finite.
MIN_END, MAX_END = 1e-150, 1e150

Row = tuple[str | float | None, ...]


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
    # Title of the column with the values in a CSV file; if empty, the label is used.
    column: str = ""
    # Values with ticks; if None, round values are chosen.
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
    """Return an axis between two powers of ten that contains all positive values.

    A fitted axis may also end at 2 or 5 times a power of ten. Positive values beyond `MIN_END` and
    `MAX_END` do not extend the axis. Without a positive value, the axis goes from 1 to 10.
    """
    positive = [min(max(value, MIN_END), MAX_END) for value in values if value > 0] or [1.0, 10.0]
    first, last = _powers(min(positive), max(positive))
    factors = (1, 2, 5) if is_fitted else (1,)
    ends = [factor * 10.0**power for power in range(first, last + 2) for factor in factors]
    low = max(end for end in ends if end <= min(positive) * (1 + ROUNDING))
    high = min(end for end in ends if end >= max(positive) * (1 - ROUNDING) and end > low)
    return Axis(label, low, high, logarithmic=True, show=show, column=column)


@dataclass(frozen=True)
class Point:
    """A value of a series: its position and texts about it."""

    x: float
    y: float
    # Text shown when a reader points at the mark.
    tooltip: str = ""
    # Name of the thing that the figure is about, such as a question.
    name: str = ""
    # Ends of an interval or range of y; None without an interval.
    low: float | None = None
    high: float | None = None
    # True if the figure is a bound.
    hollow: bool = False

    @property
    def lowest(self) -> float:
        """Lower end of the range; y without a range."""
        return self.y if self.low is None else self.low

    @property
    def highest(self) -> float:
        """Upper end of the range; y without a range."""
        return self.y if self.high is None else self.high


@dataclass(frozen=True)
class Series:
    """A named sequence of points in ascending order of x."""

    name: str
    # Number of the colour, dashes and marks.
    style: int
    points: tuple[Point, ...]
    # Value of x up to which a band keeps its last value.
    end: float = 0.0


@dataclass(frozen=True)
class Frame:
    """The rectangle between the axes and the room around it."""

    left: float = LEFT
    top: float = ABOVE
    width: float = WIDTH - LEFT - RIGHT
    height: float = HEIGHT
    # Room below the plot, for ticks and labels.
    below: float = BELOW
    # Room beyond the ends of the axes for points that are bounds.
    band: float = 0.0
    has_axis_above: bool = False

    @property
    def right(self) -> float:
        """Position of the right end of the axis of x."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Position of the lower end of the axis of y."""
        return self.top + self.height


@dataclass(frozen=True)
class ChartKind:
    """Properties that the charts of a kind share."""

    # Draws the marks of all series.
    marks: Callable[[Chart], Iterator[Element]]
    # Yields the column titles of the CSV file and its rows.
    rows: Callable[[Chart], Iterator[Row]]
    # CSS class of the picture.
    style: str = "plot"
    # Name of the script that a page with charts of this kind runs; empty without a script.
    script: str = ""
    # True if the names of the series are listed above the picture.
    legend: bool = False
    # Yields elements below the picture.
    notes: Callable[[Chart], Iterable[Element]] = lambda _: ()


@dataclass(frozen=True)
class Chart:
    """A chart of figures: axes, series and a kind."""

    title: str
    # Description for readers who do not see the picture.
    alt_text: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    kind: ChartKind
    # Part of the name of the CSV file; if empty, the number of the chart in its section is used.
    name: str = ""
    frame: Frame = field(default=Frame(), kw_only=True)
    # Data for the functions of the kind.
    data: Any = field(default=None, kw_only=True)

    def across(self, value: float) -> float:
        """Return the horizontal position of a value of x."""
        return self.frame.left + self.x.share(value) * self.frame.width

    def down(self, value: float) -> float:
        """Return the vertical position of a value of y."""
        return self.frame.bottom - self.y.share(value) * self.frame.height

    def draw(self, identity: str) -> Element:
        """Return the chart as SVG, without its legend; `identity` is unique on the page."""
        return element(
            "svg",
            element("title", self.title, id=f"{identity}-title"),
            element("desc", self.alt_text, id=f"{identity}-alt-text"),
            *self._axes(),
            *self.kind.marks(self),
            class_=f"chart {self.kind.style}".strip(),
            viewBox=f"0 0 {WIDTH:g} {self.frame.bottom + self.frame.below:g}",
            role="img",
            aria_labelledby=f"{identity}-title {identity}-alt-text",
        )

    def legend(self) -> Element | None:
        """Return the list of the names of series for a page; None for a kind without a legend."""
        if not self.kind.legend:
            return None
        items = (
            element("li", key(series.style), series.name, data_series=series.style)
            for series in self.series
        )
        return element("ul", *items, class_="legend")

    def csv(self) -> str:
        """Return the figures as CSV: integers exactly, floats with six significant digits."""
        return csv_lines(self.kind.rows(self), DIGITS)

    def script(self) -> str:
        """Return the script that a page needs for charts of this kind; empty without a script."""
        if not self.kind.script:
            return ""
        return files("dovetail.reports.charts").joinpath(self.kind.script).read_text("utf-8")

    def figure(self, identity: str) -> Element:
        """Return the chart as a figure for a page; the unique `identity` names the CSV file."""
        file_name = f"{identity}.csv"
        link = element("a", file_name, download=file_name, href=data_url(self.csv()))
        return element(
            "figure",
            self.legend(),
            self.draw(identity),
            *self.kind.notes(self),
            element("figcaption", "figures: ", link, class_="download"),
        )

    def _axes(self) -> Iterator[Element]:
        """Yield the axes with ticks and labels, and lines across the plot."""
        frame = self.frame
        for value in self.y.ticks():
            y = self.down(value)
            yield segment("grid", frame.left, y, frame.right, y)
            yield text(self.y.show(value), frame.left - 6, y + 4, anchor="end")
        edge, length, words = (frame.top, -5, -9) if frame.has_axis_above else (frame.bottom, 4, 17)
        for value in self.x.ticks():
            x = self.across(value)
            yield segment("axis", x, edge, x, edge + length)
            yield text(self.x.show(value), x, edge + words, anchor="middle")
        if self.x.ticks():
            yield segment("axis", frame.left, edge, frame.right, edge)
        if self.y.label:
            yield text(self.y.label, 0, frame.top - frame.band - 12, style="up")
        if self.x.label:
            middle = frame.left + frame.width / 2
            yield text(self.x.label, middle, edge + 34, anchor="middle", style="across")


def data_url(csv: str) -> str:
    """Return a data URL of a CSV text, in the shorter of two encodings."""
    escaped = f"{CSV},{quote(csv, safe=UNTOUCHED)}"
    encoded = f"{CSV};base64,{b64encode(csv.encode()).decode()}"
    return min(escaped, encoded, key=len)


def listed(*names: str, **titled: str) -> Callable[[Chart], Iterator[Row]]:
    """Return a function that yields the column titles and a row for each point of all series.

    `names` and the values of `titled` are fields of a point, or "series" for the name of the
    point's series. The titles of the columns are `names` and the keys of `titled`; in place of x
    and y, the titles are those of the axes.
    """
    columns = dict(zip(names, names, strict=True)) | titled

    def rows(chart: Chart) -> Iterator[Row]:
        axes = {"x": chart.x.csv_column, "y": chart.y.csv_column}
        yield tuple(axes.get(title, title) for title in columns)
        for series in chart.series:
            for point in series.points:
                fields = vars(point) | {"series": series.name, "hollow": int(point.hollow)}
                yield tuple(fields[name] for name in columns.values())

    return rows


def _powers(low: float, high: float) -> tuple[int, int]:
    """Return the exponents of the powers of ten at or below `low` and at or above `high`."""
    return math.floor(math.log10(low) + ROUNDING), math.ceil(math.log10(high) - ROUNDING)


def _decades(low: float, high: float) -> list[float]:
    """Return ticks at powers of ten.

    If there are few powers, there are also ticks at 2 and 5 times each power. If there are many
    powers, only some powers at equal distances have ticks.
    """
    first, last = _powers(low, high)
    if math.log10(high / low) <= FEWEST_DECADES + ROUNDING:
        between = [f * 10.0**power for power in range(first, last) for f in (1, 2, 5)]
        ticks = [*between, 10.0**last]
    else:
        step = math.ceil((last - first) / MAX_DECADES)
        ticks = [10.0**power for power in range(first, last + 1, step)]
    return [tick for tick in ticks if low * (1 - ROUNDING) <= tick <= high * (1 + ROUNDING)]


def _steps(low: float, high: float, min_step: float) -> list[float]:
    """Return the multiples between `low` and `high` of a step of 1, 2 or 5 times a power of ten."""
    rough = max((high - low) / LINEAR_TICKS, min_step)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
