"""Worker processes: plans that follow one another, cuts, and workers that do nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import Assignment
from dovetail.harness.workers.base import Done, Lost, Ready, WorkerEvent, WorkersError
from dovetail.harness.workers.launch import finish
from dovetail.harness.workers.local_workers import PROGRAM, LocalWorkers, _Worker
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import Runs
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem
from dovetail.platform.processes import descendants

WHOLE = SubProblem(cut_from="dlx")
PATIENCE_S = 60.0


def plan_of(puzzle: str) -> Plan:
    """A plan of dlx."""
    (job,) = make_jobs([puzzle], "dlx")
    return Plan.of(job, job.request)


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalWorkers]:
    """One worker that is replaced after two seconds without a sign of life."""
    started = LocalWorkers(1, backend="dlx", hangs_s=2.0)
    yield started
    started.close()


def until(workers: LocalWorkers, kind: type[WorkerEvent]) -> list[WorkerEvent]:
    """The events until one of a kind has come."""
    events: list[WorkerEvent] = []
    deadline = time.monotonic() + PATIENCE_S
    while not any(isinstance(event, kind) for event in events):
        assert time.monotonic() < deadline, events
        events += workers.wait(0.1)
    return events


def test_the_next_plan_before_the_first_is_read(workers: LocalWorkers) -> None:
    """A worker is ready when it has the second one."""
    workers.begin(plan_of("pentominoes-6x10"))
    workers.begin(plan_of("queens-8"))
    assert sum(isinstance(event, Ready) for event in until(workers, Ready)) == 1
    assert workers.submit(Assignment(1, b"", WHOLE)) == "worker 1"
    assert workers.submit(Assignment(2, b"", WHOLE)) is None
    (done,) = (event for event in until(workers, Done) if isinstance(event, Done))
    assert isinstance(done.reply, Result)
    assert done.reply.count == 12  # up to symmetry


def test_a_cut_right_after_the_assignment(workers: LocalWorkers) -> None:
    """It is not lost, even if it comes before the search has begun."""
    workers.begin(plan_of("pentominoes-5x12"))
    until(workers, Ready)
    workers.submit(Assignment(3, b"", WHOLE))
    workers.cut(3)
    (done,) = (event for event in until(workers, Done) if isinstance(event, Done))
    assert isinstance(done.reply, Result)
    assert done.reply.status is Status.INTERRUPTED
    assert done.reply.remaining


def test_a_worker_that_is_stopped(workers: LocalWorkers) -> None:
    """Is replaced, and what it had is reported."""
    workers.begin(plan_of("pentominoes-5x12"))
    until(workers, Ready)
    name = workers.submit(Assignment(4, b"", WHOLE))
    for process in workers._workers[0].child.processes:
        os.kill(process, signal.SIGSTOP)
    (lost,) = (event for event in until(workers, Lost) if isinstance(event, Lost))
    assert (lost.worker, lost.assignment) == (name, 4)
    assert "did not respond for 2 s" in lost.reason
    until(workers, Ready)
    assert workers.submit(Assignment(5, b"", WHOLE)) != name


@pytest.mark.parametrize("name", [None, "c"])
def test_workers_that_are_killed_before_they_are_ready(tmp_path: Path, name: str | None) -> None:
    """The run ends, and says how they ended and whether it can be continued."""
    path = None if name is None else tmp_path / name
    (job,) = make_jobs(["queens-8"], "dlx")
    over = threading.Event()
    killer = threading.Thread(target=kill_workers, args=(over,))
    killer.start()
    try:
        with (
            Runs([job], ParallelOptions(2, checkpoint=path)) as runs,
            pytest.raises(WorkersError, match="workers end before they are ready: it") as error,
        ):
            finish(runs.run(0))
    finally:
        over.set()
        killer.join()
    kept = "nothing is kept of the run; a checkpoint would keep what is done"
    if path is not None:
        kept = f"{path} keeps what is done: the same command continues from there"
    assert str(error.value).endswith(f"was killed by SIGKILL; {kept}")
    if path is not None:
        with Runs([job], ParallelOptions(1, checkpoint=path)) as runs:
            assert finish(runs.run(0)).count == 12


def kill_workers(over: threading.Event) -> None:
    """Kill each worker process of this one as soon as it is there."""
    while not over.wait(0.01):
        for process in descendants(os.getpid()):
            with suppress(OSError):
                words = Path(f"/proc/{process}/cmdline").read_bytes()
                if PROGRAM.encode() in words and b"supervisor.py" not in words:
                    os.kill(process, signal.SIGKILL)


@dataclass
class Child:
    """A process in place of a worker's."""

    processes: list[int]


@pytest.mark.parametrize(("program", "stuck"), [("while True: pass", False), ("input()", True)])
def test_silence(program: str, stuck: bool) -> None:
    """Who searches without reporting is not stuck; who does neither is."""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        try:
            time.sleep(0.5)  # it starts
            worker = _Worker("worker", Child([process.pid]))  # type: ignore[arg-type]
            found = []
            for _ in range(10):
                time.sleep(0.2)
                found.append(worker.is_stuck(1.0))
            assert any(found) == stuck
        finally:
            process.kill()
