"""`dovetail estimate`: how large a search is, and how long it would take."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from dovetail.cli.options import (
    BackendName,
    ConfigWords,
    Json,
    JsonProgress,
    Puzzles,
    Reductions,
    SymmetryName,
)
from dovetail.cli.output import print_lines


def estimate(
    puzzles: Puzzles,
    backend: BackendName = "dlx",
    config: ConfigWords = None,
    symmetry: SymmetryName = "unique",
    reduce: Reductions = None,
    descents: Annotated[
        int, typer.Option(metavar="N", min=1, help="About how many random descents to make.")
    ] = 2_000_000,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Which descents.")] = 0,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="S", min=0.0, help="Seconds after which enough descents are made."),
    ] = None,
    as_json: Json = False,
    json_progress: JsonProgress = False,
) -> None:
    """Estimate the nodes, solutions and time of searches from random descents (Knuth 1975)."""
    from dataclasses import replace
    from itertools import chain

    from dovetail.cli.jobs import make_jobs, make_limits
    from dovetail.cli.progress import run_progress
    from dovetail.harness.estimating import estimate as estimated
    from dovetail.harness.estimating import estimate_fields
    from dovetail.harness.standing import Stage
    from dovetail.puzzles.loading import load_all
    from dovetail.reports.estimates import describe_estimate

    loaded = chain.from_iterable(map(load_all, puzzles))
    jobs = make_jobs(loaded, backend, config or [], symmetry, make_limits(), reduce or [])
    for job in (replace(one, seed=seed) for one in jobs):
        with run_progress(job, as_json=json_progress) as progress:
            progress.standing.enter(Stage.ESTIMATING)
            result = estimated(job, descents, time_limit)
        if as_json:
            print_lines(json.dumps(estimate_fields(job, result)))
        else:
            print_lines(describe_estimate(job, result))
