"""`estimate`, `sample` and `trace`: the size of a search, random solutions, and single steps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from dovetail.cli import options
from dovetail.cli.options import advanced, option
from dovetail.cli.output import STANDARD_OUTPUT, complain, print_lines, write_text
from dovetail.cli.process import EXIT_INTERRUPTED, EXIT_LIMIT
from dovetail.cli.progress import print_plan, show_run_progress
from dovetail.errors import LimitError, how_many
from dovetail.harness.planning import AUTO
from dovetail.harness.workers.options import MAX_JOBS

NOT_UNIFORM = "solutions are not equally likely: each is the first of a search in a random order"


def estimate(
    puzzles: options.Puzzles,
    backend: options.AnyBackendName = AUTO,
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    reduce: options.Reductions = None,
    seed: options.Seed = 0,
    descents: Annotated[
        int, advanced("--descents N", "Approximate number of sampled nodes of each level.", min=1)
    ] = 2_000_000,
    population: Annotated[
        int | None,
        advanced("--population K", "Sample K nodes of each level, 1 to 10,000; 1: random probes."),
    ] = None,
    time_limit: options.TimeLimit = "5s",
    source_format: options.SourceFormat = None,
    as_json: options.AsJson = False,
    _json_progress: options.JsonProgress = False,
) -> None:
    """Estimate the nodes, solutions and time of a search.

    Samples the nodes of each level of the search tree (Rubinstein 2013). If the samples of the
    solver rows end too early, uses Owen's model of boards instead. auto chooses among the solvers
    whose trees can be sampled.
    """
    from dovetail.cli.jobs import GivenOptions
    from dovetail.harness.estimating import estimate as estimated
    from dovetail.harness.estimating import estimate_fields
    from dovetail.harness.progress import RunPhase
    from dovetail.reports.describe.search import describe_estimate

    for job in GivenOptions(locals()).jobs(limits=None):  # the time limit is for sampling
        with show_run_progress(job) as progress:
            progress.enter(RunPhase.ESTIMATING)
            try:
                result = estimated(job, descents, time_limit, progress.estimated, population)
            except LimitError as error:
                complain(str(error))
                raise typer.Exit(EXIT_LIMIT) from None
        fields = estimate_fields(result)
        print_lines(json.dumps(fields) if as_json else describe_estimate(result))


def sample(
    puzzle: options.OnePuzzle,
    count: Annotated[int, option("--count -n N", "Number of solutions.", min=1)] = 1,
    backend: options.AnyBackendName = AUTO,
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    seed: options.Seed = 0,
    output: options.Output = None,
    time_limit: options.TimeLimit = None,
    memory_limit: options.MemorySize = None,
    jobs: Annotated[
        int, option("--jobs N", "Number of threads; 0: one per core.", min=0, max=MAX_JOBS)
    ] = 1,
    source_format: options.SourceFormat = None,
    not_uniform: Annotated[
        bool,
        option(
            "--not-uniform",
            "Take the first solution of a search in a random order; some are more likely.",
        ),
    ] = False,
    _json_progress: options.JsonProgress = False,
) -> None:
    """Sample random solutions, each equally likely.

    Counts the solutions without listing them, and then picks some at random. With --symmetry
    unique or mirror, every symmetry class is equally likely. Where the count needs too much time or
    memory, --not-uniform samples without it.
    """
    from dovetail.cli.jobs import GivenOptions
    from dovetail.cli.output import destination, source_to_extend, writer_of
    from dovetail.harness.parameters import THREADED, threads_of
    from dovetail.harness.progress import RunPhase
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.run.events import Progress
    from dovetail.harness.sampling import CountingProgress
    from dovetail.harness.sampling import sample as samples
    from dovetail.reports.progress import CountingNotices

    given = GivenOptions(locals())
    if jobs != 1:
        threads = threads_of(jobs, backend, uniform=not not_uniform)
        given.values["backend"] = THREADED
        given.values["config"] = [f"threads={threads}", *(config or [])]
        complain(f"{THREADED} runs in one process, with {how_many(threads, 'thread')}")
    job, file = given.job()
    interruption = Interruption()
    source = None if output is None else source_to_extend(file, output)
    writer = writer_of(output, job.puzzle, source)
    progress = show_run_progress(job, prints=output is None)
    notices = CountingNotices(job)

    def on_counting(counting: CountingProgress) -> None:
        progress.enter(RunPhase.COUNTING, Progress(None, counting.nodes, counting.share))
        notice = notices.next_notice(counting)
        if notice is not None:
            with progress.hidden():
                complain(notice)

    drawn = samples(job, count, interruption, uniform=not not_uniform, on_counting=on_counting)
    with interruption.on_signal(), destination(writer, output, source) as sheet, progress:
        progress.enter(RunPhase.SEARCHING if not_uniform else RunPhase.COUNTING)
        try:
            for number, solution in enumerate(drawn, start=1):
                progress.enter(RunPhase.SAMPLING, Progress(number, None, number / count))
                if not_uniform and number == 1:  # a solver has accepted the puzzle
                    with progress.hidden():
                        complain(NOT_UNIFORM)
                with progress.printing():
                    sheet.write([solution])
                if interruption.requested:
                    break
        except LimitError as error:
            complain(notices.without_second_offer(str(error)))
            raise typer.Exit(EXIT_INTERRUPTED if interruption.requested else EXIT_LIMIT) from None
    raise typer.Exit(EXIT_INTERRUPTED if interruption.requested else 0)


def trace(
    puzzle: options.OnePuzzle,
    backend: options.BackendName = "dlx",
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = "unique",
    labelled: options.Labelled = False,
    reduce: options.Reductions = None,
    triggers: options.Triggers = None,
    seed: options.Seed = 0,
    first: Annotated[
        int, option("--first N", "Stop after N placements and removals.", min=1)
    ] = 10_000,
    down_to: Annotated[
        int,
        advanced(
            "--down-to PIECES",
            "Record placements only while at least this many pieces remain.",
            min=1,
        ),
    ] = 1,
    output: Annotated[Path, option("--output -o FILE", "Write to FILE.")] = STANDARD_OUTPUT,
    time_limit: options.TimeLimit = None,
    node_limit: options.NodeLimit = None,
    source_format: options.SourceFormat = None,
) -> None:
    """Record a search step by step as JSON lines.

    The first line is the job and the last one the result. Each line between them is a placement
    made or removed: the piece, its cells and the number of remaining pieces. Works with dlx and
    fila.
    """
    from dovetail.cli.jobs import GivenOptions, exit_status
    from dovetail.cli.output import check_differs
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.tracing import RECORDED, recorded_steps
    from dovetail.models.outcome import Status
    from dovetail.models.request import Trace

    job, file = GivenOptions(locals()).job()
    check_differs(output, file)
    job = replace(job, request=replace(job.request, trace=Trace(first, down_to)))
    print_plan(job)
    interruption = Interruption()
    with interruption.on_signal():
        steps = list(recorded_steps(job, interruption))
    write_text(output, "".join(f"{json.dumps(step)}\n" for step in steps))
    status = steps[-1]["status"]
    raise typer.Exit(0 if status == RECORDED else exit_status(Status(status)))
