"""`bench` and `ui`: compare solvers on the terminal or in a local page."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli import options
from dovetail.cli.options import advanced, argument, option
from dovetail.cli.output import MESSAGES, complain, print_lines
from dovetail.cli.process import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_WRONG, collect_by_default
from dovetail.cli.progress import show_bench_progress
from dovetail.errors import ConfigError, how_many
from dovetail.harness.workers.options import AUDITED

if TYPE_CHECKING:
    from dovetail.harness.records.record import Record
    from dovetail.harness.records.record_files import RecordStore
    from dovetail.ui.serving.server import PageServer

# Parameters of `bench` that suites accept.
FOR_SUITES = {
    *("named", "only", "output", "parallel", "cold", "as_json", "_json_progress"),
    *("_allow_commands", "jobs", "checkpoint", "cluster", "subproblem_order", "audit"),
}
NEEDED = ("starlette", "uvicorn")


def bench(
    context: typer.Context,
    named: Annotated[
        list[str],
        argument(
            "SUITE|PUZZLE",
            "Catalogue names and puzzle files, or one suite: a name (see `dovetail list suites`) "
            "or a TOML file. - is standard input.",
            options.suggest_suites_and_puzzles,
        ),
    ],
    backend: Annotated[
        list[str] | None,
        option(
            "--backend -b NAME,...",
            "Solvers; see `dovetail list solvers`. Can be repeated.",
            options.suggest_backends,
        ),
    ] = None,
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    reduce: options.Reductions = None,
    triggers: options.Triggers = None,
    seed: options.Seed = 0,
    repeats: Annotated[
        int, option("--repeats N", "Runs of each puzzle with each backend.", min=1)
    ] = 1,
    only: Annotated[
        str | None,
        option(
            "--only NAME|TAG,...", "Run only parts of a suite with these names, puzzles or tags."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        option(
            "--output -o RUNS.jsonl",
            "Append a record of each run to this file; skip runs that it already holds.",
        ),
    ] = None,
    parallel: Annotated[
        int,
        option(
            "--parallel N", "Parallel runs; more than 1 makes times less accurate.", min=1, max=1024
        ),
    ] = 1,
    limit: options.SolutionLimit = None,
    time_limit: options.TimeLimit = None,
    node_limit: options.NodeLimit = None,
    memory_limit: options.MemorySize = None,
    _allow_commands: options.AllowCommands = False,
    cold: Annotated[
        bool,
        advanced(
            "--cold",
            "Start each run with an empty cache of compiled kernels, as for a new user. Not with "
            "--jobs, --cluster or --checkpoint.",
        ),
    ] = False,
    source_format: options.SourceFormat = None,
    jobs: options.Jobs = 1,
    checkpoint: options.CheckpointPath = None,
    cluster: options.Cluster = None,
    subproblem_order: options.OrderName = "serial",
    audit: options.Audit = AUDITED,
    as_json: options.AsJson = False,
    _json_progress: options.JsonProgress = False,
) -> None:
    """Run a suite, or puzzles with backends, and check every count.

    Runs each job in a separate process. A suite defines its own settings and accepts only --only,
    -o, --parallel, --allow-commands, --cold, --json, --json-progress, -q, -v and the options for
    workers and checkpoints. With puzzles, all options apply. Without -b, runs every puzzle with all
    backends that are always installed and support it.
    """
    from dovetail.cli.jobs import GivenOptions, note_checkpoint
    from dovetail.harness.records.published import published_rows
    from dovetail.harness.records.record_files import RecordStore
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.suite.bench import plan_results, run_plan
    from dovetail.harness.suite.suite_file import plan_named
    from dovetail.reports.exhibits.published import print_published
    from dovetail.reports.rendering.terminal import print_results

    given = GivenOptions(locals())
    question, workers = given.question(), given.workers()
    collect_by_default()
    limited_to_puzzles = _given_for_puzzles(context)
    plan = plan_named(named, backend, repeats, limited_to_puzzles, source_format, **question)
    if plan.left_out is not None:
        complain(plan.left_out)
    if only is not None:
        plan = plan.only(name.strip() for name in only.split(","))
    if cold:
        plan = plan.with_cold_starts()
    interruption = Interruption()
    with nullcontext() if output is None else RecordStore(output) as store:
        records = [] if store is None else _resumed(store)
        known = len(records)
        progress = show_bench_progress(plan, records, parallel)
        with interruption.on_signal(), progress:
            running = run_plan(
                plan,
                store=store,
                parallel=parallel,
                interruption=interruption,
                on_begin=progress.state.begin,
                workers=workers,
            )
            records += progress.track(running)
    results = plan_results(plan, records)
    if as_json:
        for record in results:
            print_lines(json.dumps(record.json_fields()))
    else:
        legends = not MESSAGES.quiet
        print_results(results, legends=legends)
        if rows := published_rows(results):
            print_published(rows, legends=legends)
    if store is not None and store.has_added:
        MESSAGES.note(f"wrote {output}")
    if len(records) > known:
        note_checkpoint(workers)
    if store is not None and (store.records or store.has_added) and not as_json:
        # exhibits of a suite show its jobs without a cold start
        exhibits = ["--suite", named[0]] if plan.exhibits and not cold else []
        words = ["dovetail", "report", str(output), *exhibits, "-o", "REPORT.html"]
        if not MESSAGES.quiet:
            print_lines(f"for a page with charts, run: {shlex.join(words)}")
    raise typer.Exit(_exit_status(results, interrupted=interruption.requested))


def _exit_status(results: Sequence[Record], *, interrupted: bool) -> int:
    """Return the exit status for results; print a message if runs were refused."""
    from dovetail.backends.command.search import NEEDS_PERMISSION
    from dovetail.cli.jobs import exit_status

    forbidden = sum(record.result.reason == NEEDS_PERMISSION for record in results)
    if forbidden:
        complain(f"refused {how_many(forbidden, 'run')}; to run programs, pass --allow-commands")
    if interrupted:
        return EXIT_INTERRUPTED
    statuses = {exit_status(record.result.status) for record in results}
    if EXIT_WRONG in statuses:
        return EXIT_WRONG
    if statuses == {EXIT_BAD_INPUT}:
        complain("every run was refused, so nothing was compared")
        return EXIT_BAD_INPUT
    return 0


def _given_for_puzzles(context: typer.Context) -> list[str]:
    """Return the first names of the options on the command line that suites do not accept."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name is not None and parameter.name not in FOR_SUITES
        if getattr(context.get_parameter_source(parameter.name), "name", "") == "COMMANDLINE"
    ]


