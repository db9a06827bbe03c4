"""The Python API for scripts and notebooks; import its functions from `dovetail`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Literal, Unpack, get_args, overload

from dovetail.backends.config import build_config
from dovetail.backends.registry import Solver
from dovetail.disassembly import STATE_LIMIT, Method
from dovetail.disassembly.search import DisassemblyLimits
from dovetail.errors import PuzzleError, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.harness.disassembling import (
    Assemblies,
    DisassemblyConfig,
    TakenApart,
    packing_of,
    take_apart,
    take_run_apart,
)
from dovetail.harness.estimating import DESCENTS, TIME_LIMIT, Estimate
from dovetail.harness.estimating import estimate as estimated
from dovetail.harness.improving import improving_job
from dovetail.harness.parameters import (
    THREADED,
    CountingParameters,
    CountParameters,
    DecisionParameters,
    SearchParameters,
    SolveParameters,
    TrialsParameters,
    make_jobs,
    open_runs,
    spelled_out,
    threads_of,
)
from dovetail.harness.planning import AUTO
from dovetail.harness.records.record import Record
from dovetail.harness.records.record_files import RecordStore
from dovetail.harness.run import WITHIN_ITEMS, RandomOptionOrder
from dovetail.harness.run.job import Job, Limits, Trials
from dovetail.harness.run.result import Result
from dovetail.harness.sampling import sample as samples
from dovetail.harness.sizes import parse_seconds
from dovetail.harness.suite.bench import plan_results, run_plan
from dovetail.harness.suite.plan import AnyPuzzle
from dovetail.harness.suite.suite_file import plan_named
from dovetail.harness.workers.options import AUDITED, ParallelOptions, SubProblemOrder
from dovetail.harness.workers.runs import accepted, completed, finish, improve_board, solutions
from dovetail.improvers import DEFAULT_IMPROVER, DEFAULT_TIME_S
from dovetail.models.boards.partial_board import PartialBoard
from dovetail.models.outcome import Status
from dovetail.models.solution import Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.printable import ShownList
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
    "disassemble",
    "estimate",
    "has_solution",
    "improve",
    "load",
    "picture",
    "sample",
    "solve",
    "trials",
    "verify",
]


@spelled_out(CountParameters)
def count(
    puzzle: Puzzle | str | Path, backend: Solver = AUTO, **asked: Unpack[CountParameters]
) -> Result:
    """Count the solutions of a puzzle, which is given as an object, a catalogue name or a file.

    The backend `auto` chooses a backend that suits the puzzle; `chosen` in the result has its name
    and the reason. A class derived from `Backend`, an object such as `PlainX(fewest=False)` or a
    file such as `plain_x.py:PlainX` can replace the name.

    `symmetry` is `all`, `unique` or `mirror`. The default is `unique`; for a puzzle from a
    BurrTools file, it is the convention of the number of assemblies in the file, if the convention
    can be determined. With `labelled`, identical pieces and tiles are distinguished. `config` has
    the settings of the backend. `reduce` and `triggers` accept the same names as the command. With
    `disassemble`, assemblies are also taken apart, and `disassembled` in the result has the totals.
    `option_order` is the order in which placements are tried: `given`, `random` or
    `random-within-items`. Random orders use the `seed`. The search stops after `limit` solutions or
    after `time_limit`: seconds, or text such as "5s", "2m" or "1h". `limits` can set all limits.

    `jobs` is the number of worker processes (0: one per core); `cluster` is the address of a dask
    scheduler, `local:N`, `slurm` or `slurm:FILE`. With a `checkpoint` file, the same call continues
    from this file. `subproblem_order` is `serial` or `promising`. A promising order begins with the
    sub-problems that have the most solutions per node in probes. The share `audit` of the
    sub-problems is searched twice.

    The result has `status`, `count`, `nodes`, `reason` and timings. The count is exact with the
    status `exhausted`, and a lower bound if a limit ended the search. A search with a time limit
    runs in a child process, which waits up to a minute for the next call. Raises `BackendError` if
    the backend refuses the puzzle, and another `DovetailError` for invalid arguments.

    >>> count("pentominoes-3x20").count
    2
    """
    with open_runs(puzzle, backend, **asked) as runs:
        return _with_job(runs.jobs[0], finish(runs.run(0)))


@spelled_out(SolveParameters)
def solve(
    puzzle: Puzzle | str | Path, backend: Solver = AUTO, **asked: Unpack[SolveParameters]
) -> Iterator[Solution]:
    """Yield the solutions of a puzzle as they are found, each of them verified.

    The arguments are the same as for `count`. In a random order, `restarts` starts the search again
    and again in new orders, and `hardest_first` places pieces with the largest surface first.
    Closing the iterator stops the search. Raises `BackendError` if the backend refuses the puzzle
    or a solution is wrong, and `LimitError` after the last solution if a limit on time, nodes or
    memory ended the search early.

    >>> next(solve("queens-8", symmetry="all")).options[:2]
    (0, 12)
    """
    with open_runs(puzzle, backend, Job.listed, **asked) as runs:
        yield from solutions(runs.jobs[0], runs.run(0))


@spelled_out(DecisionParameters)
def has_solution(
    puzzle: Puzzle | str | Path, backend: Solver = AUTO, **asked: Unpack[DecisionParameters]
) -> bool:
    """Return whether a puzzle has a solution.

    The search ends at the first solution, which is verified. All symmetries are broken, and `auto`
    chooses a backend for a single solution. A backend that cannot list solutions counts all
    solutions instead, without breaking symmetries. The arguments are the same as for `solve`.
    Raises `LimitError` if a limit leaves the question open, and `BackendError` as `solve` does.

    >>> has_solution("queens-3"), has_solution("queens-4")
    (False, True)
    """

    def first(job: Job) -> Job:
        return replace(job.listed(), limits=replace(job.limits, solutions=1))

    def all_counted(job: Job) -> Job:
        return replace(job, limits=replace(job.limits, solutions=None))

    with open_runs(puzzle, backend, first, symmetry="mirror", **asked) as runs:
        result = finish(runs.run(0))
    if result.status is Status.SKIPPED:  # the backend can only count
        asked["checkpoint"] = None  # the file belongs to the first run
        with open_runs(puzzle, backend, all_counted, symmetry="all", **asked) as runs:
            result = finish(runs.run(0))
    if result.status.is_limit and result.count:
        return True
    return completed(runs.jobs[0], result).count != 0


@overload
def disassemble(
    puzzle: Puzzle | str | Path,
    solution: Solution,
    *,
    state_limit: int = ...,
    time_limit: float | str | None = ...,
    method: str = ...,
) -> TakenApart: ...


@overload
def disassemble(
    puzzle: Puzzle | str | Path,
    solution: None = ...,
    *,
    state_limit: int = ...,
    time_limit: float | str | None = ...,
    jobs: int = ...,
    method: str = ...,
) -> Assemblies: ...


def disassemble(
    puzzle: Puzzle | str | Path,
    solution: Solution | None = None,
    *,
    state_limit: int = STATE_LIMIT,
    time_limit: float | str | None = None,
    jobs: int = 1,
    method: str = "breadth-first",
) -> TakenApart | Assemblies:
    """Take a solution of a packing puzzle apart, or all solutions that a search finds.

    For a solution, returns whether it comes apart, its level and the moves. Without a solution,
    returns a list of such results for all solutions; `result` of the list shows whether the time
    limit ended the search for solutions. A solution is undecided after `state_limit` positions of
    its pieces, or after the `time_limit`: seconds, or text such as "5s". Several solutions are
    taken apart by `jobs` threads (0: one per core). Pieces slide along the directions of the
    lattice and do not turn. The `method` is "breadth-first", "unit-steps", which counts each step
    as a move, or "a-star". Raises `DovetailError` for a puzzle without pieces, a lattice whose
    pieces do not slide, and a wrong solution.

    >>> len(disassemble("soma-cube", jobs=2))
    480
    """
    packing = packing_of(load(puzzle) if isinstance(puzzle, str | Path) else puzzle)
    seconds = None if time_limit is None else parse_seconds(time_limit)
    config = build_config(DisassemblyConfig, {"method": method}, "disassemble")
    deadline = None if seconds is None else time.monotonic() + seconds
    limits = DisassemblyLimits(state_limit, deadline, method=Method(config.method))
    if solution is None:
        with open_runs(packing, AUTO, Job.listed, time_limit=time_limit) as runs:
            job, threads, found = runs.jobs[0], ParallelOptions(jobs).workers, Assemblies()
            for event in take_run_apart(job, runs.run(0), None, limits, threads):
                if isinstance(event, TakenApart):
                    found.append(event)
                elif isinstance(event, Result):
                    found.result = _with_job(job, event)
        if not found.result.status.is_limit:
            completed(job, found.result)
        return found
    error = solution_error(packing, solution)
    if error is not None:
        raise PuzzleError(f"the solution is wrong: {error}")
    return next(take_apart(packing, [solution], limits))


@spelled_out(CountingParameters)
def estimate(
    puzzle: Puzzle | str | Path,
    backend: Solver = AUTO,
    *,
    reduce: Iterable[str] = (),
    descents: int = DESCENTS,
    time_limit: float | str | None = TIME_LIMIT,
    population: int | None = None,
    **asked: Unpack[CountingParameters],
) -> Estimate:
    """Estimate the nodes, solutions and time of a search from random samples of its tree.

    Averages several estimates. Each of them samples `population` nodes of each level, by default as
    many as `descents` and the time limit allow; with a population of 1, it is a random probe.
    `descents` is the approximate number of nodes that all estimates together sample of each level.
    Samples depend on the `seed`. The other arguments are the same as for `count`. `auto` chooses
    among the backends that can be estimated. `time_limit` limits the time of preparation and
    sampling: seconds, text such as "5s", or None. The result has the `job` with the backend that
    `auto` chose, and `nodes`, `solutions` and `solve_s` with their 95 % confidence intervals.
    Raises `DovetailError` for invalid arguments and for searches that cannot be estimated, and
    `LimitError` if the time limit is reached before there is an interval.

    >>> estimate("queens-8", "dlx", symmetry="all", time_limit="1m").nodes.mean
    1198.0
    """
    (job,) = make_jobs([puzzle], backend, reduce=reduce, **asked)
    return estimated(job, descents, time_limit, population=population)


def improve(
    board: Puzzle | str | Path,
    backend: str = DEFAULT_IMPROVER,
    *,
    config: Mapping[str, object] | None = None,
    seed: int = 1,
    time_limit: float | str = DEFAULT_TIME_S,
    node_limit: int | None = None,
    start: PartialBoard | None = None,
    objective: Literal["edges", "tiles"] = "edges",
    jobs: int = 1,
    checkpoint: str | Path | None = None,
) -> Result:
    """Search for the best board of an edge-matching puzzle: with the most matched edges or tiles.

    `backend` is the name of an improver (`dovetail list improvers` lists them), and `config` has
    its settings. The search ends after `time_limit` (seconds, or text such as "5s"), after
    `node_limit` nodes, or with a solution. `objective` is "edges", or "tiles" for the most tiles
    without a mismatch on a board with empty cells. `start` is a board to improve. `jobs` is the
    number of processes, which exchange boards (0: one per core). With a `checkpoint` file, the same
    call continues from this file; its limits begin anew. The result has the best `board`, its
    `score`, the `bound` (the score of a solution) and a `trace`: the score of each better board
    with its time and nodes. Every board is verified. Raises `DovetailError` for invalid arguments.

    >>> str(improve("edges-4-b3i3-1", time_limit=5).status)
    'solved'
    """
    puzzle, limits = _loaded(board), Limits(parse_seconds(time_limit), node_limit)
    job = improving_job(
        puzzle, backend, config, limits, seed=seed, start=start, objective=objective
    )
    options = ParallelOptions(jobs, checkpoint=checkpoint)
    return _with_job(job, finish(improve_board(job, options)))


@spelled_out(CountingParameters)
def sample(
    puzzle: Puzzle | str | Path,
    count: int = 1,
    backend: Solver = AUTO,
    *,
    limits: Limits | None = None,
    time_limit: float | str | None = None,
    uniform: bool = True,
    jobs: int = 1,
    **asked: Unpack[CountingParameters],
) -> Iterator[Solution]:
    """Yield `count` independent random solutions, each of them verified.

    If `uniform`, all solutions are equally likely. With the symmetries `unique` and `mirror`, all
    classes of solutions are equally likely, and any solution of a class can represent it. Uniform
    sampling first counts all solutions without listing them, which can take much time or memory.
    With several `jobs`, `frontier` samples in as many threads (0: one per core). If not `uniform`,
    each solution is the first solution of a search in a random order. The same `seed` gives the
    same solutions. Raises `DovetailError` for invalid arguments and for a puzzle without solutions,
    and `LimitError` if a limit on time or memory is reached.

    >>> len(list(sample("pentominoes-3x20", 3, seed=1)))
    3
    """
    if jobs != 1:
        threads = threads_of(jobs, backend, uniform=uniform)
        backend = THREADED if backend == AUTO else backend
        asked.update({"config": {"threads": threads, **(asked.get("config") or {})}})
    (job,) = make_jobs([puzzle], backend, limits=limits, time_limit=time_limit, **asked)
    return samples(job, count, uniform=uniform)


@spelled_out(TrialsParameters)
def trials(
    puzzle: Puzzle | str | Path,
    trials: int,
    remaining: int,
    backend: Solver = "dlx",
    *,
    option_order: RandomOptionOrder = "random",
    **asked: Unpack[TrialsParameters],
) -> Result:
    """Run Monte-Carlo trials on a packing puzzle: short searches in random orders.

    There are up to `trials` searches, and each ends when it removes a piece and `remaining` pieces
    are left to place. The random orders use the `seed`. `option_order` is `random`, or, for `dlx`,
    `random-within-items`: each cell and piece has its own order. The result's `searched` contains
    the number of trials, the number of trials with a solution, and the number of solutions. `count`
    is a lower bound unless a trial exhausted the puzzle. The other arguments are the same as for
    `count`. Raises `BackendError` if the backend refuses the puzzle.

    >>> trials("pentominoes-6x10", 10, remaining=8).searched.begun
    10
    """
    if option_order not in get_args(RandomOptionOrder):
        raise unknown_name("option_order", option_order, get_args(RandomOptionOrder))
    asked.update({"symmetry": asked.get("symmetry") or "unique"})
    tried = Trials(trials, remaining, asked.get("seed", 0), option_order == WITHIN_ITEMS)
    with open_runs(puzzle, backend, lambda job: replace(job, trials=tried), **asked) as runs:
        return _with_job(runs.jobs[0], finish(runs.run(0)))


@spelled_out(SearchParameters)
def bench(
    puzzles: AnyPuzzle | Iterable[AnyPuzzle],
    backends: Solver | Iterable[Solver] | None = None,
    *,
    repeats: int | None = None,
    only: Iterable[str] = (),
    output: str | Path | None = None,
    parallel: int = 1,
    jobs: int = 1,
    checkpoint: str | Path | None = None,
    cluster: str | None = None,
    subproblem_order: SubProblemOrder = "serial",
    audit: float = AUDITED,
    cold: bool = False,
    **asked: Unpack[SearchParameters],
) -> ShownList[Record]:
    """Run puzzles with several backends, or a suite, and return the result of each job.

    Each of the `puzzles` is run `repeats` times (by default once) with each of the `backends`. The
    arguments that are not described here are the same as for `count`. The default of `backends` is
    every backend that is always installed and does not refuse the puzzle. `puzzles` can also be the
    name or the file of a suite, which has its own backends and settings. Wrong results have the
    status `wrong`.

    `only` has the names of puzzles, rows or tags to run. `output` is a file to which the record of
    each run is appended as a line of JSON when the run ends; runs with a record in the file are not
    repeated. `parallel` is the number of runs at the same time. With several `jobs` or a `cluster`,
    workers share the search of each run. With `cold`, each run starts with an empty cache of
    compiled kernels. The fields of a record are described in `docs/records.md`.

    >>> (record,) = bench(["queens-6"], ["dlx"], symmetry="all")
    >>> record.result.count
    4
    """
    workers = ParallelOptions(jobs, cluster, checkpoint, subproblem_order, audit)
    plan = plan_named(puzzles, backends, repeats, **asked)
    names = (only,) if isinstance(only, str) else tuple(only)
    plan = plan.only(names) if names else plan
    plan = plan.with_cold_starts() if cold else plan
    with nullcontext() if output is None else RecordStore(Path(output)) as store:
        records = list(run_plan(plan, store=store, parallel=parallel, workers=workers))
        return ShownList(plan_results(plan, [*(store.records if store else ()), *records]))


def catalogue() -> ShownList[CatalogueEntry]:
    """Return the entries of the catalogue.

    Each entry has a `pattern` of names, a `summary` and `examples` of names.

    >>> catalogue()[0].pattern, catalogue()[0].examples[0]
    ('pentominoes-HxW', 'pentominoes-6x10')
    """
    return ShownList(catalogue_entries())


def verify(
    puzzle: Puzzle | str | Path,
    solutions: Solution | Iterable[Solution] | str | Path,
    *,
    by_shape: bool = False,
) -> Verification:
    """Verify solutions, or the solutions in a file, against the puzzle.

    With `by_shape`, pieces are identified by their shapes, not by their names. The result has the
    numbers of solutions `total` and `distinct`, and `wrong`: the wrong solutions with number,
    reason and line. Raises `DovetailError` for a file that cannot be read, and for solutions of
    another kind of puzzle.

    >>> verify("queens-8", solve("queens-8", symmetry="all")).distinct
    92
    """
    puzzle = _loaded(puzzle)
    if isinstance(solutions, str | Path):
        return verify_file(puzzle, TextFile(Path(solutions)), by_shape=by_shape)
    several = (solutions,) if isinstance(solutions, Solution) else solutions
    return verify_solutions(puzzle, several, by_shape=by_shape)


def picture(
    puzzle: Puzzle | str | Path,
    solutions: Solution | Iterable[Solution] | PartialBoard | None = None,
) -> Picture:
    """Return a picture of a puzzle or of its solutions, for display in a notebook.

    `solutions` can also be the `board` of an improvement; edges that do not match are marked. The
    picture has the texts `svg` and `html`, and the method `save` to write one of them. Raises
    `DovetailError` for a puzzle that cannot be loaded, for `solutions` that are empty, and for the
    board of another puzzle. `svg` and `html` raise `DovetailError` if the puzzle cannot be
    drawn.

    >>> picture("pentominoes-3x20").svg[:20]
    '<svg class="picture"'
    """
    return picture_of(_loaded(puzzle), solutions)


def _with_job(job: Job, result: Result) -> Result:
    """Return the result with its job; raise `BackendError` for a refusal or a wrong board."""
    return replace(accepted(job, result), job=job)


def _loaded(puzzle: Puzzle | str | Path) -> Puzzle:
    return load(puzzle) if isinstance(puzzle, str | Path) else puzzle
