"""Runs on several workers: counts, nodes and solutions of one search, whatever the schedule."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.searches import searched
from backends.skyline.test_against_twin import box_puzzles
from dovetail.backends.registry import backend_named, backends
from dovetail.errors import ConfigError
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event, Progress
from dovetail.harness.run.job import Job, Limits, Plan, RandomOrder, Trials
from dovetail.harness.run.result import Parallel, Result
from dovetail.harness.workers import worker
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Lost,
    Searching,
    WorkerEvent,
    Workers,
    differing_field,
    packed_rows,
    read_result,
    result_text,
)
from dovetail.harness.workers.checkpoint import Checkpoint, CheckpointRun, Division
from dovetail.harness.workers.coordinator import (
    LONGEST_S,
    SHORTEST_S,
    Coordinator,
    InFlight,
    Purpose,
)
from dovetail.harness.workers.options import ParallelOptions, SubProblemOrder
from dovetail.harness.workers.parallel_run import Pool, question_digest, run_parallel
from dovetail.harness.workers.runs import finish, run
from dovetail.harness.workers.tree_estimate import TreeEstimate
from dovetail.harness.workers.worker import PartRunner, promise_of
from dovetail.models.cover import cover
from dovetail.models.outcome import Counters, Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.models.task import lower
from dovetail.puzzles.loading import load
from harness.known import known
from harness.run.test_cutting import THREE_OF_FIVE
from harness.workers.results import assert_same, collected
from oracle.strategies import board_variants, cover_problems, edge_puzzles, packing_puzzles

Change = Callable[[str, Assignment, Result], Result]
BUDGETS = (0, 1, 5, 30, 200)


@dataclass
class Odds:
    """How often a sub-problem is cut, and how often its worker is lost or answers twice.

    No sub-problem loses more than two workers, unless it loses every one.
    """

    cut: float = 0.5
    lost: float = 0.1
    twice: float = 0.1


class InlineWorkers(Workers):
    """A number of workers that search one after another, in a random order.

    The time limit of an assignment is replaced by a random number of nodes, so that a seed decides
    the schedule.
    """

    def __init__(
        self,
        count: int,
        seed: int,
        odds: Odds | None = None,
        change: Change | None = None,
    ) -> None:
        self.count = count
        self._random, self._odds = random.Random(seed), odds or Odds()
        self._change = change
        self._running: dict[str, Assignment] = {}
        self._names = [f"worker {number}" for number in range(1, count + 1)]
        self._lost = Counter[bytes]()
        self._stopped = False
        self._late: list[WorkerEvent] = []
        self.searched: list[bytes] = []

    def begin(self, plan: Plan) -> None:
        self._runner = PartRunner(plan)

    def free(self) -> int:
        return self.count - len(self._running)

    def are_idle(self) -> bool:
        return not self._running

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        names = self._names if self.count == 1 else [one for one in self._names if one != avoid]
        free = [one for one in names if one not in self._running]
        if not free:
            return None
        name = self._random.choice(free)
        self._running[name] = assignment
        return name

    def stop(self) -> list[int]:
        """Take back some assignments, and cut the others."""
        self._stopped = True
        names = [name for name in sorted(self._running) if self._random.random() < 0.3]
        return [self._running.pop(name).number for name in names]

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        events, self._late = self._late, []
        if not self._running:
            return events
        name = self._random.choice(sorted(self._running))
        assignment = self._running.pop(name)
        lost = self._random.random() < self._odds.lost
        if lost and (self._odds.lost == 1 or self._lost[assignment.key] < 2):
            self._lost[assignment.key] += 1
            return [*events, Lost(name, assignment.number, "it was killed")]
        self.searched.append(assignment.key)
        reply = self._reply(assignment)
        if self._change is not None and isinstance(reply, Result):
            reply = self._change(name, assignment, reply)
        done = Done(name, assignment, reply)
        if self._random.random() < self._odds.twice:
            self._late.append(replace(done, worker=f"{name}, late"))
        return [*events, Searching(assignment.number, 1, name), done]

    def held_bytes(self, limit: int | None) -> int:
        return 0

    def close(self) -> None:
        self._running.clear()

    def _reply(self, assignment: Assignment) -> Result | float:
        cuts = self._stopped or self._random.random() < self._odds.cut
        nodes = assignment.nodes
        if cuts and nodes is None and not assignment.to_end:
            nodes = self._random.choice(BUDGETS)
        assignment = replace(assignment, nodes=nodes, seconds=None)
        return self._runner.reply(assignment)


CUTTING = [name for name, backend in backends().items() if backend.cuts]
SIX = "pentominoes-5x6-FLNPUY"
EXAMPLES = int(os.environ.get("DOVETAIL_EXAMPLES", "6"))
Events = Generator[Event, None, None]
ANY = cover_problems(unit_bounds=True) | packing_puzzles() | edge_puzzles()
ONLY: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("fletcher", "fila"), packing_puzzles()),
    **dict.fromkeys(("rows", "colorpair"), edge_puzzles()),
    "domains": edge_puzzles() | board_variants(),
    "skyline": box_puzzles(),
}
REQUESTS = [
    Request(symmetry, listing=listing) for symmetry in Symmetry for listing in (True, False)
]


def spread(
    job: Job,
    workers: InlineWorkers,
    checkpoint: Checkpoint | None = None,
    interruption: Interruption | None = None,
    options: ParallelOptions | None = None,
) -> Events:
    """The events of a job on workers."""
    checkpoint = checkpoint or Checkpoint(None, [question_digest(job)])
    options = options or ParallelOptions(2, audit=0.3)
    yield from run_parallel(job, options, checkpoint.run(0), Pool(lambda: workers), interruption)


def parallel_of(finished: Result) -> Parallel:
    """How a run was divided."""
    return known(finished.parallel)


@pytest.mark.parametrize("backend", CUTTING)
@given(
    data=st.data(),
    request_=st.sampled_from(REQUESTS),
    seed=st.integers(0, 2**32),
    workers=st.integers(1, 4),
    limit=st.sampled_from([None, None, 1, 3]),
    stops=st.integers(0, 3),
    order=st.sampled_from(get_args(SubProblemOrder)),
)
@settings(max_examples=EXAMPLES, deadline=None)
def test_random_schedules_lose_nothing_and_double_nothing(
    backend: str,
    data: st.DataObject,
    request_: Request,
    seed: int,
    workers: int,
    limit: int | None,
    stops: int,
    order: SubProblemOrder,
) -> None:
    """With workers that are lost, results that come twice, and runs that are stopped.

    With `DOVETAIL_EXAMPLES=300` the long run.
    """
    puzzle = data.draw(ONLY.get(backend, ANY))
    solver = backend_named(backend)
    assume(not solver.refuses(lower(puzzle).task(request_), solver.config_type()))
    job = Job(puzzle, request_, backend, limits=Limits(solutions=limit))
    serial = collected(run(job))
    assume((serial.finished.nodes or 0) < 3000)
    checkpoint = Checkpoint(None, [question_digest(job)])
    options = ParallelOptions(2, audit=0.3, subproblem_order=order)

    def events_of(number: int, interruption: Interruption | None = None) -> Events:
        inline = InlineWorkers(workers, seed + number)
        return spread(job, inline, checkpoint, interruption, options=options)

    for number in range(stops):
        interruption = Interruption()
        events = events_of(number, interruption)
        for _, event in zip(range(seed % 50), events, strict=False):
            if isinstance(event, Progress):
                interruption.request()
        if number % 2:
            list(events)  # it ends in order
        else:
            events.close()  # it is killed
    parallel = collected(events_of(stops))
    divided = parallel_of(parallel.finished).division == "task"
    others = limit is not None and (divided or order == "promising")
    if divided or others:  # in another order, and by other nodes
        assert parallel.finished.count == serial.finished.count
        assert others or sorted(parallel.solutions) == sorted(serial.solutions)
    else:
        assert_same(job, serial, parallel)


@pytest.mark.parametrize(
    ("backend", "request_"),
    [
        ("cpsat", REQUESTS[0]),
        *product(["zdd"], REQUESTS[:3]),  # counts up to symmetry are not divided
    ],
)
def test_searches_that_cannot_be_cut_are_divided_beforehand(
    backend: str, request_: Request
) -> None:
    """The counts add up, and the solutions are the same, in another order."""
    if backend != "zdd":
        pytest.importorskip({"cpsat": "ortools"}.get(backend, backend))
    job = Job(load(SIX), request_, backend)
    serial = collected(run(job))
    parallel = collected(spread(job, InlineWorkers(2, 1, Odds(cut=0))))
    assert parallel_of(parallel.finished).division == "task"
    assert parallel_of(parallel.finished).done > 1
    assert parallel.finished.count == serial.finished.count
    assert len(parallel.solutions) == len(set(parallel.solutions)) == len(serial.solutions)


@given(
    puzzle=packing_puzzles(),
    request_=st.sampled_from(REQUESTS),
    trials=st.builds(
        Trials, st.integers(1, 12), st.integers(1, 4), st.integers(0, 2**40), st.booleans()
    ),
    backend=st.sampled_from(["dlx", "fila"]),
    limit=st.sampled_from([None, None, 1, 3]),
    order=st.sampled_from(get_args(SubProblemOrder)),
    seed=st.integers(0, 2**32),
    stops=st.integers(0, 2),
)
@settings(max_examples=8 * EXAMPLES, deadline=None)
def test_trials_one_by_one(
    puzzle: PackingPuzzle,
    request_: Request,
    trials: Trials,
    backend: str,
    limit: int | None,
    order: SubProblemOrder,
    seed: int,
    stops: int,
) -> None:
    """Each trial is a sub-problem; one that exhausts the puzzle is the last that counts."""
    pieces = lower(puzzle).options.placements_per_solution
    trials = replace(trials, within_items=trials.within_items and backend == "dlx")
    assume(pieces is not None and trials.remaining <= pieces)
    job = Job(puzzle, request_, backend, limits=Limits(solutions=limit), trials=trials)
    serial = collected(run(job))
    assume(serial.finished.status.has_searched and serial.finished.searched)
    options = ParallelOptions(2, audit=0.3, subproblem_order=order)
    checkpoint = Checkpoint(None, [question_digest(job)])
    for number in range(stops):
        events = spread(job, InlineWorkers(2, seed + number), checkpoint, options=options)
        list(zip(range(seed % 9), events, strict=False))
        events.close()  # it is killed
    parallel = collected(spread(job, InlineWorkers(3, seed), checkpoint, options=options))
    one, many = serial.finished, parallel.finished
    assert parallel_of(many).division == "trials"
    assert (many.status, many.count) == (one.status, one.count)
    assert parallel.solutions == serial.solutions
    first, second = known(one.searched), known(many.searched)
    assert second.begun == first.begun
    if one.status != Status.SOLUTION_LIMIT:  # a worker may find more in the last trial
        assert second.with_solutions == first.with_solutions
        assert second.found == first.found
    assert parallel_of(many).same_nodes == (one.status == Status.REMAINING_LIMIT)
    assert many.counters == one.counters or not parallel_of(many).same_nodes
    idle = InlineWorkers(1, seed)
    again = finish(spread(job, idle, checkpoint, options=options))
    assert (again.status, again.count, again.counters) == (many.status, many.count, many.counters)
    assert not idle.searched or options.audit


@pytest.mark.parametrize("nodes", [100, 400])
def test_trials_up_to_a_limit(nodes: int) -> None:
    """Those that count have ended, and no earlier trial is missing."""
    trials = Trials(40, 5, seed=2)
    job = Job(load(SIX), Request(Symmetry.ALL), limits=Limits(nodes=nodes), trials=trials)
    finished = finish(spread(job, InlineWorkers(3, 1)))
    searched = known(finished.searched)
    assert finished.status == Status.NODE_LIMIT
    assert 0 < searched.begun < 40
    shorter = replace(job, limits=Limits(), trials=replace(trials, count=searched.begun))
    serial = finish(run(shorter))
    assert (finished.count, searched.found) == (serial.count, known(serial.searched).found)
    assert known(finished.nodes) >= nodes >= known(serial.nodes)
    assert not parallel_of(finished).same_nodes


@pytest.mark.parametrize(
    "order", [{"random": RandomOrder(3)}, {"trials": Trials(100_001, 4)}], ids=list
)
def test_orders_that_are_searched_whole(order: dict[str, Any]) -> None:
    """Here, by one process, with the same result."""
    job = Job(load(SIX), Request(Symmetry.ALL), limits=Limits(nodes=5000), **order)
    serial = finish(run(job))
    parallel = finish(spread(job, InlineWorkers(2, 1)))
    assert parallel_of(parallel).division == "whole"
    assert (parallel.count, parallel.nodes) == (serial.count, serial.nodes)
    assert parallel.example == serial.example is not None


def test_a_sub_problem_that_ends_every_worker() -> None:
    """Is tried three times, and named."""
    job = Job(load(SIX), Request(Symmetry.ALL))
    finished = finish(spread(job, InlineWorkers(2, 1, Odds(lost=1))))
    assert finished.status == Status.FAILED
    assert "the whole search ended 3 workers" in str(finished.reason)


def test_an_audit_finds_a_worker_that_miscounts() -> None:
    """The run is wrong, and both workers are named."""

    def miscounted(worker: str, _: Assignment, result: Result) -> Result:
        wrong = worker == "worker 2" and result.status == Status.EXHAUSTED
        return replace(result, count=(result.count or 0) + 1) if wrong else result

    job = Job(load(SIX), Request(Symmetry.ALL))
    workers = InlineWorkers(2, 1, change=miscounted)
    finished = finish(spread(job, workers, options=ParallelOptions(2, audit=1)))
    assert finished.status == Status.WRONG
    assert all(word in str(finished.reason) for word in ("worker 1", "worker 2", "count"))


def test_an_audit_compares_no_times() -> None:
    """A backend may report seconds and bytes among its figures."""

    def timed(worker: str, assignment: Assignment, result: Result) -> Result:
        costs = {"time_s": assignment.number / 7, "table_bytes": len(worker) + assignment.number}
        counters = replace(result.counters, native={**result.counters.native, **costs})
        return replace(result, counters=counters)

    job = Job(load(SIX), Request(Symmetry.ALL))
    workers = InlineWorkers(2, 1, change=timed)
    finished = finish(spread(job, workers, options=ParallelOptions(2, audit=1)))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 40)
    assert parallel_of(finished).audited


@pytest.mark.parametrize("hours", [0, 1])
@pytest.mark.parametrize("left_s", [0.0, 1e9])
def test_how_long_a_part_is_searched(
    monkeypatch: pytest.MonkeyPatch, hours: float, left_s: float
) -> None:
    """From 0.1 to 5 s, however long the run takes, and longer if more is left in the queue."""
    job = Job(load(SIX), Request(Symmetry.ALL))
    run_ = Checkpoint(None, [question_digest(job)]).run(0)
    run_.begin("a plan", "cut", [SubProblem(cut_from="dlx")])
    options = ParallelOptions(2)
    workers = InlineWorkers(2, 1)
    coordinator = Coordinator(run_, workers, Division.CUT, session_of(job), options)
    monkeypatch.setattr(coordinator, "_began", coordinator._began - 3600 * hours)
    estimate = TreeEstimate(1.0, left_s, 0.0, {-1: left_s})
    monkeypatch.setattr(CheckpointRun, "estimate", estimate)
    expected = LONGEST_S if left_s or hours else SHORTEST_S
    assert coordinator._seconds() == pytest.approx(expected)


def test_results_after_one_that_is_not_recorded() -> None:
    """All of them count."""
    job = Job(load(SIX), Request(Symmetry.ALL), "zdd")
    checkpoint = Checkpoint(None, [question_digest(job)])
    run_ = checkpoint.run(0)
    parts = run_.begin("a plan", "task", [SubProblem((0,)), SubProblem((1,))])
    workers = InlineWorkers(2, 1)
    coordinator = Coordinator(run_, workers, Division.TASK, session_of(job), ParallelOptions(2))
    replies = [
        Result(Status.TIME_LIMIT, 1, Counters(1)),
        Result(Status.EXHAUSTED, 100, Counters(2), remaining=()),
    ]
    asked = [Assignment(n + 1, part.key, part.part, to_end=True) for n, part in enumerate(parts)]
    for assignment, part in zip(asked, parts, strict=True):
        flown = InFlight(assignment, part, Purpose.SEARCH, "worker 1")
        coordinator._in_flight[assignment.number] = flown
    for assignment, reply in zip(asked, replies, strict=True):
        list(coordinator._handle(Done("worker 1", assignment, reply)))
    assert coordinator.result.status == Status.TIME_LIMIT
    assert (coordinator.result.count, coordinator.totals.nodes) == (101, 3)
    assert (run_.totals.count, run_.totals.done) == (100, 1)


def test_limits_are_those_of_all_workers_together() -> None:
    """A limit on nodes is met exactly where each sub-problem gets what is left."""
    job = Job(load(SIX), Request(Symmetry.ALL), limits=Limits(nodes=500))
    finished = finish(spread(job, InlineWorkers(1, 1, Odds(0, 0, 0))))
    assert (finished.status, finished.nodes) == (Status.NODE_LIMIT, 500)
    finished = finish(spread(job, InlineWorkers(2, 1)))
    assert finished.status == Status.NODE_LIMIT
    assert not parallel_of(finished).same_nodes
    late = Job(load("pentominoes-6x10"), job.request, limits=Limits(time_s=0))
    finished = finish(spread(late, InlineWorkers(2, 1, Odds(1, 0, 0))))
    assert finished.status == Status.TIME_LIMIT


def test_the_checkpoint_has_the_status_of_the_result() -> None:
    """A part that ends at the limit on solutions, as the last one, does not exhaust the puzzle."""
    job = Job(load(SIX), Request(Symmetry.ALL), limits=Limits(solutions=3))
    checkpoint = Checkpoint(None, [question_digest(job)])
    finished = finish(spread(job, InlineWorkers(1, 1, Odds(0, 0, 0)), checkpoint))
    assert parallel_of(finished).done == 1
    assert (finished.status, finished.count) == (Status.SOLUTION_LIMIT, 3)
    assert checkpoint.run(0).status == Status.SOLUTION_LIMIT


def test_a_part_that_a_limit_ended_with_nothing_left_is_not_audited() -> None:
    """A second search would have another status; here the limit is the last node of the tree."""
    job = Job(load(SIX), Request(Symmetry.ALL), "fila", limits=Limits(nodes=4103))
    checkpoint = Checkpoint(None, [question_digest(job)])
    for _sitting in range(2):
        workers, options = InlineWorkers(1, 1, Odds(0, 0, 0)), ParallelOptions(1, audit=1)
        finished = finish(spread(job, workers, checkpoint, options=options))
        assert (finished.status, finished.nodes) == (Status.EXHAUSTED, 4103), finished.reason


@pytest.mark.parametrize("backend", ["dlx", "zdd"])
def test_the_same_command_goes_on_with_its_limits(backend: str) -> None:
    """Each time as far as they allow, until the result is that of one search."""
    job = Job(load(SIX), Request(Symmetry.ALL), backend)
    serial = finish(run(job))
    limits = Limits(nodes=400) if backend == "dlx" else Limits(time_s=0.05)
    checkpoint = Checkpoint(None, [question_digest(job)])
    for sitting in range(1, 200):
        limited = replace(job, limits=limits)
        finished = finish(spread(limited, InlineWorkers(2, sitting), checkpoint))
        assert parallel_of(finished).sittings == sitting
        if finished.status == Status.EXHAUSTED:
            break
        assert finished.status in (Status.NODE_LIMIT, Status.TIME_LIMIT)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, serial.count)
    assert sitting > 1 or backend != "dlx"


@pytest.mark.parametrize("order", get_args(SubProblemOrder))
@pytest.mark.parametrize("seed", range(2))
def test_a_run_that_is_stopped_at_once_is_not_over(order: SubProblemOrder, seed: int) -> None:
    """Whatever the workers have then: probes, audits, or nothing because they are lost."""
    job, interruption = Job(load(SIX), Request(Symmetry.ALL)), Interruption()
    checkpoint = Checkpoint(None, [question_digest(job)])
    options = ParallelOptions(2, audit=1, subproblem_order=order)
    workers = InlineWorkers(2, seed, Odds(0.9, 0.5, 0.5))

    def stop(_event: Event) -> None:
        if checkpoint.run(0).plan is not None:
            interruption.request()

    finished = finish(spread(job, workers, checkpoint, interruption, options=options), stop)
    assert (finished.status, checkpoint.run(0).is_waiting) == (Status.INTERRUPTED, True)


@pytest.mark.parametrize("backend", ["auto", "bitset"])
def test_a_plan_that_was_made_in_haste_is_not_kept(backend: str) -> None:
    """A run that is stopped while it is planned begins anew, with the nodes of one search."""
    job = Job(load("soma-cube"), Request(), backend)
    checkpoint, interruption = Checkpoint(None, [question_digest(job)]), Interruption()
    interruption.request()
    stopped = finish(spread(job, InlineWorkers(2, 1), checkpoint, interruption))
    assert stopped.status == Status.INTERRUPTED
    assert "stopped while " in (stopped.reason or "")
    assert backend == "auto" or stopped.count == 0
    assert checkpoint.run(0).plan is None
    again, serial = finish(spread(job, InlineWorkers(2, 1), checkpoint)), finish(run(job))
    assert (again.count, again.nodes) == (serial.count, serial.nodes)


@pytest.mark.parametrize("backend", ["dlx", "xcover"])
def test_more_solutions_than_one_result_has(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that can be cut is; another one goes on to its end."""
    if backend == "xcover":
        pytest.importorskip("xcover")
    monkeypatch.setattr(worker, "MAX_ROWS", 3)
    job = Job(load(SIX), Request(Symmetry.ALL, listing=True), backend)
    parallel = collected(spread(job, InlineWorkers(2, 1, Odds(0, 0, 0))))
    assert parallel.finished.status == Status.EXHAUSTED
    assert len(set(parallel.solutions)) == parallel.finished.count == 40


