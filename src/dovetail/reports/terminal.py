"""What tables for a terminal have in common: their style, and how they fit its width."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from dovetail.printable import printable

UNBOUNDED = 1_000_000  # columns, more than any line has


def output_console() -> Console:
    """Return standard output: as wide as the terminal, unbounded where there is no terminal.

    Rich alone would take FORCE_COLOR, which many CI services set, for a terminal of 80 columns.
    """
    console = Console()
    return console if console.file.isatty() else Console(width=UNBOUNDED)


def plain_text(text: str, style: str = "") -> Text:
    """`text` in one line, in which nothing is taken for markup or for a terminal's commands."""
    return Text(printable(text.replace("\n", " ")), style=style)


def empty_table(columns: Sequence[str], left: Collection[str]) -> Table:
    """Return a table without rows: words, which may wrap, in the columns `left`, then numbers."""
    table = Table(header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD)
    for column in columns:
        if column in left:
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column, justify="right", no_wrap=True)
    return table


def print_fitting(
    build: Callable[[Sequence[str]], Table],
    columns: Sequence[str],
    dispensable: Sequence[str],
    console: Console,
) -> None:
    """Print the table that `build` makes of `columns`, cutting nothing off.

    On a console too narrow for it, `dispensable` columns are left out, in their order, and named
    below the table. If the others are still too wide, words are wrapped; if single words are too
    long for that, each row becomes a list of its cells.
    """
    shown = list(columns)
    table = build(shown)
    for column in dispensable:
        if _natural_width(table) <= console.width:
            break
        shown.remove(column)
        table = build(shown)
    console.print(table if _wrap_words(table, console.width) else _as_lists(table))
    left_out = [column for column in columns if column not in shown]
    if left_out:
        console.print(f"hidden columns (narrow terminal): {', '.join(left_out)}", style="dim")


def _natural_width(table: Table) -> int:
    return Console(width=UNBOUNDED).measure(table).maximum


def _wrap_words(table: Table, width: int) -> bool:
    """Narrow the widest columns of words until the table fits; return whether it does."""
    measures = [_measure(column) for column in table.columns]
    widths = [longest_line for _, longest_line in measures]
    excess = _natural_width(table) - width
    for _ in range(excess):
        narrowable = [n for n, (narrowest, _) in enumerate(measures) if widths[n] > narrowest]
        if not narrowable:
            return False
        widths[max(narrowable, key=widths.__getitem__)] -= 1
    for column, chosen in zip(table.columns, widths, strict=True):
        column.width = chosen
    return True


def _measure(column: Column) -> tuple[int, int]:
    """Return the least and the natural width of a column; words are not broken."""
    console = Console(width=UNBOUNDED)
    cells = [console.measure(cell) for cell in (column.header, *column.cells)]
    natural = max(cell.maximum for cell in cells)
    return natural if column.no_wrap else max(cell.minimum for cell in cells), natural


def _as_lists(table: Table) -> Table:
    """Return a table with a line for each cell that is not empty, behind its column's name."""
    lists = Table(show_header=False, pad_edge=False, box=box.SIMPLE_HEAD)
    lists.add_column(style="bold", overflow="fold")
    lists.add_column(overflow="fold")
    names = [column.header for column in table.columns]
    rows = zip(*(column.cells for column in table.columns), strict=True)
    for row, cells in zip(table.rows, rows, strict=True):
        for name, cell in zip(names, cells, strict=True):
            if cell:
                lists.add_row(name, cell, style=row.style)
        lists.add_section()
    return lists
