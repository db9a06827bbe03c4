"""Jobs from the options of a command, their runs, and their exit statuses.

Commands import this module when they begin to work.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer

from dovetail.backends.config import parse_words, plain_values
from dovetail.cli.output import MESSAGES, print_lines
from dovetail.cli.process import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_LIMIT, EXIT_WRONG
from dovetail.cli.progress import show_run_progress
from dovetail.errors import ConfigError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.sizes import parse_seconds, parse_size
from dovetail.harness.workers.options import ParallelOptions, SubProblemOrder
from dovetail.harness.workers.runs import Runs, finish
from dovetail.models.outcome import Status
from dovetail.platform.resources import check_memory_limit
from dovetail.puzzles.loading import load
from dovetail.reports.describe_result import describe_result


def question_of(
    backend: str | list[str] | None,
    config: list[str] | None,
    symmetry: str | None,
    labelled: bool,
    seed: int,
    reduce: list[str] | None = None,
    triggers: list[str] | None = None,
) -> dict[str, Any]:
    """Return the arguments of `make_jobs` for values of options.

    Raises `ConfigError` for a config that the backend does not have.
    """
    settings: dict[str, object] = dict(parse_words(config or []))
    if isinstance(backend, str):  # each of several backends reads them by its own keys
        settings = plain_values(named_config(backend, settings), settings)
    filters = {"reduce": reduce or (), "triggers": triggers or ()}
    question = {"config": settings, "symmetry": symmetry, "labelled": labelled, "seed": seed}
    return {**question, **filters}


def limits_of(
    solutions: int | None = None,
    time: str | None = None,
    nodes: int | None = None,
    memory: str | None = None,
) -> Limits:
    """Return the limits for values of options; raise `ConfigError` for an invalid time or size."""
    if memory is not None:
        check_memory_limit("--memory-limit")
    time_s = None if time is None else parse_seconds(time)
    memory_bytes = None if memory is None else parse_size(memory)
    return Limits(time_s, nodes, solutions, memory_bytes)


def spread_of(
    jobs: int,
    checkpoint: Path | None,
    cluster: str | None,
    order: SubProblemOrder,
    audit: float,
    output: Path | None = None,
) -> ParallelOptions:
    """Return the workers and the checkpoint for values of options.

    Raises `ConfigError` if the checkpoint is also the output.
    """
    if checkpoint is not None and output is not None and checkpoint.resolve() == output.resolve():
        raise ConfigError(f"--checkpoint and -o are both {checkpoint}; expected different files")
    return ParallelOptions(jobs, cluster, checkpoint, order, audit)


def make_job(puzzle: str, source_format: str | None, backend: str, **asked: Any) -> Job:
    """Return the job of one puzzle, which is loaded when the arguments have been checked."""
    (job,) = make_jobs((load(name, source_format) for name in [puzzle]), backend, **asked)
    return job


def run_jobs(jobs: Sequence[Job], spread: ParallelOptions | None, *, as_json: bool) -> NoReturn:
    """Run jobs one after another, print each result, and exit."""
    statuses = []
    interruption = Interruption()
    with interruption.on_signal(), Runs(jobs, spread) as runs:
        for number, job in enumerate(jobs):
            with show_run_progress(job) as progress:
                result = finish(runs.run(number, interruption), progress.update)
            print_result(job, result, as_json=as_json)
            statuses.append(exit_status(result.status))
            if interruption.requested:
                break
    raise typer.Exit(worst(statuses))


def print_result(
    job: Job, result: Result, *, as_json: bool, to_stderr: bool = False, **fields: object
) -> None:
    """Print a result as JSON with further fields, or in words.

    A quiet command prints the count alone, and nothing on standard error.
    """
    if as_json:
        from dovetail.harness.records.recording import result_fields

        print_lines(json.dumps({**result_fields(job, result), **fields}))
        return
    text = describe_result(job, result)
    if MESSAGES.quiet and job.trials is None:
        text = "" if to_stderr else text.partition("\n")[0]
    if text:
        print_lines(text, to_stderr=to_stderr)


def exit_status(status: Status) -> int:
    """Return the exit status for the status of a result."""
    if status.is_error:
        return EXIT_WRONG
    if status == Status.SKIPPED:
        return EXIT_BAD_INPUT
    if status == Status.INTERRUPTED:
        return EXIT_INTERRUPTED
    return EXIT_LIMIT if status.is_limit else 0


def worst(statuses: list[int]) -> int:
    """Return the exit status of several runs."""
    ranked = (EXIT_WRONG, EXIT_INTERRUPTED, EXIT_BAD_INPUT, EXIT_LIMIT)
    return next((status for status in ranked if status in statuses), 0)
