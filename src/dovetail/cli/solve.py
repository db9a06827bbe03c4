"""`dovetail solve`: the solutions themselves."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from dovetail.cli.options import (
    AnyBackendName,
    Json,
    JsonProgress,
    OnePuzzle,
    Output,
    SourceFormat,
    with_options,
)
from dovetail.cli.output import print_lines
from dovetail.cli.parallel_options import with_parallel_options
from dovetail.errors import ConfigError
from dovetail.harness.parameters import OrderedParameters, make_jobs
from dovetail.harness.planning import AUTO
from dovetail.harness.workers.options import ParallelOptions

if TYPE_CHECKING:
    from dovetail.cli.destination import Sheet


@with_parallel_options
@with_options(OrderedParameters)
def solve(
    puzzle: OnePuzzle,
    backend: AnyBackendName = AUTO,
    restarts: Annotated[
        bool,
        typer.Option("--restarts", help="With a random order: restart repeatedly in new orders."),
    ] = False,
    hardest_first: Annotated[
        bool,
        typer.Option(
            "--hardest-first",
            help="With a random order: place pieces with the largest surface first.",
        ),
    ] = False,
    output: Output = None,
    *,
    source_format: SourceFormat = None,
    as_json: Json = False,
    json_progress: JsonProgress = False,
    spread: ParallelOptions,
    **asked: Unpack[OrderedParameters],
) -> None:
    """List the solutions of a puzzle, each verified.

    Prints solutions to standard output and a summary to standard error; with -o, writes the
    solutions to FILE. With --json, prints one object; it contains the solutions unless they go to
    a file. FILE stays unchanged until there is something to write, as a picture does without a
    solution. If PUZZLE is a BurrTools file,
    FILE may be the same file, which then contains the solutions. For solid puzzles, .html is a
    viewer that can turn solutions and take them apart.

    To find one solution of a puzzle that is too large to exhaust, try --limit 1 --option-order
    random --restarts --hardest-first, with suitable stages (-c stages=...).
    """
    from dovetail.cli.destination import destination, source_to_extend, writer_of
    from dovetail.cli.guard import complain
    from dovetail.cli.jobs import exit_status
    from dovetail.cli.progress import show_run_progress
    from dovetail.harness.run.events import Found
    from dovetail.harness.run.interruption import Interruption
    from dovetail.harness.run.result import Result
    from dovetail.harness.workers.runs import Runs
    from dovetail.puzzles.formats.solution_json import solution_json
    from dovetail.puzzles.loading import Reference
    from dovetail.reports.describe_result import describe_result

    random = asked.get("random")
    if random is not None:
        asked["random"] = replace(random, restarts=restarts, hardest_first=hardest_first)
    elif restarts or hardest_first:
        word = "--restarts" if restarts else "--hardest-first"
        raise ConfigError(f"{word} needs --option-order random")
    reference = Reference(puzzle)
    (job,) = make_jobs([reference.puzzle(source_format)], backend, **asked)
    job = job.listed()
    source = None if output is None else source_to_extend(reference.file, output)
    opened: AbstractContextManager[Sheet | None] = nullcontext()
    if output is not None or not as_json:
        opened = destination(writer_of(output, job.puzzle, source), output, source)
    listed: list[object] = []
    interruption = Interruption()
    progress = show_run_progress(job, as_json=json_progress, prints=output is None)
    with interruption.on_signal(), opened as sheet, progress, Runs([job], spread) as runs:
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
    if as_json:
        from dovetail.harness.records.recording import result_fields

        fields = result_fields(job, result)
        print_lines(json.dumps(fields if output else {**fields, "solutions": listed}))
    else:
        print_lines(describe_result(job, result), to_stderr=output is None)
    raise typer.Exit(exit_status(result))
