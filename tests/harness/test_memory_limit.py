"""The limit on memory, and backends that misbehave: each run ends in time, for what it did."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from dovetail.backends.dlx.backend import Dlx, DlxConfig
from dovetail.backends.dlx.search import DlxSearch
from dovetail.cli.main import run
from dovetail.harness.run import memory_limit
from dovetail.harness.run.events import Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.memory_limit import MEMORY_REASON, MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.suite.bench import run_plan
from dovetail.harness.suite.plan import PlannedRun, SuitePlan
from dovetail.harness.workers.runs import execute, finish
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import Task
from dovetail.platform.processes import descendants
from dovetail.platform.resources import resident_bytes
from dovetail.puzzles.loading import load
from harness.known import known

pytestmark = pytest.mark.usefixtures("rude_backend")

MIB = 2**20
NAMED = "the default limit is 100 MiB: a third of the machine's memory, or the free memory if"


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which a run may take 100 MiB."""
    monkeypatch.setattr(memory_limit, "machine_bytes", lambda: 300 * MIB)


@pytest.mark.parametrize(("available", "share"), [(250, 100), (60, 60), (None, 100)])
def test_the_default_is_a_share(
    available: int | None, share: int, small_machine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third of the machine's memory, or what is left of it."""
    left = None if available is None else available * MIB
    monkeypatch.setattr(memory_limit, "available_bytes", lambda: left)
    limit = MemoryLimit(None)
    assert limit.bytes == share * MIB
    here = resident_bytes() or 0
    assert abs(limit.in_this_process - here - share * MIB) < MIB  # what is held already is free
    assert MemoryLimit(here + 5 * MIB).free_bytes <= 5 * MIB


def test_runs_side_by_side_share_it(small_machine: None) -> None:
    """Each has its part."""
    assert MemoryLimit(None, side_by_side=4).bytes == 25 * MIB
    assert MemoryLimit(7 * MIB, side_by_side=4).bytes == 7 * MIB


def output_of(script: str) -> str:
    """What a process of its own prints."""
    words = [sys.executable, "-c", script]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


HOLD = """
import resource
import numpy as np
from dovetail.platform.resources import resident_bytes
from dovetail.harness.run.memory_limit import MemoryLimit
np.zeros(300 * 2**20, dtype=np.uint8)
MemoryLimit(resident_bytes() + 100 * 2**20).hold_in_this_process()
np.zeros(50 * 2**20, dtype=np.uint8)
try:
    np.zeros(300 * 2**20, dtype=np.uint8)
except MemoryError:
    print("too much")
"""


def test_a_process_of_its_own_holds_the_limit() -> None:
    """An allocation beyond it fails."""
    assert output_of(HOLD) == "too much\n"


KEEP = """
import resource
from dovetail.platform.resources import asked_for_bytes
from dovetail.harness.run.memory_limit import MemoryLimit
own = asked_for_bytes() + 50 * 2**20
resource.setrlimit(resource.RLIMIT_DATA, (own, resource.RLIM_INFINITY))
MemoryLimit(None).hold_in_this_process()
print(resource.getrlimit(resource.RLIMIT_DATA)[0] == own)
MemoryLimit(2**40).hold_in_this_process()
print(resource.getrlimit(resource.RLIMIT_DATA)[0] > own)
"""


def test_a_default_does_not_lift_a_limit_of_the_shell() -> None:
    """One that is asked for does, as far as the hard limit allows."""
    assert output_of(KEEP) == "True\nTrue\n"


def test_the_limit_of_the_operating_system_is_left_alone() -> None:
    """Runs in the threads of a host do not limit it, then or later."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    seen = set()

    def search() -> None:
        for _ in execute(Job(load("queens-6"), backend="dlx")):
            seen.add(resource.getrlimit(resource.RLIMIT_DATA))

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {before}
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_frontiers_are_refused(small_machine: None) -> None:
    """Before they take more, with the default named."""
    finished = finish(execute(Job(load("pentominoes-3x4x5"), backend="frontier")))
    assert finished.status == Status.MEMORY_LIMIT
    assert NAMED in (finished.reason or "")
    assert finished.prepare_s > 0


@pytest.mark.parametrize("bytes_taken", [200 * MIB, 2**60], ids=["resident", "refused"])
def test_preparing_is_limited_too(
    bytes_taken: int, small_machine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what the process holds after it, and where an allocation fails at once."""
    held = []
    prepare = Dlx.prepare

    def greedy(backend: Dlx, task: Task, config: DlxConfig) -> DlxSearch:
        held.append(np.ones(bytes_taken, dtype=np.uint8))
        return prepare(backend, task, config)

    monkeypatch.setattr(Dlx, "prepare", greedy)
    *_, last = execute(Job(load("queens-12"), backend="dlx"))
    assert isinstance(last, Result)
    assert last.status == Status.MEMORY_LIMIT
    assert NAMED in (last.reason or "")


def test_the_command_reports_a_failed_allocation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, where no run catches it."""
    monkeypatch.setattr(
        "dovetail.reports.describe.puzzle.describe_puzzle",
        lambda *_: np.ones(2**60, dtype=np.uint8),
    )
    assert run(["show", "soma-cube"]) == 3
    assert capsys.readouterr().err.startswith("dovetail: the memory limit was reached (the default")


def test_a_child_is_limited(small_machine: None) -> None:
    """With all that it holds, and killed where it takes more."""
    job = Job(load("queens-6"), backend="rude", config={"how": "allocate"})
    finished = finish(run_watched(job))
    assert finished.status == Status.MEMORY_LIMIT
    assert NAMED in (finished.reason or "")


MEMORY = 600 * MIB


def rude(how: str, **limits: float) -> Job:
    """A run of the backend that misbehaves."""
    chosen = Limits(limits.get("time_s"), memory_bytes=int(limits.get("memory", 0)) or None)
    return Job(load("queens-6"), Request(Symmetry.ALL), "rude", {"how": how}, chosen)


@pytest.mark.parametrize("how", ["deaf", "shout"])
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
    ("how", "memory"), [("allocate", 300 * MIB), ("breed", MEMORY), ("map", MEMORY)]
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
