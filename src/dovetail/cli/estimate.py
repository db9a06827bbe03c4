"""`dovetail estimate`: how large a search is, and how long it would take."""

from __future__ import annotations

import json
from typing import Annotated, Unpack

import typer

from dovetail.cli.exits import EXIT_LIMIT
from dovetail.cli.options import (
    AnyBackendName,
    Json,
    JsonProgress,
    Puzzles,
    SourceFormat,
    with_options,
)
from dovetail.cli.output import print_lines
from dovetail.harness.parameters import ReducedParameters, make_jobs


@with_options(ReducedParameters)
def estimate(
    puzzles: Puzzles,
    backend: AnyBackendName = "auto",
    descents: Annotated[
        int, typer.Option(metavar="N", min=1, help="Approximate number of random probes.")
    ] = 2_000_000,
    time_limit: Annotated[
        str,
        typer.Option(metavar="TIME", help="Stop after this time (preparing and probing): 2m, 1h."),
    ] = "5s",
    *,
    source_format: SourceFormat = None,
    as_json: Json = False,
    json_progress: JsonProgress = False,
    **asked: Unpack[ReducedParameters],
) -> None:
    """Estimate the nodes, solutions and time of a search.

    Uses random probes of the search tree (Knuth 1975), and Owen's model of boards where the probes
    of rows end too early. auto chooses among the solvers whose trees can be probed.
    """
    from dovetail.cli.guard import complain
    from dovetail.cli.progress import show_run_progress
    from dovetail.errors import LimitError
    from dovetail.harness.estimating import estimate as estimated
    from dovetail.harness.estimating import estimate_fields
    from dovetail.harness.progress.run_progress import RunPhase
    from dovetail.puzzles.loading import load_each
    from dovetail.reports.describe_search import describe_estimate

    jobs = make_jobs(load_each(puzzles, source_format), backend, **asked)
    for job in jobs:
        with show_run_progress(job, as_json=json_progress) as progress:
            progress.state.enter(RunPhase.ESTIMATING)
            try:
                result = estimated(job, descents, time_limit, progress.estimated)
            except LimitError as error:
                complain(str(error))
                raise typer.Exit(EXIT_LIMIT) from None
        if as_json:
            print_lines(json.dumps(estimate_fields(result)))
        else:
            print_lines(describe_estimate(result))
