"""Runs on jobs of a fake SLURM: their results, their ends, and files of resources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from dovetail.errors import FormatError, WorkersError
from dovetail.harness.workers.clusters import slurm as module
from dovetail.harness.workers.clusters.slurm import SlurmCluster, SlurmResources, slurm_file
from harness.known import known
from harness.workers.fake_slurm import FakeSlurm
from harness.workers.processes import happens

needs_jobqueue = pytest.mark.skipif(
    find_spec("dask_jobqueue") is None, reason="dask-jobqueue is not installed"
)
RESOURCES = 'cores = 1\nmemory = "1 GiB"\nwalltime = "00:10:00"\ninterface = "lo"\n'
SUITE = """name = "two"
[[run]]
puzzles = ["pentominoes-6x10"]
backends = ["bitset"]
resources.bitset = { memory = "3GiB" }
[[run]]
puzzles = ["pentominoes-3x20"]
backends = ["bitset"]
"""


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSlurm]:
    """A SLURM that is asked often, and a folder for files of resources."""
    monkeypatch.setattr(module, "POLL_S", 0.1)
    fake = FakeSlurm(tmp_path)
    monkeypatch.setenv("PATH", f"{fake.programs}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    yield fake
    fake.close()


def resources(text: str) -> SlurmResources:
    """The content of a file."""
    Path("slurm.toml").write_text(text)
    return known(slurm_file("slurm"))


def checked(jobs: SlurmCluster, until: Callable[[], object] = bool) -> None:
    """Check jobs until something has happened, for at most 20 s."""
    deadline = time.monotonic() + 20.0
    while time.monotonic() < deadline and not until():
        jobs.check()
        time.sleep(0.1)


@needs_jobqueue
def test_a_count_on_jobs(slurm: FakeSlurm) -> None:
    """The counts of a suite are exact; jobs have the resources of solvers, and are cancelled."""
    more = 'partition = "batch"\naccount = "me"\ndirectives = ["--exclusive"]\n'
    Path("own.toml").write_text(more + RESOURCES)
    Path("suite.toml").write_text(SUITE)
    words = ("bench", "suite.toml", "--json", "--cluster", "slurm:own.toml", "-o", "runs.jsonl")
    command = [sys.executable, "-m", "dovetail.cli.main", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["count"] for record in records] == [2339, 2]
    assert records[0]["parallel"]["division"] == "cut"
    assert slurm.jobs() == slurm.jobs("cancelled") == ["1", "2"]
    assert happens(lambda: slurm.jobs("ended") == ["1", "2"], 5)
    for line in ("-p batch", "-A me", "-t 00:10:00", "--exclusive"):
        assert f"#SBATCH {line}\n" in slurm.script("1")
    assert [f"--mem={size}G\n" in slurm.script(job) for job, size in (("1", 3), ("2", 1))] == [
        True
    ] * 2
    assert slurm.at("1", "cancelled") < slurm.at("2", "script")  # when its last run has ended


@needs_jobqueue
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            'jobs = 2\nprologue = ["echo no module >&2; exit 3"]',
            "all 2 jobs have ended .*slurm-logs",
        ),
        (
            'partition = "hanging"\nwait = "1s"',
            "1 SLURM job has been connected for 1.0 s; job states: unk",
        ),
        ('partition = "closed"', "SLURM has refused a job: sbatch: error: invalid partition"),
    ],
)
def test_jobs_without_workers(
    slurm: FakeSlurm, monkeypatch: pytest.MonkeyPatch, more: str, message: str
) -> None:
    """A job that ends at once, never starts, is refused or is not submitted ends the run."""
    monkeypatch.setattr(module, "CLOSES_S", 2.0)
    before = time.monotonic()
    jobs = SlurmCluster(resources(RESOURCES + more))
    try:
        jobs.cluster.scale(jobs=jobs.resources.jobs)
        with pytest.raises(WorkersError, match=message):
            checked(jobs)
    finally:
        jobs.close()
    assert slurm.jobs("cancelled") == slurm.jobs()
    assert time.monotonic() < before + 20.0


@needs_jobqueue
def test_jobs_at_their_walltime(slurm: FakeSlurm, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job whose worker has joined is submitted again, but not without end."""
    waits = 'prologue = ["test $SLURM_JOB_ID != 2 || sleep 99"]\n'
    jobs = SlurmCluster(resources(f"jobs = 2\n{waits}{RESOURCES}"))
    monkeypatch.setattr(module, "MAX_EARLY", 0.5)
    workers = jobs.cluster.scheduler.workers
    try:
        jobs.cluster.scale(jobs=2)
        checked(jobs, lambda: workers and slurm.jobs("begun") == ["1", "2"])
        slurm.end("2")  # its worker has not joined
        slurm.end("1")
        checked(jobs, lambda: slurm.jobs("begun") == ["1", "2", "3"] and workers)
        jobs.check()
        assert slurm.jobs() == ["1", "2", "3"]
        slurm.end("3")
        with pytest.raises(WorkersError, match=r"2 jobs .* ended soon .*slurm-logs"):
            checked(jobs)
    finally:
        jobs.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RESOURCES.replace("1 GiB", "lots"), "2: memory: size is 'lots'; expected a size such as"),
        (RESOURCES.replace("00", "\u0660\u0661"), "walltime is .*; expected a time of SLURM"),
        (RESOURCES + "qeue = 3", "unknown key 'qeue'; .*expected one of account, cores"),
    ],
)
def test_files_that_cannot_be_used(slurm: FakeSlurm, text: str, message: str) -> None:
    """One line names the place and the valid values."""
    with pytest.raises(FormatError, match=message):
        resources(text)
    assert slurm_file("tcp://slurm:8786") is None
