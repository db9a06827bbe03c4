"""`dovetail sample`: random solutions."""

from __future__ import annotations

from typing import Annotated, Unpack

import typer

from dovetail.cli.exits import EXIT_INTERRUPTED, EXIT_LIMIT
from dovetail.cli.options import (
    BackendName,
    JsonProgress,
    MemoryLimit,
    OnePuzzle,
    Output,
    SourceFormat,
    TimeLimit,
    with_options,
)
from dovetail.harness.parallel.options import MAX_JOBS, ParallelOptions
from dovetail.harness.parameters import Parameters, make_jobs


@with_options(Parameters)
def sample(
    puzzle: OnePuzzle,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=1, help="Number of solutions.")
    ] = 1,
    backend: BackendName = "frontier",
    output: Output = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=MAX_JOBS, help="Number of threads; 0: one per core."),
    ] = 1,
    source_format: SourceFormat = None,
    json_progress: JsonProgress = False,
    **asked: Unpack[Parameters],
) -> None:
    """Sample random solutions, each equally likely.

    Counts the solutions without listing them, and then picks some at random. With --symmetry
    unique or mirror, every symmetry class is equally likely.
    """
    from dovetail.cli.destination import destination, writer_of
    from dovetail.cli.guard import complain
    from dovetail.cli.jobs import make_limits
    from dovetail.cli.progress import show_run_progress
    from dovetail.errors import LimitError, how_many
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.sampling import sample as samples
    from dovetail.puzzles.loading import load

    limits = make_limits(time_limit, memory=memory_limit)
    if jobs != 1:
        threads = ParallelOptions(jobs).workers
        asked["config"] = {"threads": threads, **(asked.get("config") or {})}
        complain(f"{backend} runs in one process, with {how_many(threads, 'thread')}")
    (job,) = make_jobs(
        (load(one, source_format) for one in [puzzle]), backend, limits=limits, **asked
    )
    interruption = Interruption()
    writer = writer_of(output, job.puzzle)
    progress = show_run_progress(job, as_json=json_progress, prints=output is None)
    with interruption.on_signal(), destination(writer, output, None) as sheet, progress:
        try:
            for solution in progress.sampling(samples(job, count, interruption), count):
                sheet.write([solution])
                if interruption.requested:
                    break
        except LimitError as error:
            complain(str(error))
            raise typer.Exit(EXIT_INTERRUPTED if interruption.requested else EXIT_LIMIT) from None
    raise typer.Exit(EXIT_INTERRUPTED if interruption.requested else 0)
