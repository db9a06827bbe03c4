"""`dovetail report`: the exhibits of a suite from the records of a bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.guard import complain

SUFFIXES = (".html", ".md", ".csv")


def report(
    runs: Annotated[Path, typer.Argument(metavar="RUNS.jsonl", help="What bench -o has written.")],
    suite: Annotated[
        Path, typer.Option(metavar="SUITE", help="The suite (TOML) whose exhibits to show.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="REPORT.html|.md|.csv",
            help="A page, the same without pictures, or the figures behind it.",
        ),
    ],
) -> None:
    """Show the exhibits of a suite: figures and tables, published beside measured."""
    from dovetail.cli.output import write_text
    from dovetail.errors import ConfigError
    from dovetail.harness.store import read_records
    from dovetail.harness.suite import read_suite
    from dovetail.reports.exhibits.page import exhibits_csv, exhibits_page
    from dovetail.reports.html import page_html
    from dovetail.reports.markdown import page_markdown

    if output.suffix not in SUFFIXES:
        raise ConfigError(f"-o {output}; expected a name that ends in {', '.join(SUFFIXES)}")
    if output.resolve() in (runs.resolve(), suite.resolve()):
        raise ConfigError(f"-o {output} is what the report is made from; expected another name")
    plan = read_suite(suite)
    if not plan.exhibits:
        raise ConfigError(f"{suite} has no exhibits; expected sections [[exhibit]]")
    records, torn_bytes = read_records(runs)
    if torn_bytes:
        complain(f"{runs}: the last line is torn ({torn_bytes} bytes) and passed over")
    if not any(record["job"] in plan.jobs for record in records):
        raise ConfigError(f"{runs} has no run of the suite {plan.name}, as {suite} is now")
    if output.suffix == ".csv":
        text = exhibits_csv(plan, records)
    elif output.suffix == ".md":
        text = page_markdown(exhibits_page(plan, records))
    else:
        text = page_html(exhibits_page(plan, records))
    write_text(output, text)
