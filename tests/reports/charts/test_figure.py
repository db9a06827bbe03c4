"""Charts as they stand on a page: legend, picture, choice, and the file of figures."""

from __future__ import annotations

import json
from base64 import b64decode
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from dovetail.reports.charts.axes import Axis
from dovetail.reports.charts.chart import Bar, BarChart, Curve, Step, StepChart
from dovetail.reports.charts.figure import CSV, data_url, figure, has_choice
from dovetail.reports.charts.figures import chart_csv
from dovetail.reports.charts.scatter import choice_data, pair_told
from reports.charts.pairs import scatter_chart

AXIS = Axis("place", 0, 10, False, str)
STEPS = StepChart("", "", AXIS, AXIS, (Curve("one & only", 9, (Step(1, "a"),)),))


def tags_of(made: Element) -> list[tuple[str, str | None]]:
    return [(child.tag, child.get("class")) for child in made]


def test_a_chart_with_its_legend() -> None:
    """A list of names with stroke and mark, which are not read aloud."""
    made = figure(STEPS, "cactus-time")
    assert tags_of(made) == [("ul", "legend"), ("svg", "chart plot"), ("figcaption", "download")]
    (item,) = made.iterfind("ul/li")
    key = item[0]
    assert (key.tail, key.get("aria-hidden")) == ("one & only", "true")
    assert key[0].get("class") == "line series-1 dashes-2"
    assert key[1].get("class") == "mark series-1"


def test_its_figures_are_in_the_page() -> None:
    """Under the name of the chart."""
    link = figure(STEPS, "cactus-time").find("figcaption/a")
    assert link is not None
    assert link.get("download") == "cactus-time.csv"
    assert link.get("href") == data_url(chart_csv(STEPS))


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "ä" * 100 + '"#%&\n', ""])
def test_the_shorter_way_to_write_a_file(text: str) -> None:
    """Escaped or as base64: the text comes back, and nothing in it is left to an address."""
    url = data_url(text)
    assert set(url).isdisjoint('#&"\n ')
    head, _, rest = url.partition(",")
    assert head in (CSV, f"{CSV};base64")
    assert (unquote(rest) if head == CSV else b64decode(rest).decode()) == text
    assert (head == CSV) == (text.isascii())


def test_a_chart_with_a_choice() -> None:
    """Two boxes, hidden as long as there is no script; what is seen is also said in words."""
    chart = scatter_chart(0, 2)
    made = figure(chart, "scatter-nodes")
    assert made.get("class") == "scatter"
    assert tags_of(made) == [
        ("p", "choice"),
        ("svg", "chart plot square"),
        ("p", "told"),
        ("script", None),
        ("figcaption", "download"),
    ]
    assert made[0].get("hidden") == "hidden"
    chosen = {}
    for box in made.iter("select"):
        assert [option.text for option in box] == list(chart.series)
        chosen[box.get("class")] = [option.get("selected") for option in box].index("selected")
    assert chosen == {"across": 0, "up": 2}
    assert made[2].text == pair_told(chart)
    assert json.loads(made[3].text or "") == json.loads(json.dumps(choice_data(chart)))


def test_bars_need_no_legend_and_no_script() -> None:
    """Their names are beside them."""
    bars = BarChart("", "", (Bar("one", 1, "1"),))
    assert tags_of(figure(bars, "sum-1")) == [("svg", "chart"), ("figcaption", "download")]
    assert [has_choice(chart) for chart in (bars, STEPS, scatter_chart())] == [False, False, True]
