"""Reports as self-contained HTML files, which send no requests and load no fonts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any
from xml.etree.ElementTree import Element

from dovetail.reports.elements import Child, element, html_text, policy, script
from dovetail.reports.page import Page, Section
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.pictures.drawing import figure_element
from dovetail.reports.table import Column, Link, Table

MAX_UPRIGHT = 9  # maximum number of columns of a heat map with horizontal titles
LONGEST_UNBROKEN = 28  # maximum number of characters of a cell without line breaks
Addresses = Callable[[Link], str | None]
# Places for line breaks, as in stages=|dlx:|s,|fila:|f@11.
PART_OF_A_SETTING = re.compile(r"(?<=[,:=])(?=[^\W\d])")


def page_html(page: Page, address_of: Addresses = lambda _: None) -> str:
    """Return a page as HTML, with a table of contents if there are several sections.

    If the first section has a section beside it, both precede the table of contents. `address_of`
    returns the address of the page about the subject of a cell, or None.
    """
    opening = page.sections[:1] if page.sections and page.sections[0].beside is not None else ()
    contents = _contents(page) if len(page.sections) > 1 else None
    every_section = list(page.every_section)
    return document(
        page.title,
        _navigation(page) if page.navigation else None,
        element("h1", page.title),
        element("p", page.headline, class_="headline") if page.headline else None,
        element("p", page.about, class_="about") if page.about else None,
        *(element("p", warning, class_="warning") for warning in page.warnings),
        *(_section(section, address_of) for section in opening),
        contents,
        *(_section(section, address_of) for section in page.sections[len(opening) :]),
        scripts=list(_scripts(every_section)),
        style=picture_style() if any(section.drawings for section in every_section) else "",
    )


def document(title: str, *children: Child, scripts: Sequence[str] = (), style: str = "") -> str:
    """Return the text of a page in the common style, with `scripts` after `children`.

    `style` has additional CSS rules. The page runs no other scripts and sends no requests. Raises
    `ValueError` for a script that cannot be within a page.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        policy(scripts),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", _resource("style.css") + style),
    )
    body = element("body", *children, *map(script, scripts))
    return html_text(element("html", head, body, lang="en"))


def _resource(name: str) -> str:
    return files("dovetail.reports").joinpath(name).read_text(encoding="utf-8")


def _scripts(sections: Iterable[Section]) -> Iterator[str]:
    """Yield the scripts of tables, folded sections and charts, without repetitions."""
    if any(section.tables for section in sections):
        yield _resource("tables.js")
    if any(section.folded for section in sections):
        yield _resource("folding.js")
    charts = (chart.script() for section in sections for chart in section.charts)
    yield from dict.fromkeys(filter(None, charts))


def _navigation(page: Page) -> Element:
    """Return links to the main pages of the site; the page itself is marked."""
    items = (
        element("a", title, href=address) if address else element("b", title, aria_current="page")
        for title, address in page.navigation
    )
    return _nav("site", items)


def _contents(page: Page) -> Element:
    links = (element("a", section.title, href=f"#{section.identity}") for section in page.titled)
    return _nav("contents", links)


def _nav(label: str, links: Iterable[Element]) -> Element:
    items = (element("li", link) for link in links)
    return element("nav", element("ul", *items), aria_label=label)


def _section(section: Section, address_of: Addresses, *, is_inner: bool = False) -> Element:
    """Return a section; the reader can open and close folded sections and inner sections."""
    title = element("h3" if is_inner else "h2", section.title, id=_heading(section))
    content = list(_content(section, address_of))
    content += (_section(inner, address_of, is_inner=True) for inner in section.sections)
    if section.folded or is_inner:
        opened = {} if section.folded else {"open": ""}
        summary = element("summary", title)
        return element("details", summary, *content, id=section.identity, **opened)
    block = element("section", title, *content, id=section.identity)
    if section.beside is None:
        return block
    return element("div", block, _section(section.beside, address_of), class_="pair")


def _heading(section: Section) -> str:
    """Return the identity of the title of a section."""
    return f"{section.identity}-heading"


