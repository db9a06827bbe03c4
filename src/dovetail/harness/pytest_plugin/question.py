"""What a test asks for: the job it comes to, and the words that stand for it in a golden file."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from dovetail.backends.config import plain_values
from dovetail.errors import ConfigError, shorten
from dovetail.harness.parameters import SearchParameters, make_jobs
from dovetail.harness.planning.named import named_config
from dovetail.harness.run.job import Job
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import is_file, load


def asked_job(puzzle: Puzzle, backend: str, **asked: Unpack[SearchParameters]) -> Job:
    """The job of a test, its config the same however its values were written.

    Raises `ConfigError` for a name or value that is none.
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    config = plain_values(named_config(backend, job.config), job.config)
    return replace(job, config=config)


def puzzle_beside(folder: Path, puzzle: Puzzle | str | Path) -> Puzzle:
    """The puzzle that is named: that of a file in `folder` if there is one, else as `load` does."""
    if not isinstance(puzzle, str | Path):
        return puzzle
    local = folder / puzzle
    return load(local if is_file(local) else puzzle)


def question_words(job: Job) -> str:
    """The words that stand for a job: the puzzle, the backend, and what was asked of it.

    As in `pentominoes-6x10 dlx unique reduce=redundancy,volume config.stages=s,f@11`. Limits are
    left out: they change no answer that is whole. Raises `ConfigError` where a name cannot be
    written into a file.
    """
    request = job.request
    words = [job.puzzle.name, job.backend, str(request.symmetry)]
    if request.labelled:
        words.append("labelled")
    for name, values in (("reduce", request.reductions), ("triggers", request.triggers)):
        if values:
            words.append(f"{name}={','.join(map(str, values))}")
    words += [f"config.{key}={_written(value)}" for key, value in sorted(job.config.items())]
    question = shlex.join(words)
    try:
        question.encode()
    except UnicodeEncodeError:
        shown = shorten(ascii(question))
        message = f"{shown} cannot be written to a golden file; expected no lone surrogates"
        raise ConfigError(message) from None
    return question


def _written(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
