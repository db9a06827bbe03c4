"""Runs on a dask cluster: the results of one search, whatever becomes of the workers."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

import pytest

from dovetail.errors import BackendError, ConfigError
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.job import Job, Limits, Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Refused,
    WorkerEvent,
    Workers,
)
from dovetail.harness.workers.clusters import cluster
from dovetail.harness.workers.clusters.cluster import ClusterWorkers
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import Runs, finish, run
from dovetail.models.outcome import Status
from dovetail.models.sub_problem import SubProblem
from dovetail.platform.processes import kill, marked
from harness.known import known
from harness.workers.dask_cluster import DaskCluster
from harness.workers.processes import happens
from harness.workers.results import Listed, assert_same, collected

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
HERE = "127.0.0.1"


ENDS_S = 3.0  # within which supervisors notice that their harness has ended
PACKING, BOARD = ("pentominoes-6x10", "bitset"), ("edges-5-b4i4-3", "rows")


def job_of(puzzle: str, backend: str, *, listed: bool = True) -> Job:
    """A question with or without its solutions."""
    (job,) = make_jobs([puzzle], backend)
    return job.listed() if listed else job


def on_cluster(address: str, *jobs: Job) -> list[Listed]:
    """What the runs of one command come to on a cluster."""
    with Runs(jobs, ParallelOptions(cluster=address, audit=0.2)) as runs:
        return [collected(runs.run(number)) for number in range(len(jobs))]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for workers to join, on a machine with other tasks."""
    monkeypatch.setattr(cluster, "JOINS_S", 60.0)


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A scheduler and a worker process with two threads."""
    started = DaskCluster(tmp_path_factory.mktemp("dask"))
    try:
        started.add_workers(1, "--nthreads", "2")
        yield started
    finally:
        started.close()


def test_two_runs_on_workers_started_by_hand(by_hand: DaskCluster) -> None:
    """A packing and a board, with their solutions in the order of one search."""
    jobs = [job_of(*PACKING), job_of(*BOARD)]
    for job, parallel in zip(jobs, on_cluster(by_hand.address, *jobs), strict=True):
        assert_same(job, collected(run(job)), parallel)
        assert known(parallel.finished.parallel).redone == 0


def test_the_memory_limit_of_each_run(by_hand: DaskCluster) -> None:
    """The workers apply the limit of a run, not that of the first run of the command."""
    free = job_of("pentominoes-3x20", "dlx", listed=False)
    limited = replace(free, limits=Limits(memory_bytes=2**20))
    with Runs([free, limited], ParallelOptions(cluster=by_hand.address)) as runs:
        assert finish(runs.run(0)).count == 2
        assert finish(runs.run(1)).status == Status.MEMORY_LIMIT


def test_workers_of_the_command() -> None:
    """It starts them, prints nothing about them, and leaves no process."""
    mark = uuid.uuid4().hex
    words = [*PACKING[:1], "-b", PACKING[1], "--cluster", "local:2", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "dovetail.cli.main", "count", *words],
        env={**os.environ, "DOVETAIL_CLUSTER_TEST": mark},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["count"] == 2339
    assert all(line.startswith("dovetail: ") for line in done.stderr.splitlines()), done.stderr
    assert happens(lambda: not marked("DOVETAIL_CLUSTER_TEST", mark), ENDS_S)


def test_a_plan_that_is_refused(by_hand: DaskCluster) -> None:
    """The error of its backend is reported once for all workers, which can do another plan."""
    workers = ClusterWorkers(by_hand.address)
    try:
        refused_job = job_of(PACKING[0], "colorpair")
        workers.begin(Plan.of(refused_job, refused_job.request))
        (refused,) = waited(workers, 1)
        assert isinstance(refused, Refused)
        assert "refuses" in str(refused.error)
        job = job_of("pentominoes-3x20", "dlx", listed=False)
        workers.begin(Plan.of(job, job.request))
        deadline = time.monotonic() + 20
        while not workers.free() and time.monotonic() < deadline:
            workers.wait(0.2)
        workers.submit(Assignment(1, b"", SubProblem(cut_from="dlx"), to_end=True))
        (done,) = (event for event in waited(workers, 2) if isinstance(event, Done))
        assert isinstance(done.reply, Result)
        assert done.reply.count == 2
    finally:
        workers.close()


def test_an_address_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error within ten seconds, and here sooner."""
    assert cluster.CONNECTS_S < 9
    monkeypatch.setattr(cluster, "CONNECTS_S", 1.0)
    with socket.socket() as taken:
        taken.bind((HERE, 0))  # and does not listen
        began = time.monotonic()
        with pytest.raises(BackendError, match="no dask scheduler at tcp://127"):
            ClusterWorkers(f"tcp://{HERE}:{taken.getsockname()[1]}")
    assert time.monotonic() - began < 3


def test_distributed_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the package."""
    monkeypatch.setattr("dovetail.harness.workers.clusters.cluster.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install .*'distributed"):
        ClusterWorkers("local:2")


@pytest.mark.parametrize("number", ["0", "-1", "two", "9" * 5000])
def test_an_invalid_number_of_local_workers(number: str) -> None:
    """Also with more digits than Python converts."""
    with pytest.raises(ConfigError, match="expected local:N with N from 1 to"):
        cluster.local_workers_of(f"local:{number}")


def waited(workers: Workers, wanted: int) -> list[WorkerEvent]:
    """The first events, so many of them."""
    events: list[WorkerEvent] = []
    deadline = time.monotonic() + 20
    while len(events) < wanted and time.monotonic() < deadline:
        events += workers.wait(0.2)
    return events[:wanted]


def test_the_program_of_a_local_cluster_is_killed() -> None:
    """The run ends at once, and the message says how the program ended."""
    workers = ClusterWorkers("local:1")
    try:
        kill(known(workers._program).processes)
        (refused,) = waited(workers, 1)
        assert isinstance(refused, Refused)
        assert "the cluster of this machine ended: it was killed by SIGKILL" in str(refused.error)
    finally:
        workers.close()