def test_results_as_text() -> None:
    """Nothing is lost in a checkpoint, and other text is an error."""
    rows = np.array([[1, 2], [3, -1]], dtype=np.int32)
    counters = Counters(1, 2, {1: 2}, {2: 1}, {"packs": 3}, {"parity": {1: 1}})
    result = Result(Status.EXHAUSTED, 2, counters, rows=rows)
    text, packed = result_text(result), packed_rows(result)
    assert packed is not None
    assert differing_field(read_result(text, packed), result) is None
    for damaged in (("", None), ("{}", None), ("[]", None), (text[:-1], None), (text, packed[:-3])):
        with pytest.raises(ConfigError, match=r"^it is not the result of a sub-problem: .*[^:]$"):
            read_result(*damaged)


def test_items_covered_several_times() -> None:
    """The puzzle is divided beforehand: solutions come in the same order in every schedule."""
    mixed = cover(
        [("a", 1, 1), ("b", 1, 1), ("chosen", 2, 2)],
        [[one, "chosen"] for one in ("a", "b") for _ in range(6)],
        name="mixed",
    )
    for puzzle in (mixed, THREE_OF_FIVE):
        job = Job(puzzle, Request(Symmetry.ALL, listing=True))
        serial = collected(run(job))
        many = [collected(spread(job, InlineWorkers(2, seed, Odds(cut=0.9)))) for seed in range(5)]
        assert {one.finished.count for one in many} == {serial.finished.count}
        assert sorted(many[0].solutions) == sorted(serial.solutions)
        assert [one.solutions for one in many] == [many[0].solutions] * 5


