"""Runs in a child process: which go there, and that they report what they would report here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from characterisation.clock import Clock
from characterisation.surface import (
    WHERE_IT_BELONGS,
    asked,
    recorded,
)
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Event, Progress, Started
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.workers import watched_run
from dovetail.models.outcome import Status

SIX = "pentominoes-5x6-FLNPUY"


@pytest.mark.parametrize(
    ("question", "child"),
    [
        ({}, False),
        ({"time_s": 5}, True),
        ({"memory_bytes": 2**30}, True),
        ({"backend": "cpsat"}, True),
    ],
)
def test_where_runs_go(
    monkeypatch: pytest.MonkeyPatch, question: dict[str, Any], child: bool
) -> None:
    """To a child where something has to be watched from outside."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(7, "no more processes")

    monkeypatch.setattr("subprocess.Popen", refuse)
    run = recorded(asked(SIX, **question), by=WHERE_IT_BELONGS)
    if child:
        assert run.events == ["failed"]
        assert run.fields("reason") == ("a process could not be started (no more processes)",)
    else:
        assert run.events[0] == "started"
        assert run.events[-1] != "failed"


class ScriptedChild:
    """A child whose messages come after so many seconds each; behind the last one it is silent."""

    processes: tuple[int, ...] = ()

    def __init__(self, clock: Clock, script: Iterable[tuple[float, Event]]) -> None:
        self._clock = clock
        self._due = clock.now
        self._messages = list[tuple[float, Event]]()
        for seconds, event in script:
            self._due += seconds
            self._messages.append((self._due, event))

    def next_message(self, timeout_s: float) -> Event | None:
        """The message that has come by then, or none."""
        until = self._clock.now + timeout_s
        if self._messages and self._messages[0][0] <= until:
            due, event = self._messages.pop(0)
            self._clock.now = max(self._clock.now, due)
            return event
        self._clock.now = until
        return None


def monitored(
    clock: Clock,
    *script: tuple[float, Event],
    time_s: float,
    consumer_s: float = 0.0,
    backend: str = "dlx",
) -> Result:
    """The end of a run that is watched from outside, whose events keep their consumer so long."""
    job = asked(SIX, backend=backend, time_s=time_s, memory_bytes=2**40)
    memory = MemoryLimit(job.limits.memory_bytes)
    child: Any = ScriptedChild(clock, script)
    for event in watched_run._RunMonitor(child, job, memory, Interruption()).events():
        clock.now += consumer_s
        last = event
    assert isinstance(last, Result)
    return last


LIMIT_S, SLICE_S = 5.0, 0.03
END = Result(Status.TIME_LIMIT, reason="its own", prepare_s=1.0, solve_s=LIMIT_S - 1)


def slices(step_s: float, check_s: float = 0.0) -> list[tuple[float, Event]]:
    """A run that charges a slice in so many seconds of wall-clock time, until its own end."""
    number = round((LIMIT_S - 1) / SLICE_S)
    return [
        (0.0, Started(0.0)),
        (1.0, Progress(0, 0, 0.0, prepare_s=1, check_s=check_s)),
        *(
            (
                step_s,
                Progress(0, 0, 0.0, prepare_s=1, solve_s=n * SLICE_S, check_s=n * check_s),
            )
            for n in range(1, number + 1)
        ),
        (step_s, END),
    ]


@pytest.mark.parametrize("step_s", [SLICE_S, 1.0])
def test_a_child_ends_by_itself(clock: Clock, step_s: float) -> None:
    """However long it does between slices what no limit is charged for."""
    assert monitored(clock, *slices(step_s), time_s=LIMIT_S) == END


@pytest.mark.parametrize("consumer_s", [30.0])
def test_a_slow_consumer_charges_nothing(clock: Clock, consumer_s: float) -> None:
    """Messages that wait are read before the child is said to be silent."""
    run = monitored(clock, *slices(SLICE_S), time_s=LIMIT_S, consumer_s=consumer_s)
    assert run == END


@pytest.mark.parametrize(("backend", "grace_s"), [("dlx", 1.0), ("xcover", 0.1)])
def test_a_child_that_does_not_stop(clock: Clock, backend: str, grace_s: float) -> None:
    """Is killed later than it ought to end by itself, or soon if it cannot.

    What has passed was solving.
    """
    last = Progress(3, 7, 0.5, prepare_s=1, solve_s=3.5, check_s=9.0)
    run = monitored(clock, (0, Started(0.0)), (1, last), time_s=LIMIT_S, backend=backend)
    assert (run.status, run.count, run.check_s) == (Status.TIME_LIMIT, 3, 9.0)
    assert run.reason == "killed: it did not stop at its time limit"
    assert run.prepare_s == 1
    assert run.solve_s == pytest.approx(LIMIT_S - 1 + grace_s + 9.0, abs=0.01)
