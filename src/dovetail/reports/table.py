"""The comparison table of a suite's records, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dovetail.harness.record import Record
from dovetail.harness.sizes import show_size
from dovetail.models.outcome import Status
from dovetail.reports.numbers import (
    ABSENT,
    show_count,
    show_rate,
    show_ratio,
    show_seconds,
    show_whole,
)
from dovetail.reports.terminal import empty_table, output_console, print_fitting

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
        "question; total = prepare + solve + check, without warm-up (JIT, imports). Nodes compare\n"
        "between backends only where they mean the same.",
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
        console.print(line, style=style, markup=False, highlight=False)


def _table(records: Sequence[Record], columns: Sequence[str]) -> Table:
    table = empty_table(["puzzle", *columns], left=("puzzle", "backend"))
    questions: dict[tuple[str, str, str, bool], list[Record]] = {}
    for record in records:
        key = (
            record["puzzle"],
            record["digest"],
            record["symmetry"],
            record["config"]["labelled"],
        )
        questions.setdefault(key, []).append(record)
    for (puzzle, _, symmetry, labelled), answers in questions.items():
        title = puzzle + ("" if symmetry == "all" else f" ({symmetry})")
        title += " labelled" if labelled else ""
        finished = [record for record in answers if record["status"] == Status.EXHAUSTED]
        best_solve = min((record["solve_s"] for record in finished), default=None)
        best_total = min((record["total_s"] for record in finished), default=None)
        for record in answers:
            cells = _cells(record, best_solve, best_total)
            table.add_row(
                escape(title) if record is answers[0] else "",
                *(cells[column] for column in columns),
                style="red" if record["status"] in BAD else None,
                end_section=record is answers[-1],
            )
    return table


def _cells(record: Record, best_solve: float | None, best_total: float | None) -> dict[str, str]:
    """The cells of one record by column."""
    name = escape(record["backend"] + show_settings(record))
    status = record["status"]
    if status == Status.SKIPPED:
        return dict.fromkeys(COLUMNS, "") | {"backend": name, "solutions": "refused"}
    count = show_count(record["count"], exact=status in (Status.EXHAUSTED, Status.WRONG))
    if status != Status.EXHAUSTED:
        count = f"{status} {count}"
    ratios = (ABSENT, ABSENT)
    if status == Status.EXHAUSTED and best_solve is not None:
        assert best_total is not None
        ratios = (
            show_ratio(record["solve_s"], best_solve),
            show_ratio(record["total_s"], best_total),
        )
    peak = record["peak_bytes"]
    values = (
        name,
        count,
        show_rate(record["count"], record["solve_s"]),
        show_whole(record["nodes"]),
        show_whole(record["attempts"]),
        show_seconds(record["prepare_s"]),
        show_seconds(record["solve_s"]),
        ABSENT if peak is None else show_size(peak),
        *ratios,
    )
    return dict(zip(COLUMNS, values, strict=True))


def show_settings(record: Record) -> str:
    """The backend's own settings, reductions, triggers, as one reads them behind its name."""
    config = record["config"].items()
    own = [f"{key}={_shown(value)}" for key, value in config if key != "labelled"]
    reductions = [f"−{reduction}" for reduction in record["reductions"]]
    triggers = [f"!{trigger}" for trigger in record.get("triggers", ())]
    trials = record.get("trials")
    asked = [f"{trials['count']:,} trials"] if trials else []
    return "".join(f" {word}" for word in [*own, *reductions, *triggers, *asked])


def _shown(value: object) -> str:
    """A setting as one would write it behind -c."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
