"""Kinds of charts: lines, intervals, steps, profiles, bands, bars and critical differences.

Critical-difference diagrams show average ranks and join ranks that are not distinguished, after
J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006), fig. 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from xml.etree.ElementTree import Element

from dovetail.errors import shorten
from dovetail.reports.charts.chart import (
    CHARACTER,
    WIDTH,
    Axis,
    Chart,
    ChartKind,
    Frame,
    Point,
    Series,
    listed,
)
from dovetail.reports.charts.marks import (
    Place,
    line_class,
    mark,
    segment,
    series_class,
    strokes,
    text,
)
from dovetail.reports.elements import element

CAP = 3.0  # half the width of the strokes at the ends of an interval
MAX_MARKS = 100  # maximum number of marks on all curves of steps
MAX_MARKS_OF_A_CURVE = 8
BAR_LINE, BAR_HEIGHT, GAP = 22.0, 14.0, 6.0
SIDE = 130.0  # room for names at either side of a critical-difference diagram
MAX_NAME = 18
MAX_BAR_NAME = 32
RANK_AXIS = 62.0
JOIN, NAME_LINE = 9.0, 19.0  # distances between the bars of two groups, and between two names
NO_AXIS = Axis("", 0.0, 1.0, False, str, at=())


def _lines(chart: Chart, max_gap: float) -> Iterator[Element]:
    """Yield lines with a mark at each point and a bar for each interval.

    No line begins or ends at a bound, or joins points farther apart than `max_gap` along x.
    """
    for series in chart.series:
        runs: list[list[Place]] = []
        before: Point | None = None
        for point in series.points:
            yield from _interval(chart, series, point)
            bound = before is None or before.hollow or point.hollow
            if before is None or bound or point.x - before.x > max_gap:
                runs.append([])
            runs[-1].append((chart.across(point.x), chart.down(point.y)))
            before = point
        yield _path(series, line_class(series.style), "".join(map(strokes, runs)))
        for point in series.points:
            yield _mark(chart, series, point, point.tooltip)


def _interval(chart: Chart, series: Series, point: Point) -> Iterator[Element]:
    """Yield the bar of the interval of a point, if known. An end beyond the axis has no cap."""
    if point.low is None or point.high is None:
        return
    x = chart.across(point.x)
    data = strokes((x, chart.down(end)) for end in (point.low, point.high))
    for end in (point.low, point.high):
        if chart.y.low <= end <= chart.y.high:
            data += f"M{x - CAP:.1f},{chart.down(end):.1f}h{2 * CAP:g}"
    yield _path(series, f"line interval {series_class(series.style)}", data)


def _steps(chart: Chart, *, onward: bool) -> Iterator[Element]:
    """Yield curves that start at 0 and rise at each point, then a few marks on each curve.

    A curve ends at its last point, or at the end of the axis if it goes `onward`.
    """
    drawn = [series for series in chart.series if series.points]
    for series in drawn:
        start = chart.across(series.points[0].x), chart.frame.bottom
        end = chart.x.high if onward else series.points[-1].x
        yield _curve(series, [start, *_stairs(chart, series.points, end, lambda point: point.y)])
    for series in drawn:
        points = series.points
        marks = max(1, min(MAX_MARKS_OF_A_CURVE, MAX_MARKS // len(chart.series), len(points)))
        for place in range(1, marks + 1):
            point = points[place * len(points) // marks - 1]
            tooltip = f"{series.name}: {chart.y.show(point.y)} within {chart.x.show(point.x)}"
            yield _mark(chart, series, point, tooltip)


def _bands(chart: Chart) -> Iterator[Element]:
    """Yield the bands of all ranges, then stepped lines, each with a mark at its end."""
    drawn = [series for series in chart.series if series.points]
    for series in drawn:
        highs = _stairs(chart, series.points, series.end, lambda point: point.highest)
        lows = _stairs(chart, series.points, series.end, lambda point: point.lowest)
        area = f"{strokes([*highs, *reversed(lows)])}Z"
        yield _path(series, f"{series_class(series.style)} band", area)
    for series in drawn:
        last = series.points[-1]
        yield _curve(series, _stairs(chart, series.points, series.end, lambda point: point.y))
        values = chart.y.show(last.y)
        if last.lowest < last.highest:
            values += f" ({chart.y.show(last.lowest)} to {chart.y.show(last.highest)})"
        tooltip = f"{series.name}: {values} after {chart.x.show(series.end)}"
        yield _mark(chart, series, replace(last, x=series.end), tooltip)


def _stairs(
    chart: Chart, points: Sequence[Point], end: float, value: Callable[[Point], float]
) -> list[Place]:
    """Return the corners of a line that keeps each value up to the next point."""
    ends = [*(point.x for point in points[1:]), end]
    return [
        (chart.across(x), chart.down(value(point)))
        for point, next_x in zip(points, ends, strict=True)
        for x in (point.x, next_x)
    ]


def _path(series: Series, style: str, data: str) -> Element:
    return element("path", class_=style, d=data, data_series=series.style)


def _curve(series: Series, places: Sequence[Place]) -> Element:
    return _path(series, f"{line_class(series.style)} curve", strokes(places))


def _mark(chart: Chart, series: Series, point: Point, tooltip: str) -> Element:
    x, y = chart.across(point.x), chart.down(point.y)
    return mark(series.style, x, y, hollow=point.hollow, tooltip=tooltip)


_with_legend = partial(ChartKind, script="legend.js", legend=True)
LINES = _with_legend(
    partial(_lines, max_gap=1.0), listed("series", "x", "y", bound="hollow", text="tooltip")
)
INTERVALS = _with_legend(
    partial(_lines, max_gap=math.inf), listed("series", "x", "y", "low", "high", text="tooltip")
)
STEPS = _with_legend(partial(_steps, onward=False), listed("series", "name", "x", "y"))
PROFILES = replace(STEPS, marks=partial(_steps, onward=True))
BANDS = _with_legend(_bands, listed("series", "x", "low", median="y", high="high"))


def bar_chart(
    title: str, alt_text: str, bars: Sequence[Point], column: str = "", name: str = ""
) -> Chart:
    """Return a chart of horizontal bars from 0 to x, with names and tooltips beside them.

    `column` is the title of the values in the CSV file; if empty, the title of the chart is used.
    """
    left, beside = (
        2 * GAP + CHARACTER * max(map(len, texts), default=0)
        for texts in ([_bar_name(bar) for bar in bars], [bar.tooltip for bar in bars])
    )
    high = max((bar.x for bar in bars), default=0) or 1
    frame = Frame(left, BAR_LINE, max(WIDTH - left - beside, WIDTH / 4), BAR_LINE * len(bars), 4)
    x = Axis("", 0.0, high, False, str, column=column or title, at=())
    series = (Series("", 0, tuple(bars)),)
    return Chart(title, alt_text, x, NO_AXIS, series, BARS, name, frame=frame)


def _bar_name(bar: Point) -> str:
    return shorten(bar.name, MAX_BAR_NAME)


def _bars(chart: Chart) -> Iterator[Element]:
    yield text(chart.title, 0, 14, style="heading")
    left = chart.frame.left
    for number, bar in enumerate(chart.series[0].points):
        top = chart.frame.top + BAR_LINE * number
        below, length = top + BAR_HEIGHT - 3, chart.across(bar.x) - left
        yield text(_bar_name(bar), left - GAP, below, anchor="end")
        yield element(
            "rect", class_="bar", x=left, y=top, width=max(length, 0.5), height=BAR_HEIGHT
        )
        yield text(bar.tooltip, left + length + GAP, below)


BARS = ChartKind(_bars, listed("name", "x"), style="")


def critical_difference_chart(
    title: str,
    alt_text: str,
    ranks: Sequence[tuple[str, float]],
    difference: float,
    groups: Sequence[tuple[int, int]],
    name: str = "",
) -> Chart:
    """Return a chart of `ranks`: solvers with their average ranks, in ascending order.

    `groups` has the indices of the first and the last solver of each group whose ranks are not
    distinguished.
    """
    count = len(ranks)
    points = tuple(Point(rank, difference, name=solver) for solver, rank in ranks)
    places = tuple(range(1, count + 1))
    x = Axis("", 1.0, max(count, 2), False, "{:g}".format, column="average rank", at=places)
    y = replace(NO_AXIS, column="critical difference")
    height = 12 + JOIN * len(groups) + NAME_LINE * ((count + 1) // 2)
    frame = Frame(SIDE, RANK_AXIS, WIDTH - 2 * SIDE, height, 12, has_axis_above=True)
    series = (Series("", 0, points),)
    kind = CRITICAL_DIFFERENCES
    return Chart(title, alt_text, x, y, series, kind, name, frame=frame, data=groups)


def _critical_differences(chart: Chart) -> Iterator[Element]:
    """Yield the critical difference above the axis, bars of groups, and stems with names below."""
    axis, solvers = chart.frame.top, chart.series[0].points
    places, difference = [chart.across(solver.x) for solver in solvers], solvers[0].y
    first, last = chart.across(1.0), chart.across(1.0 + difference)
    scale = f"M{first:.1f},22v8M{first:.1f},26H{last:.1f}M{last:.1f},22v8"
    yield element("path", class_="axis", d=scale)
    yield text(f"critical difference {difference:.2f}", first, 14)
    for number, (low, high) in enumerate(chart.data, start=1):
        y = axis + JOIN * number
        yield segment("joined", places[low] - 3, y, places[high] + 3, y)
    below, half = axis + 12 + JOIN * len(chart.data), (len(solvers) + 1) // 2
    for index, solver in enumerate(solvers):
        is_left = index < half
        y = below + NAME_LINE * (1 + (index if is_left else len(solvers) - 1 - index))
        end, anchor, beside = (SIDE - 12, "end", -4) if is_left else (WIDTH - SIDE + 12, "start", 4)
        stem = f"M{places[index]:.1f},{axis:g}V{y:.1f}H{end:g}"
        yield element("path", class_="stem", d=stem)
        yield text(shorten(solver.name, MAX_NAME), end + beside, y + 4, anchor=anchor)


CRITICAL_DIFFERENCES = ChartKind(
    _critical_differences, listed(solver="name", x="x", y="y"), style=""
)
