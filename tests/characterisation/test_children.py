"""Runs in a child process: which go there, and that they report what they would report here."""

from __future__ import annotations

import time
from typing import Any

import pytest

from characterisation.surface import (
    IN_A_CHILD,
    WHERE_IT_BELONGS,
    Run,
    asked,
    recorded,
)
from dovetail.harness.run.interruption import Interruption

SIX = "pentominoes-5x6-FLNPUY"


def in_order(run: Run) -> list[str]:
    """The events without progress, and without saying whether compiling took long."""
    events = [event for event in run.events if event not in ("preparing", "searching")]
    return [
        "compiled" if before == "compiling" and event == "started" else event
        for before, event in zip(["", *events], events, strict=False)
    ]


@pytest.mark.parametrize(
    "question",
    [
        {"puzzle": SIX, "listing": True, "time_s": 600},
        {"puzzle": "pentominoes-5x12", "backend": "auto", "memory_bytes": 2**32},
        {"puzzle": SIX, "backend": "cpsat", "listing": True},
    ],
    ids=["limited", "auto", "cpsat"],
)
def test_the_same_as_here(question: dict[str, Any]) -> None:
    """Event for event, save how progress is reported and solutions come in batches."""
    here, there = recorded(asked(**question)), recorded(asked(**question), by=WHERE_IT_BELONGS)
    assert there.result == here.result
    assert there.rows == here.rows
    alike = [
        [event for event in in_order(run) if not event.startswith("found")] for run in (here, there)
    ]
    assert alike[0] == alike[1]
    assert there.seconds["prepare_s"] > 0
    assert 0 < there.seconds["total_s"] < there.counted_s + 0.5


@pytest.mark.parametrize(
    ("question", "child"),
    [
        ({}, False),
        ({"backend": "auto"}, False),
        ({"nodes": 3, "solutions": 1}, False),
        ({"time_s": 5}, True),
        ({"memory_bytes": 2**30}, True),
        ({"backend": "auto", "time_s": 5}, True),
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


def test_no_time() -> None:
    """The child ends by itself, or is killed while it prepares."""
    run = recorded(asked("pentominoes-6x10", time_s=0), by=WHERE_IT_BELONGS)
    assert (run.events[0], run.events[-1]) == ("started", "time-limit")
    assert run.fields("count", "reason") in [
        (0, None),
        (None, "the time limit was reached while preparing"),
    ]


def test_stopping() -> None:
    """A request to stop ends the child at once; what it has reported last is what is known."""
    interruption = Interruption()

    def stop(event: str) -> None:
        if event == "searching":
            interruption.request()

    begun = time.monotonic()
    run = recorded(asked("queens-30"), interruption, by=IN_A_CHILD, observe=stop)
    assert (run.events[-2:], run.result["reason"]) == (["searching", "interrupted"], None)
    assert run.fields("count", "nodes") == (run.progress[-1]["count"], run.progress[-1]["nodes"])
    assert run.seconds["prepare_s"] == run.progress[-1]["prepare_s"] > 0
    assert run.seconds["total_s"] + run.seconds["check_s"] == pytest.approx(run.counted_s, abs=0.2)
    assert time.monotonic() - begun < 60
