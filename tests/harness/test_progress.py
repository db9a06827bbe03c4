"""How far runs and benches have come, by clocks that are set by hand."""

from __future__ import annotations

import sys
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest

from dovetail.harness.planning import AUTO
from dovetail.harness.progress import (
    FORECAST_FACTOR,
    LATER,
    SOONER,
    BenchProgress,
    RunProgress,
    TimeLeft,
)
from dovetail.harness.records.record import Record
from dovetail.harness.run.events import (
    AssembliesSoFar,
    Compiling,
    Event,
    ParallelProgress,
    Progress,
    Started,
)
from dovetail.harness.run.job import Chosen, Job, Limits
from dovetail.harness.run.result import Parallel, Result
from dovetail.harness.suite.plan import PlannedRun, SuitePlan, plan_of
from dovetail.harness.workers.runs import run
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load
from harness.records.made import changed, made


def time_left(samples: list[tuple[float, float]]) -> TimeLeft:
    """Return an estimator that was given these shares after these seconds."""
    left = TimeLeft()
    for elapsed_s, share in samples:
        left.add(elapsed_s, share)
    return left


def test_an_uneven_search() -> None:
    """The ends come from the fastest and the slowest of the whole, its last half and quarter."""
    samples = [(0.0, 0.0), (6.0, 0.3), (9.0, 0.6), (12.0, 0.7)]
    speeds = [0.7 / 12, 0.4 / 6, 0.1 / 3]
    low, high = (0.3 / max(speeds) / SOONER, 0.3 / min(speeds) * LATER)
    assert time_left(samples).range_s() == pytest.approx((low, high))


def test_a_search_in_jumps() -> None:
    """Branches of very different sizes one after another: the range holds what came."""
    seconds = [1.0, 3.0, 2.0, 4.0, 1.0, 2.0, 3.0, 2.0, 1.5, 1.0]  # of ten branches
    left, now, hits = TimeLeft(), 0.0, []
    left.add(0.0, 0.0)
    for branch, took in enumerate(seconds, start=1):
        now += took
        left.add(now, branch / 10)
        left_s = left.range_s()
        if left_s is not None and branch < 10:
            hits.append(left_s[0] <= sum(seconds) - now <= left_s[1])
    assert hits == [True] * 8


@pytest.mark.parametrize("samples", [[], [(0.0, 0.0), (10.0, 0.5), (20.0, 0.5)]])
def test_too_little_is_known(samples: list[tuple[float, float]]) -> None:
    """Where too little is known."""
    assert time_left(samples).range_s() is None


def test_samples_are_added_while_another_thread_reads() -> None:
    """As a run adds samples while its display is drawn."""
    left, interval = TimeLeft(), sys.getswitchinterval()

    def add_samples() -> None:
        for n in range(6_000, 30_000):
            left.add(10.0 + n, n / 1e6)

    adding = Thread(target=add_samples)
    sys.setswitchinterval(1e-6)
    try:
        adding.start()
        while adding.is_alive():
            left.range_s()
    finally:
        adding.join()
        sys.setswitchinterval(interval)
    assert left.range_s() is not None


QUEENS = load("queens-6")


def after(job: Job, *reported: tuple[float, Event]) -> dict[str, Any]:
    """Where a job stands after events at these seconds since it began."""
    now = 100.0
    progress = RunProgress(job, lambda: now)
    for seconds, event in reported:
        now = 100.0 + seconds
        progress.update(event)
    return progress.fields()


CHOSEN = Chosen("bitset", {}, (), "it is small")
PHASES = [
    ("dlx", [], "starting"),
    ("dlx", [Started(0.1), Compiling(under_way=True)], "compiling"),
    ("dlx", [Started(0.1), Compiling(under_way=True), Compiling(under_way=False)], "preparing"),
    (AUTO, [Started(0.1)], "choosing"),
    (AUTO, [Started(0.1), CHOSEN, Compiling(under_way=True), Started(0.3)], "preparing"),
    ("frontier", [Started(0.1), Progress(None, None, None, prepared=False)], "preparing"),
    ("dlx", [Started(0.1), Progress(0, 7, 0.1), AssembliesSoFar(3, 1)], "taking apart"),
    ("dlx", [Started(0.1), Result(Status.FAILED, reason="it fell over")], "ended"),
]


@pytest.mark.parametrize(("backend", "events", "phase"), PHASES)
def test_phases(backend: str, events: list[Event], phase: str) -> None:
    """What a run is at, after these events."""
    fields = after(Job(QUEENS, backend=backend), *((0.5, event) for event in events))
    assert fields["phase"] == phase
    assert fields["backend"] == ("bitset" if CHOSEN in events else backend)


