"""Searches in threads: what they take is timed, also of one that nobody lets go on."""

from __future__ import annotations

import time

import pytest

from dovetail.backends import threaded
from dovetail.backends.base import Budget
from dovetail.backends.threaded import ThreadedSearch
from dovetail.harness.run.clock import RunClock
from dovetail.harness.run.job import Limits
from dovetail.harness.run.slices import run_threaded
from dovetail.models.outcome import Status

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