def test_how_promising_sub_problems_are() -> None:
    """Those with solutions before those without any, which are last."""
    lowered = lower(load(SIX))
    task = lowered.task(Request(Symmetry.ALL))
    cover = task.options.cover
    parts = [SubProblem((int(one),)) for one in cover.option_of_member[cover.item == 0]]
    promises = {part: promise_of(task, part, 0) for part in parts}
    assert promises == {part: promise_of(task, part, 0) for part in parts}
    fruitful = {part for part in parts if searched(lowered.task(task.request, part), "dlx")[0]}
    assert 0 < len(fruitful) < len(parts)
    best = sorted(parts, key=lambda part: -promises[part])[: len(fruitful)]
    assert len(fruitful & set(best)) > len(fruitful) / 2


@pytest.mark.parametrize("reduction", ["volume", "fit", "redundancy"])
def test_placements_that_fletcher_cannot_name(reduction: str) -> None:
    """It is divided only where a reduction leaves it all placements that it tries."""
    reductions = (Reduction.parse(reduction),)
    job = Job(load(SIX), Request(listing=True, reductions=reductions), "fletcher")
    serial = collected(run(job))
    divided = "cut" if reduction == "redundancy" else "whole"
    parallel = collected(spread(job, InlineWorkers(2, 1, Odds(cut=0.9))))
    assert parallel_of(parallel.finished).division == divided
    assert parallel.solutions == serial.solutions
