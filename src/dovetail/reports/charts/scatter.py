"""Scatter charts: a mark for each thing, at the values that two series have for it.

The picture is that of one pair of series. For other pairs `page.js` moves the marks, by the
places of all readings along an axis (`choice_data`): both axes are the same, so that a place is
one number. What a limit has cut has its place in a band beyond the end of the axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
# Filled in by `page.js` too, which goes by ranks: places are rounded.
TOLD = (
    "Finished by both: {both}. Less with {across}: {left}; less with {up}: {right}; the same with "
    "both: {even}. Finished by one of them, the other cut by a limit: {cut}."
)
TWICE = "{across} is chosen twice: every mark lies on the diagonal. Finished: {both}."
EITHER = " or "  # between kinds of which a series has several

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
    both = [(x.value, y.value) for x, y in pairs if not (x.hollow or y.hollow)]
    across_kinds, up_kinds = (_kinds(chart)[place] for place in (chart.across, chart.up))
    told = TOLD if are_alike(across_kinds, up_kinds) else f"{TOLD} {chart.unlike}"
    if chart.across == chart.up:
        told = TWICE
    return told.format(
        across=chart.series[chart.across],
        up=chart.series[chart.up],
        across_kinds=EITHER.join(across_kinds),
        up_kinds=EITHER.join(up_kinds),
        both=len(both),
        left=sum(x < y for x, y in both),
        right=sum(x > y for x, y in both),
        even=sum(x == y for x, y in both),
        cut=len(pairs) - len(both),
    )


def are_alike(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether the kinds that the values of two series are of come to one."""
    return len({*one, *other}) <= 1


def choice_data(chart: ScatterChart) -> dict[str, object]:
    """All that `page.js` needs to show another pair: every number once."""
    return {
        "series": [shown(name) for name in chart.series],
        "things": [shown(name) for name in chart.things],
        "places": [[one and _place(chart, one) for one in row] for row in chart.readings],
        "ranks": _ranks(chart),
        "shown": [[one and one.shown for one in row] for row in chart.readings],
        "kinds": [[shown(kind) for kind in row] for row in _kinds(chart)],
        "side": SIDE,
        "labels": [shown(_label(chart, place)) for place in range(len(chart.series))],
        "said": shown(chart.said),
        "told": TOLD,
        "twice": TWICE,
        "unlike": chart.unlike,
        "either": EITHER,
    }


def _label(chart: ScatterChart, place: int) -> str:
    """What an axis is of; names in full stand below the picture."""
    return f"{shorten(chart.series[place], LONGEST_LABEL)}: {chart.axis.label}"


def _place(chart: ScatterChart, reading: Reading) -> float:
    """How far along an axis a reading lies."""
    return SIDE + BAND / 2 if reading.hollow else round(chart.axis.share(reading.value) * SIDE, 2)


def _ranks(chart: ScatterChart) -> list[list[int | None]]:
    """The place of each reading in the order of a thing's values, the same for equal ones."""
    things = zip(*chart.readings, strict=True)
    orders = [sorted({one.value for one in thing if one is not None}) for thing in things]
    return [
        [
            None if one is None else order.index(one.value)
            for one, order in zip(row, orders, strict=True)
        ]
        for row in chart.readings
    ]


def _kinds(chart: ScatterChart) -> tuple[tuple[str, ...], ...]:
    """What the values of each series mean, nothing where that is the same to all."""
    return chart.kinds or ((),) * len(chart.series)


def _pairs(chart: ScatterChart) -> Iterator[tuple[Reading, Reading] | None]:
    """The readings of each thing, None where it lies nowhere: one is not there, or both are cut."""
    for x, y in zip(chart.readings[chart.across], chart.readings[chart.up], strict=True):
        yield None if x is None or y is None or (x.hollow and y.hollow) else (x, y)


def _marks(chart: ScatterChart) -> Iterator[Element]:
    """A circle for each thing; those that are not shown wait for another pair."""
    across, up = chart.series[chart.across], chart.series[chart.up]
    for pair, thing in zip(_pairs(chart), chart.things, strict=True):
        if pair is None:
            yield element("circle", element("title"), r=RADIUS, display="none")
            continue
        said = f"{thing}: {across} {pair[0].shown}, {up} {pair[1].shown}"
        x, y = (_place(chart, reading) for reading in pair)
        hollow = {"class_": "hollow"} if any(reading.hollow for reading in pair) else {}
        yield element("circle", element("title", said), r=RADIUS, cx=x, cy=-y, **hollow)


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