def test_figures_of_a_search() -> None:
    """A lower bound, nodes, how fast they come, what is left; seconds are the clock's."""
    reported = [(1.0 + second, Progress(3, 50 * second, second / 20)) for second in range(11)]
    assert after(Job(QUEENS), (0.5, Started(0.4)), *reported) == {
        "phase": "searching",
        "puzzle": "queens-6",
        "backend": "dlx",
        "share": 0.5,
        "count": 3,
        "nodes": 500,
        "nodes_per_s": 50.0,
        "estimate": None,
        "elapsed_s": 11.0,
        "left_s": pytest.approx((10 / SOONER, 10 * LATER)),
        "status": None,
        "parallel": None,
        "apart": None,
    }


def test_what_is_left_gets_less_between_events() -> None:
    """By the seconds that have passed since the last one."""
    now = 100.0
    progress = RunProgress(Job(QUEENS), lambda: now)
    for second in range(11):
        now = 100.0 + second
        progress.update(Progress(0, second, second / 20))
    now += 2
    assert progress.fields()["left_s"] == pytest.approx((10 / SOONER - 2, 10 * LATER - 2))
    now += 100
    assert progress.fields()["left_s"] == (0.0, 0.0)


def test_a_forecast_says_what_is_left() -> None:
    """Of a search that does not report its share."""
    reported = (2.0, Progress(0, None, None, solve_s=5.0, forecast_s=60.0))
    after_start = after(Job(QUEENS), (1.0, Started(0.9)), reported)
    assert after_start["left_s"] == (60.0 / FORECAST_FACTOR - 5.0, 60.0 * FORECAST_FACTOR - 5.0)


def test_limits_bound_what_is_left() -> None:
    """The one on time as it is charged, the one on nodes at the speed they come."""
    reported = [
        (1.0 + second, Progress(3, 50 * second, second / 2000, prepare_s=2, solve_s=0.5 * second))
        for second in range(11)
    ]
    timed = Job(QUEENS, limits=Limits(time_s=30))
    assert after(timed, (1.0, Started(0.9)), *reported)["left_s"] == (23.0, 23.0)
    counted = Job(QUEENS, limits=Limits(nodes=750))
    assert after(counted, (1.0, Started(0.9)), *reported)["left_s"] == (5.0, 5.0)


def test_the_end() -> None:
    """The result's figures; the whole of the tree where it was exhausted."""
    finished = list(run(Job(QUEENS)))[-1]
    fields = after(Job(QUEENS), (1.0, Progress(1, 5, 0.25)), (2.0, finished))
    keys = ("phase", "status", "share", "count", "left_s")
    assert [fields[key] for key in keys] == ["ended", "exhausted", 1.0, 1, None]
    cut = Result(Status.TIME_LIMIT, reason="killed")
    fields = after(Job(QUEENS), (1.0, Progress(1, 5, 0.25)), (2.0, cut))
    assert [fields[key] for key in keys] == ["ended", "time-limit", 0.25, None, None]


def phases(job: Job) -> list[str]:
    """What a run is at, in its order, each once."""
    progress = RunProgress(job)
    reported = [progress.fields()["phase"]]
    for event in run(job):
        progress.update(event)
        reported.append(progress.fields()["phase"])
    return list(dict.fromkeys(reported))


def test_phases_of_a_run_in_a_child() -> None:
    """The same are reported from another process."""
    job = Job(load("langford-11"), backend="dlx", limits=Limits(time_s=60))
    assert phases(job) == ["starting", "preparing", "compiling", "searching", "ended"]


def test_a_run_on_workers_estimates_what_is_left_itself() -> None:
    """From its sub-problems, not from the speed of its share."""
    progress = ParallelProgress(Parallel(2, "cut"), 3, (), left_s=(4.0, 9.0))
    reported = [(1.0 + one, Progress(0, one, 0.9, parallel=progress)) for one in range(11)]
    assert after(Job(QUEENS), (1.0, Started(0.9)), *reported)["left_s"] == (4.0, 9.0)
    unknown = (20.0, Progress(0, 20, None, parallel=replace(progress, left_s=None)))
    assert after(Job(QUEENS), (1.0, Started(0.9)), *reported, unknown)["left_s"] is None
    resumed = replace(progress, nodes_before=1000, left_s=None)
    reported = [(1.0 + one, Progress(0, 1000 + one, 0.9, parallel=resumed)) for one in range(11)]
    limited = Job(QUEENS, limits=Limits(nodes=15))  # a limit on the nodes of this command
    assert after(limited, (1.0, Started(0.9)), *reported)["left_s"] == (0.0, 5.0)


