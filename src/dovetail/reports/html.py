"""A report as one HTML file that needs no other: no script, no request, no font."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from xml.etree.ElementTree import Element

from dovetail.reports.charts.drawing import draw
from dovetail.reports.elements import element, html_text
from dovetail.reports.page import Page, Part, Table


def page_html(page: Page) -> str:
    """The text of the file."""
    style = files("dovetail.reports").joinpath("style.css").read_text(encoding="utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", page.title),
        element("style", style),
    )
    body = element(
        "body",
        element("h1", page.title),
        element("p", page.about) if page.about else None,
        *(element("p", warning, class_="warning") for warning in page.warnings),
        element("nav", _contents(page)) if len(page.parts) > 1 else None,
        *(_part(part) for part in page.parts),
    )
    return html_text(element("html", head, body, lang="en"))


def _contents(page: Page) -> Element:
    links = (element("a", part.title, href=f"#{part.identity}") for part in page.parts)
    return element("ul", *(element("li", link) for link in links))


def _part(part: Part) -> Element:
    return element(
        "section",
        element("h2", part.title),
        *(element("p", paragraph) for paragraph in part.paragraphs),
        *_figures(part),
        *map(_table, part.tables),
        id=part.identity,
    )


def _figures(part: Part) -> Iterator[Element]:
    for drawing in part.drawings:
        below = element("figcaption", drawing.caption) if drawing.caption else None
        yield element("figure", drawing.svg, below, class_="drawing")
    for number, chart in enumerate(part.charts, start=1):
        yield element("figure", draw(chart, f"{part.identity}-{number}"))


def _table(table: Table) -> Element:
    """A table that scrolls by itself where it is too wide; folded away if it is long."""
    head = element("tr", *(_cell("th", table, n, text) for n, text in enumerate(table.columns)))
    made = element(
        "table",
        element("caption", table.caption) if table.caption and not table.folded else None,
        element("thead", head),
        element("tbody", *(_row(table, number) for number in range(len(table.rows)))),
        class_="figures" if table.left < len(table.columns) else "words",
    )
    scrolled = element("div", made, class_="wide")
    if not table.folded:
        return scrolled
    return element("details", element("summary", table.caption), scrolled)


def _row(table: Table, number: int) -> Element:
    cells = (_cell("td", table, n, text) for n, text in enumerate(table.rows[number]))
    style = {"class_": "warning"} if number in table.marked else {}
    return element("tr", *cells, **style)


def _cell(tag: str, table: Table, number: int, text: str) -> Element:
    return element(tag, text, class_="words" if number < table.left else "number")
