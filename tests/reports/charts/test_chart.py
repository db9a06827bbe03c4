"""What all charts have alike: their place on a page, and the file of their figures."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.bars import Bar, BarChart
from dovetail.reports.charts.chart import CSV, Chart, Row, data_url
from dovetail.reports.charts.plot import CHARACTER, WIDTH
from dovetail.reports.charts.steps import Curve, Step, StepChart
from dovetail.reports.html import page_html
from dovetail.reports.page import Page, Section
from reports.charts.pairs import scatter_chart
from reports.charts.test_bars import bar_chart
from reports.charts.test_lines import line_chart

AXIS = Axis("place", 0, 10, False, str)
STEPS = StepChart("", "", AXIS, AXIS, (Curve("one & only", 9, (Step(1, "a"),)),))


def tags_of(made: Element) -> list[tuple[str, str | None]]:
    return [(child.tag, child.get("class")) for child in made]


@dataclass(frozen=True)
class DotChart(Chart):
    """A new kind of chart: a dot for each value."""

    values: tuple[float, ...]

    def draw(self, identity: str) -> Element:
        svg = Element("svg", {"class": "dots", "id": identity})
        svg.extend(Element("circle", r="1", cx=f"{value}") for value in self.values)
        return svg

    def rows(self) -> Iterator[Row]:
        yield ("value",)
        yield from ((value,) for value in self.values)

    def legend(self) -> Element:
        legend = Element("p", {"class": "key"})
        legend.text = "a dot is a value"
        return legend

    def script(self) -> str:
        return "// dots can be pushed"


def test_a_new_chart_is_one_class() -> None:
    """A page shows it with its legend, its file of figures and its script, which runs once."""
    charts = (DotChart("Dots", "two dots", (1, 2.5)), DotChart("More", "a dot", (3,), name="more"))
    text = page_html(Page("title", "", (), (Section("new", "New", charts=charts),)))
    assert re.findall(r'<p class="key">(.*?)</p><svg class="dots" id="(.*?)">', text) == [
        ("a dot is a value", "new-1"),
        ("a dot is a value", "new-more"),
    ]
    assert 'download="new-1.csv" href="data:text/csv;charset=utf-8,value%0A1%0A2.5%0A"' in text
    assert re.findall("<script>(.*)</script>", text) == ["// dots can be pushed"]


def test_a_chart_with_its_legend() -> None:
    """A list of names with stroke and mark, which are not read aloud."""
    made = STEPS.figure("cactus-time")
    assert tags_of(made) == [("ul", "legend"), ("svg", "chart plot"), ("figcaption", "download")]
    (item,) = made.iterfind("ul/li")
    key = item[0]
    assert (key.tail, key.get("aria-hidden")) == ("one & only", "true")
    assert key[0].get("class") == "line series-1 dashes-2"
    assert key[1].get("class") == "mark series-1"


def test_its_figures_are_in_the_page() -> None:
    """Under the name of the chart."""
    link = STEPS.figure("cactus-time").find("figcaption/a")
    assert link is not None
    assert link.get("download") == "cactus-time.csv"
    assert link.get("href") == data_url(STEPS.csv())


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
    bars = BarChart("", "", (Bar("one", 1, "1"),))
    assert tags_of(bars.figure("sum-1")) == [("svg", "chart"), ("figcaption", "download")]
    scripts = [bool(chart.script()) for chart in (bars, STEPS, scatter_chart())]
    assert scripts == [False, True, True]


def test_what_a_spreadsheet_would_take_for_a_formula() -> None:
    """Texts get an apostrophe, figures never: they stay what they are."""
    names = ("=1+1", "+a", "-a", "@a", " =a", "a=1", "'a")
    bars = (*(Bar(name, -1.5, "") for name in names), Bar("\0\ud800", -2.0, ""))
    assert list(csv.reader(io.StringIO(BarChart("=b", "", bars).csv()))) == [
        ["name", "'=b"],
        *([f"'{name}", "-1.5"] for name in names[:5]),
        ["a=1", "-1.5"],
        ["'a", "-1.5"],
        ["��", "-2"],
    ]


@pytest.mark.parametrize("chart", [line_chart(), bar_chart()], ids=["lines", "bars"])
def test_everything_is_inside(chart: Chart) -> None:
    """Marks, strokes and, by the width that letters take at most, texts."""
    svg = chart.draw("chart")
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    places = []
    for element in svg.iter():
        for name, value in element.attrib.items():
            if name in ("x", "x1", "x2"):
                places.append((float(value), 0.0))
            if name in ("y", "y1", "y2"):
                places.append((0.0, float(value)))
            if name == "transform":
                x, y = re.findall(r"-?[\d.]+", value)
                places.append((float(x), float(y)))
            if name == "d" and element.find("title") is None and element.get("transform") is None:
                pairs = re.findall(r"([\d.]+),([\d.]+)", value)
                places += [(float(x), float(y)) for x, y in pairs]
    for text in svg.iter("text"):
        length = CHARACTER * len(text.text or "")
        begin = float(text.get("x", ""))
        begin -= {"start": 0.0, "middle": length / 2, "end": length}[text.get("text-anchor", "")]
        places += [(begin, 0.0), (begin + length, 0.0)]
    assert width == WIDTH
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
