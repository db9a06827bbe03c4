"""Worker processes: plans that follow one another, stops, and workers that do nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import dovetail
from dovetail.errors import WorkersError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Lost,
    Searching,
    WorkerEvent,
    packed_rows,
    read_result,
    result_text,
)
from dovetail.harness.workers.local import LocalWorkers, _Worker
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import Runs, finish
from dovetail.harness.workers.worker import _joined
from dovetail.models.cover import cover
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem
from dovetail.platform.processes import descendants
from harness.workers.processes import happens, is_gone, workers_of

WHOLE = SubProblem(cut_from="dlx")
PATIENCE_S = 60.0


def plan_of(puzzle: str) -> Plan:
    """A plan of dlx."""
    (job,) = make_jobs([puzzle], "dlx")
    return Plan.of(job, job.request)


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalWorkers]:
    """One worker that is replaced after a second without a sign of life."""
    started = LocalWorkers(1, backend="dlx", hangs_s=1.0)
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


def until_ready(workers: LocalWorkers) -> None:
    """Wait until a worker takes assignments."""
    deadline = time.monotonic() + PATIENCE_S
    while not workers.free():
        assert time.monotonic() < deadline
        assert workers.wait(0.1) == []


def reply_of(workers: LocalWorkers) -> Result:
    """The result of the assignment under way."""
    (done,) = (event for event in until(workers, Done) if isinstance(event, Done))
    assert isinstance(done.reply, Result)
    return done.reply


@pytest.mark.parametrize("searching", [False, True])
def test_stop(workers: LocalWorkers, searching: bool) -> None:
    """Right after the assignment or in the search, it ends the search; the next one goes on."""
    workers.begin(plan_of("pentominoes-5x12"))
    until_ready(workers)
    workers.submit(Assignment(3, b"", WHOLE))
    if searching:
        (event, *_) = until(workers, Searching)
        assert isinstance(event, Searching)
        assert (event.assignment, event.worker) == (3, "worker 1")
        assert event.nodes > 0
    begun = time.monotonic()
    assert workers.stop() == []
    reply = reply_of(workers)
    assert time.monotonic() < begun + 1
    assert reply.status is Status.INTERRUPTED
    assert reply.remaining
    workers.submit(Assignment(4, b"", WHOLE, nodes=100))
    assert reply_of(workers).status is Status.NODE_LIMIT
    assert workers.are_idle()


def test_a_worker_that_is_stopped(workers: LocalWorkers) -> None:
    """Is replaced, and what it had is reported."""
    workers.begin(plan_of("pentominoes-5x12"))
    until_ready(workers)
    name = workers.submit(Assignment(4, b"", WHOLE))
    for process in workers._workers[0].child.processes:
        os.kill(process, signal.SIGSTOP)
    (lost,) = (event for event in until(workers, Lost) if isinstance(event, Lost))
    assert (lost.worker, lost.assignment) == (name, 4)
    assert "did not respond for 1 s" in lost.reason
    until_ready(workers)
    assert workers.submit(Assignment(5, b"", WHOLE)) != name


@pytest.mark.parametrize("name", ["c"])
def test_workers_that_are_killed_before_they_are_ready(tmp_path: Path, name: str | None) -> None:
    """The run ends, and says how they ended and whether it can be continued."""
    path = None if name is None else tmp_path / name
    (job,) = make_jobs(["queens-8"], "dlx")
    over = threading.Event()

    def kill_workers() -> None:
        while not over.wait(0.01):
            for process in workers_of(os.getpid()):
                with suppress(OSError):
                    os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill_workers)
    killer.start()
    try:
        with (
            Runs([job], ParallelOptions(2, checkpoint=path)) as runs,
            pytest.raises(
                WorkersError, match="workers failed at their start, the last because it"
            ) as error,
        ):
            finish(runs.run(0))
    finally:
        over.set()
        killer.join()
    kept = "the results so far are lost" if path is None else str(path)
    assert f"SIGKILL; {kept}" in str(error.value)
    if path is not None:
        with Runs([job], ParallelOptions(1, checkpoint=path)) as runs:
            assert finish(runs.run(0)).count == 12


@pytest.mark.parametrize("killed", [False, True])
def test_workers_that_end_before_the_next_plan(killed: bool) -> None:
    """They are replaced; that is no failure at the start of the next plan."""
    plan, workers = plan_of("queens-8"), LocalWorkers(3)
    wrong = replace(plan, config={"unknown": 1})
    try:
        workers.begin(plan if killed else wrong)
        if killed:
            assert happens(lambda: not workers.wait(0) and workers.free() == 3, PATIENCE_S)
        processes = [process for worker in workers._workers for process in worker.child.processes]
        for process in processes if killed else ():
            os.kill(process, signal.SIGKILL)
        assert happens(lambda: all(map(is_gone, processes)), PATIENCE_S)
        workers.begin(plan)
        events: list[WorkerEvent] = []
        deadline = time.monotonic() + PATIENCE_S
        while workers.free() < 3 and time.monotonic() < deadline:
            events += workers.wait(0.1)
        assert {type(event) for event in events} == {Lost}
    finally:
        workers.close()


@pytest.mark.parametrize(
    ("program", "silence_s", "stuck"), [("while True: pass", 1.0, False), ("input()", 0.4, True)]
)
def test_silence(program: str, silence_s: float, stuck: bool) -> None:
    """Who searches without reporting is not stuck; who does neither is.

    A process that searches may have to wait for a processor, but not for a second.
    """
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        try:
            time.sleep(0.5)  # it starts
            worker = _Worker("worker", SimpleNamespace(processes=[process.pid]))  # type: ignore[arg-type]
            assert happens(lambda: worker.is_stuck(silence_s), within_s=2 * silence_s) == stuck
        finally:
            process.kill()


@pytest.mark.parametrize("error", [KeyboardInterrupt])
def test_an_interruption_while_workers_start(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """No process is left."""

    def interrupted(thread: threading.Thread) -> None:
        raise error

    before = set(descendants(os.getpid()))
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(error):
            LocalWorkers(2)
    assert happens(lambda: set(descendants(os.getpid())) <= before)


def test_a_solution_without_options_is_counted() -> None:
    empty = cover([("a", 0, 1)], [], name="empty")
    assert dovetail.count(empty, "dlx", limit=5, jobs=2).count == 1


def test_solutions_of_several_batches_are_sent() -> None:
    numbers: list[list[list[int]]] = [[[4]], [[1, 2]], [[]]]
    batches = [np.array(rows, np.int32) for rows in numbers]
    result = Result(Status.EXHAUSTED, 3, rows=_joined(batches))
    sent = read_result(result_text(result), packed_rows(result)).rows
    assert sent is not None
    assert sent.tolist() == [[4, -1], [1, 2], [-1, -1]]
