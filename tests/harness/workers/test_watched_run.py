"""Runs of jobs, here and in child processes: the same results, cold starts, and an orderly end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dovetail.errors import BackendError, ConfigError, LimitError
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Progress
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import Result
from dovetail.harness.workers.checkpoint import checkpoint_status
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.parallel_run import question_digest
from dovetail.harness.workers.runs import Runs, execute, finish, run, solutions
from dovetail.harness.workers.watched_run import run_watched
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.solution import Solution
from dovetail.platform.processes import PREFIX
from dovetail.puzzles.loading import load
from dovetail.reports.describe.search import describe_status
from harness.known import known
from harness.workers.processes import happens, is_gone, workers_of
from harness.workers.results import collected

ALL = Request(Symmetry.ALL)


@pytest.mark.parametrize("backend", ["dlx", "constraint"])
def test_same_result_as_here(backend: str) -> None:
    """A child finds what this process finds, solutions included."""
    job = Job(load("queens-6"), Request(Symmetry.ALL, listing=True), backend)
    here, there = list(execute(job)), list(run_watched(job))
    assert collected(iter(here)).solutions == collected(iter(there)).solutions
    last = finish(iter(there))
    assert last.answer == finish(iter(here)).answer
    assert last.peak_bytes is not None


def test_mistakes_come_back_as_errors() -> None:
    """An error of the user's is raised here, not in the child."""
    with pytest.raises(ConfigError, match="unknown backend 'none'"):
        finish(run_watched(Job(load("queens-6"), ALL, "none")))


def test_a_job_that_cannot_be_sent_is_refused_at_once() -> None:
    """A setting of the user's that cannot be pickled; the child does not wait for it."""
    job = Job(load("queens-6"), ALL, "dlx", {"branching": lambda: 1})
    before = set(workers_of(os.getpid()))
    with pytest.raises(ConfigError, match="cannot be sent to another process: Can't pickle"):
        finish(run_watched(job))
    assert set(workers_of(os.getpid())) <= before


def test_modules_of_the_users_shadow_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `queue.py` in the folder one works in is not imported by the child."""
    (tmp_path / "queue.py").write_text("raise RuntimeError")
    monkeypatch.chdir(tmp_path)
    assert finish(run_watched(Job(load("queens-6"), ALL, "cpsat"))).count == 4


def test_a_killed_child_is_a_failed_run() -> None:
    """The reason names the signal; the last lower bound is kept."""
    events = run_watched(Job(load("queens-30"), ALL, "dlx"))
    child = None
    for event in events:
        if isinstance(event, Progress) and child is None:
            (child,) = workers_of(os.getpid())
            os.kill(child, signal.SIGKILL)
        last = event
    assert isinstance(last, Result)
    assert last.status == Status.FAILED
    assert last.reason == "it was killed by SIGKILL"


@pytest.mark.parametrize("backend", ["dlx", "cpsat"])
def test_interruption(backend: str) -> None:
    """A request to stop is heard within a fraction of a second; time to prepare is reported."""
    interruption = Interruption()
    for event in run_watched(Job(load("queens-30"), ALL, backend), interruption):
        if isinstance(event, Progress) and not interruption.requested:
            interruption.request()
            asked = time.monotonic()
        last = event
    assert isinstance(last, Result)
    assert last.status == Status.INTERRUPTED
    assert time.monotonic() - asked < 1.0
    assert last.prepare_s > 0


ORPHAN = """
import sys
from dovetail.harness.workers.watched_run import run_watched
from dovetail.harness.run.events import Progress
from dovetail.harness.run.job import Job
from dovetail.puzzles.loading import load
for event in run_watched(Job(load("queens-30"), backend=sys.argv[1])):
    if isinstance(event, Progress):
        print("searching", flush=True)
