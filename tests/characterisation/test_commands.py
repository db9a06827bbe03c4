"""What the command and the Python API make of runs: `--json`, exit statuses, errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Clocked, offer
from dovetail import api
from dovetail.cli.main import run

SIX = "pentominoes-5x6-FLNPUY"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """The exit status of a command, and the object that it prints."""
    status = run([*words, "--json"])
    fields: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, fields


def test_times(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Total is preparing and solving; compiling and checking are apart."""
    offer(monkeypatch, Clocked(clock, slices=2))
    lengths = {"warm up": 1, "prepare": 2, "search": 4, "verify": 8}
    for step, seconds in lengths.items():
        with clock.lasting(step, seconds=seconds):
            _, fields = printed(capsys, "count", SIX, "-b", "clocked", "--symmetry", "all")
        times = {name: value for name, value in fields.items() if name.endswith("_s") and value}
        assert (
            times
            == {
                "warm up": {"warm_up_s": 1},
                "prepare": {"prepare_s": 2, "total_s": 2},
                "search": {"solve_s": 8, "solve_cpu_s": 4, "total_s": 8},
                "verify": {"check_s": 16},
            }[step]
        )


def test_closing_the_iterator_ends_the_run(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """No slice is begun behind the last solution that was asked for."""
    offer(monkeypatch, Clocked(clock, slices=9))
    found = api.solve(SIX, "clocked", symmetry="all")
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert clock.taken["search"] == 1
