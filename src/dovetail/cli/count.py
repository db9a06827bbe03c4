"""`dovetail count`: the number of solutions."""

from __future__ import annotations

import json
from itertools import chain

import typer

from dovetail.cli.options import (
    AnyBackendName,
    ConfigWords,
    Json,
    JsonProgress,
    MemoryLimit,
    NodeLimit,
    Puzzles,
    RandomSeed,
    Reductions,
    SymmetryName,
    TimeLimit,
    Triggers,
)
from dovetail.cli.output import print_lines
from dovetail.harness.planning import AUTO


def count(
    puzzles: Puzzles,
    backend: AnyBackendName = AUTO,
    config: ConfigWords = None,
    symmetry: SymmetryName = "unique",
    reduce: Reductions = None,
    trigger: Triggers = None,
    random: RandomSeed = None,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
    memory_limit: MemoryLimit = None,
    as_json: Json = False,
    json_progress: JsonProgress = False,
) -> None:
    """Count the solutions of puzzles."""
    from dovetail.cli.jobs import exit_status, make_jobs, make_limits, worst
    from dovetail.cli.progress import run_progress
    from dovetail.harness.execution.launch import finish, run
    from dovetail.harness.records.recording import result_fields
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.run.job import RandomOrder
    from dovetail.puzzles.loading import load_all
    from dovetail.reports.describe import describe_result

    limits = make_limits(time_limit, node_limit, memory_limit)
    jobs = make_jobs(
        chain.from_iterable(map(load_all, puzzles)),
        backend,
        config or [],
        symmetry,
        limits,
        reduce or [],
        triggers=trigger or [],
        random=None if random is None else RandomOrder(random),
    )
    statuses = []
    interruption = Interruption()
    with interruption.on_signal():
        for job in jobs:
            with run_progress(job, as_json=json_progress) as progress:
                finished = finish(progress.watch(run(job, interruption)))
            if as_json:
                print_lines(json.dumps(result_fields(job, finished).json_fields()))
            else:
                print_lines(describe_result(job, finished))
            statuses.append(exit_status(finished))
            if interruption.requested:
                break
    raise typer.Exit(worst(statuses))
