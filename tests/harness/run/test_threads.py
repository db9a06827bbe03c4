"""Searches in threads, guards that give them up, and signals that ask them to end."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

import pytest

from dovetail.backends import threaded
from dovetail.backends.base import Budget, Search
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.stepwise import StepwiseSearch
from dovetail.backends.threaded import Deadline, FoundSolutions, ThreadedSearch
from dovetail.harness.planning.boards import NodeGuard
from dovetail.harness.run.clock import SIGNALS, Interruption, RunClock
from dovetail.harness.run.job import Job, Limits, Plan
from dovetail.harness.run.searches import Guard, run_sliced, run_threaded
from dovetail.harness.run.session import Session, returned
from dovetail.models.outcome import Counters, Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from oracle.answers import counted

WORK_S = 0.1


class BusySearch(ThreadedSearch):
    """Works before each of two solutions."""

    def advance(self, budget: Budget) -> Status | None:
        for _ in range(2):
            end = time.thread_time() + WORK_S
            while time.thread_time() < end:
                pass
            self.found.add([1])
        return Status.EXHAUSTED


class BusyThreads(BusySearch):
    """The same search, as one of several threads."""

    uses_threads = True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search pause at each solution."""
    monkeypatch.setattr(threaded, "LONGEST_WAIT_S", 0.0)


@pytest.mark.parametrize("search_type", [BusySearch, BusyThreads])
def test_pauses_are_not_timed(search_type: type[BusySearch]) -> None:
    """The search waits while its solutions are taken."""
    clock, search = RunClock(), search_type()
    statuses = []
    for status in run_threaded(search, Limits(), clock):
        statuses.append(status)
        if search.found.paused:
            time.sleep(3 * WORK_S)
    assert (statuses[-1], search.count) == (Status.EXHAUSTED, 2)
    assert 2 * WORK_S <= clock.solving.cpu_s < 4 * WORK_S
    assert search.found.paused_s >= 6 * WORK_S
    assert clock.solving.wall_s >= 2 * WORK_S


@dataclass
class Paused(FoundSolutions):
    """Solutions for which a search has waited so long."""

    paused_s: float = 0.0


def test_pauses_put_the_deadline_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """By as long as they take, and only those behind its beginning."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    found = Paused(paused_s=7.0)
    deadline = Deadline(found, 5.0)
    assert Deadline(found, None).left_s is None
    assert not Deadline(found, None).is_over
    now += 4.0
    assert deadline.left_s == 1.0
    now, found.paused_s = now + 3.0, found.paused_s + 3.0
    assert (deadline.left_s, deadline.is_over) == (1.0, False)
    now += 1.0
    assert (deadline.left_s, deadline.is_over) == (0.0, True)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_noted_while_deferred(number: signal.Signals) -> None:
    """At other times it is an interruption at once; afterwards it is what it was."""
    before = signal.getsignal(number)
    interruption = Interruption()
    with interruption.on_signal():
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        assert not interruption.requested
        with interruption.defer():
            os.kill(os.getpid(), number)
            assert interruption.requested
    assert signal.getsignal(number) == before


@pytest.mark.parametrize("number", SIGNALS)
def test_only_ctrl_c_is_impatient(number: signal.Signals) -> None:
    """A second SIGTERM or SIGHUP changes nothing, wherever it comes."""
    interruption = Interruption()
    with interruption.on_signal():
        with interruption.defer():
            os.kill(os.getpid(), number)
        if number == signal.SIGINT:
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
        else:
            os.kill(os.getpid(), number)


def test_an_ignored_hangup_stays_ignored() -> None:
    """Under `nohup` a search goes on."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interruption = Interruption()
        with interruption.on_signal(), interruption.defer():
            os.kill(os.getpid(), signal.SIGHUP)
        assert not interruption.requested
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def six() -> DlxSearch:
    """Return a search of 1,240 nodes."""
    options = build_task(load("pentominoes-5x6-FLNPUY"), Request(Symmetry.ALL)).options
    return DlxSearch(options.cover, options.placements_per_solution)


class WorkGuard(Guard):
    """Gives up after an amount of work, and notes the work at each decision."""

    def __init__(self, max_work: int, work: int = 0) -> None:
        super().__init__()
        self.work, self._max_work = work, max_work
        self.seen = list[int]()

    def problem(self, search: Search) -> str | None:
        self.seen.append(self.work)
        return "too long" if self.work >= self._max_work else None


@pytest.mark.parametrize("spent", [0, 3_000])
def test_a_guard_that_gives_up(spent: int) -> None:
    """Work of an earlier trial counts; the search is skipped, with the reason."""
    guard = WorkGuard(5_000, spent)
    *_, status = run_sliced(six(), Limits(), RunClock(), 1_000, guard)
    assert (status, guard.reason) == (Status.SKIPPED, "too long")
    assert guard.seen == list(range(spent + 1_000, 5_001, 1_000))


class Reporting(StepwiseSearch):
    """A search that reports a number of nodes and a share."""

    def __init__(self, nodes: int, share: float | None) -> None:
        super().__init__(iter(()))
        self.nodes, self.share = nodes, share

    @property
    def counters(self) -> Counters:
        return Counters(self.nodes)

    def progress(self) -> float | None:
        return self.share


@pytest.mark.parametrize(("share", "limit"), [(None, None), (0.5, None), (0.8, 1250)])
def test_nodes_left_are_compared_with_the_rival(share: float | None, limit: int | None) -> None:
    """At a share of 0.8, 1,000 nodes leave 250, as many as the rival would need."""
    guard = NodeGuard(max_nodes=1000, rival_nodes=250)
    assert guard.problem(Reporting(999, share)) is None
    problem = guard.problem(Reporting(1000, share))
    if limit is None:
        assert problem == "it was not finished after 1,000 nodes, more than were expected"
    else:
        assert (problem, guard.max_nodes) == (None, limit)


@pytest.mark.parametrize(
    ("rival_nodes", "status"), [(0, Status.SKIPPED), (10**6, Status.EXHAUSTED)]
)
def test_a_guarded_session(rival_nodes: int, status: Status) -> None:
    """The search ends exactly at the node, or goes on to the end and finds each solution once."""
    puzzle = load("edges-5-b3i3-1")
    plan = Plan.of(Job(puzzle, Request(Symmetry.ALL), "rows"))
    result = returned(Session(plan, guard=NodeGuard(100_000, rival_nodes)).run())
    assert result.status == status
    whole = counted(puzzle, "rows")
    if status == Status.SKIPPED:
        assert result.nodes == 100_000
        assert result.reason == "it was not finished after 100,000 nodes, more than were expected"
    else:
        assert (result.count, result.nodes) == (whole.count, whole.nodes)
