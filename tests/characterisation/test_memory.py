"""Limits on memory in this process: when a run ends at one, and what it reports."""

from __future__ import annotations

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Clocked, offer
from characterisation.surface import asked, recorded

SIX = "pentominoes-5x6-FLNPUY"
READY = ["started", "compiling", "compiled"]
EXPLAINED = "the memory limit was reached (the default limit is "


def fail() -> None:
    """As an allocation does that is too large."""
    raise MemoryError


@pytest.mark.parametrize("step", ["warm up for task", "lower", "refuse", "prepare"])
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
