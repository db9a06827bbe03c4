"""Charts drawn as SVG, as wide as there is room and legible on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import BarChart, Chart, Line, LineChart, Point, StepChart
from dovetail.reports.charts.legend import legend_within
from dovetail.reports.charts.marks import line_class, mark
from dovetail.reports.charts.plot import (
    ABOVE,
    BELOW,
    CHARACTER,
    WIDTH,
    Plot,
    picture,
    text,
)
from dovetail.reports.charts.scatter import scatter_chart
from dovetail.reports.charts.steps import step_chart
from dovetail.reports.elements import element

BAR_LINE, BAR_HEIGHT, BAR_GAP = 22.0, 14.0, 6.0


def draw(chart: Chart, identity: str, *, legend: bool = True) -> Element:
    """The SVG of `chart`; `identity` is a word of its own on the page.

    Without its `legend` the names of series have to stand elsewhere.
    """
    if isinstance(chart, LineChart):
        return _line_chart(chart, identity, legend)
    if isinstance(chart, StepChart):
        return step_chart(chart, identity, legend)
    if isinstance(chart, BarChart):
        return _bar_chart(chart, identity)
    return scatter_chart(chart, identity)


def _line_chart(chart: LineChart, identity: str, legend: bool) -> Element:
    drawn, taken = legend_within(chart.lines) if legend else ([], 0.0)
    plot = Plot(chart.x, chart.y, taken + ABOVE)
    drawn += [*plot.axes(), *plot.labels()]
    for line in chart.lines:
        places = [(plot.across(point.x), plot.down(point.y)) for point in line.points]
        drawn.append(_path(line, places))
        drawn.extend(
            mark(line.style, x, y, hollow=point.hollow, said=point.said)
            for point, (x, y) in zip(line.points, places, strict=True)
        )
    return picture(chart.title, chart.said, identity, plot.bottom + BELOW, drawn, "plot")


def _path(line: Line, places: Sequence[tuple[float, float]]) -> Element:
    """Strokes between neighbouring points that are no bounds; in one path, so that dashes go on."""
    strokes = []
    before: Point | None = None
    for point, (x, y) in zip(line.points, places, strict=True):
        joined = before and point.x - before.x <= 1 and not (before.hollow or point.hollow)
        strokes.append(f"{'L' if joined else 'M'}{x:.1f},{y:.1f}")
        before = point
    return element("path", class_=line_class(line.style), d="".join(strokes))


def _bar_chart(chart: BarChart, identity: str) -> Element:
    begin = 2 * BAR_GAP + CHARACTER * max((len(bar.name) for bar in chart.bars), default=0)
    beside = 2 * BAR_GAP + CHARACTER * max((len(bar.shown) for bar in chart.bars), default=0)
    axis = Axis("", 0.0, max((bar.value for bar in chart.bars), default=0) or 1, False, str)
    room = max(WIDTH - begin - beside, WIDTH / 4)
    drawn = [text(chart.title, 0, 14, style="heading")]
    for number, bar in enumerate(chart.bars):
        top = BAR_LINE * (number + 1)
        length = axis.share(bar.value) * room
        below = top + BAR_HEIGHT - 3
        drawn.append(text(bar.name, begin - BAR_GAP, below, anchor="end"))
        drawn.append(
            element("rect", class_="bar", x=begin, y=top, width=max(length, 0.5), height=BAR_HEIGHT)
        )
        drawn.append(text(bar.shown, begin + length + BAR_GAP, below))
    height = BAR_LINE * (len(chart.bars) + 1) + 4
    return picture(chart.title, chart.said, identity, height, drawn)
