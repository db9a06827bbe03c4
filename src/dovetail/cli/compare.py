"""`dovetail compare`: what is different between two files of runs."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.guard import complain
from dovetail.cli.output import print_lines, print_text
from dovetail.errors import FormatError, shorten

if TYPE_CHECKING:
    from dovetail.harness.records.diff.run_diff import RunDiff
    from dovetail.harness.records.record_files import RecordFile

MAX_NAMED = 3


class Form(StrEnum):
    """How it is written."""

    TEXT = "text"
    MARKDOWN = "md"


class Fault(StrEnum):
    """What a change may be that is not an error by itself."""

    NODES = "nodes"
    SLOWER = "slower"
    UNFINISHED = "unfinished"
    REMOVED = "removed"
    LOWER_SCORE = "lower-score"


def compare(
    old: Annotated[
        Path,
        typer.Argument(
            metavar="OLD.jsonl", help="A file written by bench -o; - is standard input."
        ),
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW.jsonl", help="A later file of the same kind.")
    ],
    fail_on: Annotated[
        list[Fault] | None,
        typer.Option(
            "--fail-on",
            help="Also exit with status 1 for changed nodes, times that rose (by the rule above), "
            "unfinished runs, removed jobs or lower scores of improvements. Can be repeated.",
        ),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(
            metavar="PERCENT",
            min=0.0,
            help="Treat costs that differ by less than this percentage as equal.",
        ),
    ] = 5.0,
    every_job: Annotated[
        bool,
        typer.Option("--all", help="Show the costs of every job, not only of those that changed."),
    ] = False,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = (Form.TEXT),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare two files of recorded runs.

    Compares counts by question, nodes and times by job, and scores of improvements by the median
    over seeds. A time counts as changed if the ranges of the repeats do not overlap and the medians
    differ by more than --tolerance. Times need at least three repeats in both files; use five when
    you compare many jobs.

    Exit status: 0 if nothing is wrong; 1 if counts changed or disagree, a count is wrong, a run
    that did not fail before now fails, or --fail-on applies; 2 if a file cannot be read or the
    files have no question in common.
    """
    from dovetail.harness.records.diff.run_diff import diff_runs
    from dovetail.harness.records.record_files import read_records
    from dovetail.reports.diff import FileDiff, diff_fields, diff_page
    from dovetail.reports.markup import page_markdown
    from dovetail.reports.terminal import print_page

    before, after = read_records(old), read_records(new)
    diff = diff_runs(before.records, after.records, tolerance / 100)
    if not diff.questions:
        raise _nothing_in_common(before, after)
    file_diff = FileDiff(old, new, _passed_over(before, after), diff)
    failed = diff.is_wrong or any(_happened(diff, fault) for fault in fail_on or [])
    if as_json:
        print_lines(json.dumps({**diff_fields(file_diff), "failed": failed}))
    elif form == Form.MARKDOWN:
        print_text(page_markdown(diff_page(file_diff, every_job=every_job)))
    else:
        print_page(diff_page(file_diff, every_job=every_job))
    raise typer.Exit(EXIT_WRONG if failed else 0)


def _happened(diff: RunDiff, fault: Fault) -> bool:
    """Whether a fault has happened on which the command is to fail."""
    return bool(diff.removed) if fault == Fault.REMOVED else str(fault) in diff.kinds


def _nothing_in_common(old: RecordFile, new: RecordFile) -> FormatError:
    """Return the error for two files without a question in common, naming some of the old ones."""
    from dovetail.files.text_file import place_of
    from dovetail.harness.records.questions import by_question
    from dovetail.printable import printable

    asked = list(by_question(old.records))
    named = ", ".join(shorten(printable(question.title)) for question in asked[:MAX_NAMED])
    more = f" and {len(asked) - MAX_NAMED} more" if len(asked) > MAX_NAMED else ""
    return FormatError(
        f"no question in common with {place_of(old.path)}; expected some of {named}{more}",
        place_of(new.path),
    )


def _passed_over(*files: RecordFile) -> tuple[str, ...]:
    """The warnings of lines that are no records, here and on standard error."""
    warnings = tuple(file.warning for file in files if file.warning is not None)
    for warning in warnings:
        complain(warning)
    return warnings
