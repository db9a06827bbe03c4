"""Scatter charts: a mark for each thing, at the values that the thing has in two series.

A thing is, for example, a question, and a series has the times of a solver. The picture shows a
first pair of series. If the reader selects another pair, `scatter.js` moves the marks. The script
reads the position of each value: a single number, because both axes have the same scale. Values of
runs that a limit stopped are in a band beyond the end of the axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.charts.chart import (
    ABOVE,
    LEFT,
    WIDTH,
    Axis,
    Chart,
    ChartKind,
    Frame,
    Point,
    Row,
    Series,
)
from dovetail.reports.charts.marks import RADIUS, segment, text
from dovetail.reports.elements import data_block, element, shown

BAND = 26.0
SIDE = WIDTH - LEFT - BAND - 2  # less the width of a stroke
MAX_LABEL = 36
TIMES = 10.0  # ratio of the values on the lines beside the diagonal
# `scatter.js` fills in these texts too. It compares ranks, because positions are rounded.
PAIR = (
    "Result by both: {both}. Lower for {across}: {left}; lower for {up}: {right}; equal: {even}. "
    "Result by one, stopped by a limit for the other: {cut}."
)
TWICE = "{across} is selected twice: every mark lies on the diagonal. Result: {both}."
EITHER = " or "  # between several meanings of a series
FRAME = Frame(LEFT, ABOVE + BAND, SIDE, SIDE, band=BAND)


@dataclass(frozen=True)
class ScatterPair:
    """The series of a scatter chart, the two series shown first, and texts about pairs."""

    series: tuple[Series, ...]
    axis: Axis
    # Names of the things; the x of a point is the index of its thing.
    things: tuple[str, ...]
    # Indices of the series on the horizontal and the vertical axis.
    across: int
    up: int
    # For each series, the meanings of its values; empty if all values mean the same.
    meanings: tuple[tuple[str, ...], ...]
    # Sentence about a pair whose values have several meanings, with the names for `{across}` and
    # `{up}` and the meanings for `{across_meanings}` and `{up_meanings}`.
    unlike: str = ""

    def text(self) -> str:
        """Return the description of the pair."""
        pairs = [pair for pair in self.pairs() if pair is not None]
        both = [(x.y, y.y) for x, y in pairs if not (x.hollow or y.hollow)]
        across_meanings, up_meanings = self.meanings[self.across], self.meanings[self.up]
        sentence = PAIR if are_alike(across_meanings, up_meanings) else f"{PAIR} {self.unlike}"
        if self.across == self.up:
            sentence = TWICE
        return sentence.format(
            across=self.series[self.across].name,
            up=self.series[self.up].name,
            across_meanings=EITHER.join(across_meanings),
            up_meanings=EITHER.join(up_meanings),
            both=len(both),
            left=sum(x < y for x, y in both),
            right=sum(x > y for x, y in both),
            even=sum(x == y for x, y in both),
            cut=len(pairs) - len(both),
        )

    def label(self, series: Series) -> str:
        """Return the label of an axis, with a shortened name of the series."""
        return f"{shorten(series.name, MAX_LABEL)}: {self.axis.label}"

    def data(self) -> dict[str, object]:
        """Return the data with which `scatter.js` shows another pair."""
        readings = self.readings
        orders = [
            sorted({point.y for point in thing if point is not None})
            for thing in zip(*readings, strict=True)
        ]
        return {
            "across": self.across,
            "up": self.up,
            "series": [shown(line.name) for line in self.series],
            "things": [shown(name) for name in self.things],
            "places": [[point and self.position(point) for point in row] for row in readings],
            # Ranks of the values of a thing; equal values have equal ranks.
            "ranks": [
                [point and order.index(point.y) for point, order in zip(row, orders, strict=True)]
                for row in readings
            ],
            "shown": [[point and point.tooltip for point in row] for row in readings],
            "kinds": [[shown(meaning) for meaning in row] for row in self.meanings],
            "side": SIDE,
            "labels": [shown(self.label(line)) for line in self.series],
            "summary": PAIR,
            "twice": TWICE,
            "unlike": self.unlike,
            "either": EITHER,
        }

    @cached_property
    def readings(self) -> list[list[Point | None]]:
        """A row for each series with its point for each thing, or None without a point."""
        by_thing = ({point.x: point for point in line.points} for line in self.series)
        return [[points.get(place) for place in range(len(self.things))] for points in by_thing]

    def pairs(self) -> Iterator[tuple[Point, Point] | None]:
        """Yield both points of each thing; None if a point is missing or both are bounds."""
        for x, y in zip(self.readings[self.across], self.readings[self.up], strict=True):
            yield None if x is None or y is None or (x.hollow and y.hollow) else (x, y)

    def position(self, point: Point) -> float:
        """Return the position of a point along an axis."""
        return SIDE + BAND / 2 if point.hollow else round(self.axis.share(point.y) * SIDE, 2)


def scatter_chart(title: str, alt_text: str, pair: ScatterPair, name: str = "") -> Chart:
    """Return a chart of the values of a series against the values of another series."""
    shown_first = (pair.series[pair.across], pair.series[pair.up])
    x, y = (replace(pair.axis, label=pair.label(series)) for series in shown_first)
    alt_text = f"{alt_text} {pair.text()}"
    return Chart(title, alt_text, x, y, pair.series, SCATTER, name, frame=FRAME, data=pair)


def are_alike(one: Iterable[str], other: Iterable[str]) -> bool:
    """Return True if the values of two series have at most one meaning between them."""
    return len({*one, *other}) <= 1


def _rows(chart: Chart) -> Iterator[Row]:
    """Yield the column titles, then each thing with its values; 1 after a value marks a bound."""
    pair: ScatterPair = chart.data
    column = pair.axis.csv_column
    titles = ((f"{line.name}: {column}", f"{line.name}: bound") for line in chart.series)
    yield "name", *chain.from_iterable(titles)
    for thing, row in zip(pair.things, zip(*pair.readings, strict=True), strict=True):
        cells = ((point.y, int(point.hollow)) if point else (None, None) for point in row)
        yield thing, *chain.from_iterable(cells)


def _notes(chart: Chart) -> Iterator[Element]:
    """Yield the description, which the script keeps up to date, and the data of the script."""
    pair: ScatterPair = chart.data
    yield element("p", pair.text(), class_="summary", aria_live="polite")
    yield data_block(pair.data())


def _scattered(chart: Chart) -> Iterator[Element]:
    """Yield bands, guides and a circle for each thing.

    A circle is hidden if a value of the pair is missing or both values are bounds.
    """
    pair: ScatterPair = chart.data
    yield from _bands(chart)
    yield from _guides(chart)
    across, up = (chart.series[place].name for place in (pair.across, pair.up))
    circles = []
    for points, thing in zip(pair.pairs(), pair.things, strict=True):
        if points is None:
            circles.append(element("circle", element("title"), r=RADIUS, display="none"))
            continue
        tooltip = f"{thing}: {across} {points[0].tooltip}, {up} {points[1].tooltip}"
        x, y = map(pair.position, points)
        hollow = {"class_": "hollow"} if any(point.hollow for point in points) else {}
        circles.append(
            element("circle", element("title", tooltip), r=RADIUS, cx=x, cy=-y, **hollow)
        )
    origin = f"translate({LEFT:g} {chart.frame.bottom:g})"
    yield element("g", *circles, class_="mark series-0 scattered", transform=origin)


def _bands(chart: Chart) -> Iterator[Element]:
    """Yield grid lines of x, and the two bands of bounds with the word "cut" in their corner."""
    frame = chart.frame
    for value in chart.x.ticks():
        yield segment("grid", chart.across(value), frame.top, chart.across(value), frame.bottom)
    yield segment("axis", LEFT, frame.top, frame.right + BAND, frame.top)
    yield segment("axis", frame.right, frame.top - BAND, frame.right, frame.bottom)
    x, y = frame.right + BAND / 2, frame.top - BAND / 2 + 4
    yield text("cut", x, y, anchor="middle", style="faint")


def _guides(chart: Chart) -> Iterator[Element]:
    """Yield the diagonal, and the lines of the ratio `TIMES` if the axis spans a larger ratio."""
    low, high = chart.x.low, chart.x.high
    lines = [((low, high), (low, high))]
    if high / low > TIMES:
        lower, upper = (low, high / TIMES), (low * TIMES, high)
        lines += [(lower, upper), (upper, lower)]
        label, x, y = f"×{TIMES:g}", chart.across(lower[1]), chart.down(lower[1])
        yield text(label, x - 8, chart.frame.top + 14, anchor="end", style="faint")
        yield text(label, chart.frame.right - 4, y + 24, anchor="end", style="faint")
    for xs, ys in lines:
        (x1, x2), (y1, y2) = map(chart.across, xs), map(chart.down, ys)
        yield segment("guide", x1, y1, x2, y2)


SCATTER = ChartKind(_scattered, _rows, style="plot square", script="scatter.js", notes=_notes)
