"""Where a run stands, from its events and a clock that is set by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dovetail.harness.planning import AUTO
from dovetail.harness.progress import LATER, SOONER, RunProgress
from dovetail.harness.run.events import Compiling, Event, ParallelProgress, Progress, Started
from dovetail.harness.run.job import Chosen, Job, Limits, Trials
from dovetail.harness.run.result import Parallel, Result, Searched
from dovetail.harness.workers.runs import execute, run
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load

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
    ("dlx", [Started(0.1)], "preparing"),
    ("dlx", [Started(0.1), Compiling(under_way=True)], "compiling"),
    ("dlx", [Started(0.1), Compiling(under_way=True), Compiling(under_way=False)], "preparing"),
    ("dlx", [Started(0.1), Compiling(under_way=True), Started(0.2)], "preparing"),
    (AUTO, [Started(0.1)], "choosing"),
    (AUTO, [Started(0.1), Compiling(under_way=True), Started(0.2)], "choosing"),
    (AUTO, [Started(0.1), CHOSEN], "preparing"),
    (AUTO, [Started(0.1), CHOSEN, Compiling(under_way=True), Started(0.3)], "preparing"),
    ("frontier", [Started(0.1), Progress(None, None, None, prepared=False)], "preparing"),
    ("dlx", [Started(0.1), Progress(0, 7, 0.1)], "searching"),
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


def test_a_limit_on_time_is_shown_for_any_search() -> None:
    """Of one that does not know its share too, and while tables are built."""
    timed = Job(QUEENS, backend="frontier", limits=Limits(time_s=30))
    assert after(timed, (1.0, Started(0.9)))["left_s"] == (0.0, 30.0)
    reported = (5.0, Progress(None, None, None, prepare_s=4.0))
    assert after(timed, (1.0, Started(0.9)), reported)["left_s"] == (0.0, 26.0)
    assert after(replace(timed, limits=Limits()), (1.0, Started(0.9)), reported)["left_s"] is None


def test_the_end() -> None:
    """The result's figures; the whole of the tree where it was exhausted."""
    finished = list(run(Job(QUEENS)))[-1]
    fields = after(Job(QUEENS), (1.0, Progress(1, 5, 0.25)), (2.0, finished))
    keys = ("phase", "status", "share", "count", "left_s")
    assert [fields[key] for key in keys] == ["ended", "exhausted", 1.0, 1, None]
    cut = Result(Status.TIME_LIMIT, reason="killed")
    fields = after(Job(QUEENS), (1.0, Progress(1, 5, 0.25)), (2.0, cut))
    assert [fields[key] for key in keys] == ["ended", "time-limit", 0.25, None, None]


@pytest.mark.parametrize(("reported", "share"), [(float("nan"), None), (1.7, 1.0), (-0.1, 0.0)])
def test_shares_that_are_none(reported: float, share: float | None) -> None:
    """A backend from elsewhere may tell any number."""
    assert after(Job(QUEENS), (1.0, Progress(0, 1, reported)))["share"] == share


def phases(job: Job) -> list[str]:
    """What a run is at, in its order, each once."""
    progress = RunProgress(job)
    reported = [progress.fields()["phase"]]
    for event in run(job):
        progress.update(event)
        reported.append(progress.fields()["phase"])
    return list(dict.fromkeys(reported))


def test_phases_of_a_run_here() -> None:
    """Of a search that builds its tables in slices, chosen by `auto`."""
    expected = ["starting", "choosing", "compiling", "preparing", "searching", "ended"]
    assert phases(Job(load("pentominoes-4x15"), backend=AUTO)) == expected


def test_phases_of_a_run_in_a_child() -> None:
    """The same are reported from another process."""
    job = Job(load("langford-11"), backend="dlx", limits=Limits(time_s=60))
    assert phases(job) == ["starting", "preparing", "compiling", "searching", "ended"]


def test_trials_are_shares() -> None:
    """Those that have ended, of all."""
    job = Job(load("pentominoes-3x20"), trials=Trials(count=4, remaining=8, seed=1))
    reported = [event for event in execute(job) if isinstance(event, Progress)]
    shares = list(dict.fromkeys(progress.share for progress in reported))
    assert [share for share in shares if share != 0.0] == [0.25, 0.5, 0.75, 1.0]
    assert all(isinstance(progress.searched, Searched) for progress in reported)


def test_a_run_on_workers_estimates_what_is_left_itself() -> None:
    """From its sub-problems, not from the speed of its share."""
    progress = ParallelProgress(Parallel(2, "cut"), 3, (), left_s=(4.0, 9.0))
    reported = [(1.0 + one, Progress(0, one, 0.9, parallel=progress)) for one in range(11)]
    assert after(Job(QUEENS), (1.0, Started(0.9)), *reported)["left_s"] == (4.0, 9.0)
    unknown = (20.0, Progress(0, 20, None, parallel=replace(progress, left_s=None)))
    assert after(Job(QUEENS), (1.0, Started(0.9)), *reported, unknown)["left_s"] is None
