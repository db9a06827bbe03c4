"""The clocks of a run: where seconds go, what moves the deadline, what ends a run."""

from __future__ import annotations

import time

import pytest

from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.harness.run.clock import LONG_COMPILING_S, Interruption, RunClock
from dovetail.harness.run.events import Compiling, Started
from dovetail.models.outcome import Status
from dovetail.models.request import Request
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load


class Compiled(Dlx):
    """Takes some time to compile, on the clock of a test."""

    def __init__(self, now: list[float], seconds: float) -> None:
        self._now, self._seconds = now, seconds

    def warm_up(self) -> None:
        pass

    def warm_up_for(self, task: Task, config: DlxConfig) -> None:
        self._now[0] += self._seconds


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in its one place."""
    now = [100.0]
    for name in ("monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, name, lambda: now[0])
    return now


@pytest.mark.parametrize("seconds", [0.0, LONG_COMPILING_S / 2, 5.0])
def test_compiling_is_free(now: list[float], seconds: float) -> None:
    """No limit is charged for it; memory counts anew when it was long."""
    clock, task = RunClock(3.0), build_task(load("queens-6"), Request())
    clock.start()
    events = list(clock.compile(Compiled(now, seconds), task, DlxConfig()))
    assert clock.left_s == 3.0
    assert clock.warming.wall_s == pytest.approx(seconds)
    assert (clock.preparing.wall_s, clock.solving.wall_s) == (0.0, 0.0)
    assert events[0] == Compiling(under_way=True)
    assert isinstance(events[1], Started if seconds > LONG_COMPILING_S else Compiling)


def test_what_ends_a_run(now: list[float]) -> None:
    """A request to stop before the limit, which only preparing and solving come near to."""
    interruption = Interruption()
    clock = RunClock(2.0, interruption)
    clock.start()
    now[0] += 9.0
    for free in (clock.warming, clock.verifying):
        with free:
            now[0] += 9.0
    with clock.preparing:
        now[0] += 1.0
        with clock.preparing:
            now[0] += 0.5
    assert (clock.charged_s, clock.cut()) == (1.5, None)
    with clock.solving:
        now[0] += 0.5
        assert clock.cut() == Status.TIME_LIMIT
    interruption.request()
    assert clock.cut() == Status.INTERRUPTED
    assert clock.is_over()


def test_trials_have_the_same_end(now: list[float]) -> None:
    """What they take is charged once: by the clock that measures them as a whole."""
    clock = RunClock(2.0)
    clock.start()
    trial = clock.for_trial()
    with clock.preparing:
        with trial.solving:
            now[0] += 1.0
        assert trial.cut() is None
        now[0] += 1.0
        assert trial.cut() == clock.cut() == Status.TIME_LIMIT
    assert (clock.preparing.wall_s, clock.solving.wall_s) == (2.0, 0.0)


def test_a_search_that_gave_up(now: list[float]) -> None:
    """Was part of planning."""
    clock = RunClock()
    with clock.preparing:
        now[0] += 1.0
    with clock.solving:
        now[0] += 2.0
    clock.count_as_planning()
    assert (clock.preparing.wall_s, clock.solving.wall_s) == (3.0, 0.0)
