"""`dovetail report`: what records of a bench come to, as a page or as figures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli.guard import complain
from dovetail.cli.reporting import RunsArgument, format_of, read_runs

if TYPE_CHECKING:
    from dovetail.harness.records.record import Record
    from dovetail.harness.suite.plan import SuitePlan


class Format(StrEnum):
    """Format of a report."""

    HTML = "html"
    MARKDOWN = "md"
    CSV = "csv"
    LATEX = "tex"


def report(
    runs: RunsArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="REPORT.html|.md|.csv|.tex",
            help="File to write: an HTML page, Markdown without pictures, CSV, or tables in LaTeX; "
            "- is standard output. Default: print the verdict and the ranking.",
        ),
    ] = None,
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
    """Print or write a report of recorded runs.

    Shows who is fastest and why, then all results.
    """
    from dovetail.cli.output import STANDARD_OUTPUT, write_text
    from dovetail.errors import ConfigError
    from dovetail.files.text_file import place_of
    from dovetail.harness.suite.suite_file import load_suite
    from dovetail.reports.results.page import report_page
    from dovetail.reports.terminal import print_page

    chosen = form or (None if output is None else format_of(output, Format))
    plan = None if suite is None else load_suite(suite)
    if plan is not None and plan.left_out is not None:
        complain(plan.left_out)
    records, warnings = read_runs(runs, output, [] if suite is None else [suite])
    if plan is not None and not any(record.job.digest in plan.jobs for record in records):
        named = ", ".join(map(place_of, runs))
        raise ConfigError(
            f"{named} has no run of suite {plan.name} as it is now; the "
            "suite may have changed since the bench"
        )
    if chosen is None:
        print_page(report_page(records, plan, warnings))
    else:
        write_text(output or STANDARD_OUTPUT, _text(chosen, records, plan, warnings))


def _text(form: Format, records: list[Record], plan: SuitePlan | None, warnings: list[str]) -> str:
    """The report; as CSV the figures of the suite's exhibits if it has any, else of all jobs."""
    from dovetail.reports.columns import results_csv
    from dovetail.reports.exhibits.measured import exhibits_csv
    from dovetail.reports.html import page_html
    from dovetail.reports.markup import page_latex, page_markdown
    from dovetail.reports.results.page import report_page, report_results

    if form is Format.CSV:
        if plan is not None and plan.exhibits:
            return exhibits_csv(plan, records)
        return results_csv(report_results(records, plan))
    page = report_page(records, plan, warnings)
    writers = {
        Format.HTML: page_html,
        Format.MARKDOWN: page_markdown,
        Format.LATEX: page_latex,
    }
    return writers[form](page)
