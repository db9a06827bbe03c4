"""`dovetail sample`: random solutions."""

from __future__ import annotations

from typing import Annotated, Unpack

import typer

from dovetail.cli.exits import EXIT_INTERRUPTED, EXIT_LIMIT
from dovetail.cli.options import (
    AnyBackendName,
    JsonProgress,
    MemoryLimit,
    OnePuzzle,
    Output,
    SourceFormat,
    TimeLimit,
    with_options,
)
from dovetail.harness.parameters import Parameters, make_jobs
from dovetail.harness.workers.options import MAX_JOBS, ParallelOptions

NOT_UNIFORM = "not equally likely: each is the first solution of a search in a random order"


@with_options(Parameters)
def sample(
    puzzle: OnePuzzle,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=1, help="Number of solutions.")
    ] = 1,
    backend: AnyBackendName = "auto",
    output: Output = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=MAX_JOBS, help="Number of threads; 0: one per core."),
    ] = 1,
    source_format: SourceFormat = None,
    not_uniform: Annotated[
        bool,
        typer.Option(
            "--not-uniform",
            help="Take the first solution of a search in a random order; not equally likely.",
        ),
    ] = False,
    json_progress: JsonProgress = False,
    **asked: Unpack[Parameters],
) -> None:
    """Sample random solutions, each equally likely.

    Counts the solutions without listing them, and then picks some at random. With --symmetry
    unique or mirror, every symmetry class is equally likely. Where the count needs too much time or
    memory, --not-uniform samples without it.
    """
    from dovetail.cli.destination import destination, writer_of
    from dovetail.cli.guard import complain
    from dovetail.cli.jobs import make_limits
    from dovetail.cli.progress import show_run_progress
    from dovetail.errors import LimitError, how_many
    from dovetail.harness.progress.run_progress import RunPhase
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.sampling import Counting
    from dovetail.harness.sampling import sample as samples
    from dovetail.puzzles.loading import load
    from dovetail.reports.progress import CountingNotices

    limits = make_limits(time_limit, memory=memory_limit)
    if jobs != 1:
        backend = "frontier" if backend == "auto" else backend
        threads = ParallelOptions(jobs).workers
        asked["config"] = {"threads": threads, **(asked.get("config") or {})}
        complain(f"{backend} runs in one process, with {how_many(threads, 'thread')}")
    (job,) = make_jobs(
        (load(one, source_format) for one in [puzzle]), backend, limits=limits, **asked
    )
    interruption = Interruption()
    writer = writer_of(output, job.puzzle)
    progress = show_run_progress(job, as_json=json_progress, prints=output is None)
    notices = CountingNotices(job)

    def on_counting(counting: Counting) -> None:
        progress.enter(RunPhase.COUNTING, counting.nodes, counting.share)
        notice = notices.next_notice(counting)
        if notice is not None:
            with progress.hidden():
                complain(notice)

    drawn = samples(job, count, interruption, uniform=not not_uniform, on_counting=on_counting)
    with interruption.on_signal(), destination(writer, output, None) as sheet, progress:
        progress.enter(RunPhase.SEARCHING if not_uniform else RunPhase.COUNTING)
        explained = not not_uniform
        try:
            for solution in progress.sampling(drawn, count):
                if not explained:  # not before a solver has taken the puzzle
                    explained = True
                    with progress.hidden():
                        complain(NOT_UNIFORM)
                sheet.write([solution])
                if interruption.requested:
                    break
        except LimitError as error:
            complain(notices.without_second_offer(str(error)))
            raise typer.Exit(EXIT_INTERRUPTED if interruption.requested else EXIT_LIMIT) from None
    raise typer.Exit(EXIT_INTERRUPTED if interruption.requested else 0)
