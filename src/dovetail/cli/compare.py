"""`dovetail compare`: what is different between two files of runs."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.exits import EXIT_WRONG
from dovetail.cli.guard import complain

if TYPE_CHECKING:
    from dovetail.harness.readable import Readable


class Form(StrEnum):
    """How it is written."""

    TEXT = "text"
    MARKDOWN = "md"


class Fault(StrEnum):
    """What a change may be that is not an error by itself."""

    NODES = "nodes"
    SLOWER = "slower"
    UNFINISHED = "unfinished"


def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD.jsonl", help="What bench -o has written.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.jsonl", help="The same, later.")],
    fail_on: Annotated[
        list[Fault] | None,
        typer.Option(
            "--fail-on",
            help="Exit with 1 for this as well: other nodes, beyond-spread times, unfinished runs.",
        ),
    ] = None,
    tolerance: Annotated[
        float, typer.Option(metavar="PERCENT", min=0.0, help="Costs that differ by less are equal.")
    ] = 5.0,
    every_job: Annotated[
        bool, typer.Option("--all", help="Show what every job costs, not only those that changed.")
    ] = False,
    form: Annotated[Form, typer.Option("--format", help="For people: text, or Markdown.")] = (
        Form.TEXT
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare two files of runs, job by job: counts, nodes, times beyond their spread.

    Exit status 0 when nothing is wrong, 1 when a count has changed or is wrong, a run fails that
    did not, or what --fail-on names has happened; 2 for files that cannot be used.
    """
    from dovetail.harness.changes.comparison import compared
    from dovetail.harness.readable import readable_records
    from dovetail.reports.changes import Compared, changes_fields, changes_page, print_changes
    from dovetail.reports.markdown import page_markdown

    before, after = readable_records(old), readable_records(new)
    comparison = compared(before.records, after.records, tolerance / 100)
    told = Compared(old, new, _passed_over(before, after), comparison)
    failed = comparison.is_wrong or not comparison.kinds.isdisjoint(fail_on or [])
    if as_json:
        typer.echo(json.dumps({**changes_fields(told), "failed": failed}))
    elif form == Form.MARKDOWN:
        typer.echo(page_markdown(changes_page(told, every_job=every_job)), nl=False)
    else:
        print_changes(changes_page(told, every_job=every_job))
    raise typer.Exit(EXIT_WRONG if failed else 0)


def _passed_over(*read: Readable) -> tuple[str, ...]:
    """What is said of lines that are no records, here and on standard error."""
    said = tuple(words for one in read if (words := one.said()) is not None)
    for words in said:
        complain(words)
    return said
