"""A report as Markdown: all that is in it save the pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dovetail.reports.elements import shown
from dovetail.reports.page import Page, Part, Table


def page_markdown(page: Page) -> str:
    """The text of the file."""
    blocks = [f"# {_inline(page.title)}"]
    blocks += [f"**{_inline(page.headline)}**"] if page.headline else []
    blocks.append(_inline(page.about))
    blocks += [f"**{_inline(warning)}**" for warning in page.warnings]
    for part in page.parts:
        blocks += _blocks(part, "##")
        blocks += [] if part.beside is None else _blocks(part.beside, "##")
    return "\n\n".join(block for block in blocks if block) + "\n"


def _blocks(part: Part, heading: str) -> Iterator[str]:
    """The part, unless it has nothing but pictures."""
    if not (part.paragraphs or part.definitions or part.tables or part.parts):
        return
    yield f"{heading} {_inline(part.title)}"
    yield from map(_inline, (*part.paragraphs, *part.definitions))
    for table in part.tables:
        yield _inline(table.caption)
        yield "\n".join(_lines(table))
    for within in part.parts:
        yield from _blocks(within, f"{heading}#")


def _lines(table: Table) -> Iterator[str]:
    yield _line([_inline(column) for column in table.columns])
    yield _line([":--" if n < table.left else "--:" for n in range(len(table.columns))])
    yield from (_line([_inline(cell) for cell in row]) for row in table.rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inline(text: str) -> str:
    """`text` in one line, with what Markdown or HTML would take for markup escaped."""
    one_line = " ".join(shown(text).split())
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", one_line)
