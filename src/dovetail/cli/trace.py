"""`dovetail trace`: a search recorded step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Unpack

import typer

from dovetail.cli.options import (
    BackendName,
    NodeLimit,
    OnePuzzle,
    SourceFormat,
    TimeLimit,
    with_options,
)
from dovetail.cli.output import STANDARD_OUTPUT, write_text
from dovetail.harness.parameters import TriggeredParameters, make_jobs


@with_options(TriggeredParameters)
def trace(
    puzzle: OnePuzzle,
    backend: BackendName = "dlx",
    first: Annotated[
        int, typer.Option(metavar="N", min=1, help="Stop after N placements and removals.")
    ] = 10_000,
    down_to: Annotated[
        int,
        typer.Option(
            metavar="PIECES",
            min=1,
            help="Record only placements made while at least this many pieces remain.",
        ),
    ] = 1,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")
    ] = STANDARD_OUTPUT,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
    source_format: SourceFormat = None,
    **asked: Unpack[TriggeredParameters],
) -> None:
    """Record a search step by step as JSON lines.

    The first line is the job and the last one the result. Each line between them is a placement
    made or removed: the piece, its cells and the number of remaining pieces. Works with dlx and
    with the reference kernel of fila.
    """
    from dovetail.cli.jobs import exit_status_of, make_limits
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.tracing import RECORDED, recorded_steps
    from dovetail.models.outcome import Status
    from dovetail.models.request import Trace
    from dovetail.puzzles.loading import load

    limits = make_limits(time_limit, node_limit)
    asked["symmetry"] = asked.get("symmetry") or "unique"
    (job,) = make_jobs(
        (load(one, source_format) for one in [puzzle]), backend, limits=limits, **asked
    )
    wanted = replace(job.request, trace=Trace(first, down_to))
    interruption = Interruption()
    with interruption.on_signal():
        steps = list(recorded_steps(replace(job, request=wanted), interruption))
    write_text(output, "".join(f"{json.dumps(step)}\n" for step in steps))
    status = steps[-1]["status"]
    raise typer.Exit(0 if status == RECORDED else exit_status_of(Status(status)))
