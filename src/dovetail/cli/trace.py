"""`dovetail trace`: a search recorded step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli.options import (
    BackendName,
    ConfigWords,
    NodeLimit,
    OnePuzzle,
    Reductions,
    SymmetryName,
    TimeLimit,
    Triggers,
)
from dovetail.cli.output import STANDARD_OUTPUT, write_text


def trace(
    puzzle: OnePuzzle,
    backend: BackendName = "dlx",
    config: ConfigWords = None,
    symmetry: SymmetryName = "unique",
    reduce: Reductions = None,
    trigger: Triggers = None,
    first: Annotated[
        int, typer.Option(metavar="N", min=1, help="Stop after N placements and removals.")
    ] = 10_000,
    down_to: Annotated[
        int,
        typer.Option(
            metavar="PIECES", min=1, help="Only placements made while so many pieces remained."
        ),
    ] = 1,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")
    ] = STANDARD_OUTPUT,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
) -> None:
    """Record what a search places and takes back, as JSON lines, for drawing and debugging.

    The first line says what was asked, the last how it ended; every other has the step, the
    piece, its cells and the pieces that remain then. By dlx, and by fila with the kernel reference.
    """
    from dovetail.cli.jobs import exit_status_of, make_jobs, make_limits
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.tracing import RECORDED, recorded_steps
    from dovetail.models.outcome import Status
    from dovetail.models.request import Trace
    from dovetail.puzzles.loading import load

    limits = make_limits(time_limit, node_limit)
    (job,) = make_jobs(
        [load(puzzle)],
        backend,
        config or [],
        symmetry,
        limits,
        reduce or [],
        triggers=trigger or [],
    )
    wanted = replace(job.request, trace=Trace(first, down_to))
    interruption = Interruption()
    with interruption.on_signal():
        steps = list(recorded_steps(replace(job, request=wanted), interruption))
    write_text(output, "".join(f"{json.dumps(step)}\n" for step in steps))
    status = steps[-1]["status"]
    raise typer.Exit(0 if status == RECORDED else exit_status_of(Status(status)))
