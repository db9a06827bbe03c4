"""`dovetail trials`: how often solutions are met in searches that go through random parts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Unpack

import typer

from dovetail.cli.options import BackendName, Json, JsonProgress, OnePuzzle, with_options
from dovetail.cli.output import print_lines
from dovetail.harness.parameters import SearchParameters, make_jobs


@with_options(SearchParameters)
def trials(
    puzzle: OnePuzzle,
    number: Annotated[int, typer.Option("--trials", metavar="N", help="How many.")],
    remaining: Annotated[
        int,
        typer.Option(metavar="R", help="Each ends when taking back a placement leaves R pieces."),
    ],
    seed: Annotated[int, typer.Option(metavar="S", help="Of the random orders.")] = 0,
    backend: BackendName = "dlx",
    *,
    as_json: Json = False,
    json_progress: JsonProgress = False,
    **asked: Unpack[SearchParameters],
) -> None:
    """Search N times in random orders, each time a small part, and report solutions per second.

    A trial goes down to R pieces, looks at all that can be made of these, and ends when the
    piece before them is taken back. That compares ways to search a puzzle that nobody can
    search to its end (Busche 2011).
    """
    from dovetail.cli.jobs import exit_status
    from dovetail.cli.progress import show_run_progress
    from dovetail.harness.execution.launch import finish, run
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.run.job import Trials
    from dovetail.reports.describe import describe_result

    (job,) = make_jobs([puzzle], backend, **asked)
    job = replace(job, trials=Trials(number, remaining, seed))
    interruption = Interruption()
    with interruption.on_signal(), show_run_progress(job, as_json=json_progress) as progress:
        finished = finish(progress.track(run(job, interruption)))
    if as_json:
        from dovetail.harness.records.recording import result_fields

        print_lines(json.dumps(result_fields(job, finished).json_fields()))
    else:
        print_lines(describe_result(job, finished))
    raise typer.Exit(exit_status(finished))