@pytest.fixture
def plan() -> SuitePlan:
    """Two jobs, twice each."""
    return plan_of("queens-6", "dlx, constraint", 2, time_limit=20)


def jobs(plan: SuitePlan) -> list[PlannedRun]:
    """The jobs of a plan."""
    return list(plan.jobs.values())


def record(planned: PlannedRun, repeat: int, **changes: Any) -> Record:
    """A record with what is looked at: a total of two seconds."""
    base = {"count": 4, "prepare_s": 1.0, "solve_s": 1.0, "warm_up_s": 1.0, "check_s": 0.0}
    job = {"job": planned.job.digest, "repeat": repeat}
    return made("queens-6", planned.job.backend, **{**job, **base, **changes})


def figures(progress: BenchProgress) -> list[Any]:
    """How many runs are done, planned, failed, under way, and what is left."""
    fields = progress.fields()
    counts = [fields[key] for key in ("done", "planned", "failed")]
    return [*counts, [run["backend"] for run in fields["running"]], fields["left_s"]]


def test_a_bench_from_beginning_to_end(plan: SuitePlan) -> None:
    """Runs that nobody knows take up to their limit, others as long as the last time."""
    now = 0.0
    progress = BenchProgress(plan, clock=lambda: now)
    dlx, constraint = jobs(plan)
    assert figures(progress) == [0, 4, 0, [], (0.0, 80.0)]
    progress.begin(dlx, 0)
    now = 1.0
    assert figures(progress) == [0, 4, 0, ["dlx"], (0.0, 79.0)]
    progress.ended(record(dlx, 0))
    assert figures(progress) == [1, 4, 0, [], (9.0, 43.0)]  # no run took less than 3 s
    progress.begin(constraint, 0)
    now = 6.0
    assert figures(progress) == [1, 4, 0, ["constraint"], (6.0, 38.0)]
    progress.ended(record(constraint, 0, solve_s=6.0, check_s=0.5))
    assert figures(progress) == [2, 4, 0, [], (11.5, 11.5)]
    last = progress.fields()["last"]
    assert (last["backend"], last["repeat"], last["total_s"]) == ("constraint", 0, 7.0)
    progress.ended(record(dlx, 1))
    assert (progress.fields()["phase"], progress.is_over) == ("running", False)
    progress.ended(record(constraint, 1))
    assert figures(progress) == [4, 4, 0, [], None]
    assert (progress.fields()["phase"], progress.is_over) == ("ended", True)


def test_runs_at_the_same_time_are_not_divided(plan: SuitePlan) -> None:
    """A run lasts as long as by itself, and the longest may begin last."""
    progress = BenchProgress(plan, parallel=4, clock=lambda: 0.0)
    dlx, constraint = jobs(plan)
    for repeat in range(2):
        progress.ended(record(dlx, repeat))
    progress.ended(record(constraint, 0, solve_s=6.0))
    assert figures(progress) == [3, 4, 0, [], (8.0, 8.0)]
    known = [record(dlx, 0), record(constraint, 0, solve_s=6.0)]
    progress = BenchProgress(plan, known, parallel=2, clock=lambda: 0.0)
    assert figures(progress) == [2, 4, 0, [], (8.0, 9.5)]


def test_a_bench_that_is_stopped(plan: SuitePlan) -> None:
    """Has ended too, with runs that were not made and no time that is left."""
    progress = BenchProgress(plan)
    dlx, constraint = jobs(plan)
    progress.ended(record(dlx, 0))
    progress.ended(record(constraint, 0, status="interrupted"))
    progress.end()
    assert figures(progress) == [1, 4, 0, [], None]
    assert progress.fields()["phase"] == "ended"


def test_records_that_were_there(plan: SuitePlan) -> None:
    """They are done; failures are to be done again, and what is of another plan is passed over."""
    dlx, constraint = jobs(plan)
    known = [
        record(dlx, 0),
        record(dlx, 0, solve_s=3.0),
        record(dlx, 7),
        record(constraint, 0, status="failed", count=None),
        changed(record(dlx, 0), job="another"),
    ]
    progress = BenchProgress(plan, known)
    assert figures(progress)[:4] == [1, 4, 0, []]
