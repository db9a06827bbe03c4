"""Backends that allocate, shout, die or hear nothing: each run ends in time, for what it did."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dovetail.harness.bench import run_plan
from dovetail.harness.events import MEMORY_REASON
from dovetail.harness.isolation import execute_isolated
from dovetail.harness.job import Job, Limits
from dovetail.harness.process_tree import process_tree
from dovetail.harness.run import finish
from dovetail.harness.suite import Plan, PlannedRun
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.puzzles.loading import load

MIB = 2**20
MEMORY = 600 * MIB
ENTRY_POINT = "[dovetail.backends]\nrude = rude_backend:Rude\n"


@pytest.fixture(autouse=True)
def _rude_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Child processes have one backend more."""
    installed = tmp_path / "rude-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: rude\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(ENTRY_POINT)
    source = Path(__file__).parent / "rude"
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{source}")


def rude(how: str, **limits: float) -> Job:
    """A run of the backend that misbehaves."""
    chosen = Limits(limits.get("time_s"), memory_bytes=int(limits.get("memory", 0)) or None)
    return Job(load("queens-6"), Request(Symmetry.ALL), "rude", {"how": how}, chosen)


@pytest.mark.parametrize("how", ["wait", "deaf", "shout"])
def test_ended_at_the_time_limit(how: str) -> None:
    """Within 2 s of it, whether it ignores signals, prints without end or just waits."""
    finished = finish(execute_isolated(rude(how, time_s=0.5)))
    assert finished.status == Status.TIME_LIMIT
    assert 0.5 <= finished.solve_s + finished.prepare_s < 2.5
    assert finished.baseline_bytes is not None
    assert process_tree(os.getpid())[1:] == []


@pytest.mark.parametrize("how", ["allocate", "breed"])
def test_ended_at_the_memory_limit(how: str) -> None:
    """Within 5 % of it, whether one process allocates or two that it starts."""
    begun = time.monotonic()
    finished = finish(execute_isolated(rude(how, memory=MEMORY, time_s=20.0)))
    assert (finished.status, finished.reason) == (Status.MEMORY_LIMIT, MEMORY_REASON)
    assert finished.peak_bytes is not None
    assert 0.95 * MEMORY < finished.peak_bytes < 1.05 * MEMORY
    assert time.monotonic() - begun < 15
    assert process_tree(os.getpid())[1:] == []


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("die", "it was killed by SIGSEGV"),
        ("raise", "exit status 1: RuntimeError: it went wrong"),
        ("leave", "it was killed by SIGKILL"),
    ],
)
def test_what_dies_has_failed(how: str, reason: str) -> None:
    """At once, and with the reason; one that closes its pipes is ended."""
    begun = time.monotonic()
    finished = finish(execute_isolated(rude(how, time_s=30.0)))
    assert finished.status == Status.FAILED
    assert reason in (finished.reason or "")
    assert time.monotonic() - begun < 5


def test_the_others_are_unharmed() -> None:
    """Side by side with runs that misbehave, an honest one counts what it counts."""
    request = Request(Symmetry.ALL)
    honest = Job(load("queens-8"), request, "dlx", limits=Limits(30.0, memory_bytes=MEMORY))
    jobs = [
        rude("allocate", memory=MEMORY, time_s=20.0),
        rude("shout", time_s=1.0),
        honest,
        rude("die"),
    ]
    plan = Plan("rude", 1, tuple(PlannedRun(job, (), None) for job in jobs))
    records = {record["job"]: record for record in run_plan(plan, parallel=4)}
    statuses = [records[job.digest]["status"] for job in jobs]
    assert statuses == ["memory-limit", "time-limit", "exhausted", "failed"]
    assert records[honest.digest]["count"] == 92
