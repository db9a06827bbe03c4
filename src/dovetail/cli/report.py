"""`dovetail report`: what records of a bench come to, as a page or as figures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.guard import complain

if TYPE_CHECKING:
    from dovetail.harness.records.record import RunRecord
    from dovetail.harness.suite.suite_file import SuitePlan


class Format(StrEnum):
    """What a report can be."""

    HTML = "html"
    MARKDOWN = "md"
    CSV = "csv"


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUNS.jsonl ...",
            help="Files written by bench -o or pytest --benchmark-json; - is standard input.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="REPORT.html|.md|.csv",
            help="File to write: an HTML page, Markdown without pictures, or CSV; - is standard "
            "output.",
        ),
    ],
    suite: Annotated[
        Path | None,
        typer.Option(
            metavar="SUITE",
            help="Name or file of the suite that was run; adds the figures and tables that the "
            "suite defines, and its expected counts.",
        ),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="Output format; default: by the suffix of the file."),
    ] = None,
) -> None:
    """Write a report of recorded runs as HTML, Markdown or CSV.

    Shows disagreements first, then all results.
    """
    from dovetail.cli.output import write_text
    from dovetail.errors import ConfigError
    from dovetail.files.input_bytes import STANDARD_INPUT, place_of
    from dovetail.harness.records.reading import read_records
    from dovetail.harness.suite.bundled import load_suite

    chosen = form or _format_of(output)
    inputs = {path.resolve() for path in (*runs, suite) if path not in (None, STANDARD_INPUT)}
    if output.resolve() in inputs:
        raise ConfigError(f"-o {output} is an input of the report; expected another file")
    plan = None if suite is None else load_suite(suite)
    files = [read_records(path) for path in runs]
    warnings = [file.warning for file in files if file.warning is not None]
    for warning in warnings:
        complain(warning)
    records = [record for file in files for record in file.records]
    if plan is not None and not any(record.job in plan.jobs for record in records):
        named = ", ".join(map(place_of, runs))
        raise ConfigError(
            f"{named} has no run of suite {plan.name} as it is now; the "
            "suite may have changed since the bench"
        )
    write_text(output, _text(chosen, records, plan, warnings))


def _format_of(output: Path) -> Format:
    """Return the format by the suffix of the file; HTML on standard output."""
    from dovetail.cli.output import STANDARD_OUTPUT
    from dovetail.errors import ConfigError

    if output == STANDARD_OUTPUT:
        return Format.HTML
    for form in Format:
        if output.suffix.lower() == f".{form}":
            return form
    valid = ", ".join(f".{form}" for form in Format)
    raise ConfigError(f"-o {output}; expected a suffix of {valid}, or --format")


def _text(
    form: Format, records: list[RunRecord], plan: SuitePlan | None, warnings: list[str]
) -> str:
    """The report; as CSV the figures of the suite's exhibits if it has any, else of all jobs."""
    from dovetail.reports.exhibits.page import exhibits_csv
    from dovetail.reports.html import page_html
    from dovetail.reports.markdown import page_markdown
    from dovetail.reports.results.jobs_csv import jobs_csv
    from dovetail.reports.results.page import report_page, report_results

    if form is Format.CSV:
        if plan is not None and plan.exhibits:
            return exhibits_csv(plan, records)
        return jobs_csv(report_results(records, plan))
    page = report_page(records, plan, warnings)
    return page_markdown(page) if form is Format.MARKDOWN else page_html(page)
