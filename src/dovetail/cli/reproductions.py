"""`dovetail reproductions`: published rows and figures beside what records measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.reporting import PageFormat, RunsArgument, format_of, read_runs


def reproductions(
    runs: RunsArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="PAGE.html|.md",
            help="File to write: an HTML page, or Markdown without pictures; - is standard output "
            "(HTML).",
        ),
    ],
    suite: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SUITE",
            help="Name or file of a suite with published figures; can be repeated.  "
            "[default: all bundled suites that have some]",
        ),
    ] = None,
    form: Annotated[
        PageFormat | None,
        typer.Option("--format", help="Output format; default: by the suffix of the file."),
    ] = None,
) -> None:
    """Show every published row beside its measured figures.

    Says of each row whether it is exact, and if not, why. Rows without a run are listed too.
    """
    from dovetail.cli.output import write_text
    from dovetail.harness.suite.bundled import bundled_suites, load_suite
    from dovetail.reports.html import page_html
    from dovetail.reports.markdown import page_markdown
    from dovetail.reports.reproductions import reproductions_page

    chosen = form or format_of(output, PageFormat)
    plans = [load_suite(one) for one in suite or bundled_suites().values()]
    plans = plans if suite else [plan for plan in plans if plan.has_published]
    records, warnings = read_runs(runs, output, suite or [])
    page = reproductions_page(plans, records, warnings)
    write_text(output, page_markdown(page) if chosen is PageFormat.MARKDOWN else page_html(page))