"""


@pytest.mark.parametrize("backend", ["dlx", "cpsat"])
def test_a_killed_harness_leaves_no_orphan(backend: str) -> None:
    """The child ends when the process that started it is killed."""
    words = [sys.executable, "-c", ORPHAN, backend]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as harness:
        assert known(harness.stdout).readline() == b"searching\n"
        (child,) = workers_of(harness.pid)
        harness.kill()
    assert happens(lambda: is_gone(child), within_s=5.0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("puzzle", "backend", "expected"),
    [
        ("pentominoes-5x6-FLNPUY", "frontier", "finished\n  not divided: the checkpoint keeps"),
        ("hexominoes-15x14", "dlx", "exhausted without a search"),
    ],
)
def test_the_status_of_a_run_without_sub_problems(
    tmp_path: Path, puzzle: str, backend: str, expected: str
) -> None:
    """It is finished, though nothing of it is kept."""
    request = Request(Symmetry.ALL, reductions=(Reduction.parse("parity"),))
    job = Job(load(puzzle), Request(Symmetry.ALL) if backend == "frontier" else request, backend)
    with Runs([job], ParallelOptions(checkpoint=tmp_path / "c")) as runs:
        finished = finish(runs.run(0))
    assert finished.status == Status.EXHAUSTED
    (status,) = checkpoint_status(tmp_path / "c")
    assert expected in describe_status(status)


def test_the_question_of_a_run() -> None:
    """Limits are no part of it; everything that changes the search is."""
    job = Job(load("queens-6"), Request(Symmetry.ALL))
    assert question_digest(job) == question_digest(replace(job, limits=Limits(time_s=3)))
    others = [
        replace(job, puzzle=load("queens-7")),
        replace(job, request=Request(Symmetry.UNIQUE)),
        replace(job, backend="bitset"),
        replace(job, config={"stages": ["x"]}),
        replace(job, seed=1),
        replace(job, limits=Limits(solutions=1)),
        job.listed(),
    ]
    assert len({question_digest(one) for one in (job, *others)}) == 8


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"jobs": -1}, r"jobs is -1; expected 0 \(all cores\) to 1024"),
        ({"worker_timeout_s": "a"}, "worker_timeout_s is 'a'; expected a number"),
        ({"audit": True}, "audit is True; expected a share from 0 to 1"),
        ({"subproblem_order": "best"}, "unknown subproblem_order 'best'; valid: promising, serial"),
    ],
)
def test_options_that_are_not_valid(values: dict[str, Any], reason: str) -> None:
    """The message has the valid ones."""
    with pytest.raises(ConfigError, match=reason):
        ParallelOptions(**values)


LISTED = Request(Symmetry.ALL, listing=True)
QUEENS_LISTED = Job(load("queens-6"), LISTED)


def listed(job: Job, interruption: Interruption | None = None) -> list[Solution]:
    """All solutions of a job."""
    return list(solutions(job, run(job, interruption)))


def test_the_end_of_a_listing() -> None:
    """Whoever does not get all solutions learns why, unless so many were wanted."""
    wanted = Job(QUEENS_LISTED.puzzle, QUEENS_LISTED.request, limits=Limits(solutions=2))
    assert len(listed(wanted)) == 2
    with pytest.raises(LimitError, match="dlx ended with status node-limit"):
        listed(Job(load("queens-30"), QUEENS_LISTED.request, limits=Limits(nodes=1000)))
    interruption = Interruption()
    interruption.request()
    with pytest.raises(BackendError, match="dlx ended with status interrupted"):
        listed(Job(load("queens-30"), QUEENS_LISTED.request), interruption)


COLD = Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "rows", cold_start=True)


def caches(folder: Path) -> list[Path]:
    """The folders of processes, which hold the caches of cold starts."""
    return list(folder.glob(f"{PREFIX}*"))


def test_an_end_before_the_end(folder: Path) -> None:
    """An interruption, an iterator that is closed: nothing is left."""
    interruption = Interruption()
    interruption.request()
    assert finish(run_watched(COLD, interruption)).status == Status.INTERRUPTED
    events = run_watched(replace(COLD, backend="constraint"))
    next(events)
    assert len(caches(folder)) == 1
    events.close()  # type: ignore[attr-defined]
    assert caches(folder) == []
