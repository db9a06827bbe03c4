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


def test_closing_the_iterator_ends_the_run(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """No slice is begun behind the last solution that was asked for."""
    offer(monkeypatch, Clocked(clock, slices=9))
    found = api.solve(SIX, "clocked", symmetry="all")
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert clock.taken["search"] == 1
