"""A report as one HTML file that needs no other: no request, no font, and scripts within it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from xml.etree.ElementTree import Element

from dovetail.reports.charts.figure import figure, has_choice
from dovetail.reports.elements import Child, element, html_text
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.pictures.style import picture_style
from dovetail.reports.scripts import policy, script


def page_html(page: Page) -> str:
    """The text of the file."""
    made = document(
        page.title,
        element("h1", page.title),
        element("p", page.about) if page.about else None,
        *(element("p", warning, class_="warning") for warning in page.warnings),
        element("nav", _contents(page)) if len(page.parts) > 1 else None,
        *(_part(part) for part in page.parts),
        scripts=[*_chart_scripts(page), *page.scripts],
        style=picture_style() if any(part.drawings for part in _all_parts(page)) else "",
    )
    return html_text(made)


def document(title: str, *children: Child, scripts: Sequence[str] = (), style: str = "") -> Element:
    """A page with the looks of all, which runs `scripts` alone, after `children`.

    `style` has rules of its own. It may ask nothing of any host. Raises `ValueError` for a script
    that cannot be within a page.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        policy(scripts),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", _own_file("style.css") + style),
    )
    body = element("body", *children, *map(script, scripts))
    return element("html", head, body, lang="en")


def _own_file(name: str) -> str:
    return files("dovetail.reports").joinpath(name).read_text(encoding="utf-8")


def _chart_scripts(page: Page) -> list[str]:
    charts = (chart for part in _all_parts(page) for chart in part.charts)
    return [_own_file("page.js")] if any(map(has_choice, charts)) else []


def _all_parts(page: Page) -> Iterator[Part]:
    return (one for part in page.parts for one in (part, *part.parts))


def _contents(page: Page) -> Element:
    links = (element("a", part.title, href=f"#{part.identity}") for part in page.parts)
    return element("ul", *(element("li", link) for link in links))


def _part(part: Part) -> Element:
    return element(
        "section",
        element("h2", part.title),
        *_content(part),
        *map(_part_within, part.parts),
        id=part.identity,
    )


def _part_within(part: Part) -> Element:
    """A part of a part behind its title."""
    opened = {} if part.folded else {"open": ""}
    title = element("summary", part.title)
    return element("details", title, *_content(part), id=part.identity, **opened)


def _content(part: Part) -> Iterator[Element]:
    """What is in a part below its title, save the parts within it."""
    yield from (element("p", paragraph) for paragraph in part.paragraphs)
    yield from _figures(part)
    yield from map(_table, part.tables)


def _figures(part: Part) -> Iterator[Element]:
    for drawing in part.drawings:
        below = element("figcaption", drawing.caption) if drawing.caption else None
        yield element("figure", drawing.svg, below, class_="drawing")
    for number, chart in enumerate(part.charts, start=1):
        yield figure(chart, f"{part.identity}-{chart.name or number}")


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
