"""The Python API: what scripts and notebooks call. All of it is importable from `dovetail`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from dovetail.errors import ConfigError
from dovetail.files.text_file import TextFile
from dovetail.harness.estimating import DESCENTS, TIME_LIMIT, Estimate
from dovetail.harness.estimating import estimate as estimated
from dovetail.harness.execution.launch import accepted, finish, run, solutions
from dovetail.harness.improving import improve as improvements
from dovetail.harness.improving import improving_job
from dovetail.harness.parallel.options import ParallelOptions
from dovetail.harness.parallel.runs import Runs
from dovetail.harness.parameters import (
    LimitedParameters,
    OrderedParameters,
    ReducedParameters,
    SearchParameters,
    make_jobs,
    spelled_out,
)
from dovetail.harness.planning import AUTO
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import RecordStore
from dovetail.harness.run.job import Limits, Trials
from dovetail.harness.run.result import Result
from dovetail.harness.sampling import sample as samples
from dovetail.harness.sizes import parse_seconds
from dovetail.harness.suite.bench import plan_results, run_plan
from dovetail.harness.suite.plan import AnyPuzzle, SuitePlan, not_for_a_suite, plan_of
from dovetail.harness.suite.suite_file import load_suite
from dovetail.improvers import DEFAULT_IMPROVER, DEFAULT_TIME_S
from dovetail.models.partial_board import PartialBoard
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.catalogue import CatalogueEntry
from dovetail.puzzles.catalogue import catalogue as catalogue_entries
from dovetail.puzzles.loading import load
from dovetail.puzzles.verification import Verification, verify_file, verify_solutions
from dovetail.reports.data_frame import data_frame
from dovetail.reports.pictures.picture import Picture, picture_of

__all__ = [
    "Picture",
    "Result",
    "bench",
    "catalogue",
    "count",
    "data_frame",
    "estimate",
    "improve",
    "load",
    "picture",
    "sample",
    "solve",
    "trials",
    "verify",
]


@spelled_out(OrderedParameters)
def count(
    puzzle: Puzzle | str | Path,
    backend: str = AUTO,
    *,
    spread: ParallelOptions | None = None,
    **asked: Unpack[OrderedParameters],
) -> Result:
    """Count the solutions of a puzzle, a catalogue name or a file.

    The backend `auto` is the one that suits the puzzle; `chosen` in the result is which and why.
    `symmetry` is `all`, `unique` or `mirror`; with `labelled`, identical pieces and tiles
    are distinguished. `reduce` and `triggers` name them as the command does; with `random`,
    placements are tried in a random order. `limit` is the number of solutions and `time_limit` the
    time to stop after: seconds, or text such as "5s", "2m" or "1h"; `limits` has all limits. With
    `spread`, the search runs on several processes or a cluster, and may have a checkpoint. The
    result has `status`, `count`, `nodes`, `reason` and timings; under any status but `exhausted`
    the count is a lower bound. Without a `symmetry`, a puzzle from a BurrTools file is counted as
    the number of assemblies in the file was, where that can be found. A search with a time limit
    runs in a child process, which waits up to a minute for the next call. Raises `BackendError`
    where the backend refuses the puzzle, and another `DovetailError` for what cannot be used.

    >>> count("pentominoes-3x20").count
    2
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    with Runs([job], spread, reuse=True) as runs:
        return accepted(job, finish(runs.run(0)))


