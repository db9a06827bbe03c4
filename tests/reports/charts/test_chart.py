"""What all charts have alike: their place on a page, and the file of their figures."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.chart import (
    CSV,
    Chart,
    ChartKind,
    Point,
    Series,
    data_url,
    listed,
)
from dovetail.reports.charts.kinds import STEPS
from dovetail.reports.elements import element
from dovetail.reports.html import page_html
from dovetail.reports.page import Page, Section
from reports.charts.pairs import scatter_of
from reports.charts.test_kinds import bars
from reports.present import present

AXIS = Axis("place", 0, 10, False, str)
CHART = Chart("", "", AXIS, AXIS, (Series("one & only", 9, (Point(1, 1, name="a"),)),), STEPS)


def tags_of(made: Element) -> list[tuple[str, str | None]]:
    return [(child.tag, child.get("class")) for child in made]


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
    text = page_html(Page("title", "", (), (Section("new", "New", charts=charts),)))
    assert re.findall(r'<svg class="chart dots".*?id="(.*?)-title"', text) == ["new-1", "new-more"]
    assert text.count('<ul class="legend">') == text.count('<circle r="1" cx="2.5">') == 2
    assert text.count("<p>Number of dots: 2</p>") == 2
    assert 'href="data:text/csv;charset=utf-8,series,value%0Adots,1%0Adots,2.5%0A"' in text
    assert len(re.findall("<script>// Charts of series", text)) == 1


def test_a_chart_with_its_legend() -> None:
    """A list of names with stroke and mark, which are not read aloud."""
    made = CHART.figure("cactus-time")
    assert tags_of(made) == [("ul", "legend"), ("svg", "chart plot"), ("figcaption", "download")]
    (item,) = made.iterfind("ul/li")
    key = item[0]
    assert (key.tail, key.get("aria-hidden")) == ("one & only", "true")
    assert key[0].get("class") == "line series-1 dashes-2"
    assert key[1].get("class") == "mark series-1"
    link = present(made.find("figcaption/a"))
    assert (link.get("download"), link.get("href")) == ("cactus-time.csv", data_url(CHART.csv()))


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "ä" * 100 + '"#%&\n', ""])
def test_the_shorter_way_to_write_a_file(text: str) -> None:
    """Escaped or as base64: the text comes back, and nothing in it is left to an address."""
    url = data_url(text)
    assert set(url).isdisjoint('#&"\n ')
    head, _, rest = url.partition(",")
    assert head in (CSV, f"{CSV};base64")
    assert (unquote(rest) if head == CSV else b64decode(rest).decode()) == text
    assert (head == CSV) == (text.isascii())


def test_bars_need_no_legend_and_no_script() -> None:
    """Their names are beside them."""
    assert tags_of(bars().figure("sum-1")) == [("svg", "chart"), ("figcaption", "download")]
    scripts = [bool(chart.script()) for chart in (bars(), CHART, scatter_of())]
    assert scripts == [False, True, True]


@pytest.mark.parametrize(
    ("values", "low", "high", "marks"),
    [
        ([30, 200], 10, 1000, [10, 20, 50, 100, 200, 500, 1000]),
        ([3, 70_000], 1, 100_000, [1, 10, 100, 1000, 10_000, 100_000]),
        ([], 1, 10, [1, 2, 5, 10]),
    ],
)
def test_a_logarithmic_axis(
    values: list[float], low: float, high: float, marks: list[float]
) -> None:
    """From one power of ten to another."""
    axis = logarithmic_axis("nodes", values, str)
    assert (axis.low, axis.high) == (low, high)
    assert axis.ticks() == pytest.approx(marks)


@pytest.mark.parametrize(
    ("values", "low", "high", "marks"),
    [
        ([0.57, 30], 0.5, 50, [0.5, 1, 2, 5, 10, 20, 50]),
        ([0, 0.2, 0.3], 0.2, 0.5, [0.2, 0.5]),
        ([5], 5, 10, [5, 10]),
    ],
)
def test_a_fitted_logarithmic_axis(
    values: list[float], low: float, high: float, marks: list[float]
) -> None:
    """It ends at 1, 2 or 5 times a power of ten."""
    axis = logarithmic_axis("rate", values, str, is_fitted=True)
    assert (axis.low, axis.high) == pytest.approx((low, high))
    assert axis.ticks() == pytest.approx(marks)


@pytest.mark.parametrize(
    ("low", "high", "whole", "marks"),
    [
        (0.5, 51.5, True, [10, 20, 30, 40, 50]),
        (0.5, 3.5, False, [0.5, 1, 1.5, 2, 2.5, 3, 3.5]),
        (0, 7, False, [0, 2, 4, 6]),
    ],
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
