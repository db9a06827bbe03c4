"""Scatter charts: a mark for each thing, at the values that two series have for it.

The picture is that of one pair of series. For other pairs `page.js` moves the marks, by the
places of all readings along an axis (`choice_data`): both axes are the same, so that a place is
one number. What a limit has cut has its place in a band beyond the end of the axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.charts.chart import Reading, ScatterChart
from dovetail.reports.charts.marks import RADIUS
from dovetail.reports.charts.plot import (
    ABOVE,
    BELOW,
    LEFT,
    WIDTH,
    Plot,
    picture,
    segment,
    text,
)
from dovetail.reports.elements import element, shown

BAND = 26.0
SIDE = WIDTH - LEFT - BAND - 2  # and the width of a stroke
LONGEST_LABEL = 36
TIMES = 10.0  # how much more than the other series the lines beside the diagonal stand for
# Filled in by `page.js` too; places are told apart to a hundredth of a unit.
TOLD = (
    "Finished by both: {both}. Less with {across}: {left}; less with {up}: {right}; the same to a "
    "thousandth: {even}. Finished by one of them, the other cut by a limit: {cut}."
)

Pair = tuple[float, float]


def scatter_chart(chart: ScatterChart, identity: str) -> Element:
    """The SVG of the chart with the pair that is shown first."""
    x, y = (replace(chart.axis, label=_label(chart, place)) for place in (chart.across, chart.up))
    plot = Plot(x, y, ABOVE + BAND, SIDE, SIDE, BAND)
    marks = element(
        "g",
        *_marks(chart),
        class_="mark series-0 scattered",
        transform=f"translate({LEFT:g} {plot.bottom:g})",
    )
    drawn = [*plot.axes(), *plot.labels(), *_bands(plot), *_lines(plot), marks]
    said = f"{chart.said} {pair_told(chart)}"
    return picture(chart.title, said, identity, plot.bottom + BELOW, drawn, "plot square")


def pair_told(chart: ScatterChart) -> str:
    """What there is to see of the pair that is shown first."""
    pairs = [pair for pair in _pairs(chart) if pair is not None]
    both = [(x, y) for x, y in pairs if x <= SIDE and y <= SIDE]
    return TOLD.format(
        across=chart.series[chart.across],
        up=chart.series[chart.up],
        both=len(both),
        left=sum(x < y for x, y in both),
        right=sum(x > y for x, y in both),
        even=sum(x == y for x, y in both),
        cut=len(pairs) - len(both),
    )


def choice_data(chart: ScatterChart) -> dict[str, object]:
    """All that `page.js` needs to show another pair: every number once."""
    return {
        "series": [shown(name) for name in chart.series],
        "things": [shown(name) for name in chart.things],
        "places": [[_place(chart, reading) for reading in row] for row in chart.readings],
        "shown": [[reading and reading.shown for reading in row] for row in chart.readings],
        "side": SIDE,
        "labels": [shown(_label(chart, place)) for place in range(len(chart.series))],
        "said": shown(chart.said),
        "told": TOLD,
    }


def _label(chart: ScatterChart, place: int) -> str:
    """What an axis is of; names in full stand below the picture."""
    return f"{shorten(chart.series[place], LONGEST_LABEL)}: {chart.axis.label}"


def _place(chart: ScatterChart, reading: Reading | None) -> float | None:
    """How far along an axis a reading lies, None where there is none."""
    if reading is None:
        return None
    return SIDE + BAND / 2 if reading.hollow else round(chart.axis.share(reading.value) * SIDE, 2)


def _pairs(chart: ScatterChart) -> Iterator[Pair | None]:
    """Where each thing lies, None where it does not: one has no reading, or both are cut."""
    both = zip(chart.readings[chart.across], chart.readings[chart.up], strict=True)
    for one, other in both:
        x, y = _place(chart, one), _place(chart, other)
        yield None if x is None or y is None or min(x, y) > SIDE else (x, y)


def _marks(chart: ScatterChart) -> Iterator[Element]:
    """A circle for each thing; those that are not shown wait for another pair."""
    across, up = chart.series[chart.across], chart.series[chart.up]
    ones, others = chart.readings[chart.across], chart.readings[chart.up]
    for pair, thing, one, other in zip(_pairs(chart), chart.things, ones, others, strict=True):
        if pair is None or one is None or other is None:
            yield element("circle", element("title"), r=RADIUS, display="none")
            continue
        said = f"{thing}: {across} {one.shown}, {up} {other.shown}"
        hollow = {"class_": "hollow"} if max(pair) > SIDE else {}
        yield element("circle", element("title", said), r=RADIUS, cx=pair[0], cy=-pair[1], **hollow)


def _bands(plot: Plot) -> Iterator[Element]:
    """What is marked along x across the plot, and the two bands of what was cut.

    Where the bands meet there is room for a word: what was cut twice is not shown.
    """
    right = LEFT + SIDE
    for value in plot.x.marks():
        yield segment("grid", plot.across(value), plot.top, plot.across(value), plot.bottom)
    yield segment("axis", LEFT, plot.top, right + BAND, plot.top)
    yield segment("axis", right, plot.top - BAND, right, plot.bottom)
    yield text("cut", right + BAND / 2, plot.top - BAND / 2 + 4, anchor="middle", style="faint")


def _lines(plot: Plot) -> Iterator[Element]:
    """The diagonal, and a line on either side of it where one value is ten times the other."""
    axis = plot.x
    ends = (axis.low, axis.high)
    yield _line(plot, ends, ends)
    if axis.high / axis.low <= TIMES:
        return
    low, high = (axis.low, axis.high / TIMES), (axis.low * TIMES, axis.high)
    yield _line(plot, low, high)
    yield _line(plot, high, low)
    label = f"×{TIMES:g}"
    yield text(label, plot.across(low[1]) - 8, plot.top + 14, anchor="end", style="faint")
    yield text(label, LEFT + SIDE - 4, plot.down(low[1]) + 24, anchor="end", style="faint")


def _line(plot: Plot, x: Pair, y: Pair) -> Element:
    """From the first values of both axes to the second."""
    return segment("guide", plot.across(x[0]), plot.down(y[0]), plot.across(x[1]), plot.down(y[1]))
