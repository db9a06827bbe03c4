"""Requests to stop at every step of a run, and signals: noted, or raised at once."""

from __future__ import annotations

import signal
from threading import Event

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Clocked, SymmetryBreaking, Threaded, offer
from characterisation.surface import (
    Run,
    asked,
    recorded,
)
from dovetail.harness.run.clock import Interruption

SIX = "pentominoes-5x6-FLNPUY"
READY = ["started", "compiling", "compiled"]
# Where a signal is only noted, so that a run ends in order and reports what it has found.
DEFERRED = (
    "warm up",
    "warm up for task",
    "build",
    "search",
    "take",
    "progress",
    "classify",
    "verify",
)
RAISING = ("lower", "impossible", "refuse", "symmetry breaking", "prepare")


@pytest.mark.parametrize(
    ("step", "events", "found"),
    [
        (None, [*READY, "interrupted"], 0),
        ("build", [*READY, "preparing", "interrupted"], 0),
        ("take", [*READY, "preparing", "interrupted"], 0),
        ("classify", [*READY, "preparing", "interrupted"], 0),
        ("verify", [*READY, "preparing", "searching", "interrupted"], 4),
    ],
)
def test_stopping(
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    step: str | None,
    events: list[str],
    found: int,
) -> None:
    """A run goes on to the end of its slice, whatever step it is asked in, or none."""
    offer(monkeypatch, Clocked(clock, slices=3, builds=2))
    interruption = Interruption()
    if step is None:
        interruption.request()
    else:
        clock.at(step, interruption.request)
    run = recorded(asked(SIX, "clocked"), interruption)
    assert (run.events, run.fields("status", "count")) == (events, ("interrupted", found))


def test_stopping_a_thread(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left behind."""
    backend = Threaded(clock)
    offer(monkeypatch, backend)
    interruption, released = Interruption(), Event()

    def wait() -> None:
        interruption.request()
        released.wait()

    clock.at("search", wait)
    run = recorded(asked(SIX, "clocked"), interruption)
    released.set()
    backend.search.let_end()
    assert run.events == [*READY, "searching", "interrupted"]
    assert run.fields("count", "nodes") == (0, 0)


def run_hit_by_a_signal(clock: Clock, step: str, backend: str) -> Run | None:
    """What a run reports whose user presses Ctrl-C at a step; None where that is raised."""
    interruption = Interruption()
    clock.at(step, lambda: signal.raise_signal(signal.SIGINT))
    try:
        with interruption.on_signal():
            return recorded(asked(SIX, backend), interruption)
    except KeyboardInterrupt:
        return None


@pytest.mark.parametrize("step", [*DEFERRED, *RAISING])
def test_signals(clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Ctrl-C raises at once where nothing can have been found yet, save while compiling."""
    kind = SymmetryBreaking if step == "symmetry breaking" else Clocked
    offer(monkeypatch, kind(clock, slices=3, builds=2))
    run = run_hit_by_a_signal(clock, step, "clocked")
    assert (run is None) == (step in RAISING)
    assert run is None or run.result["status"] == "interrupted"


EXPLAINED = "the memory limit was reached (the default limit is "


def fail() -> None:
    """As an allocation does that is too large."""
    raise MemoryError


@pytest.mark.parametrize("step", ["warm up for task", "prepare"])
def test_before_the_search(clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Nothing is known, and all time was preparing."""
    offer(monkeypatch, Clocked(clock))
    clock.at(step, fail)
    with clock.lasting(step, seconds=2):
        run = recorded(asked(SIX, "clocked"))
    assert run.events[-1] == "memory-limit"
    assert run.fields("count", "nodes", "placements") == (None, None, {})
    assert run.result["reason"].startswith(EXPLAINED)
    assert run.seconds["prepare_s"] == (0 if step == "warm up for task" else 2)


def test_in_the_search(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was reported last is what is known; the rest of the time was solving."""
    offer(monkeypatch, Clocked(clock, slices=3))
    clock.at("search", lambda: clock.at("progress", lambda: clock.at("search", fail)))
    with clock.lasting("prepare", "search", "verify", seconds=2):
        run = recorded(asked(SIX, "clocked"))
    assert run.events == [*READY, "searching", "memory-limit"]
    assert run.fields("count", "nodes", "verified") == (4, 300, 0)
    assert (run.seconds["prepare_s"], run.seconds["solve_s"], run.seconds["check_s"]) == (2, 4, 2)
