"""`dovetail trials`: how often solutions are met in searches that go through random parts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Unpack

import typer

from dovetail.cli.options import (
    BackendName,
    Json,
    JsonProgress,
    OnePuzzle,
    SourceFormat,
    with_options,
)
from dovetail.cli.output import print_lines
from dovetail.harness.parameters import SearchParameters, make_jobs


@with_options(SearchParameters)
def trials(
    puzzle: OnePuzzle,
    number: Annotated[int, typer.Option("--trials", metavar="N", help="Number of trials.")],
    remaining: Annotated[
        int,
        typer.Option(metavar="R", help="A trial ends when R pieces remain after a removal."),
    ],
    backend: BackendName = "dlx",
    *,
    source_format: SourceFormat = None,
    as_json: Json = False,
    json_progress: JsonProgress = False,
    **asked: Unpack[SearchParameters],
) -> None:
    """Measure solutions per second in random parts of a search.

    Searches N times, each time in another random order. A trial ends when it
    removes a piece and R pieces then remain to be placed.
    Use trials to compare ways to search a puzzle that is too large to exhaust (Busche 2011).
    """
    from dovetail.cli.jobs import exit_status
    from dovetail.cli.progress import show_run_progress
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.run.job import Trials
    from dovetail.harness.workers.runs import finish, run
    from dovetail.puzzles.loading import load
    from dovetail.reports.describe_result import describe_result

    asked["symmetry"] = asked.get("symmetry") or "unique"
    (job,) = make_jobs((load(one, source_format) for one in [puzzle]), backend, **asked)
    job = replace(job, trials=Trials(number, remaining, job.seed))
    interruption = Interruption()
    with interruption.on_signal(), show_run_progress(job, as_json=json_progress) as progress:
        result = finish(run(job, interruption), progress.update)
    if as_json:
        from dovetail.harness.records.recording import result_fields

        print_lines(json.dumps(result_fields(job, result)))
    else:
        print_lines(describe_result(job, result))
    raise typer.Exit(exit_status(result))
