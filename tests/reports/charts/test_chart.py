"""What all charts have alike: their place on a page, and the file of their figures."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from dovetail.reports.charts.chart import (
    ABOVE,
    CSV,
    HEIGHT,
    LEFT,
    RIGHT,
    WIDTH,
    Axis,
    Chart,
    ChartKind,
    Point,
    Series,
    data_url,
    listed,
    logarithmic_axis,
)
from dovetail.reports.charts.kinds import (
    BANDS,
    LINES,
    PROFILES,
    STEPS,
    bar_chart,
    critical_difference_chart,
)
from dovetail.reports.charts.marks import COLOURS, line_class, mark
from dovetail.reports.charts.scatter import BAND, SIDE, ScatterPair
from dovetail.reports.elements import element
from dovetail.reports.numbers import show_rounded, show_seconds
from dovetail.reports.page import Page, Section
from dovetail.reports.rendering.html import page_html
from reports.charts.pairs import scatter_of
from reports.eyes import min_contrast, min_difference

AXIS = Axis("place", 0, 10, False, str)


def _dots(chart: Chart) -> Iterator[Element]:
    for point in chart.series[0].points:
        yield Element("circle", r="1", cx=f"{point.x}")


def test_a_new_kind_is_a_function_for_its_marks() -> None:
    """A page shows its charts with a legend, the file of figures and a script that runs once."""
    kind = ChartKind(
        _dots,
        listed("series", value="x"),
        style="dots",
        script="legend.js",
        legend=True,
        notes=lambda chart: [element("p", f"Number of dots: {len(chart.series[0].points)}")],
    )
    points = (Point(1, 0), Point(2.5, 0))
    charts = tuple(
        Chart(name, "dots", AXIS, AXIS, (Series("dots", 0, points),), kind, name)
        for name in ("", "more")
    )
    text = page_html(Page("title", [Section("new", "New", charts)]))
    assert re.findall(r'<svg class="chart dots".*?id="(.*?)-title"', text) == ["new-1", "new-more"]
    assert text.count('<ul class="legend">') == text.count('<circle r="1" cx="2.5">') == 2
    assert text.count("<p>Number of dots: 2</p>") == 2
    assert 'href="data:text/csv;charset=utf-8,series,value%0Adots,1%0Adots,2.5%0A"' in text
    assert len(re.findall("<script>// Charts of series", text)) == 1


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "ä" * 100 + '"#%&\n', ""])
def test_the_shorter_way_to_write_a_file(text: str) -> None:
    """Escaped or as base64: the text comes back, and nothing in it is left to an address."""
    url = data_url(text)
    assert set(url).isdisjoint('#&"\n ')
    head, _, rest = url.partition(",")
    assert head in (CSV, f"{CSV};base64")
    assert (unquote(rest) if head == CSV else b64decode(rest).decode()) == text
    assert (head == CSV) == (text.isascii())


@pytest.mark.parametrize(
    ("values", "low", "high", "marks"),
    [([30, 200], 10, 1000, [10, 20, 50, 100, 200, 500, 1000]), ([], 1, 10, [1, 2, 5, 10])],
)
def test_a_logarithmic_axis(
    values: list[float], low: float, high: float, marks: list[float]
) -> None:
    """From one power of ten to another."""
    axis = logarithmic_axis("nodes", values, str)
    assert (axis.low, axis.high) == (low, high)
    assert axis.ticks() == pytest.approx(marks)


@pytest.mark.parametrize(
    ("low", "high", "whole", "marks"),
    [(0.5, 51.5, True, [10, 20, 30, 40, 50]), (0.5, 3.5, False, [0.5, 1, 1.5, 2, 2.5, 3, 3.5])],
)
def test_a_linear_axis(low: float, high: float, whole: bool, marks: list[float]) -> None:
    """Multiples of a round step."""
    assert Axis("boards", low, high, False, str, whole).ticks() == pytest.approx(marks)


def test_where_values_lie() -> None:
    """What is beyond the ends lies at them: nothing is drawn outside."""
    axis = logarithmic_axis("nodes", [1, 10_000], str)
    assert [axis.share(value) for value in (0, 1, 100, 10_000, 1e9)] == [0, 0, 0.5, 1, 1]
    line = Axis("seconds", 0.0, 8.0, False, str)
    assert [line.share(value) for value in (-1, 0, 2, 8, 9)] == [0, 0, 0.25, 1, 1]


def line_chart() -> Chart:
    """A line of which every seventh point is a bound and every eleventh is missing."""
    places = [x for x in range(1, 49) if x % 11]
    points = tuple(Point(x, 10.0 ** (1 + x % 7), "board", hollow=x % 7 == 0) for x in places)
    x = Axis("boards", 0.5, 48.5, False, str)
    y = logarithmic_axis("nodes", [10, 10**7], show_rounded)
    return Chart("a <title>", "what it shows", x, y, (Series("series", 0, points),), LINES)


def bars() -> Chart:
    """Bars with names of all lengths, and an empty bar."""
    points = (
        Point(8, 0, "8 s", "none"),
        Point(2, 0, "2.34 s", "no remaining-tile rules"),
        Point(0, 0, "0 s", "x"),
    )
    return bar_chart("time", "8 s and less", points)


def test_bars_with_long_names_stay_in_the_picture() -> None:
    bars = (
        Point(8, 0, "999,999,999 s", "a series with many settings " * 3),
        Point(4, 0, "4 s", "b"),
    )
    svg = bar_chart("time", "", bars).draw("bars")
    assert all(
        float(bar.get("x", 0)) + float(bar.get("width", 0)) < WIDTH for bar in svg.iter("rect")
    )
    assert any(words.text == f"{bars[0].name[:31]}…" for words in svg.iter("text"))


def step_chart(curves: int, steps: int, kind: ChartKind = STEPS) -> Chart:
    """Curves whose steps are a decade apart, from 1 s on."""
    points = tuple(Point(10.0**n, n + 1, name=f"question {n}") for n in range(steps))
    x = logarithmic_axis("time", [point.x for point in points], show_seconds)
    y = Axis("questions", 0, steps or 1, False, "{:g}".format, whole=True)
    drawn = tuple(Series(f"solver {style}", style, points) for style in range(curves))
    return Chart("title", "what it shows", x, y, drawn, kind)


def marks(svg: Element) -> list[Element]:
    return [path for path in svg.iter("path") if path.find("title") is not None]


def tooltips(svg: Element) -> list[str | None]:
    return [mark.findtext("title") for mark in marks(svg)]


def paths(svg: Element, style: str) -> list[str]:
    return [path.get("d", "") for path in svg.iter("path") if path.get("class") == style]


def test_lines_with_bounds_and_gaps() -> None:
    """Bounds are hollow; nothing joins them, or points that are not neighbours."""
    svg = line_chart().draw("chart")
    assert len(marks(svg)) == 44
    assert sum("hollow" in path.get("class", "") for path in marks(svg)) == 6
    (strokes,) = paths(svg, "line series-0")
    present = {x for x in range(1, 49) if x % 11 and x % 7}
    assert strokes.count("L") == sum(x + 1 in present for x in present)
    assert strokes.count("L") + strokes.count("M") == len(marks(svg))


def test_a_curve_is_one_path() -> None:
    """It begins at 0, goes up at each step and across to the next, and ends at the last."""
    width, top = WIDTH - LEFT - RIGHT, ABOVE
    assert paths(step_chart(1, 3).draw("chart"), "line series-0 curve") == [
        f"M{LEFT:.1f},{top + HEIGHT:.1f}"
        f"V{top + HEIGHT * 2 / 3:.1f}"
        f"H{LEFT + width / 2:.1f}V{top + HEIGHT / 3:.1f}"
        f"H{LEFT + width:.1f}V{top:.1f}"
    ]


RANGES = (Point(0, 20, low=10, high=20), Point(5, 50, low=50, high=100))
BAND_CHART = Chart(
    "title",
    "about",
    Axis("time", 0, 10, False, "{:g} s".format),
    Axis("score", 0, 100, False, "{:g}".format),
    (Series("one", 0, RANGES, end=10), Series("none", 1, ())),
    BANDS,
)


def test_bands() -> None:
    """Each value holds until the next point; the area goes back along the lowest values."""
    svg = BAND_CHART.draw("chart")
    left, right, bottom = LEFT, WIDTH - RIGHT, ABOVE + HEIGHT
    middle = (left + right) / 2

    def y(value: float) -> str:
        return f"{bottom - value / 100 * HEIGHT:.1f}"

    assert paths(svg, "line series-0 curve") == [
        f"M{left:.1f},{y(20)}H{middle:.1f}V{y(50)}H{right:.1f}"
    ]
    assert paths(svg, "series-0 band") == [
        f"M{left:.1f},{y(20)}H{middle:.1f}V{y(100)}H{right:.1f}V{y(50)}H{middle:.1f}"
        f"V{y(10)}H{left:.1f}Z"
    ]
    assert tooltips(svg) == ["one: 50 (50 to 100) after 10 s"]


def test_bars_are_as_long_as_their_values() -> None:
    """From one left edge; an empty bar can still be seen."""
    svg = bars().draw("chart")
    long, short, empty = (float(bar.get("width", "")) for bar in svg.iter("rect"))
    assert short == pytest.approx(long / 4, abs=0.01)
    assert 0 < empty <= 1
    assert len({bar.get("x") for bar in svg.iter("rect")}) == 1


NAMES = ("one", "two", "three", "a solver with a name that is far too long", "five")
RANKS = (1.5, 2.0, 3.25, 3.75, 4.5)
RANK_CHART = critical_difference_chart(
    "Ranks", "ranks", tuple(zip(NAMES, RANKS, strict=True)), 1.25, ((0, 1), (2, 4))
)


def test_stems_stand_at_the_ranks() -> None:
    """On the axis from 1 to 5, the better half to the left, none across another's name."""
    stems = paths(RANK_CHART.draw("ranks"), "stem")
    starts = [float(d[1:].split(",")[0]) for d in stems]
    ends = [float(d.split("H")[1]) for d in stems]
    depths = [float(d.split("V")[1].split("H")[0]) for d in stems]
    steps = [
        (b - a) / (s - r) for (a, b), (r, s) in zip(pairwise(starts), pairwise(RANKS), strict=True)
    ]
    assert max(steps) - min(steps) < 0.5
    assert [end < WIDTH / 2 for end in ends] == [True, True, True, False, False]
    assert depths[:3] == sorted(depths[:3])
    assert depths[3:] == sorted(depths[3:], reverse=True)


