"""`dovetail count`: the number of solutions."""

from __future__ import annotations

import json
from typing import Unpack

import typer

from dovetail.cli.options import (
    AnyBackendName,
    Json,
    JsonProgress,
    Puzzles,
    SourceFormat,
    with_options,
)
from dovetail.cli.output import print_lines
from dovetail.cli.parallel_options import with_parallel_options
from dovetail.harness.parameters import OrderedParameters, make_jobs
from dovetail.harness.planning import AUTO
from dovetail.harness.workers.options import ParallelOptions


@with_parallel_options
@with_options(OrderedParameters)
def count(
    puzzles: Puzzles,
    backend: AnyBackendName = AUTO,
    *,
    source_format: SourceFormat = None,
    as_json: Json = False,
    json_progress: JsonProgress = False,
    spread: ParallelOptions,
    **asked: Unpack[OrderedParameters],
) -> None:
    """Count the solutions of puzzles."""
    from dovetail.cli.jobs import exit_status, worst
    from dovetail.cli.progress import show_run_progress
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.workers.runs import Runs, finish
    from dovetail.puzzles.loading import load_each
    from dovetail.reports.describe_result import describe_result

    jobs = make_jobs(load_each(puzzles, source_format), backend, **asked)
    statuses = []
    interruption = Interruption()
    with interruption.on_signal(), Runs(jobs, spread) as runs:
        for number, job in enumerate(jobs):
            with show_run_progress(job, as_json=json_progress) as progress:
                result = finish(runs.run(number, interruption), progress.update)
            if as_json:
                from dovetail.harness.records.recording import result_fields

                print_lines(json.dumps(result_fields(job, result)))
            else:
                print_lines(describe_result(job, result))
            statuses.append(exit_status(result))
            if interruption.requested:
                break
    raise typer.Exit(worst(statuses))
