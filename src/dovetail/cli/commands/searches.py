"""`count`, `solve`, `trials`, `status` and `improve`: searches for solutions and for boards."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dovetail.cli import options
from dovetail.cli.options import advanced, argument, option
from dovetail.cli.output import MESSAGES, complain, print_lines, write_text
from dovetail.cli.progress import show_run_progress
from dovetail.harness.planning import AUTO
from dovetail.harness.run import WITHIN_ITEMS, RandomOptionOrder
from dovetail.harness.workers.options import AUDITED
from dovetail.improvers import DEFAULT_IMPROVER, DEFAULT_TIME_S

if TYPE_CHECKING:
    from dovetail.cli.output import SolutionStream


def count(
    puzzles: options.Puzzles,
    backend: options.AnyBackendName = AUTO,
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    reduce: options.Reductions = None,
    triggers: options.Triggers = None,
    option_order: options.OrderOfOptions = "given",
    seed: options.Seed = 0,
    disassemble: Annotated[
        bool, option("--disassemble", "Also count the solutions that can be taken apart.")
    ] = False,
    limit: options.SolutionLimit = None,
    time_limit: options.TimeLimit = None,
    node_limit: options.NodeLimit = None,
    memory_limit: options.MemorySize = None,
    _allow_commands: options.AllowCommands = False,
    source_format: options.SourceFormat = None,
    jobs: options.Jobs = 1,
    checkpoint: options.CheckpointPath = None,
    cluster: options.Cluster = None,
    subproblem_order: options.OrderName = "serial",
    audit: options.Audit = AUDITED,
    as_json: options.AsJson = False,
    _json_progress: options.JsonProgress = False,
) -> None:
    """Count the solutions of puzzles."""
    from dovetail.cli.jobs import GivenOptions, run_jobs

    given = GivenOptions(locals())
    workers = given.workers()
    run_jobs(given.jobs(), workers, as_json=as_json)


def solve(
    puzzle: options.OnePuzzle,
    backend: options.AnyBackendName = AUTO,
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = None,
    labelled: options.Labelled = False,
    reduce: options.Reductions = None,
    triggers: options.Triggers = None,
    option_order: options.OrderOfOptions = "given",
    seed: options.Seed = 0,
    restarts: Annotated[
        bool,
        advanced("--restarts", "With a random order: restart repeatedly in new orders."),
    ] = False,
    hardest_first: Annotated[
        bool,
        advanced(
            "--hardest-first", "With a random order: place pieces with the largest surface first."
        ),
    ] = False,
    output: options.Output = None,
    limit: options.SolutionLimit = None,
    time_limit: options.TimeLimit = None,
    node_limit: options.NodeLimit = None,
    memory_limit: options.MemorySize = None,
    _allow_commands: options.AllowCommands = False,
    source_format: options.SourceFormat = None,
    jobs: options.Jobs = 1,
    checkpoint: options.CheckpointPath = None,
    cluster: options.Cluster = None,
    subproblem_order: options.OrderName = "serial",
    audit: options.Audit = AUDITED,
    as_json: options.AsJson = False,
    _json_progress: options.JsonProgress = False,
) -> None:
    """List the solutions of a puzzle, each verified.

    Prints solutions to standard output and a summary to standard error; with -o, writes the
    solutions to FILE. With --json, prints one object; it contains the solutions unless they go to a
    file. FILE stays unchanged until there is something to write; a picture needs a solution. If
    PUZZLE is a BurrTools file, FILE may be the same file, which then contains the solutions. For
    solid puzzles, .html is a viewer that can turn solutions and take them apart.

    To find one solution of a puzzle that is too large to exhaust, try --limit 1 --option-order
    random --restarts --hardest-first, with suitable stages (-c stages=...).
    """
    from dovetail.cli.jobs import GivenOptions, exit_status, note_checkpoint, print_result
    from dovetail.cli.output import destination, source_to_extend, writer_of
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.run.events import Found
    from dovetail.harness.run.result import Result
    from dovetail.harness.workers.runs import Runs
    from dovetail.puzzles.formats.solutions import solution_json

    given = GivenOptions(locals())
    workers, (job, file) = given.workers(), given.job()
    job = job.listed()
    source = None if output is None else source_to_extend(file, output)
    opened: AbstractContextManager[SolutionStream | None] = nullcontext()
    if output is not None or not as_json:
        opened = destination(writer_of(output, job.puzzle, source), output, source)
    listed: list[object] = []
    interruption = Interruption()
    progress = show_run_progress(job, prints=output is None)
    with interruption.on_signal(), opened as sheet, progress, Runs([job], workers) as runs:
        for event in progress.track(runs.run(0, interruption)):
            if isinstance(event, Found):
                found = event.solutions()
                if sheet is None:
                    listed += (json.loads(solution_json(solution)) for solution in found)
                else:
                    sheet.write(found)
            if isinstance(event, Result):
                result = event
        has_searched = result.status.has_searched
        if sheet is not None and has_searched and not sheet.begin_empty():
            found_none = "has no solution" if result.count == 0 else "gave no solution"
            complain(f"{job.puzzle.name} {found_none} to draw, so {output} is not written")
    fields = {} if output is not None else {"solutions": listed}
    print_result(job, result, as_json=as_json, to_stderr=output is None, **fields)
    note_checkpoint(workers)
    raise typer.Exit(exit_status(result.status))


def trials(
    puzzle: options.OnePuzzle,
    number: Annotated[int, option("--trials N", "Number of trials.")],
    remaining: Annotated[
        int, option("--remaining R", "A trial ends when R pieces remain after a removal.")
    ],
    backend: options.BackendName = "dlx",
    config: options.ConfigWords = None,
    symmetry: options.SymmetryName = "unique",
    labelled: options.Labelled = False,
    reduce: options.Reductions = None,
    triggers: options.Triggers = None,
    option_order: Annotated[
        RandomOptionOrder,
        advanced(
            "--option-order",
            "Orders of the trials: of all placements, or independent in each cell and piece (dlx).",
        ),
    ] = "random",
    seed: options.Seed = 0,
    limit: options.SolutionLimit = None,
    time_limit: options.TimeLimit = None,
    node_limit: options.NodeLimit = None,
    memory_limit: options.MemorySize = None,
    _allow_commands: options.AllowCommands = False,
    source_format: options.SourceFormat = None,
    jobs: options.Jobs = 1,
    checkpoint: options.CheckpointPath = None,
    cluster: options.Cluster = None,
    audit: options.Audit = AUDITED,
    as_json: options.AsJson = False,
    _json_progress: options.JsonProgress = False,
) -> None:
    """Measure solutions per second in random parts of a search.

    Searches N times, each time in another random order. A trial ends when it removes a piece and R
    pieces then remain to be placed. Use trials to compare ways to search a puzzle that is too large
    to exhaust (Busche 2011).
    """
    from dovetail.cli.jobs import GivenOptions, run_jobs
    from dovetail.harness.run.job import Trials

    given = GivenOptions({**locals(), "option_order": "given"})
    workers = given.workers()
    job, _ = given.job()
    asked = Trials(number, remaining, job.seed, option_order == WITHIN_ITEMS)
    run_jobs([replace(job, trials=asked)], workers, as_json=as_json)


def status(
    checkpoint: Annotated[Path, argument("FILE", "A file written with --checkpoint.")],
    as_json: options.AsJson = False,
) -> None:
    """Show how much of a long run is done.

    Prints the share of the search done, the solutions and nodes so far, the rate, and a range
    of the time left. The run may be under way.
    """
    from dovetail.harness.workers.checkpoint import checkpoint_status
    from dovetail.reports.describe.search import describe_status

    for run in checkpoint_status(checkpoint):
        print_lines(json.dumps(asdict(run)) if as_json else describe_status(run))


def improve(
    puzzle: options.OnePuzzle,
    backend: Annotated[
        str,
        option(
            "--backend -b NAME",
            "Improver; see `dovetail list improvers`.",
            options.suggest_improvers,
        ),
    ] = DEFAULT_IMPROVER,
    config: options.ConfigWords = None,
    seed: options.Seed = 1,
    time_limit: options.TimeLimit = f"{DEFAULT_TIME_S:.0f}s",
    node_limit: options.NodeLimit = None,
    objective: options.ObjectiveName = "edges",
    start: Annotated[
        Path | None, option("--start FILE", "Board to improve (.json .url .e2.url .txt).")
    ] = None,
    output: Annotated[
        Path | None,
        option(
            "--output -o FILE",
            "Write the best board to FILE (.json .url .e2.url .txt; pictures: .svg .html).",
        ),
    ] = None,
    memory_limit: options.MemorySize = None,
    jobs: options.Jobs = 1,
    checkpoint: options.CheckpointPath = None,
    source_format: options.SourceFormat = None,
    as_json: options.AsJson = False,
) -> None:
    """Search for the board with the most matched edges or tiles.

    Use it for edge-matching puzzles that no search can exhaust. The frame and the hints are kept;
    the score is the number of inner edges that match, or of tiles without a mismatch. Prints each
    better score to standard error, and the best board at the end: with a solution, at a limit or
    on Ctrl-C. With --jobs, several searches exchange boards.
    """
    from dovetail.backends.config import parse_words
    from dovetail.cli.jobs import GivenOptions, exit_status, note_checkpoint, print_improvement
    from dovetail.cli.output import check_differs, check_writable
    from dovetail.files.text_file import TextFile
    from dovetail.harness.improving import edge_puzzle, improving_job
    from dovetail.harness.run.clock import Interruption
    from dovetail.harness.run.events import WorkerReplaced
    from dovetail.harness.run.result import BestBoard, Result
    from dovetail.harness.workers.runs import improve_board
    from dovetail.models.outcome import Status
    from dovetail.puzzles.formats.registry import read_board
    from dovetail.puzzles.loading import Reference
    from dovetail.reports.describe.result import improved_line
    from dovetail.reports.describe.solutions import board_writer

    given, reference = GivenOptions(locals()), Reference(puzzle)
    board = edge_puzzle(reference.puzzle(source_format))
    write = None if output is None else board_writer(output, board)
    if output is not None:
        check_differs(output, reference.file)
        check_writable(output)
    started = None if start is None else read_board(TextFile(start), board)
    settings, limits = parse_words(config or ()), given.limits()
    job = improving_job(
        *(board, backend, settings, limits), seed=seed, start=started, objective=objective
    )
    workers, interruption = given.workers(), Interruption()
    with interruption.on_signal(), closing(improve_board(job, workers, interruption)) as events:
        with show_run_progress(job):
            next(events)  # after compiling; each better board is printed in a separate line
        for event in events:
            if isinstance(event, Result):
                result = event
            elif isinstance(event, BestBoard) and not as_json:
                MESSAGES.note(improved_line(job, event))
            elif isinstance(event, WorkerReplaced):
                MESSAGES.note(f"{event.name} is replaced: {event.reason}")
    assert result.board is not None, "the first board is laid before the search"
    if output is not None and write is not None:
        write_text(output, write(board, result.board))
    print_improvement(job, result, as_json=as_json, with_board=output is None)
    note_checkpoint(workers)
    as_asked = result.status in (Status.TIME_LIMIT, Status.NODE_LIMIT)
    raise typer.Exit(0 if as_asked else exit_status(result.status))
