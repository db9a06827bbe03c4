"""Searches in threads and signals: what is timed, and what asks a search to end."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass

import pytest

from dovetail.backends import threaded
from dovetail.backends.base import Budget
from dovetail.backends.registry import backend_named, not_installed
from dovetail.backends.threaded import Deadline, FoundSolutions, ThreadedSearch
from dovetail.harness.run.clock import SIGNALS, Interruption, RunClock
from dovetail.harness.run.job import Limits
from dovetail.harness.run.searches import run_threaded
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load

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


def test_a_search_that_is_left_at_a_pause() -> None:
    """Whoever has enough solutions leaves it there; what it has taken until then is timed."""
    clock, search = RunClock(), BusySearch()
    for _ in run_threaded(search, Limits(), clock):
        if search.found.paused:
            break
    assert search.count == 1
    assert WORK_S <= clock.solving.cpu_s < 2 * WORK_S
    assert clock.solving.wall_s >= WORK_S
    search.found.resume()


def test_the_last_solution_is_no_pause() -> None:
    """The search ends in order, so that its own figures are complete."""
    found = BusySearch().found
    found.add([1], is_last=True)
    assert (found.paused, found.count, found.paused_s) == (False, 1, 0.0)


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


@pytest.mark.parametrize("name", ["cpsat", "constraint", "choco", "clingo", "sat", "xcover"])
def test_no_time_is_left(name: str) -> None:
    """Each solver stops by itself, in a thread of its own."""
    backend = backend_named(name)
    reason = not_installed(backend)
    if reason is not None:
        pytest.skip(reason)
    task = build_task(load("edges-6-b4i4-1" if name == "choco" else "queens-16"), Request())
    search = backend.prepare(task, backend.config_type())
    assert isinstance(search, ThreadedSearch)
    *_, status = run_threaded(search, Limits(), RunClock(0.0))
    assert status == Status.TIME_LIMIT


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
