"""`dovetail bench`: run a suite and compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dovetail.cli.exits import EXIT_INTERRUPTED, EXIT_WRONG


def bench(
    suite: Annotated[Path, typer.Argument(metavar="SUITE", help="A suite file (TOML).")],
    only: Annotated[
        str | None,
        typer.Option(metavar="NAME|TAG,…", help="Only these puzzles, or puzzles so tagged."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="RUNS.jsonl", help="Append each record here."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the records, one JSON object per line.")
    ] = False,
) -> None:
    """Run a suite: puzzles by backends by configs, one process each, every count checked."""
    from dovetail.harness.bench import run_plan
    from dovetail.harness.crosscheck import judged
    from dovetail.harness.interruption import Interruption
    from dovetail.harness.suite import read_suite
    from dovetail.models.outcome import Status
    from dovetail.reports.table import print_comparison

    plan = read_suite(suite)
    if only is not None:
        plan = plan.only(name.strip() for name in only.split(","))
    records: list[dict[str, Any]] = []
    interruption = Interruption()
    with interruption.on_signal():
        for record in run_plan(plan, interruption, output):
            records.append(record)
            if sys.stderr.isatty():
                done = f"{len(records)} of {len(plan.runs)}"
                sys.stderr.write(f"\r{done}: {record['puzzle']}, {record['backend']}\x1b[K")
                sys.stderr.flush()
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    records = judged(records)
    if as_json:
        for record in records:
            typer.echo(json.dumps(record, ensure_ascii=False))
    else:
        print_comparison(records)
    if interruption.requested:
        raise typer.Exit(EXIT_INTERRUPTED)
    bad = any(record["status"] in (Status.WRONG, Status.FAILED) for record in records)
    raise typer.Exit(EXIT_WRONG if bad else 0)