@spelled_out(OrderedParameters)
def solve(
    puzzle: Puzzle | str | Path,
    backend: str = AUTO,
    *,
    spread: ParallelOptions | None = None,
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
    with Runs([job.listed()], spread, reuse=True) as runs:
        yield from solutions(job, runs.run(0))


@spelled_out(ReducedParameters)
def estimate(
    puzzle: Puzzle | str | Path,
    backend: str = AUTO,
    *,
    descents: int = DESCENTS,
    time_limit: float | str | None = TIME_LIMIT,
    **asked: Unpack[ReducedParameters],
) -> Estimate:
    """Estimate the nodes, solutions and time of a search from random descents.

    The arguments are those of `count`, and about how many `descents` to make; they come from the
    `seed`. `auto` chooses among the backends that can be estimated. `time_limit` ends preparing and
    descents early: seconds, text such as "5s", or None. The result has the `job` with what `auto`
    chose, and `nodes`, `solutions` and `solve_s` with their 95 % confidence intervals. Raises
    `DovetailError` for what cannot be used or estimated, and `LimitError` where time is up before
    there is an interval.

    >>> estimate("queens-8", "dlx", symmetry="all", time_limit="1m").nodes.mean
    1198.0
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    return estimated(job, descents, time_limit)


def improve(
    board: Puzzle | str | Path,
    backend: str = DEFAULT_IMPROVER,
    *,
    config: Mapping[str, object] | None = None,
    seed: int = 1,
    time_limit: float | str = DEFAULT_TIME_S,
    node_limit: int | None = None,
    start: PartialBoard | None = None,
) -> Result:
    """Search for the board of an edge-matching puzzle with the most matched edges.

    `backend` is one of `dovetail list improvers`, `config` has its settings. It has `time_limit`,
    seconds or text such as "5s", and ends sooner with a solution or after `node_limit` nodes.
    `start` is a board to improve. The result has the best `board`, its `score`, the `bound` (the
    score of a solution) and a `trace`: the score of each better board, with its seconds and nodes.
    Every board is verified. Raises `DovetailError` for what cannot be used.

    >>> str(improve("edges-4-b3i3-1", time_limit=5).status)
    'solved'
    """
    puzzle = load(board) if isinstance(board, str | Path) else board
    time_s = parse_seconds(time_limit)
    job = improving_job(puzzle, backend, config, Limits(time_s, node_limit), seed=seed)
    return accepted(job, finish(improvements(job, start=start)))


@spelled_out(LimitedParameters)
def sample(
    puzzle: Puzzle | str | Path,
    count: int = 1,
    backend: str = AUTO,
    *,
    uniform: bool = True,
    **asked: Unpack[LimitedParameters],
) -> Iterator[Solution]:
    """So many independent random solutions, each verified.

    If `uniform`, each is as likely as every other. Under `unique` and `mirror` that holds for the
    classes of solutions, and any of its class is given. All solutions are counted first, without
    listing them, which for some puzzles takes more time or memory than there is. Otherwise each is
    the first solution of a search in a random order. The same `seed` gives the same solutions.
    Raises `DovetailError` for what cannot be used or has no solution, `LimitError` where time or
    memory does not suffice.

    >>> len(list(sample("pentominoes-3x20", 3, seed=1)))
    3
    """
    (job,) = make_jobs([puzzle], backend, **asked)
    return samples(job, count, uniform=uniform)


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
    lower bound, unless a trial has exhausted the puzzle. Raises `BackendError` where the backend
    refuses the puzzle.

    >>> trials("pentominoes-6x10", Trials(count=10, remaining=8)).searched.begun
    10
    """
    parameters["symmetry"] = parameters.get("symmetry") or "unique"
    (job,) = make_jobs([puzzle], backend, **parameters)
    return accepted(job, finish(run(replace(job, trials=asked), reuse=True)))


@spelled_out(SearchParameters)
def bench(
    suite: str | Path | None = None,
    *,
    puzzles: AnyPuzzle | Iterable[AnyPuzzle] | None = None,
    backends: str | Iterable[str] | None = None,
    repeats: int | None = None,
    only: Iterable[str] = (),
    output: str | Path | None = None,
    parallel: int = 1,
    spread: ParallelOptions | None = None,
    cold: bool = False,
    **asked: Unpack[SearchParameters],
) -> list[Record]:
    """Run a suite, or puzzles by backends; returns one result per job, those that are wrong marked.

    `suite` is a suite's name or file. `puzzles` takes its place: each of them is run with each of
    the `backends`, `repeats` times; the further arguments are those of `count`. Without `backends`,
    every one that is always installed and does not refuse the puzzle runs it.

    `only` names puzzles or tags. `output` is a file to which the record of each run is appended as
    a line of JSON when it ends; runs that it holds are not done again. `parallel` runs go on
    side by side, or each is `spread` over workers. With `cold`, each run starts with an empty cache
    of compiled kernels. See `docs/records.md` for a record's fields.

    >>> (record,) = bench(puzzles=["queens-6"], backends=["dlx"], symmetry="all")
    >>> record.result.count
    4
    """
    settings = {"backends": backends, "repeats": repeats, **asked}
    plan = _plan(suite, puzzles, {name: one for name, one in settings.items() if one is not None})
    names = (only,) if isinstance(only, str) else tuple(only)
    plan = plan.only(names) if names else plan
    plan = plan.with_cold_starts() if cold else plan
    if output is None:
        return plan_results(plan, run_plan(plan, parallel=parallel, spread=spread))
    with RecordStore(Path(output)) as store:
        made = list(run_plan(plan, store=store, parallel=parallel, spread=spread))
        return plan_results(plan, [*store.records, *made])


def _plan(
    suite: str | Path | None,
    puzzles: AnyPuzzle | Iterable[AnyPuzzle] | None,
    settings: Mapping[str, Any],
) -> SuitePlan:
    """Return the plan of a suite, or of puzzles with `settings`, which a suite does not take."""
    if puzzles is not None and suite is None:
        return plan_of(puzzles, **settings)
    if suite is None or puzzles is not None:
        given = "neither" if suite is None else "both"
        raise ConfigError(
            f"{given} suite {'nor' if suite is None else 'and'} puzzles given; expected one of them"
        )
    if settings:
        raise not_for_a_suite(str(suite), settings)
    return load_suite(suite)


def catalogue() -> tuple[CatalogueEntry, ...]:
    """Return the entries of the catalogue: the `pattern` of their names, `summary`, `examples`.

    >>> catalogue()[0].pattern, catalogue()[0].examples[0]
    ('pentominoes-HxW', 'pentominoes-6x10')
    """
    return catalogue_entries()


def verify(
    puzzle: Puzzle | str | Path,
    solutions: Solution | Iterable[Solution] | str | Path,
    *,
    by_shape: bool = False,
) -> Verification:
    """Check solutions, or those in a file, against the puzzle itself.

    With `by_shape`, pieces are identified by their shapes, whatever their names. The result has
    `total`, `distinct` and `wrong`, with the number, the reason and the line of each. Raises
    `DovetailError` for what cannot be read, or is a solution of another class of puzzles.

    >>> verify("queens-8", solve("queens-8", symmetry="all")).distinct
    92
    """
    checked = load(puzzle) if isinstance(puzzle, str | Path) else puzzle
    if isinstance(solutions, str | Path):
        return verify_file(checked, TextFile(Path(solutions)), by_shape=by_shape)
    several = (solutions,) if isinstance(solutions, Solution) else solutions
    return verify_solutions(checked, several, by_shape=by_shape)


def picture(
    puzzle: Puzzle | str | Path,
    solutions: Solution | Iterable[Solution] | PartialBoard | None = None,
) -> Picture:
    """A picture of a puzzle, or of one or more solutions of it, which a notebook shows.

    The `board` of an improvement takes the place of solutions: edges that do not match are marked.
    It has the texts `svg` and `html`, and `save` writes one of them. Raises `DovetailError` for
    a puzzle that cannot be loaded, no solution among `solutions` and a board that is not the
    puzzle's, and its texts do for a puzzle that cannot be drawn.

    >>> picture("pentominoes-3x20").svg[:20]
    '<svg class="picture"'
    """
    return picture_of(load(puzzle) if isinstance(puzzle, str | Path) else puzzle, solutions)