BAR = (Point(2.0, 0, "two", "one"),)


def chart_of(kind: ChartKind, y: Axis, *points: Point) -> Chart:
    return Chart("", "", AXIS, y, (Series("one", 0, points),), kind)


@pytest.mark.parametrize(
    ("chart", "figures"),
    [
        (
            chart_of(
                LINES,
                Axis("time", 0, 10, False, str, column="seconds"),
                Point(1, 12_345_678, "a"),
                Point(2.5, 1 / 3, "b\nc", hollow=True),
            ),
            'series,place,seconds,bound,text\none,1,12345678,0,a\none,2.5,0.333333,1,"b\nc"\n',
        ),
        (
            chart_of(PROFILES, Axis("share", 0, 1, False, str), Point(0.5, 0.25, name="a")),
            "series,name,place,share\none,a,0.5,0.25\n",
        ),
        (bar_chart("sum", "", BAR), "name,sum\none,2\n"),
    ],
    ids=["lines", "steps", "bars"],
)
def test_figures_as_csv(chart: Chart, figures: str) -> None:
    """Bounds are 1, ends without an interval empty, columns named after units or axes."""
    assert chart.csv() == figures


def variables(scheme: str) -> dict[str, str]:
    """The colours of pages by their names."""
    style = files("dovetail.reports").joinpath("style.css").read_text(encoding="utf-8")
    light, dark, *others = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in style.split("@media ")
    )
    printed = others[-1]
    return {"light": light, "dark": dark, "print": light | printed}[scheme]


