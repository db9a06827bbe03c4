"""Tables and pages for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Column as RichColumn
from rich.table import Table as RichTable
from rich.text import Text

from dovetail.errors import how_many
from dovetail.printable import printable
from dovetail.reports.table import narrowed

if TYPE_CHECKING:
    from dovetail.harness.records.record import Record
    from dovetail.reports.page import Page, Section
    from dovetail.reports.table import Table

# Width of output without a terminal, large enough that no line is broken.
UNBOUNDED = 1_000_000
MAX_ROWS = 100  # rows of a table that a page shows
WHOLE = "--format md shows them all"  # every command that prints a page has this option
MARKED = "bold red"
LEGEND = (
    "≥, >: lower bound (a limit stopped the run). ≈: correct only with high probability.\n"
    "× solve, × total: ratio to the fastest finished run of the same question; total =\n"
    "prepare + solve, without warm-up (JIT, imports) and verification. Nodes are placements\n"
    "made; other work: what a solver counts instead, with its unit."
)
LEGEND_OF_SCORES = (
    "median, range: matched edges or tiles of the best boards. bound: score of a solution."
)


def output_console() -> Console:
    """Return a console for standard output.

    The console has the width of the terminal, and is unbounded without a terminal. Rich alone would
    assume 80 columns without a terminal if FORCE_COLOR is set, as many CI services do.
    """
    console = Console()
    return console if console.file.isatty() else Console(width=UNBOUNDED)


def plain_text(text: str, style: str = "") -> Text:
    """Return a text on a single line, without markup and without control characters."""
    return Text(printable(text.replace("\n", " ")), style=style)


def print_results(
    results: Sequence[Record], console: Console | None = None, *, legends: bool = True
) -> None:
    """Print the results of a suite: scores, counts, warnings, and then reasons.

    The reasons are those of refusals, of answers without a search, and of wrong and failed runs.
    `judged` must have set the status of wrong results. With `legends`, the terms are explained.
    """
    from dovetail.harness.records.summary import seed_runs, with_shared_reductions
    from dovetail.models.outcome import Status
    from dovetail.reports.columns import scores_table, summary_table, unlike_conditions

    console = console or output_console()
    counted = [record for record in results if not record.job.improves]
    if len(counted) < len(results):
        print_table(scores_table(seed_runs(results)), console)
        if legends:
            console.print(LEGEND_OF_SCORES, style="dim")
    if counted:
        print_table(summary_table(with_shared_reductions(counted)), console)
        if legends:
            console.print(LEGEND, style="dim")
        for line in unlike_conditions(counted):
            console.print(plain_text(line))
    explained = [record for record in results if record.result.reason]
    for title, style, records in (
        ("refused", "", [r for r in explained if r.result.status is Status.SKIPPED]),
        ("no solution", "", [r for r in explained if r.result.is_finished]),
        ("WRONG OR FAILED", MARKED, [r for r in explained if r.result.status.is_error]),
    ):
        if records:
            console.print(f"\n{title}:", style=style)
        for record in records:
            line = f"  {record.job.puzzle}, {record.job.backend}: {record.result.reason}"
            console.print(plain_text(line), style=style)


def print_page(page: Page, console: Console | None = None) -> None:
    """Print a page without charts, drawings, definitions and folded sections.

    Sections beside other sections are left out, too. Of a folded table, only the caption is
    printed. Other tables are cut off after `MAX_ROWS` rows; a line gives the number of other rows.
    """
    console = console or output_console()
    console.print(plain_text(page.title, "bold"))
    if page.headline:
        console.print(plain_text(page.headline))
    for warning in page.warnings:
        console.print(plain_text(warning, "yellow"))
    if page.about:
        console.print(plain_text(page.about))
    for section in page.sections:
        if not section.folded:
            _print_section(section, console)


def _print_section(section: Section, console: Console) -> None:
    if not section.has_text:
        return
    console.print()
    is_marked = any(table.marked(item) for table in section.tables for item in table.items)
    console.print(plain_text(section.title, MARKED if is_marked else "bold"))
    for table in section.tables:
        if table.folded:
            console.print(plain_text(f"{table.caption}; {WHOLE}", "dim"))
        else:
            print_table(replace(table, items=table.items[:MAX_ROWS]), console)
            more = len(table.items) - MAX_ROWS
            if more > 0:
                console.print(f"{how_many(more, 'more row')}; {WHOLE}", style="dim")
    for paragraph in section.paragraphs:
        console.print(plain_text(paragraph, "dim"))
    for inner in section.sections:
        if not inner.folded:
            _print_section(inner, console)


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table without cutting anything off.

    If the console is too narrow, the dispensable columns are omitted in their order and named below
    the table. If the other columns are still too wide, lines are broken between words. If single
    words are too long, each row becomes a list of its cells.
    """
    console = console or output_console()
    shown = table
    if table.caption:
        console.print(plain_text(table.caption, "dim"))
    for name in table.dispensable:
        if _natural_width(_rich_table(shown)) <= console.width:
            break
        shown = shown.without(name)
    rich_table = _rich_table(shown)
    drawn = rich_table if _wrap_words(rich_table, console.width) else _as_lists(rich_table)
    if console.width < UNBOUNDED:
        console.print(drawn)
    else:  # rich fills lines with spaces, and a pager would wrap them
        with console.capture() as captured:
            console.print(drawn)
        console.file.write(re.sub(" +$", "", captured.get(), flags=re.MULTILINE))
    hidden = [title for title in table.titles if title not in shown.titles]
    if hidden:
        console.print(f"hidden columns (narrow terminal): {', '.join(hidden)}", style="dim")


