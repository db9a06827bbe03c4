"""Backends that allocate, shout, die or hear nothing: each run ends in time, for what it did."""

from __future__ import annotations

import os
import time

import pytest

from dovetail.harness.run.events import Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.memory_limit import MEMORY_REASON
from dovetail.harness.run.result import Result
from dovetail.harness.suite.bench import run_plan
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.workers.runs import finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.platform.processes import descendants
from dovetail.puzzles.loading import load
from harness.known import known

MIB = 2**20
MEMORY = 600 * MIB

pytestmark = pytest.mark.usefixtures("rude_backend")


def rude(how: str, **limits: float) -> Job:
    """A run of the backend that misbehaves."""
    chosen = Limits(limits.get("time_s"), memory_bytes=int(limits.get("memory", 0)) or None)
    return Job(load("queens-6"), Request(Symmetry.ALL), "rude", {"how": how}, chosen)


@pytest.mark.parametrize("how", ["wait", "deaf", "shout"])
def test_ended_at_the_time_limit(how: str) -> None:
    """Within 2 s of it, whether it ignores signals, prints without end or just waits."""
    running = run_watched(rude(how, time_s=0.5))
    begun = None
    for event in running:
        if isinstance(event, Started):
            begun = time.monotonic()
        last = event
    assert begun is not None
    assert 0.5 <= time.monotonic() - begun < 2.5  # till nothing is left, by our own clock
    assert isinstance(last, Result)
    finished = last
    assert finished.status == Status.TIME_LIMIT
    assert finished.baseline_bytes is not None
    assert descendants(os.getpid()) == []


@pytest.mark.parametrize(
    ("how", "memory"),
    [("allocate", 300 * MIB), ("allocate", MEMORY), ("breed", MEMORY), ("map", MEMORY)],
)
def test_ended_at_the_memory_limit(how: str, memory: int) -> None:
    """Within 5 % of it, whether one process allocates, two that it starts, or it maps pages.

    Each takes less than 500 MiB in a second.
    """
    begun = time.monotonic()
    finished = finish(run_watched(rude(how, memory=memory, time_s=20.0)))
    assert (finished.status, finished.reason) == (Status.MEMORY_LIMIT, MEMORY_REASON)
    assert 0.95 * memory < known(finished.peak_bytes) < 1.05 * memory
    assert time.monotonic() - begun < 15
    assert descendants(os.getpid()) == []


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("die", "it was killed by SIGSEGV"),
        ("raise", "exit status 1: RuntimeError: it went wrong"),
        ("leave", "it was killed by SIGKILL"),
        ("garbage", "it was killed by SIGKILL"),
        ("orphan", "it was killed by SIGKILL"),
    ],
)
def test_what_dies_has_failed(how: str, reason: str) -> None:
    """At once, and with the reason; one that closes its pipes is ended."""
    begun = time.monotonic()
    finished = finish(run_watched(rude(how, time_s=30.0)))
    assert finished.status == Status.FAILED
    assert reason in (finished.reason or "")
    assert time.monotonic() - begun < 5
    assert descendants(os.getpid()) == []


def test_compiling_takes_nothing_of_the_time() -> None:
    """A run is not killed while what only its task needs is compiled."""
    finished = finish(run_watched(rude("compile", time_s=0.2)))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 0)


def test_what_a_run_leaves_behind_is_ended() -> None:
    """A child's child in a session of its own goes with the run, though that ended well."""
    finished = finish(run_watched(rude("family")))
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 0)
    assert descendants(os.getpid()) == []


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
    plan = SuitePlan("rude", 1, tuple(PlannedRun(job, (), None) for job in jobs))
    records = {record.job.digest: record for record in run_plan(plan, parallel=4)}
    statuses = [records[job.digest].result.status for job in jobs]
    assert statuses == ["memory-limit", "time-limit", "exhausted", "failed"]
    assert records[honest.digest].result.count == 92
