"""What the command and the Python API make of runs: `--json`, exit statuses, errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from characterisation.clock import Clock
from characterisation.clocked import Clocked, offer
from dovetail import api
from dovetail.cli.main import run
from dovetail.errors import BackendError, LimitError
from dovetail.harness.run.job import Limits, Trials
from dovetail.models.outcome import Status

SIX = "pentominoes-5x6-FLNPUY"
COUNTED = {"status": "exhausted", "count": 10, "reason": None, "symmetry_expansion": "as found"}


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """The exit status of a command, and the object that it prints."""
    status = run([*words, "--json"])
    fields: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, fields


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        (
            ["count", SIX, "-b", "dlx", "--reduce", "redundancy"],
            0,
            {
                **COUNTED,
                "nodes": 634,
                "attempts": 634,
                "backend": "dlx",
                "reductions": ["redundancy"],
                "placements": {"before": 546, "redundancy": 480},
                "searched": None,
                "chosen": None,
                "parallel": None,
                "verified": 10,
            },
        ),
        (
            ["count", SIX],
            0,
            {
                **COUNTED,
                "nodes": 634,
                "backend": "auto",
                "reductions": [],
                "placements": {"before": 546, "redundancy": 480},
                "chosen": {
                    "backend": "bitset",
                    "config": {},
                    "reductions": ["redundancy=L"],
                    "why": "a tree search would need about 630 nodes",
                    "forecast_s": None,
                },
                "verified": 10,
            },
        ),
        (
            ["count", SIX, "-b", "dlx", "--node-limit", "100"],
            3,
            {"status": "node-limit", "count": 1, "nodes": 100, "verified": 1},
        ),
        (
            ["solve", SIX, "-b", "dlx", "--limit", "2"],
            0,
            {"status": "solution-limit", "count": 2, "nodes": 345, "verified": 6},
        ),
        (
            ["trials", SIX, "--trials", "30", "--remaining", "5", "--seed", "1"],
            0,
            {
                "status": "remaining-limit",
                "nodes": 419,
                "searched": {
                    "begun": 30,
                    "with_solutions": 5,
                    "found": 8,
                    "with_trigger": {},
                    "cpu_s": 0.0,
                    "rate_interval": None,
                    "per_solve_s": None,
                    "per_prepare_and_solve_s": None,
                    "per_cpu_s": None,
                },
            },
        ),
        (
            ["count", "queens-6", "-b", "fila"],
            2,
            {
                "status": "skipped",
                "count": None,
                "nodes": None,
                "reason": "it supports packing puzzles only",
                "placements": {},
                "verified": 0,
            },
        ),
        (
            ["count", "hexominoes-14x15", "--node-limit", "1000"],
            0,
            {"status": "exhausted", "count": 0, "nodes": 0, "verified": 0},
        ),
    ],
)
def test_json(
    clock: Clock,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    status: int,
    expected: dict[str, Any],
) -> None:
    """The fields of a run without times, and the exit status."""
    found, fields = printed(capsys, *words)
    assert {name: fields[name] for name in expected} == expected
    assert found == status
    assert len(fields.get("solutions", [])) == (2 if words[0] == "solve" else 0)


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


def test_the_api(clock: Clock) -> None:
    """The same results as values, and errors where an iterator ends early."""
    result = api.count(SIX, "dlx", reduce=["redundancy"])
    assert (result.status, result.count, result.nodes) == (Status.EXHAUSTED, 10, 634)
    assert len(list(api.solve(SIX, "dlx", limits=Limits(solutions=3)))) == 3
    assert len(list(api.solve(SIX))) == 10
    found = api.solve(SIX, "dlx", limits=Limits(nodes=100))
    next(found)
    with pytest.raises(LimitError, match=r"^dlx, node-limit: $"):
        next(found)
    with pytest.raises(BackendError, match=r": fila refuses: it supports packing puzzles only$"):
        next(api.solve("queens-6", "fila"))
    tried = api.trials(SIX, Trials(30, 5, 1))
    assert tried.searched is not None
    assert (tried.searched.begun, tried.searched.found) == (30, 8)


def test_closing_the_iterator_ends_the_run(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """No slice is begun behind the last solution that was asked for."""
    offer(monkeypatch, Clocked(clock, slices=9))
    found = api.solve(SIX, "clocked", symmetry="all")
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert clock.taken["search"] == 1
