"""`dovetail solve`: the solutions themselves."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from dovetail.cli.options import (
    BackendName,
    ConfigWords,
    Json,
    MemoryLimit,
    NodeLimit,
    OnePuzzle,
    Reductions,
    SymmetryName,
    TimeLimit,
)
from dovetail.errors import ConfigError

if TYPE_CHECKING:
    from dovetail.models.solution import Solution
    from dovetail.puzzles.formats.solutions import SolutionWriter


def solve(
    puzzle: OnePuzzle,
    backend: BackendName = "dlx",
    config: ConfigWords = None,
    symmetry: SymmetryName = "unique",
    reduce: Reductions = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after N solutions.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to FILE: .txt, .jsonl, .json or .csv."
        ),
    ] = None,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
    memory_limit: MemoryLimit = None,
    as_json: Json = False,
) -> None:
    """List the solutions of a puzzle, each verified.

    Without -o they go to standard output, the summary to standard error. With --json one
    object is printed, the solutions in it unless they go to a file.
    """
    from dovetail.cli.jobs import exit_status, make_jobs, make_limits, with_progress
    from dovetail.harness.events import Finished, Found
    from dovetail.harness.interruption import Interruption
    from dovetail.harness.record import result_fields
    from dovetail.harness.run import found_solutions, run
    from dovetail.models.task import lower
    from dovetail.puzzles.formats.solutions import solution_json, solution_writer
    from dovetail.reports.describe import describe_result

    limits = make_limits(time_limit, node_limit, memory_limit, limit)
    jobs = make_jobs([puzzle], backend, config or [], symmetry, limits, reduce or [], listing=True)
    if len(jobs) != 1:
        raise ConfigError(f"{puzzle} holds {len(jobs)} puzzles; expected one")
    job = jobs[0]
    task = lower(job.puzzle, job.request)
    writer = None
    if output is not None or not as_json:
        writer = solution_writer(".txt" if output is None else output.suffix, job.puzzle)
    listed: list[object] = []
    interruption = Interruption()
    with _destination(output, writer) as write, interruption.on_signal():
        for event in with_progress(run(job, interruption)):
            if isinstance(event, Found):
                for solution in found_solutions(event, task):
                    if write is None:
                        listed.append(json.loads(solution_json(solution)))
                    else:
                        write(solution)
            if isinstance(event, Finished):
                finished = event
    if as_json:
        fields = result_fields(job, finished)
        typer.echo(json.dumps(fields if output else {**fields, "solutions": listed}))
    else:
        typer.echo(describe_result(job, finished), err=output is None)
    raise typer.Exit(exit_status(finished))


@contextmanager
def _destination(
    output: Path | None, writer: SolutionWriter | None
) -> Iterator[Callable[[Solution], object] | None]:
    """What writes a solution as it comes; None if they are to be collected.

    Whatever ends the run, what was written is ended as its format wants it.
    """
    if writer is None:
        yield None
        return
    numbers = count(1)
    with _stream(output) as stream:
        stream.write(writer.head)
        try:
            yield lambda solution: stream.write(writer.one(next(numbers), solution))
        finally:
            stream.write(writer.tail)


@contextmanager
def _stream(output: Path | None) -> Iterator[IO[str]]:
    """The file, or standard output, which stays open."""
    if output is None:
        yield sys.stdout
        return
    try:
        stream = output.open("w", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{output} cannot be written ({error.strerror})") from None
    with stream:
        yield stream
