"""What all charts have alike: their place on a page, and the file of their figures."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import (
    CSV,
    Chart,
    ChartKind,
    Point,
    Series,
    data_url,
    listed,
)
from dovetail.reports.charts.kinds import STEPS, bar_chart
from dovetail.reports.elements import element
from dovetail.reports.html import page_html
from dovetail.reports.page import Page, Section
from reports.charts.pairs import scatter_of
from reports.charts.test_kinds import bars, line_chart

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
    link = made.find("figcaption/a")
    assert link is not None
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


def test_what_a_spreadsheet_would_take_for_a_formula() -> None:
    """Texts get an apostrophe, figures never: they stay what they are."""
    names = ("=1+1", "+a", "-a", "@a", " =a", "a=1", "'a")
    points = [Point(-1.5, 0, name=name) for name in names] + [Point(-2.0, 0, name="\0\ud800")]
    assert list(csv.reader(io.StringIO(bar_chart("=b", "", points).csv()))) == [
        ["name", "'=b"],
        *([f"'{name}", "-1.5"] for name in names[:5]),
        ["a=1", "-1.5"],
        ["'a", "-1.5"],
        ["��", "-2"],
    ]


def test_it_can_be_read_aloud() -> None:
    """A picture with a title and a description of its own."""
    svg = line_chart().draw("figure-5-1")
    names = {element.get("id"): element.text for element in svg.iter() if element.get("id")}
    assert svg.get("role") == "img"
    assert [names[word] for word in svg.get("aria-labelledby", "").split()] == [
        "a <title>",
        "what it shows",
    ]