def _content(section: Section, address_of: Addresses) -> Iterator[Element]:
    """Yield the content of a section without its title and the sections within it."""
    definitions = (*section.definitions, *section.about_charts)
    if definitions:
        asked = element("summary", "?", aria_label=f"definitions: {section.title}")
        paragraphs = (element("p", text) for text in definitions)
        yield element("details", asked, *paragraphs, class_="definitions")
    yield from (element("p", text) for text in section.paragraphs)
    figures = list(_figures(section))
    yield from [element("div", *figures, class_="side-by-side")] if len(figures) > 1 else figures
    yield from (_table(section, number, address_of) for number in range(len(section.tables)))


def _figures(section: Section) -> Iterator[Element]:
    yield from (figure_element(drawing, class_="drawing") for drawing in section.drawings)
    for number, chart in enumerate(section.charts, start=1):
        yield chart.figure(f"{section.identity}-{chart.name or number}")


def _table(section: Section, number: int, address_of: Addresses) -> Element:
    """Return a table that scrolls if the table is too wide; the caption opens a folded table.

    For screen readers, a table is named by its caption or by the title of the section.
    """
    table = section.tables[number]
    caption = f"{section.identity}-table-{number + 1}"
    named = {"aria_labelledby": caption if table.caption else _heading(section)}
    shown = table.caption and not table.folded
    heading = element("caption", table.caption, id=caption) if shown else None
    grid = table_element(table, heading, address_of, **({} if shown else named))
    scrolled = element("div", grid, class_="wide", tabindex=0, role="region", **named)
    if not table.folded:
        return scrolled
    return element("details", element("summary", table.caption, id=caption), scrolled)


def table_element(
    table: Table,
    caption: Element | None = None,
    address_of: Addresses = lambda _: None,
    **attributes: object,
) -> Element:
    """Return a table with its head and rows."""
    rows = (_row(table, place, address_of) for place in range(len(table.items)))
    body = element("tbody", *rows)
    return element("table", caption, _head(table), body, class_=_style_of(table), **attributes)


def _style_of(table: Table) -> str:
    if all(column.words for column in table.columns):
        return "words"
    if not table.is_shaded:
        return "figures"
    return "figures map crowded" if len(table.columns) > MAX_UPRIGHT else "figures map"


def _head(table: Table) -> Element | None:
    """Return the titles of the columns; None if no column has a title."""
    if not any(table.titles):
        return None
    cells = (_cell(column, column.title, scope="col") for column in table.columns)
    return element("thead", element("tr", *cells))


def _row(table: Table, number: int, address_of: Addresses) -> Element:
    """Return a row; its first cell is a heading if the cell has a text."""
    item, texts = table.items[number], table.rows[number]
    cells = list[Element]()
    for column, text in zip(table.columns, texts, strict=True):
        shade = None if column.shade is None else column.shade(item)
        link = None if column.link is None else column.link(item)
        address = None if link is None else address_of(link)
        data = {"data_column": column.title} if table.is_shaded and cells else {}
        cells.append(_cell(column, text, address, shade, scope="" if cells else "row", **data))
    return element("tr", *cells, **({"class_": "warning"} if table.marked(item) else {}))


def _cell(
    column: Column[Any],
    text: str,
    address: str | None = None,
    shade: int | None = None,
    *,
    scope: str,
    **attributes: str,
) -> Element:
    """Return a cell; it is a heading if it has a scope and a text."""
    style = "number"
    if column.words:
        style = "words long" if len(text) > LONGEST_UNBROKEN else "words"
    style += "" if shade is None else f" shade-{shade}"
    content: Iterable[Child] = _breakable(text) if column.words else [text]
    if address is not None:
        content = [element("a", *content, href=address)]
    if scope and text:
        return element("th", *content, class_=style, scope=scope)
    return element("td", *content, class_=style, **attributes)


def _breakable(text: str) -> Iterator[Child]:
    """Yield a text with places for line breaks between the parts of settings and lists."""
    first, *others = PART_OF_A_SETTING.split(text)
    yield first
    for part in others:
        yield element("wbr")
        yield part
