"""A chart as it stands on a page: its legend, the picture, what may be chosen, its figures."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Chart, LineChart, ScatterChart, StepChart
from dovetail.reports.charts.drawing import draw
from dovetail.reports.charts.figures import chart_csv
from dovetail.reports.charts.legend import legend_above
from dovetail.reports.charts.scatter import choice_data, pair_told
from dovetail.reports.elements import element
from dovetail.reports.scripts import data_block

CSV = "data:text/csv;charset=utf-8"
UNTOUCHED = "/,:;()*!"  # what a data URL may have besides letters and digits


def figure(chart: Chart, identity: str) -> Element:
    """The chart; `identity` is a word of its own on the page, and the name of its CSV file."""
    picture = draw(chart, identity, legend=False)
    if isinstance(chart, ScatterChart):
        told = element("p", pair_told(chart), class_="told", aria_live="polite")
        children = [_choice(chart), picture, told, data_block(choice_data(chart))]
        return element("figure", *children, _download(chart, identity), class_="scatter")
    return element("figure", _legend(chart), picture, _download(chart, identity))


def has_choice(chart: Chart) -> bool:
    """Whether a page with the chart needs `page.js`."""
    return isinstance(chart, ScatterChart)


def data_url(csv: str) -> str:
    """An address that holds the text itself, in the shorter of the two ways to write it."""
    escaped = f"{CSV},{quote(csv, safe=UNTOUCHED)}"
    encoded = f"{CSV};base64,{b64encode(csv.encode()).decode()}"
    return min(escaped, encoded, key=len)


def _legend(chart: Chart) -> Element | None:
    if isinstance(chart, LineChart):
        return legend_above(chart.lines)
    return legend_above(chart.curves) if isinstance(chart, StepChart) else None


def _choice(chart: ScatterChart) -> Element:
    """Two boxes with all series, hidden until the script is there to heed them."""
    chosen = {"across": chart.across, "up": chart.up}
    labels = (element("label", axis, _select(chart, axis, place)) for axis, place in chosen.items())
    return element("p", *labels, class_="choice", hidden="hidden")


def _select(chart: ScatterChart, axis: str, chosen: int) -> Element:
    """Browsers are kept from restoring a choice that the picture would not show."""
    options = []
    for place, name in enumerate(chart.series):
        selected = {"selected": "selected"} if place == chosen else {}
        options.append(element("option", name, value=place, **selected))
    return element("select", *options, class_=axis, autocomplete="off")


def _download(chart: Chart, identity: str) -> Element:
    name = f"{identity}.csv"
    link = element("a", name, download=name, href=data_url(chart_csv(chart)))
    return element("figcaption", "figures: ", link, class_="download")