def series(scheme: str) -> list[str]:
    """The colours of series, in their order."""
    return [variables(scheme)[f"series-{number}"] for number in range(COLOURS)]


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
@pytest.mark.parametrize(
    ("eyes", "bound"),
    [("usual", 17.0), ("deuteranopia", 14.0), ("protanopia", 14.0), ("tritanopia", 14.0)],
)
def test_colours_can_be_distinguished(scheme: str, eyes: str, bound: float) -> None:
    """As they are seen; eight after Okabe and Ito came to 8.5, 1.2, 3.5 and 2.9."""
    assert min_difference(series(scheme), eyes) > bound


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_colours_are_seen_on_paper(scheme: str) -> None:
    """At the contrast that is asked of what has to be seen to understand a picture."""
    assert min_contrast(series(scheme), variables(scheme)["paper"]) > 3


def test_many_series_differ() -> None:
    """In the shape and colour of their marks, and in the colour and dashes of their lines."""
    marks = [mark(style, 0, 0) for style in range(64)]
    assert len({(one.get("d"), one.get("class")) for one in marks}) == 64
    assert len({line_class(style) for style in range(32)}) == 32


def data_of(chart: Chart) -> dict[str, Any]:
    pair: ScatterPair = chart.data
    return pair.data()


EDGE = SIDE + BAND / 2
THIRD = round(SIDE / 3, 2)


