"""Charts drawn as SVG, as wide as there is room and legible on a phone.

Lengths are in units of the drawing, 480 of which are as wide as the chart is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import BarChart, Chart, Line, LineChart
from dovetail.reports.charts.marks import STYLES, mark
from dovetail.reports.elements import element

WIDTH = 480.0
LEFT, RIGHT = 56.0, 10.0  # beside the lines of a chart
PLOT_HEIGHT, BELOW = 260.0, 40.0
LEGEND_LINE, LEGEND_GAP = 17.0, 32.0
BAR_LINE, BAR_HEIGHT, BAR_GAP = 22.0, 14.0, 6.0
CHARACTER = 7.0  # the width of a letter, on average and amply


def draw(chart: Chart, identity: str) -> Element:
    """The SVG of `chart`; `identity` is a word of its own on the page."""
    if isinstance(chart, LineChart):
        return _line_chart(chart, identity)
    return _bar_chart(chart, identity)


def _svg(chart: Chart, identity: str, height: float, children: Iterable[Element]) -> Element:
    return element(
        "svg",
        element("title", chart.title, id=f"{identity}-title"),
        element("desc", chart.said, id=f"{identity}-said"),
        *children,
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        role="img",
        aria_labelledby=f"{identity}-title {identity}-said",
    )


def _line_chart(chart: LineChart, identity: str) -> Element:
    legend, top = _legend(chart.lines)

    def across(value: float) -> float:
        return LEFT + chart.x.share(value) * (WIDTH - LEFT - RIGHT)

    def down(value: float) -> float:
        return top + (1 - chart.y.share(value)) * PLOT_HEIGHT

    bottom = top + PLOT_HEIGHT
    drawn = [*legend, _text(chart.y.label, 0, top - 12)]
    for value in chart.y.marks():
        drawn.append(_segment("grid", LEFT, down(value), WIDTH - RIGHT, down(value)))
        drawn.append(_text(chart.y.show(value), LEFT - 6, down(value) + 4, anchor="end"))
    for value in chart.x.marks():
        drawn.append(_segment("axis", across(value), bottom, across(value), bottom + 4))
        drawn.append(_text(chart.x.show(value), across(value), bottom + 16, anchor="middle"))
    drawn.append(_segment("axis", LEFT, bottom, WIDTH - RIGHT, bottom))
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    drawn.append(_text(chart.x.label, middle, bottom + 33, anchor="middle"))
    for line in chart.lines:
        places = [(across(point.x), down(point.y)) for point in line.points]
        drawn.extend(_joined(line, places))
        drawn.extend(
            mark(line.style, x, y, hollow=point.hollow, said=point.said)
            for point, (x, y) in zip(line.points, places, strict=True)
        )
    return _svg(chart, identity, bottom + BELOW, drawn)


def _joined(line: Line, places: list[tuple[float, float]]) -> Iterator[Element]:
    """The strokes between neighbouring points that are no bounds."""
    located = zip(line.points, places, strict=True)
    for (one, (x1, y1)), (other, (x2, y2)) in pairwise(located):
        if other.x - one.x <= 1 and not one.hollow and not other.hollow:
            yield _segment(f"line series-{line.style % STYLES}", x1, y1, x2, y2)


def _legend(lines: Iterable[Line]) -> tuple[list[Element], float]:
    """The names of lines beside their marks, and where the plot begins below them."""
    lines = tuple(lines)
    longest = max((len(line.name) for line in lines), default=0)
    width = 22 + CHARACTER * longest
    columns = max(1, int((WIDTH - 8) // width))
    drawn = []
    for number, line in enumerate(lines):
        x, y = 8 + number % columns * width, 12 + number // columns * LEGEND_LINE
        drawn.append(mark(line.style, x, y - 4, hollow=False))
        drawn.append(_text(line.name, x + 9, y))
    return drawn, math.ceil(len(lines) / columns) * LEGEND_LINE + LEGEND_GAP


def _bar_chart(chart: BarChart, identity: str) -> Element:
    begin = 2 * BAR_GAP + CHARACTER * max((len(bar.name) for bar in chart.bars), default=0)
    beside = 2 * BAR_GAP + CHARACTER * max((len(bar.shown) for bar in chart.bars), default=0)
    axis = Axis("", 0.0, max((bar.value for bar in chart.bars), default=0) or 1, False, str)
    room = max(WIDTH - begin - beside, WIDTH / 4)
    drawn = [_text(chart.title, 0, 14, style="heading")]
    for number, bar in enumerate(chart.bars):
        top = BAR_LINE * (number + 1)
        length = axis.share(bar.value) * room
        below = top + BAR_HEIGHT - 3
        drawn.append(_text(bar.name, begin - BAR_GAP, below, anchor="end"))
        drawn.append(
            element("rect", class_="bar", x=begin, y=top, width=max(length, 0.5), height=BAR_HEIGHT)
        )
        drawn.append(_text(bar.shown, begin + length + BAR_GAP, below))
    return _svg(chart, identity, BAR_LINE * (len(chart.bars) + 1) + 4, drawn)


def _segment(style: str, x1: float, y1: float, x2: float, y2: float) -> Element:
    return element("line", class_=style, x1=x1, y1=y1, x2=x2, y2=y2)


def _text(text: str, x: float, y: float, *, anchor: str = "start", style: str = "") -> Element:
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=style)
