"""Runs on several workers: counts, nodes and solutions of one search, whatever the schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dovetail.backends.registry import backend_named, backends
from dovetail.harness.execution.launch import finish, run
from dovetail.harness.parallel.assignment import PartResult
from dovetail.harness.parallel.journal import Journal
from dovetail.harness.parallel.options import ParallelOptions, SubProblemOrder
from dovetail.harness.parallel.parallel_run import question_of, run_parallel
from dovetail.harness.parallel.promise import promise_of
from dovetail.harness.run.events import Event, Finished, Found, Progress
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job, Limits, RandomOrder
from dovetail.models.cover import cover_problem
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import lower
from dovetail.puzzles.loading import load
from harness.parallel.inline_workers import InlineWorkers, Odds
from harness.run.test_cutting import THREE_OF_FIVE, searched
from oracle.strategies import cover_problems, edge_puzzles, packing_puzzles

CUTTING = [name for name, backend in backends().items() if backend.cuts]
SIX = "pentominoes-5x6-FLNPUY"
ANY = cover_problems(unit_bounds=True) | packing_puzzles() | edge_puzzles()
ONLY = {"fletcher": packing_puzzles(), "fila": packing_puzzles()} | dict.fromkeys(
    ("rows", "domains", "colorpair"), edge_puzzles()
)
REQUESTS = [
    Request(symmetry, listing=listing) for symmetry in Symmetry for listing in (True, False)
]


@dataclass
class Run:
    """The result of a run, and the solutions it listed."""

    finished: Finished
    solutions: list[tuple[int, ...]]


def collected(events: Iterator[Event]) -> Run:
    """Run to the end."""
    solutions: list[tuple[int, ...]] = []

    def note(event: Event) -> None:
        if isinstance(event, Found):
            solutions.extend(tuple(sorted(row[row >= 0].tolist())) for row in event.options)

    return Run(finish(events, note), solutions)


def spread(
    job: Job,
    workers: InlineWorkers,
    journal: Journal | None = None,
    interruption: Interruption | None = None,
    audit: float = 0.3,
    options: ParallelOptions | None = None,
) -> Generator[Event, None, None]:
    """The events of a job on workers."""
    journal = journal or Journal(None, [question_of(job)])
    options = options or ParallelOptions(2, audit=audit)
    yield from run_parallel(job, options, journal.run(0), workers, interruption)


def assert_same(job: Job, serial: Run, parallel: Run) -> None:
    """The results of one search and of many are the same."""
    one, many = serial.finished, parallel.finished
    assert (many.status, many.count) == (one.status, one.count)
    assert parallel.solutions == serial.solutions
    assert many.symmetry_expansion is not None
    if one.status != Status.EXHAUSTED or backend_named(job.backend).learns:
        return
    mine, others = one.outcome.counters, many.outcome.counters
    assert others.nodes == mine.nodes
    assert others.attempts == mine.attempts
    for name in ("fits_by_remaining", "attempts_by_remaining"):
        assert +Counter(getattr(others, name) or {}) == +Counter(getattr(mine, name) or {})


@pytest.mark.parametrize("backend", CUTTING)
@given(
    data=st.data(),
    request_=st.sampled_from(REQUESTS),
    seed=st.integers(0, 2**32),
    workers=st.integers(1, 4),
    limit=st.sampled_from([None, None, 1, 3]),
    stops=st.integers(0, 3),
)
@settings(max_examples=15, deadline=None)
def test_random_schedules_lose_nothing_and_double_nothing(
    backend: str,
    data: st.DataObject,
    request_: Request,
    seed: int,
    workers: int,
    limit: int | None,
    stops: int,
) -> None:
    """With workers that are lost, results that come twice, and runs that are stopped."""
    puzzle = data.draw(ONLY.get(backend, ANY))
    solver = backend_named(backend)
    assume(not solver.refuses(lower(puzzle).task(request_), solver.config_type()))
    job = Job(puzzle, request_, backend, limits=Limits(solutions=limit))
    serial = collected(run(job))
    assume((serial.finished.nodes or 0) < 3000)
    journal = Journal(None, [question_of(job)])
    for number in range(stops):
        interruption = Interruption()
        events = spread(job, InlineWorkers(workers, seed + number), journal, interruption)
        for _, event in zip(range(seed % 50), events, strict=False):
            if isinstance(event, Progress):
                interruption.request()
        if number % 2:
            list(events)  # it ends in order
        else:
            events.close()  # it is killed
    assert_same(job, serial, collected(spread(job, InlineWorkers(workers, seed), journal)))


@pytest.mark.parametrize("backend", ["xcover", "cpsat", "constraint"])
@pytest.mark.parametrize("request_", REQUESTS[:4])
def test_searches_that_cannot_be_cut_are_divided_beforehand(
    backend: str, request_: Request
) -> None:
    """The counts add up, and the solutions are the same, in another order."""
    pytest.importorskip({"cpsat": "ortools"}.get(backend, backend))
    job = Job(load("pentominoes-4x5-LNPU" if backend == "constraint" else SIX), request_, backend)
    serial = collected(run(job))
    parallel = collected(spread(job, InlineWorkers(2, 1, Odds(cut=0))))
    assert parallel.finished.parallel is not None
    assert parallel.finished.parallel.division == "task"
    assert parallel.finished.parallel.done > 1
    assert parallel.finished.count == serial.finished.count
    assert len(parallel.solutions) == len(set(parallel.solutions)) == len(serial.solutions)


def test_random_orders_are_searched_whole() -> None:
    """Here, by one process, with the same result."""
    job = Job(load(SIX), Request(Symmetry.ALL), random=RandomOrder(3))
    serial = finish(run(job))
    parallel = finish(spread(job, InlineWorkers(2, 1)))
    assert parallel.parallel is not None
    assert parallel.parallel.division == "whole"
    assert (parallel.count, parallel.nodes) == (serial.count, serial.nodes)


def test_a_sub_problem_that_ends_every_worker() -> None:
    """Is tried three times, and named."""
    job = Job(load(SIX), Request(Symmetry.ALL))
    finished = finish(spread(job, InlineWorkers(2, 1, Odds(lost=1))))
    assert finished.status == Status.FAILED
    assert finished.reason == (
        "sub-problem the whole search ended 3 workers; the last one: it was killed"
    )


def test_an_audit_finds_a_worker_that_miscounts() -> None:
    """The run is wrong, and both workers are named."""

    def miscounted(worker: str, key: bytes, result: PartResult) -> PartResult:
        wrong = worker == "worker 2" and result.status == Status.EXHAUSTED
        return replace(result, count=(result.count or 0) + 1) if wrong else result

    job = Job(load(SIX), Request(Symmetry.ALL))
    finished = finish(spread(job, InlineWorkers(2, 1, change=miscounted), audit=1))
    assert finished.status == Status.WRONG
    assert "worker 1" in str(finished.reason)
    assert "worker 2" in str(finished.reason)
    assert "differ in count" in str(finished.reason)


def test_limits_are_those_of_the_whole_run() -> None:
    """A limit on nodes is met exactly where each sub-problem gets what is left."""
    job = Job(load(SIX), Request(Symmetry.ALL), limits=Limits(nodes=500))
    finished = finish(spread(job, InlineWorkers(1, 1, Odds(0, 0, 0))))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, 500)
    late = Job(load("pentominoes-6x10"), job.request, limits=Limits(time_s=0))
    finished = finish(spread(late, InlineWorkers(2, 1, Odds(1, 0, 0))))
    assert finished.status == Status.TIME_LIMIT


def test_results_as_bytes() -> None:
    """Nothing is lost on the way, and what is no result is an error."""
    from dovetail.errors import ConfigError
    from dovetail.harness.parallel.assignment import result_from_bytes, result_to_bytes
    from dovetail.models.outcome import Counters

    rows = np.array([[1, 2], [3, -1]], dtype=np.int32)
    counters = Counters(1, 2, {1: 2}, {2: 1}, {"packs": 3}, {"parity": {1: 1}})
    result = PartResult(Status.EXHAUSTED, 2, counters, rows=rows)
    read = result_from_bytes(result_to_bytes(result))
    assert read.differs_from(result) is None
    assert read.rows.dtype == np.int32
    for data in (b"", b"{}", b"[]\n", result_to_bytes(result)[:-3], b"\xff"):
        with pytest.raises(ConfigError, match="not the result of a sub-problem"):
            result_from_bytes(data)


@pytest.mark.parametrize("backend", ["bitset", "fila"])
def test_promising_sub_problems_first(backend: str) -> None:
    """The whole is the same; with a limit, solutions come from wherever they are found first."""
    job = Job(load(SIX), Request(Symmetry.ALL, listing=True), backend)
    serial = collected(run(job))
    promising = ParallelOptions(2, order=SubProblemOrder.PROMISING)
    whole = collected(spread(job, InlineWorkers(3, 1), options=promising))
    assert_same(job, serial, whole)
    wanted = replace(job, limits=Limits(solutions=2))
    some = collected(spread(wanted, InlineWorkers(3, 1), options=promising))
    assert some.finished.status == Status.SOLUTION_LIMIT
    assert len(set(some.solutions) & set(serial.solutions)) == 2


def test_how_promising_sub_problems_are() -> None:
    """Those with solutions before those without any, which are last."""
    task = lower(load(SIX)).task(Request(Symmetry.ALL))
    cover = task.options.cover
    branches = [int(one) for one in cover.option_of_member[cover.item == 0]]
    promises = {one: promise_of(task, SubProblem((one,)), 0) for one in branches}
    assert promises == {one: promise_of(task, SubProblem((one,)), 0) for one in branches}
    with_solutions = {
        one
        for one in branches
        if searched(lower(load(SIX)).task(Request(Symmetry.ALL), SubProblem((one,))), "dlx")[0]
    }
    assert 0 < len(with_solutions) < len(branches)
    best = sorted(branches, key=lambda one: -promises[one])[: len(with_solutions)]
    assert len(with_solutions & set(best)) > len(with_solutions) / 2


def test_searches_that_cannot_be_cut_everywhere() -> None:
    """At other nodes they can; where the whole search cannot, the puzzle is divided instead."""
    mixed = cover_problem(
        "mixed",
        [("a", 1, 1), ("b", 1, 1), ("chosen", 2, 2)],
        [[one, "chosen"] for one in ("a", "b") for _ in range(6)],
    )
    for puzzle in (mixed, THREE_OF_FIVE):
        job = Job(puzzle, Request(Symmetry.ALL, listing=True))
        serial = collected(run(job))
        for seed in range(20):
            parallel = collected(spread(job, InlineWorkers(2, seed, Odds(cut=0.9))))
            assert parallel.finished.status == Status.EXHAUSTED
            assert sorted(parallel.solutions) == sorted(serial.solutions)
            assert parallel.finished.count == serial.finished.count
