"""Tables: columns, the items in the rows, and CSV.

A column computes its value and its text from the item of a row, so no cell is found by its
position. `terminal`, `html` and `markup` write tables in the other formats.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, TypeVar

from dovetail.harness.sizes import show_size
from dovetail.printable import printable
from dovetail.reports.numbers import ABSENT, show_seconds, show_whole

FORMULA = ("=", "+", "-", "@")
# Shades of a cell: 0 is the strongest, 4 the weakest; 5 is grey, for a run without an answer.
MIN_SHADE, MAX_SHADE = 0, 5

Item = TypeVar("Item")
Other = TypeVar("Other")


class Topic(StrEnum):
    """Kinds of subjects that have pages or files in a site; each value is the name of a folder."""

    PUZZLE = "puzzles"
    SOLVER = "solvers"
    COMPUTER = "machines"
    FAMILY = "families"
    FILE = "records"


# The subject of a cell: the digest of a puzzle, the name of a solver or of a backend, a `Computer`,
# the name of a family, or the address of a file.
Link = tuple[Topic, Hashable]


def _show_plain(value: object) -> str:
    return show_whole(value) if isinstance(value, int) else str(value)


# Formatters of values by the unit of the column.
FORMATTERS: dict[str, Callable[[Any], str]] = {
    "": _show_plain,
    "s": show_seconds,
    "bytes": show_size,
}


@dataclass(frozen=True)
class Column(Generic[Item]):
    """A column of tables whose rows are about items of the same type."""

    title: str
    # The value for an item: a number, a text, or None if it is unknown.
    value: Callable[[Item], object]
    # Formatter of the value; by default, the formatter of the unit.
    show: Callable[[Any], str] | None = None
    # Unit of the value: "s", "bytes", or empty.
    unit: str = ""
    # Name of the column in CSV files and in lists of columns; by default, the title.
    field: str = ""
    # True if the column is aligned to the left and may be wrapped.
    words: bool = False
    # The shade of the cell, from `MIN_SHADE` to `MAX_SHADE`; None for a cell without a shade.
    shade: Callable[[Item], int | None] | None = None
    # The subject of the cell; sites link the cell to the page of the subject.
    link: Callable[[Item], Link | None] | None = None

    @property
    def name(self) -> str:
        """Name of the column in CSV files and in lists of columns."""
        return self.field or self.title

    def text(self, item: Item) -> str:
        """Return the text of the cell; a dash for an unknown value."""
        value = self.value(item)
        if value is None:
            return ABSENT
        if isinstance(value, str) and self.show is None:
            return value
        return (self.show or FORMATTERS[self.unit])(value)

    def over(self, item_of: Callable[[Other], Item | None], title: str = "") -> Column[Other]:
        """Return this column for tables whose rows are about items of another type.

        `item_of` returns the item of this column's type for a row; if it returns None, the cell has
        no value. `title` replaces the title, but not the name, unless it is empty.
        """

        def of_item(function: Callable[[Item], Any]) -> Callable[[Other], Any]:
            return lambda other: None if (item := item_of(other)) is None else function(item)

        return Column(
            title or self.title,
            of_item(self.value),
            self.show,
            self.unit,
            self.name,
            self.words,
            self.shade and of_item(self.shade),
            self.link and of_item(self.link),
        )


@dataclass(frozen=True, eq=False)
class Table:
    """Columns, and the item of each row."""

    columns: Sequence[Column[Any]]
    items: Sequence[Any]
    caption: str = ""
    # True if a page shows only the caption until the reader opens the table.
    folded: bool = False
    # Returns a true value if the row of an item reports an error; the row is shown in red.
    marked: Callable[[Any], object] = lambda _: False
    # Returns the group of an item. A terminal separates groups by lines, and shows the first column
    # only at the beginning of a group.
    group: Callable[[Any], Hashable] | None = None
    # Names of columns that a narrow terminal omits, in this order.
    dispensable: Sequence[str] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the columns."""
        return tuple(column.title for column in self.columns)

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Texts of the cells by row."""
        return tuple(tuple(column.text(item) for column in self.columns) for item in self.items)

    @cached_property
    def is_shaded(self) -> bool:
        """True if a column has shades."""
        return any(column.shade is not None for column in self.columns)

    def without(self, *names: str) -> Table:
        """Return the table without the columns with these names."""
        kept = [column for column in self.columns if column.name not in names]
        return replace(self, columns=kept)


def linked(
    topic: Topic,
    title: str,
    name_of: Callable[[Item], str],
    show: Callable[[str], str] | None = None,
) -> Column[Item]:
    """Return a column of the names of subjects, which sites link to their pages."""
    return Column(title, name_of, show, words=True, link=lambda item: (topic, name_of(item)))


def by_name(*columns: Column[Item]) -> dict[str, Column[Item]]:
    """Return the columns by `Column.name`."""
    return {column.name: column for column in columns}


def text_table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    *,
    words: int = 1,
    **options: Any,
) -> Table:
    """Return a table of texts whose first `words` columns are columns of words.

    `options` are fields of `Table`.
    """
    columns = [
        Column[Sequence[str]](title, itemgetter(number), words=number < words)
        for number, title in enumerate(titles)
    ]
    return Table(columns, rows, caption, **options)


def facts_table(facts: Iterable[tuple[str, str]], caption: str = "") -> Table:
    """Return a table of names and texts, without a head."""
    return text_table(("", ""), tuple(facts), caption, words=2)


def table_lines(table: Table) -> list[str]:
    """Return a table as indented lines of text without rules and without its caption."""
    rows = [table.titles, *table.rows] if any(table.titles) else table.rows
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = (
            cell.ljust(width) if column.words else cell.rjust(width)
            for column, cell, width in zip(table.columns, row, widths, strict=True)
        )
        lines.append(f"  {'  '.join(cells)}".rstrip())
    return lines


def narrowed(limits: Sequence[tuple[int, int]], width: int) -> list[int]:
    """Return widths of columns with a sum of at most `width`, if the least widths permit it.

    `limits` are the least and the natural width of each column. The widest columns become narrower.
    """
    widths = [natural for _, natural in limits]
    while sum(widths) > width:
        wide = [n for n, (least, _) in enumerate(limits) if widths[n] > least]
        if not wide:
            break
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def table_csv(table: Table) -> str:
    """Return a table as CSV: a header, and the values of each row."""
    header = [column.name for column in table.columns]
    lines = ([column.value(item) for column in table.columns] for item in table.items)
    return csv_lines([header, *lines])


def csv_lines(rows: Iterable[Iterable[object]], digits: int | None = None) -> str:
    """Return rows as CSV, with empty cells for None and texts by `csv_text`.

    With `digits`, floats are rounded to this number of significant digits.
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerows([_csv_cell(value, digits) for value in row] for row in rows)
    return lines.getvalue()


def csv_text(text: str) -> str:
    """Return a text with marks for characters that cannot be printed.

    An apostrophe precedes a text that a spreadsheet would read as a formula.
    """
    safe = printable(text, keep="\n")
    return f"'{safe}" if safe.lstrip().startswith(FORMULA) else safe


def _csv_cell(value: object, digits: int | None) -> object:
    if isinstance(value, str):
        return csv_text(value)
    return f"{value:.{digits}g}" if digits and isinstance(value, float) else value
