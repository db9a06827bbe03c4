"""Jobs from the options of a command, their runs, and their exit statuses.

Commands import this module when they begin to work. A command passes its parameters as `locals()`
to `GivenOptions`, because the names of parameters are the same in all commands.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import typer

from dovetail.backends.config import parse_words, plain_values
from dovetail.backends.registry import solver_of
from dovetail.cli.output import MESSAGES, print_lines, print_text
from dovetail.cli.process import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_LIMIT, EXIT_WRONG, JOB_FIRST
from dovetail.cli.progress import show_run_progress
from dovetail.errors import TOO_LONG, ConfigError, is_too_long
from dovetail.files.text_file import TextFile
from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.sizes import parse_seconds, parse_size
from dovetail.harness.workers.options import AUDITED, ParallelOptions
from dovetail.harness.workers.runs import Runs, finish
from dovetail.models.outcome import Status
from dovetail.platform.resources import check_memory_limit
from dovetail.puzzles.loading import Reference, load_each
from dovetail.reports.describe.result import describe_result


@dataclass
class GivenOptions:
    """The values of a command's options, by the names of its parameters."""

    values: dict[str, Any]

    def question(self) -> dict[str, Any]:
        """Return the keyword arguments of `make_jobs`.

        Raises `ConfigError` for a setting that the backend does not have, and for an invalid time
        or size.
        """
        values = self.values
        settings: dict[str, object] = dict(parse_words(values["config"] or []))
        if isinstance(values["backend"], str):  # keys of several backends may differ
            name, _ = solver_of(values["backend"])
            settings = plain_values(named_config(name, settings), settings)
        question: dict[str, Any] = {name: values[name] for name in ("symmetry", "labelled", "seed")}
        question |= {name: values.get(name) or () for name in ("reduce", "triggers")}
        question |= {"config": settings, "limits": self.limits()}
        further = ("option_order", "restarts", "hardest_first", "disassemble")
        return question | {name: values[name] for name in further if name in values}

    def jobs(self, **changes: object) -> list[Job]:
        """Return a job for each puzzle; `changes` replace arguments of `make_jobs`.

        The options of the command are checked before puzzles are loaded.
        """
        question = {**self.question(), **changes}
        puzzles = load_each(self.values["puzzles"], self.values["source_format"])
        return make_jobs(puzzles, self.values["backend"], **question)

    def job(self) -> tuple[Job, TextFile | None]:
        """Return the job of a single puzzle, and the puzzle's file, which is read once."""
        question, reference = self.question(), Reference(self.values["puzzle"])
        puzzle = reference.puzzle(self.values["source_format"])
        return make_jobs([puzzle], self.values["backend"], **question)[0], reference.file

    def limits(self) -> Limits:
        """Return the limits; raise `ConfigError` for an invalid time or size."""
        names = ("time_limit", "node_limit", "limit", "memory_limit")
        time, nodes, solutions, memory = map(self.values.get, names)
        if memory is not None:
            check_memory_limit("--memory-limit")
            memory = parse_size(memory)
        return Limits(None if time is None else parse_seconds(time), nodes, solutions, memory)

    def workers(self) -> ParallelOptions:
        """Return the workers and the checkpoint; raise `ConfigError` if -o names the same file."""
        values = self.values
        checkpoint, output = values["checkpoint"], values.get("output")
        if checkpoint and output and Path(checkpoint).resolve() == Path(output).resolve():
            raise ConfigError(
                f"--checkpoint and -o are both {checkpoint}; expected different files"
            )
        order = values.get("subproblem_order", "serial")
        audit = values.get("audit", AUDITED)
        return ParallelOptions(values["jobs"], values.get("cluster"), checkpoint, order, audit)


def note_checkpoint(workers: ParallelOptions | None) -> None:
    """Print the name of the checkpoint that the runs have written, if any."""
    if workers is not None and workers.checkpoint is not None:
        MESSAGES.note(f"wrote {workers.checkpoint}")


def run_jobs(jobs: Sequence[Job], workers: ParallelOptions | None, *, as_json: bool) -> NoReturn:
    """Run jobs one after another, print each result, and exit."""
    statuses = []
    interruption = Interruption()
    with interruption.on_signal(), Runs(jobs, workers) as runs:
        for number, job in enumerate(jobs):
            with show_run_progress(job) as progress:
                if as_json and os.environ.get(JOB_FIRST):
                    from dovetail.harness.records.run_record import result_fields

                    begun = result_fields(job, Result(Status.INTERRUPTED))
                    print_lines(json.dumps(begun), to_stderr=True)
                result = finish(runs.run(number, interruption), progress.update)
            print_result(job, result, as_json=as_json)
            statuses.append(exit_status(result.status))
            if result.disassembled is not None and result.disassembled.undecided:
                statuses.append(EXIT_LIMIT)
            if interruption.requested:
                break
    note_checkpoint(workers)
    raise typer.Exit(worst(statuses))


def print_result(
    job: Job, result: Result, *, as_json: bool, to_stderr: bool = False, **fields: object
) -> None:
    """Print a result as JSON with further fields, or in words.

    A quiet command prints only the first line, and nothing on standard error. The results of trials
    are printed in full.
    """
    if as_json:
        from dovetail.harness.records.run_record import result_fields

        if is_too_long(result.count, *result.other_counts.values()):
            raise ConfigError(f"{job.puzzle.name}: --json cannot show {TOO_LONG}")
        print_lines(json.dumps({**result_fields(job, result), **fields}))
        return
    text = describe_result(job, result)
    if MESSAGES.quiet and job.trials is None:
        text = "" if to_stderr else text.partition("\n")[0]
    if text:
        print_lines(text, to_stderr=to_stderr)


def print_improvement(job: Job, result: Result, *, as_json: bool, with_board: bool) -> None:
    """Print the result of an improvement as JSON, or in words.

    `with_board`: print the board, and then, unless the command is quiet, the words on standard
    error.
    """
    from dovetail.harness.improving import edge_puzzle
    from dovetail.harness.records.run_record import result_fields
    from dovetail.reports.describe.result import describe_improvement
    from dovetail.reports.pictures.text import painted_board, terminal_paint

    if as_json:
        print_lines(json.dumps(result_fields(job, result)))
        return
    if with_board and result.board is not None:
        print_text(painted_board(edge_puzzle(job.puzzle), result.board, terminal_paint()) + "\n")
    if not (with_board and MESSAGES.quiet):
        print_lines(describe_improvement(job, result), to_stderr=with_board)


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
    """Return the exit status of a command for the exit statuses of its runs."""
    ranked = (EXIT_WRONG, EXIT_INTERRUPTED, EXIT_BAD_INPUT, EXIT_LIMIT)
    return next((status for status in ranked if status in statuses), 0)
