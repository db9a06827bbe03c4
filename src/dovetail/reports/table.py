"""The comparison table of a suite's records, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from dovetail.harness.questions import by_question, with_shared_reductions
from dovetail.harness.record import Record
from dovetail.models.outcome import Status
from dovetail.reports.result_cells import cells_of, question_title
from dovetail.reports.terminal import empty_table, output_console, plain_text, print_fitting

BAD = (Status.WRONG, Status.FAILED)
COLUMNS = (
    "backend",
    "solutions",
    "per s",
    "nodes",
    "attempts",
    "prepare",
    "solve",
    "peak",
    "× solve",
    "× total",
)
# What a narrow terminal goes without, first to last.
DISPENSABLE = ("attempts", "per s", "× total", "peak", "prepare", "nodes")


def print_comparison(records: Sequence[Record], console: Console | None = None) -> None:
    """Print the table, then what was refused, has no solution, or is wrong or failed.

    `records` are taken as `judged`: one that contradicts another is marked wrong already.
    """
    console = console or output_console()
    print_fitting(lambda columns: _table(records, columns), COLUMNS, DISPENSABLE, console)
    console.print(
        "≥: a limit cut the run. × solve, × total: times the fastest finished run of the same\n"
        "question; total = prepare + solve, without warm-up (JIT, imports) or verification. Nodes\n"
        "compare between backends only where they mean the same.",
        style="dim",
    )
    _print_reasons("refused", (Status.SKIPPED,), records, console, None)
    _print_reasons("no solution", (Status.EXHAUSTED,), records, console, None)
    _print_reasons("WRONG OR FAILED", BAD, records, console, "bold red")


def _print_reasons(
    title: str,
    statuses: Sequence[Status],
    records: Sequence[Record],
    console: Console,
    style: str | None,
) -> None:
    told = (record for record in records if record["reason"])
    chosen = [record for record in told if record["status"] in statuses]
    if chosen:
        console.print(f"\n{title}:", style=style)
    for record in chosen:
        line = f"  {record['puzzle']}, {record['backend']}: {record['reason']}"
        console.print(plain_text(line), style=style)


def _table(records: Sequence[Record], columns: Sequence[str]) -> Table:
    table = empty_table(["puzzle", *columns], left=("puzzle", "backend"))
    for question, answers in by_question(with_shared_reductions(records)).items():
        for record, cells in zip(answers, cells_of(answers), strict=True):
            table.add_row(
                plain_text(question_title(question, answers)) if record is answers[0] else "",
                *(plain_text(cells[column]) for column in columns),
                style="red" if record["status"] in BAD else None,
                end_section=record is answers[-1],
            )
    return table
