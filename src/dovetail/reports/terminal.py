"""What tables for a terminal have in common: their looks, and the width that there is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

WIDTH_OF_A_FILE = 200


def output_console() -> Console:
    """Standard output: as wide as the terminal, or as a file may be."""
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH_OF_A_FILE)


def empty_table(columns: Sequence[str], left: Collection[str]) -> Table:
    """A table without rows; numbers stand to the right, the columns in `left` do not."""
    table = Table(header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", no_wrap=True)
    return table


def print_fitting(
    build: Callable[[Sequence[str]], Table],
    columns: Sequence[str],
    dispensable: Sequence[str],
    console: Console,
) -> None:
    """Print the table that `build` makes of as many columns as fit; say which do not.

    What is `dispensable` goes in its order.
    """
    unbounded = Console(width=10_000)
    shown = list(columns)
    table = build(shown)
    for column in dispensable:
        if unbounded.measure(table).maximum <= console.width:
            break
        shown.remove(column)
        table = build(shown)
    console.print(table)
    left_out = [column for column in columns if column not in shown]
    if left_out:
        console.print(f"left out for want of width: {', '.join(left_out)}", style="dim")
