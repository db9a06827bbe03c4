"""A report as one HTML file that needs no other: no request, no font, and scripts within it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from xml.etree.ElementTree import Element

from dovetail.reports.elements import Child, element, html_text
from dovetail.reports.page import Page, Part, Table
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.scripts import policy, script

MAX_UPRIGHT = 9  # columns of a map whose titles are written from left to right
LONGEST_UNBROKEN = 28  # words of a table of figures that stay in one line
PART_OF_A_SETTING = re.compile(r"(?<=[,:=])(?=[^\W\d])")  # stages=|dlx:|s,|fila:|f@11


def page_html(page: Page) -> str:
    """The text of the file. A pair of parts that a page begins with stands before its contents."""
    answer = tuple(part for part in page.parts[:1] if part.beside is not None)
    others = page.parts[len(answer) :]
    made = document(
        page.title,
        _navigation(page) if page.navigation else None,
        element("h1", page.title),
        element("p", page.headline, class_="headline") if page.headline else None,
        element("p", page.about, class_="about") if page.about else None,
        *(element("p", warning, class_="warning") for warning in page.warnings),
        *map(_part, answer),
        element("nav", _contents(page), aria_label="contents") if len(page.parts) > 1 else None,
        *map(_part, others),
        scripts=[*_table_scripts(page), *_chart_scripts(page), *page.scripts],
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


def _table_scripts(page: Page) -> list[str]:
    """What sorts and filters tables, if there are any."""
    if not any(part.tables for part in _all_parts(page)):
        return []
    return [files("dovetail.reports").joinpath("tables.js").read_text(encoding="utf-8")]


def _chart_scripts(page: Page) -> list[str]:
    """What charts need, once however many need it."""
    scripts = (chart.script() for part in _all_parts(page) for chart in part.charts)
    return list(dict.fromkeys(filter(None, scripts)))


def _all_parts(page: Page) -> Iterator[Part]:
    return (one for part in _titled_parts(page) for one in (part, *part.parts))


def _titled_parts(page: Page) -> Iterator[Part]:
    """All parts save those within others."""
    for part in page.parts:
        yield part
        if part.beside is not None:
            yield part.beside


def _navigation(page: Page) -> Element:
    """Links to the main pages of the site; the page itself is marked."""
    items = (
        element("a", title, href=address) if address else element("b", title, aria_current="page")
        for title, address in page.navigation
    )
    return element("nav", element("ul", *(element("li", one) for one in items)), aria_label="site")


def _contents(page: Page) -> Element:
    links = (element("a", part.title, href=f"#{part.identity}") for part in _titled_parts(page))
    return element("ul", *(element("li", link) for link in links))


def _part(part: Part) -> Element:
    made = element(
        "section",
        element("h2", part.title, id=_heading(part)),
        *_content(part),
        *map(_part_within, part.parts),
        id=part.identity,
    )
    return made if part.beside is None else element("div", made, _part(part.beside), class_="pair")


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
    definitions = (*part.definitions, *part.about_charts)
    if definitions:
        asked = element("summary", "?", aria_label=f"definitions: {part.title}")
        paragraphs = (element("p", text) for text in definitions)
        yield element("details", asked, *paragraphs, class_="definitions")
    yield from (element("p", text) for text in part.paragraphs)
    figures = list(_figures(part))
    yield from [element("div", *figures, class_="side-by-side")] if len(figures) > 1 else figures
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
        class_=_style_of(table),
        **({} if shown else named),
    )
    scrolled = element("div", made, class_="wide", tabindex=0, role="region", **named)
    if not table.folded:
        return scrolled
    return element("details", element("summary", table.caption, id=caption), scrolled)


def _style_of(table: Table) -> str:
    """A table of words, of figures, or of figures with shades: a map."""
    if table.left == len(table.columns):
        return "words"
    if not table.shades:
        return "figures"
    return "figures map crowded" if len(table.columns) > MAX_UPRIGHT else "figures map"


def _head(table: Table) -> Element | None:
    """The titles of the columns, where there are any."""
    cells = (_cell(table, n, text, heads="col") for n, text in enumerate(table.columns))
    return element("thead", element("tr", *cells)) if any(table.columns) else None


def _row(table: Table, number: int) -> Element:
    """A row, which its first cell is the heading of."""
    first, *others = table.rows[number]
    shades = table.shades[number] if table.shades else (None,) * len(others)
    places = enumerate(zip(others, shades, strict=True), start=1)
    cells = (_cell(table, n, text, shade=shade) for n, (text, shade) in places)
    style = {"class_": "warning"} if number in table.marked else {}
    return element("tr", _cell(table, 0, first, heads="row"), *cells, **style)


def _cell(
    table: Table, number: int, text: str, heads: str = "", shade: int | None = None
) -> Element:
    """A cell in column `number`; without a text it is no heading."""
    is_long = number < table.left and len(text) > LONGEST_UNBROKEN
    words = "words long" if is_long else "words"
    style = words if number < table.left else "number"
    style += "" if shade is None else f" shade-{shade}"
    content: Iterable[Child] = _breakable(text) if number < table.left else [text]
    address = table.links.get(table.columns[number], {}).get(text)
    if address is not None and heads != "col" and number < table.left:
        content = [element("a", *content, href=address)]
    if heads and text:
        return element("th", *content, class_=style, scope=heads)
    column = {"data_column": table.columns[number]} if table.shades else {}
    return element("td", *content, class_=style, **column)


def _breakable(text: str) -> Iterator[Child]:
    """Yield `text` with places to break a line between the parts of settings and of lists."""
    first, *others = PART_OF_A_SETTING.split(text)
    yield first
    for part in others:
        yield element("wbr")
        yield part
