"""What is in a report, before it is written as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from dovetail.reports.charts.chart import Chart


@dataclass(frozen=True)
class Table:
    """Columns and rows of texts; the first `left` columns hold words, the others numbers.

    Rows whose numbers are in `marked` report something wrong and are shown in red. `shades` has a
    row for each row, with the shade of each cell but the first: from 0, the strongest, to
    `MAX_SHADE`, or None. `links` are the addresses of other pages that texts in columns of words
    lead to, by the title of the column and the text; only HTML has them.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    left: int = 1
    folded: bool = False
    marked: frozenset[int] = frozenset()
    shades: tuple[tuple[int | None, ...], ...] = ()
    links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


MAX_SHADE = 5


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture, as SVG, of a thing and not of figures; `caption` stands below it."""

    svg: Element
    caption: str = ""


@dataclass(frozen=True)
class Part:
    """A heading, paragraphs, pictures and the tables that belong to them.

    `identity` is a word of its own among the parts of a page. `parts` within it stand below,
    each behind its title, and are not in the contents of the page; of these only, `folded`
    ones are shown when one opens them. `definitions` are paragraphs that say what the figures are;
    a page shows them when one asks. `about_charts` are such paragraphs that mean nothing without
    the charts, so Markdown leaves them out. `beside` stands to the right of the part where there is
    room, else below it.
    """

    identity: str
    title: str
    paragraphs: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    parts: tuple[Part, ...] = ()
    folded: bool = False
    definitions: tuple[str, ...] = ()
    about_charts: tuple[str, ...] = ()
    beside: Part | None = None


@dataclass(frozen=True)
class Page:
    """A whole report: the `headline` is what it comes to, in a sentence, then come `warnings`.

    `scripts` run when the page has been read. What charts and tables need of them is not among
    them. `navigation` has the titles and addresses of the main pages of a site that it is one of;
    the address of the page itself is empty.
    """

    title: str
    about: str
    warnings: tuple[str, ...]
    parts: tuple[Part, ...]
    scripts: tuple[str, ...] = ()
    headline: str = ""
    navigation: tuple[tuple[str, str], ...] = ()
