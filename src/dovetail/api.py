"""The Python API: what scripts and notebooks call. All of it is importable from `dovetail`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dovetail.errors import PuzzleError
from dovetail.harness.bench import append_record, run_plan
from dovetail.harness.events import Finished, Found
from dovetail.harness.job import Job, Limits
from dovetail.harness.record import Record
from dovetail.harness.run import finish, run
from dovetail.harness.suite import read_suite
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle, lower
from dovetail.puzzles.loading import load

__all__ = ["Result", "bench", "count", "load", "solve"]

Result = Finished


def count(
    puzzle: Puzzle | str | Path,
    backend: str = "dlx",
    *,
    symmetry: str = "unique",
    labelled: bool = False,
    config: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> Result:
    """Count the solutions of a puzzle, a catalogue name or a file.

    `symmetry` is `all`, `unique` or `mirror`; with `labelled`, identical pieces and tiles
    are told apart. The result has `status`, `count`, `nodes`, `reason` and timings; under any
    status but `exhausted` the count is a lower bound. Raises `DovetailError` for what cannot
    be used.

    >>> count("pentominoes-3x20").count
    2
    """
    request = Request(Symmetry(symmetry), labelled=labelled)
    return finish(run(_job(puzzle, request, backend, config, limits)))


def solve(
    puzzle: Puzzle | str | Path,
    backend: str = "dlx",
    *,
    symmetry: str = "unique",
    labelled: bool = False,
    config: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> Iterator[Solution]:
    """The solutions of a puzzle one by one, as they are found, each verified.

    Closing the iterator stops the search. Raises `PuzzleError` when the backend refuses the
    puzzle, or a solution turns out wrong.

    >>> next(solve("queens-8", symmetry="all")).options[:2]
    (0, 12)
    """
    request = Request(Symmetry(symmetry), labelled=labelled, listing=True)
    job = _job(puzzle, request, backend, config, limits)
    task = lower(job.puzzle, request)
    for event in run(job):
        if isinstance(event, Found):
            for options in event.options:
                yield task.solution(options[options >= 0].tolist())
        if isinstance(event, Finished) and event.outcome.status in (
            Status.SKIPPED,
            Status.FAILED,
            Status.WRONG,
        ):
            raise PuzzleError(f"{job.backend}, {event.outcome.status}: {event.outcome.reason}")


def bench(
    suite: str | Path, *, only: Iterable[str] = (), output: str | Path | None = None
) -> list[Record]:
    """Run a suite file and return its records; `output` also gets each as a line of JSON.

    `only` names puzzles or tags. See `docs/ARCHITECTURE.md` for a record's fields.
    """
    plan = read_suite(Path(suite))
    names = tuple(only)
    records = []
    for record in run_plan(plan.only(names) if names else plan):
        if output is not None:
            append_record(Path(output), record)
        records.append(record)
    return records


def _job(
    puzzle: Puzzle | str | Path,
    request: Request,
    backend: str,
    config: Mapping[str, object] | None,
    limits: Limits | None,
) -> Job:
    loaded = load(puzzle) if isinstance(puzzle, str | Path) else puzzle
    return Job(loaded, request, backend, dict(config or {}), limits or Limits())
