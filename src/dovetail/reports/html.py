"""A report as one HTML file that needs no other: no request, no font, and scripts within it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from xml.etree.ElementTree import Element

from dovetail.reports.elements import Child, element, html_text
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.pictures.style import picture_style
from dovetail.reports.scripts import policy, script

LONGEST_UNBROKEN = 28  # words of a table of figures that stay in one line
PART_OF_A_SETTING = re.compile(r"(?<=[,:=])(?=[^\W\d])")  # stages=|dlx:|s,|fila:|f@11


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
    """Return a page in the common style, which runs `scripts` alone, after `children`.

    `style` has rules of its own. It may ask nothing of any host. Raises `ValueError` for a script
    that cannot be within a page.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        policy(scripts),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", _style() + style),
    )
    body = element("body", *children, *map(script, scripts))
    return element("html", head, body, lang="en")


def _style() -> str:
    return files("dovetail.reports").joinpath("style.css").read_text(encoding="utf-8")


def _chart_scripts(page: Page) -> list[str]:
    """What charts need, once however many need it."""
    scripts = (chart.script() for part in _all_parts(page) for chart in part.charts)
    return list(dict.fromkeys(filter(None, scripts)))


def _all_parts(page: Page) -> Iterator[Part]:
    return (one for part in page.parts for one in (part, *part.parts))


def _contents(page: Page) -> Element:
    links = (element("a", part.title, href=f"#{part.identity}") for part in page.parts)
    return element("ul", *(element("li", link) for link in links))


def _part(part: Part) -> Element:
    return element(
        "section",
        element("h2", part.title, id=_heading(part)),
        *_content(part),
        *map(_part_within, part.parts),
        id=part.identity,
    )


def _part_within(part: Part) -> Element:
    """A part of a part behind its title."""
    opened = {} if part.folded else {"open": ""}
    title = element("summary", element("h3", part.title, id=_heading(part)))
    return element("details", title, *_content(part), id=part.identity, **opened)


def _heading(part: Part) -> str:
    """The identity of its title."""
    return f"{part.identity}-heading"


def _content(part: Part) -> Iterator[Element]:
    """What is in a part below its title, save the parts within it."""
    yield from (element("p", text) for text in (*part.paragraphs, *part.about_charts))
    yield from _figures(part)
    yield from (_table(part, number) for number in range(len(part.tables)))


def _figures(part: Part) -> Iterator[Element]:
    for drawing in part.drawings:
        below = element("figcaption", drawing.caption) if drawing.caption else None
        yield element("figure", drawing.svg, below, class_="drawing")
    for number, chart in enumerate(part.charts, start=1):
        yield chart.figure(f"{part.identity}-{chart.name or number}")


def _table(part: Part, number: int) -> Element:
    """A table that scrolls by itself where it is too wide; folded away if it is long.

    Its caption is its name when it is read aloud, or the title of the part if it has none.
    """
    table = part.tables[number]
    caption = f"{part.identity}-table-{number + 1}"
    named = {"aria_labelledby": caption if table.caption else _heading(part)}
    shown = table.caption and not table.folded
    made = element(
        "table",
        element("caption", table.caption, id=caption) if shown else None,
        _head(table),
        element("tbody", *(_row(table, number) for number in range(len(table.rows)))),
        class_="figures" if table.left < len(table.columns) else "words",
        **({} if shown else named),
    )
    scrolled = element("div", made, class_="wide", tabindex=0, role="region", **named)
    if not table.folded:
        return scrolled
    return element("details", element("summary", table.caption, id=caption), scrolled)


def _head(table: Table) -> Element | None:
    """The titles of the columns, where there are any."""
    cells = (_cell(table, n, text, heads="col") for n, text in enumerate(table.columns))
    return element("thead", element("tr", *cells)) if any(table.columns) else None


def _row(table: Table, number: int) -> Element:
    """A row, which its first cell is the heading of."""
    first, *others = table.rows[number]
    cells = (_cell(table, n, text) for n, text in enumerate(others, start=1))
    style = {"class_": "warning"} if number in table.marked else {}
    return element("tr", _cell(table, 0, first, heads="row"), *cells, **style)


def _cell(table: Table, number: int, text: str, heads: str = "") -> Element:
    """A cell in column `number`; without a text it is no heading."""
    is_long = number < table.left and len(text) > LONGEST_UNBROKEN
    words = "words long" if is_long else "words"
    style = words if number < table.left else "number"
    content = _breakable(text) if is_long else [text]
    if heads and text:
        return element("th", *content, class_=style, scope=heads)
    return element("td", *content, class_=style)


def _breakable(text: str) -> Iterator[Child]:
    """Yield `text` with places to break a line between the parts of settings and of lists."""
    first, *others = PART_OF_A_SETTING.split(text)
    yield first
    for part in others:
        yield element("wbr")
        yield part
