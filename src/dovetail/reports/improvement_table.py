"""The table of a suite's improvements, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import seed_runs
from dovetail.reports.results.improvements import COLUMNS, improvement_rows
from dovetail.reports.terminal import empty_table, output_console, plain_text, print_fitting

# What a narrow terminal goes without, first to last.
DISPENSABLE = ("nodes per s", "last improved", "solved", "time limit")


def print_improvements(results: Sequence[Record], console: Console | None = None) -> None:
    """Print the scores of each improver on each board, and a line on what they are."""
    console = console or output_console()
    rows = list(improvement_rows(seed_runs(results)))

    def table(columns: Sequence[str]) -> Table:
        made = empty_table(columns, left=COLUMNS[:2])
        for row in rows:
            made.add_row(*(plain_text(row[column]) for column in columns))
        return made

    print_fitting(table, COLUMNS, DISPENSABLE, console)
    console.print(
        "median, range: matched edges of the best boards, over seeds. bound: score of a solution.",
        style="dim",
    )
