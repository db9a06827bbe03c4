"""The table of a suite's results, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from dovetail.harness.records.questions import by_question
from dovetail.harness.records.record import Record
from dovetail.harness.records.summary import with_shared_reductions
from dovetail.models.outcome import Status
from dovetail.reports.improvement_table import print_improvements
from dovetail.reports.result_cells import automatic_reductions, cells_of, question_title
from dovetail.reports.terminal import empty_table, output_console, plain_text, print_fitting

COLUMNS = (
    "backend",
    "solutions",
    "per s",
    "nodes",
    "attempts",
    "other work",
    "prepare",
    "solve",
    "peak",
    "× solve",
    "× total",
)
# What a narrow terminal goes without, first to last.
DISPENSABLE = ("other work", "attempts", "per s", "× total", "peak", "prepare", "nodes")


def print_results(results: Sequence[Record], console: Console | None = None) -> None:
    """Print the table, that of improvements, then what was refused, has no solution or is wrong.

    `results` are taken as `judged`: one that contradicts another is marked wrong already.
    """
    console = console or output_console()
    counted = [record for record in results if not record.job.improves]
    if len(counted) < len(results):
        print_improvements(results, console)
    if counted:
        _print_counts(counted, console)
    explained = [record for record in results if record.result.reason]
    refused = [record for record in explained if record.result.status == Status.SKIPPED]
    empty = [record for record in explained if record.result.is_finished]
    _print_reasons("refused", refused, console, None)
    _print_reasons("no solution", empty, console, None)
    bad = [record for record in explained if record.result.status.is_error]
    _print_reasons("WRONG OR FAILED", bad, console, "bold red")


def _print_counts(results: Sequence[Record], console: Console) -> None:
    """Print the table of solutions, nodes and times, what its columns are, and warnings."""
    print_fitting(lambda columns: _table(results, columns), COLUMNS, DISPENSABLE, console)
    console.print(
        "≥, >: lower bound (a limit stopped the run). ≈: correct only with high probability.\n"
        "× solve, × total: ratio to the fastest finished run of the same question; total =\n"
        "prepare + solve, without warm-up (JIT, imports) and verification. Nodes are placements\n"
        "made; other work: what a solver counts instead, with its unit.",
        style="dim",
    )
    for line in _unlike(results):
        console.print(plain_text(line))


def _unlike(results: Sequence[Record]) -> Iterator[str]:
    """Yield a warning for each question of which only some solvers broke the symmetry."""
    for question, answers in by_question(with_shared_reductions(results)).items():
        searched = [answer for answer in answers if answer.result.is_finished]
        did = dict.fromkeys(one.job.backend for one in searched if automatic_reductions(one))
        did_not = dict.fromkeys(one.job.backend for one in searched if not one.job.reductions)
        plain = [name for name in did_not if name not in did]
        if did and plain:
            yield (
                f"{question.title}: {', '.join(did)} broke the symmetry automatically and "
                f"{', '.join(plain)} did not, so their times are not comparable; --reduce "
                "redundancy breaks it for all"
            )
        workers = sorted({one.result.workers for one in searched})
        if len(workers) > 1:
            numbers = ", ".join(workers)
            yield f"{question.title}: the runs had {numbers} workers, so times are not comparable"


def _print_reasons(
    title: str, results: Sequence[Record], console: Console, style: str | None
) -> None:
    if results:
        console.print(f"\n{title}:", style=style)
    for record in results:
        line = f"  {record.job.puzzle}, {record.job.backend}: {record.result.reason}"
        console.print(plain_text(line), style=style)


def _table(results: Sequence[Record], columns: Sequence[str]) -> Table:
    table = empty_table(["puzzle", *columns], left=("puzzle", "backend"))
    for question, answers in by_question(with_shared_reductions(results)).items():
        for record, cells in zip(answers, cells_of(answers), strict=True):
            table.add_row(
                plain_text(question_title(question, answers)) if record is answers[0] else "",
                *(plain_text(cells[column]) for column in columns),
                style="red" if record.result.status.is_error else None,
                end_section=record is answers[-1],
            )
    return table
