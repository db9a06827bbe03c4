"""The Python API: what scripts and notebooks call. All of it is importable from `dovetail`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from dovetail.harness.estimating import DESCENTS, Estimate
from dovetail.harness.estimating import estimate as estimated
from dovetail.harness.execution.launch import finish, run, solutions
from dovetail.harness.parameters import (
    LimitedParameters,
    OrderedParameters,
    ReducedParameters,
    SearchParameters,
    make_jobs,
    spelled_out,
)
from dovetail.harness.planning import AUTO
from dovetail.harness.records.store import RecordStore
from dovetail.harness.records.summary import JobResult
from dovetail.harness.run.events import Finished
from dovetail.harness.run.job import Trials
from dovetail.harness.sampling import sample as samples
from dovetail.harness.suite.bench import plan_results, run_plan
from dovetail.harness.suite.suite_file import read_suite
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load
from dovetail.reports.data_frame import data_frame
from dovetail.reports.pictures.picture import Picture, picture_of

__all__ = [
    "Picture",
    "Result",
    "bench",
    "count",
    "data_frame",
    "estimate",
    "load",
    "picture",
    "sample",
    "solve",
    "trials",
]

Result = Finished


@spelled_out(OrderedParameters)
def count(
    puzzle: Puzzle | str | Path,
    backend: str = AUTO,
    **asked: Unpack[OrderedParameters],
) -> Result:
    """Count the solutions of a puzzle, a catalogue name or a file.

    The backend `auto` is the one that suits the puzzle; `chosen` in the result is which and why.
    `symmetry` is `all`, `unique` or `mirror`; with `labelled`, identical pieces and tiles
    are distinguished. `reduce` and `triggers` name them as the command does; with `random`,
    placements are tried in a random order. The result has `status`, `count`, `nodes`, `reason`
    and timings; under any status but `exhausted` the count is a lower bound. Raises
    `DovetailError` for what cannot be used.

    >>> count("pentominoes-3x20").count
    2
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    return finish(run(job))


@spelled_out(OrderedParameters)
def solve(
    puzzle: Puzzle | str | Path,
    backend: str = AUTO,
    **asked: Unpack[OrderedParameters],
) -> Iterator[Solution]:
    """The solutions of a puzzle one by one, as they are found, each verified.

    The arguments are those of `count`; a `random` order may have restarts. Closing the iterator
    stops the search. Raises `BackendError` when the backend refuses the puzzle, or a solution
    turns out wrong, and `LimitError` behind the last solution when a limit on time, nodes or
    memory ended the search before all were found.

    >>> next(solve("queens-8", symmetry="all")).options[:2]
    (0, 12)
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    yield from solutions(job)


@spelled_out(ReducedParameters)
def estimate(
    puzzle: Puzzle | str | Path,
    backend: str = "dlx",
    *,
    descents: int = DESCENTS,
    **asked: Unpack[ReducedParameters],
) -> Estimate:
    """Estimate the nodes, solutions and time of a search from random descents.

    The arguments are those of `count`, besides about how many `descents` to make and the `seed`
    they come from. The result has `nodes`, `solutions` and `solve_s` with their 95 % confidence
    intervals. Raises `DovetailError` for what cannot be used or estimated.

    >>> estimate("queens-8", symmetry="all").nodes.mean
    1198.0
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    return estimated(job, descents)


@spelled_out(LimitedParameters)
def sample(
    puzzle: Puzzle | str | Path,
    count: int = 1,
    backend: str = "frontier",
    **asked: Unpack[LimitedParameters],
) -> Iterator[Solution]:
    """So many independent random solutions, each verified and as likely as every other.

    Under `unique` and `mirror` that holds for the classes of solutions, and any of its class is
    given. The same `seed` gives the same solutions. Raises `DovetailError` for what cannot be used
    or has no solution, `LimitError` where time or memory does not suffice.

    >>> len(list(sample("pentominoes-3x20", 3, seed=1)))
    3
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    return samples(job, count)


@spelled_out(SearchParameters)
def trials(
    puzzle: Puzzle | str | Path,
    asked: Trials,
    backend: str = "dlx",
    **parameters: Unpack[SearchParameters],
) -> Result:
    """Search a packing puzzle many times, each time in a random order and a small part of it.

    That is what is `asked`, see `Trials`. The result's `searched` is how many trials were
    begun, how many of them found any solution and how many all of them found; `count` is a
    lower bound, unless a trial has exhausted the puzzle.

    >>> trials("pentominoes-6x10", Trials(count=10, remaining=8)).searched.begun
    10
    """
    (job,) = make_jobs([puzzle], backend, **parameters)
    return finish(run(replace(job, trials=asked)))


def bench(
    suite: str | Path,
    *,
    only: Iterable[str] = (),
    output: str | Path | None = None,
    parallel: int = 1,
) -> list[JobResult]:
    """Run a suite file and return one result per job, those that are wrong marked.

    `only` names puzzles or tags. `output` is a file that gets the record of each run as a
    line of JSON when it ends; what it holds already is not run again. `parallel` runs go on
    side by side. See `docs/RECORDS.md` for a record's fields.
    """
    plan = read_suite(Path(suite))
    names = tuple(only)
    plan = plan.only(names) if names else plan
    if output is None:
        return plan_results(plan, run_plan(plan, parallel=parallel))
    with RecordStore(Path(output)) as store:
        made = list(run_plan(plan, store=store, parallel=parallel))
        return plan_results(plan, [*store.records, *made])


def picture(
    puzzle: Puzzle | str | Path, solutions: Solution | Iterable[Solution] | None = None
) -> Picture:
    """A picture of a puzzle, or of one or more solutions of it, which a notebook shows.

    It has the texts `svg` and `html`, and `save` writes one of them. Raises `DovetailError` for
    a puzzle that cannot be loaded, and its texts do for one that cannot be drawn.

    >>> picture("pentominoes-3x20").svg[:20]
    '<svg class="picture"'
    """
    return picture_of(load(puzzle) if isinstance(puzzle, str | Path) else puzzle, solutions)
