"""Charts of series over two axes, each series with its colour, dashes and marks."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Generic, TypeVar
from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import Chart
from dovetail.reports.charts.marks import line_class, mark
from dovetail.reports.charts.plot import (
    ABOVE,
    BELOW,
    CHARACTER,
    WIDTH,
    Plot,
    picture,
    segment,
    text,
)
from dovetail.reports.elements import element

LINE = 17.0
KEY_WIDTH, KEY_HEIGHT = 40.0, 10.0  # room for dashes on either side of the mark


@dataclass(frozen=True)
class Series:
    """Figures of one name, drawn in the style with this number."""

    name: str
    style: int


AnySeries = TypeVar("AnySeries", bound=Series)


@dataclass(frozen=True)
class SeriesChart(Chart, Generic[AnySeries]):
    """A chart of series, which a legend names."""

    x: Axis
    y: Axis
    series: tuple[AnySeries, ...]

    @abstractmethod
    def strokes(self, plot: Plot) -> Iterator[Element]:
        """Yield the lines and marks of all series."""

    def draw(self, identity: str, *, legend: bool = False) -> Element:
        """Draw the chart; a picture that stands alone has its `legend` above the plot."""
        drawn, height = _legend_within(self.series) if legend else ([], 0.0)
        plot = Plot(self.x, self.y, height + ABOVE)
        drawn += [*plot.axes(), *plot.labels(), *self.strokes(plot)]
        return picture(self.title, self.alt_text, identity, plot.bottom + BELOW, drawn, "plot")

    def legend(self) -> Element:
        """List the names for a page, which breaks the lines as there is room."""
        items = (
            element("li", _key(one.style), one.name, data_series=one.style) for one in self.series
        )
        return element("ul", *items, class_="legend")

    def script(self) -> str:
        """Highlight, in all charts, what is of a name that a reader clicks in a legend."""
        return files("dovetail.reports.charts").joinpath("legend.js").read_text(encoding="utf-8")


def _legend_within(series: Sequence[Series]) -> tuple[list[Element], float]:
    """The names with their marks, and how much room they take above the plot."""
    longest = max((len(one.name) for one in series), default=0)
    width = 22 + CHARACTER * longest
    columns = max(1, int((WIDTH - 8) // width))
    drawn = []
    for number, one in enumerate(series):
        x, y = 8 + number % columns * width, 12 + number // columns * LINE
        drawn.append(mark(one.style, x, y - 4, hollow=False))
        drawn.append(text(one.name, x + 9, y))
    return drawn, math.ceil(len(series) / columns) * LINE


def _key(style: int) -> Element:
    """A stroke with a mark on it."""
    middle = KEY_HEIGHT / 2
    return element(
        "svg",
        segment(line_class(style), 0, middle, KEY_WIDTH, middle),
        mark(style, KEY_WIDTH / 2, middle, hollow=False),
        viewBox=f"0 0 {KEY_WIDTH:g} {KEY_HEIGHT:g}",
        aria_hidden="true",
    )