def _rich_table(table: Table) -> RichTable:
    rich_table = RichTable(
        header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD, show_header=any(table.titles)
    )
    for column in table.columns:
        if column.words:
            rich_table.add_column(plain_text(column.title), overflow="fold")
        else:
            rich_table.add_column(plain_text(column.title), justify="right", no_wrap=True)
    previous: object = None
    for item, (first, *others) in zip(table.items, table.rows, strict=True):
        group = None if table.group is None else table.group(item)
        begins = group is None or group != previous
        if begins and table.group is not None:
            rich_table.add_section()
        style = "red" if table.marked(item) else None
        rich_table.add_row(*map(plain_text, [first if begins else "", *others]), style=style)
        previous = group
    return rich_table


def _natural_width(table: RichTable) -> int:
    return Console(width=UNBOUNDED).measure(table).maximum


def _wrap_words(table: RichTable, width: int) -> bool:
    """Narrow the widest columns of words until the table fits; return False if it cannot fit."""
    limits = [_measure(column) for column in table.columns]
    space = _natural_width(table) - sum(natural for _, natural in limits)
    widths = narrowed(limits, width - space)
    for column, chosen in zip(table.columns, widths, strict=True):
        column.width = chosen
    return sum(widths) + space <= width


def _measure(column: RichColumn) -> tuple[int, int]:
    """Return the minimum width without broken words and the natural width of a column."""
    console = Console(width=UNBOUNDED)
    cells = [console.measure(cell) for cell in (column.header, *column.cells)]
    natural = max(cell.maximum for cell in cells)
    return natural if column.no_wrap else max(cell.minimum for cell in cells), natural


def _as_lists(table: RichTable) -> RichTable:
    """Return a table with a line for each cell that is not empty, with the title of its column."""
    lists = RichTable(show_header=False, pad_edge=False, box=box.SIMPLE_HEAD)
    lists.add_column(style="bold", overflow="fold")
    lists.add_column(overflow="fold")
    titles = [column.header for column in table.columns]
    rows = zip(*(column.cells for column in table.columns), strict=True)
    for row, cells in zip(table.rows, rows, strict=True):
        for title, cell in zip(titles, cells, strict=True):
            if cell:
                lists.add_row(title, cell, style=row.style)
        lists.add_section()
    return lists