def test_marks_lie_at_both_values() -> None:
    """From the corner of the axes; hollow in the margin where one is cut, hidden where both are."""
    svg = scatter_of().draw("chart")
    marks = list(svg.iter("circle"))
    summary = [(mark.get("cx"), mark.get("cy"), mark.get("class")) for mark in marks]
    assert summary == [
        ("0", f"-{THIRD}", None),
        (f"{SIDE:g}", "-0", None),
        (f"{THIRD}", f"-{THIRD}", None),
        (f"{THIRD}", f"-{EDGE:g}", "hollow"),
        (None, None, None),
        (None, None, None),
    ]
    assert [mark.get("display") for mark in marks] == [None] * 4 + ["none"] * 2
    assert [mark.findtext("title") for mark in marks] == [
        "a: dlx 1, rows 10",
        "b: dlx 1 k, rows 1",
        "c: dlx 10, rows 10",
        "d: dlx 10, rows > 50",
        "",
        "",
    ]


def test_the_data_of_all_pairs() -> None:
    """A place for each reading, those cut in the margin, and how it is written."""
    data = data_of(scatter_of())
    assert data["series"] == ["dlx", "rows", "x" * 40]
    assert data["things"] == ["a", "b", "c", "d", "e", "f"]
    assert data["places"] == [
        [0, SIDE, THIRD, THIRD, EDGE, 0],
        [THIRD, 0, THIRD, EDGE, EDGE, None],
        [0, THIRD, EDGE, None, THIRD, 0],
    ]
    assert data["ranks"] == [
        [0, 2, 0, 0, 1, 0],
        [1, 0, 0, 1, 1, None],
        [0, 1, 1, None, 0, 0],
    ]
    assert data["kinds"] == [["a fit"], ["a fit", "a try"], ["a fit"]]
    assert data["shown"] == [
        ["1", "1 k", "10", "10", "> 50", "1"],
        ["10", "1", "10", "> 50", "> 50", None],
        ["1", "10", "> 50", None, "10", "1"],
    ]
