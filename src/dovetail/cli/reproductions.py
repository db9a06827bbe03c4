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
    estimates: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.jsonl",
            help="Estimates written by estimate --json; adds a column of estimated fits. Can be "
            "repeated.",
        ),
    ] = None,
    form: Annotated[
        PageFormat | None,
        typer.Option("--format", help="Output format; default: by the suffix of the file."),
    ] = None,
) -> None:
    """Show every published row beside its measured figures.

    Reports of each row whether it is exact, and if not, why. Rows without a run are listed too.
    """
    from dovetail.cli.output import write_text
    from dovetail.errors import ConfigError
    from dovetail.files.text_file import place_of
    from dovetail.harness.records.record_files import read_estimates
    from dovetail.harness.suite.suite_file import bundled_suites, load_suite
    from dovetail.reports.html import page_html
    from dovetail.reports.markup import page_markdown
    from dovetail.reports.reproductions import reproductions_page

    chosen = form or format_of(output, PageFormat)
    asked = dict.fromkeys(suite or bundled_suites().values())
    plans = [plan for plan in map(load_suite, asked) if plan.has_published]
    if not plans:
        named = ", ".join(map(str, asked))
        raise ConfigError(f"suite {named} has no published rows or figures")
    records, warnings = read_runs(runs, output, [*(suite or []), *(estimates or [])])
    if not any(record.job.digest in plan.jobs for record in records for plan in plans):
        names = ", ".join(plan.name for plan in plans)
        raise ConfigError(f"{', '.join(map(place_of, runs))} has no run of suite {names}")
    estimated = [estimate for path in estimates or [] for estimate in read_estimates(path)]
    page = reproductions_page(plans, records, warnings, estimated)
    write_text(output, page_markdown(page) if chosen is PageFormat.MARKDOWN else page_html(page))
