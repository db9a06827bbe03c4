"""A bench without a suite file: puzzles by backends, asked the same question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from dovetail.backends.config import plain_values
from dovetail.backends.registry import backends as all_backends
from dovetail.errors import ConfigError, shorten
from dovetail.harness.parameters import SearchParameters, make_jobs
from dovetail.harness.planning import AUTO
from dovetail.harness.planning.named import named_backend, named_config
from dovetail.harness.planning.tree_size import samples_piece, with_piece
from dovetail.harness.run.job import Job
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.loading import load_all

AnyPuzzle = Puzzle | str | Path


def plan_of(
    puzzles: AnyPuzzle | Iterable[AnyPuzzle],
    backends: str | Iterable[str] | None = None,
    repeats: int = 1,
    **asked: Unpack[SearchParameters],
) -> SuitePlan:
    """Return the plan that runs each puzzle with each backend, as a suite file would.

    `puzzles` are puzzles, catalogue names or files; all puzzles of a file are run. `backends` are
    names, in a text separated by commas. None means each backend that is always installed and
    does not refuse the puzzle. Each backend gets the same `config`.

    Raises `ConfigError` for an unknown name or a value that is not valid.
    """
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:
        raise ConfigError(f"repeats is {shorten(repr(repeats))}; expected 1 or more")
    names = None if backends is None else _names(backends)
    for name in names or ():
        named_backend(name)  # before puzzles are loaded
    jobs = make_jobs(_loaded(puzzles), AUTO, **asked)
    if not jobs:
        raise ConfigError("no puzzles given; expected at least one")
    runs = tuple(
        PlannedRun(_with_backend(job, name), (), None)
        for job in jobs
        for name in (_suitable(job) if names is None else names)
    )
    title = ", ".join(dict.fromkeys(job.puzzle.name for job in jobs))
    return SuitePlan(shorten(title), repeats, runs)


def not_for_a_suite(suite: str, settings: Iterable[str]) -> ConfigError:
    """The error for a suite with `settings` that only a bench of puzzles takes, by their names."""
    return ConfigError(
        f"{shorten(suite)!r} is a suite and defines its own backends and settings; expected no "
        f"{' or '.join(settings)}"
    )


def _names(backends: str | Iterable[str]) -> list[str]:
    """Return the names of backends, each once."""
    if isinstance(backends, str) or not isinstance(backends, Iterable):
        backends = [backends]
    texts = list(backends)
    if not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"backends is {shorten(repr(texts))}; expected a list of names")
    names = dict.fromkeys(name.strip() for text in texts for name in text.split(","))
    if not names:
        raise ConfigError("no backends given; expected at least one name")
    return list(names)


def _loaded(puzzles: AnyPuzzle | Iterable[AnyPuzzle]) -> Iterator[Puzzle]:
    """Yield the puzzles that are named."""
    if isinstance(puzzles, str) or not isinstance(puzzles, Iterable):
        puzzles = [puzzles]
    for one in puzzles:
        if isinstance(one, str | Path):
            yield from load_all(one)
        else:
            yield one


def _with_backend(job: Job, name: str) -> Job:
    """Return the job for the backend called `name`, its config the same however it is written."""
    return replace(
        job, backend=name, config=plain_values(named_config(name, job.config), job.config)
    )


def _suitable(job: Job) -> list[str]:
    """Return the backends that are always installed and do not refuse the job."""
    request = job.request
    if samples_piece(request):
        request = with_piece(request, None)
    task = lower(job.puzzle, labelled=request.labelled).task(request)
    names = [
        name
        for name, backend in all_backends().items()
        if backend.extra is None
        and not backend.needs_permission
        and backend.missing() is None
        and backend.refuses(task, named_config(name, job.config)) is None
    ]
    if not names:
        raise ConfigError(
            f"every backend that is always installed refuses {job.puzzle.name}; expected names of "
            "backends"
        )
    return names