def _resumed(store: RecordStore) -> list[Record]:
    """Return the records of the file; warn of an incomplete line and of other environments."""
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


def ui(
    inputs: Annotated[
        list[str] | None,
        argument(
            "PUZZLE|RUNS.jsonl",
            "Puzzles to offer: catalogue names or files; and files of `bench -o` to follow.",
            options.suggest_puzzles,
        ),
    ] = None,
    port: Annotated[int, option("--port N", "Port; 0: any free port.", min=0, max=65535)] = 0,
    browser: Annotated[
        bool, option("--browser/--no-browser", "Open the page in the browser.")
    ] = True,
    source_format: options.SourceFormat = None,
) -> None:
    """Draw puzzles in a local page and watch solvers race on them.

    The page is served to this machine alone. The printed address contains a token, without which
    the page cannot be opened. Ctrl-C ends the server and all its searches. Needs starlette and
    uvicorn (extra ui).
    """
    import webbrowser
    from threading import Thread

    from dovetail.extras import install_command

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(f"the page needs {' and '.join(missing)}: {install_command('ui')}")
    from dovetail.ui.serving.server import serve
    from dovetail.ui.workspace import workspace_of

    def announce(server: PageServer) -> None:
        print_lines(f"{server.address}\n(Ctrl-C ends the server and its searches)")
        if browser:  # in a thread, because some browsers block until they are closed
            Thread(target=webbrowser.open, args=[server.address_once], daemon=True).start()

    collect_by_default()
    serve(workspace_of(inputs or (), source_format), port, announce)
