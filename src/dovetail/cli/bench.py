"""`dovetail bench`: run a suite, or puzzles by backends, and compare."""

from __future__ import annotations

import json
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from dovetail.cli import suggestions
from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_WRONG
from dovetail.cli.guard import complain
from dovetail.cli.options import Backends, JsonProgress, SourceFormat, with_options
from dovetail.cli.output import print_lines
from dovetail.cli.parallel_options import PARALLEL_OPTIONS, with_parallel_options
from dovetail.errors import how_many
from dovetail.harness.parameters import SearchParameters
from dovetail.harness.workers.options import ParallelOptions

if TYPE_CHECKING:
    from dovetail.harness.records.record import Record
    from dovetail.harness.records.record_files import RecordStore


# The options that a suite takes, by the names of their parameters.
FOR_SUITES = {
    *("named", "only", "output", "parallel", "cold", "as_json", "json_progress", "allow_commands"),
    *PARALLEL_OPTIONS,
}


@with_parallel_options
@with_options(SearchParameters)
def bench(
    context: typer.Context,
    named: Annotated[
        list[str],
        typer.Argument(
            metavar="SUITE|PUZZLE",
            help="One suite, as a name (see `dovetail list suites`) or TOML file; or catalogue "
            "names and puzzle files. - is standard input.",
            autocompletion=suggestions.suites_and_puzzles,
        ),
    ],
    backend: Backends = None,
    repeats: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Number of runs of each puzzle with each backend."),
    ] = 1,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|TAG,...",
            help="Run only the parts of a suite with these names, puzzles or tags.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="RUNS.jsonl",
            help="Append the record of each run to this file; skip runs that it already holds.",
        ),
    ] = None,
    parallel: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=1024,
            help="Number of parallel runs; more than 1 makes times less accurate.",
        ),
    ] = 1,
    *,
    cold: Annotated[
        bool,
        typer.Option(
            "--cold",
            help="Start each run with an empty cache of compiled kernels, so that its warm-up "
            "includes compiling, as for a new user. Not with --jobs, --cluster or --checkpoint.",
        ),
    ] = False,
    source_format: SourceFormat = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the results, one JSON object per line.")
    ] = False,
    json_progress: JsonProgress = False,
    spread: ParallelOptions,
    **asked: Unpack[SearchParameters],
) -> None:
    """Run a suite, or puzzles with backends, and check every count.

    Runs each job in a separate process. A suite defines its own settings and accepts only --only,
    -o, --parallel, --cold, --json, --json-progress and the options for workers and checkpoints.
    With puzzles, all options apply. Without -b, runs every puzzle with all backends that are always
    installed and support it.
    """
    from dovetail.backends.command.permission import NEEDS_PERMISSION
    from dovetail.cli.bench_plan import plan_of_words
    from dovetail.cli.garbage import collect_by_default
    from dovetail.cli.progress import show_bench_progress
    from dovetail.harness.records.published import published_rows
    from dovetail.harness.records.record_files import RecordStore
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.suite.bench import plan_results, run_plan
    from dovetail.models.outcome import Status
    from dovetail.reports.published import print_published
    from dovetail.reports.terminal import print_results

    collect_by_default()
    plan = plan_of_words(named, backend, repeats, asked, _given_for_puzzles(context), source_format)
    if plan.left_out is not None:
        complain(plan.left_out)
    if only is not None:
        plan = plan.only(name.strip() for name in only.split(","))
    if cold:
        plan = plan.with_cold_starts()
    interruption = Interruption()
    with nullcontext() if output is None else RecordStore(output) as store:
        records = [] if store is None else _resumed(store)
        with interruption.on_signal():
            progress = show_bench_progress(plan, records, parallel, as_json=json_progress)
            with progress:
                running = run_plan(
                    plan,
                    store=store,
                    parallel=parallel,
                    interruption=interruption,
                    on_begin=progress.state.begin,
                    spread=spread,
                )
                records += progress.track(running)
    results = plan_results(plan, records)
    if as_json:
        for record in results:
            print_lines(json.dumps(record.json_fields()))
    else:
        print_results(results)
        rows = published_rows(results)
        if rows:
            print_published(rows)
        if output is not None:
            # exhibits of a suite show its jobs without a cold start
            exhibits = ["--suite", named[0]] if plan.exhibits and not cold else []
            words = ["dovetail", "report", str(output), *exhibits, "-o", "REPORT.html"]
            print_lines(f"for a page with charts, run: {shlex.join(words)}")
    forbidden = sum(record.result.reason == NEEDS_PERMISSION for record in results)
    if forbidden:
        complain(f"{how_many(forbidden, 'run')} refused: to run programs, pass --allow-commands")
    if interruption.requested:
        raise typer.Exit(EXIT_INTERRUPTED)
    if any(record.result.status.is_error for record in results):
        raise typer.Exit(EXIT_WRONG)
    if results and all(record.result.status == Status.SKIPPED for record in results):
        complain("every run was refused, so nothing was compared")
        raise typer.Exit(EXIT_BAD_INPUT)


def _given_for_puzzles(context: typer.Context) -> list[str]:
    """Return the options on the command line that are for puzzles, as they are spelled."""
    return [
        one.opts[0]
        for one in context.command.params
        if one.name is not None and one.name not in FOR_SUITES
        if getattr(context.get_parameter_source(one.name), "name", "") == "COMMANDLINE"
    ]


def _resumed(store: RecordStore) -> list[Record]:
    """The records that are there, and a word on what one should know of them."""
    from dovetail.harness.records.environment import environment

    if store.torn_bytes:
        complain(
            f"{store.path}: the last line was incomplete ({how_many(store.torn_bytes, 'byte')}); "
            "repeating its run"
        )
    here = environment()
    others = sum(record.environment != here for record in store.records)
    if others:
        complain(
            f"{store.path}: {others} of {how_many(len(store.records), 'record')} "
            f"{'has' if others == 1 else 'have'} a different machine, version or commit than this "
            "run"
        )
    return list(store.records)
