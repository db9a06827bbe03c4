"""Pages of sections: reports, sites, reproductions and comparisons.

`html`, `markup` and `terminal` write pages in several formats.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TypeAlias, TypeVar

from dovetail.reports.charts.chart import Chart
from dovetail.reports.pictures.drawing import Figure
from dovetail.reports.table import Table


@cache
def _definitions() -> dict[str, list[str]]:
    text = files("dovetail.reports").joinpath("definitions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def definitions(name: str) -> tuple[str, ...]:
    """Return the paragraphs with this name in `definitions.toml`."""
    return tuple(" ".join(paragraph.split()) for paragraph in _definitions()[name])


Content: TypeAlias = "str | Chart | Table | Figure | Section | None"
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Section:
    """A section of a page."""

    # Unique among the sections of the page.
    identity: str
    title: str
    # Paragraphs, charts, tables, pictures and sections within the section; None is left out. The
    # formats show one kind after another.
    contents: Sequence[Content] = ()
    # True if a page shows only the title until the reader opens the section.
    folded: bool = False
    # Definitions of the figures. HTML shows them on request.
    definitions: tuple[str, ...] = ()
    # Definitions for the charts. Formats without charts omit them.
    about_charts: tuple[str, ...] = ()
    # Section to the right of this section if there is room, otherwise below it.
    beside: Section | None = None

    def all(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Return the contents of a kind in their order."""
        return tuple(content for content in self.contents if isinstance(content, kind))

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Paragraphs among the contents."""
        return self.all(str)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Charts among the contents."""
        return self.all(Chart)

    @property
    def tables(self) -> tuple[Table, ...]:
        """Tables among the contents."""
        return self.all(Table)

    @property
    def drawings(self) -> tuple[Figure, ...]:
        """Pictures that are not charts."""
        return self.all(Figure)

    @property
    def sections(self) -> tuple[Section, ...]:
        """Sections within the section, which the table of contents of the page leaves out."""
        return self.all(Section)

    @property
    def has_text(self) -> bool:
        """True if a format without charts and drawings has something to show."""
        inner = any(section.has_text for section in self.sections)
        return bool(self.paragraphs or self.tables or inner)


@dataclass(frozen=True)
class Page:
    """A page of sections."""

    title: str
    # Sections of the page; None is left out.
    contents: Sequence[Section | None]
    about: str = ""
    warnings: tuple[str, ...] = ()
    # The result in a sentence.
    headline: str = ""
    # Titles and addresses of the main pages of a site; the address of this page is empty.
    navigation: tuple[tuple[str, str], ...] = ()

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Sections of the page, without the sections beside and within these sections."""
        return tuple(filter(None, self.contents))

    @property
    def titled(self) -> Iterator[Section]:
        """Sections in the table of contents: `sections`, and the sections beside them."""
        for section in self.sections:
            yield section
            if section.beside is not None:
                yield section.beside

    @property
    def every_section(self) -> Iterator[Section]:
        """Sections in the table of contents, each followed by the sections directly within it."""
        for section in self.titled:
            yield section
            yield from section.sections
