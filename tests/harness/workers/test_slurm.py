"""Runs on jobs of a fake SLURM: their results, their ends, and files of resources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from dovetail.errors import FormatError, WorkersError
from dovetail.harness.workers.slurm import JobsOfRun, SlurmFile, slurm_file
from harness.known import known
from harness.workers.fake_slurm import FakeSlurm
from harness.workers.processes import happens

needs_jobqueue = pytest.mark.skipif(
    find_spec("dask_jobqueue") is None, reason="dask-jobqueue is not installed"
)
RESOURCES = 'cores = 1\nmemory = "1 GiB"\nwalltime = "00:10:00"\ninterface = "lo"\n'


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSlurm]:
    """A SLURM, and a folder for files of resources."""
    fake = FakeSlurm(tmp_path)
    monkeypatch.setenv("PATH", f"{fake.programs}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    yield fake
    fake.close()


def resources(text: str) -> SlurmFile:
    """The content of a file."""
    Path("slurm.toml").write_text(text)
    return known(slurm_file("slurm"))


def checked(jobs: JobsOfRun, seconds: float) -> None:
    """Check jobs for some time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        jobs.check()
        time.sleep(0.1)


@needs_jobqueue
def test_a_count_on_jobs(slurm: FakeSlurm) -> None:
    """The count is exact; the jobs have the resources of the backend, and are cancelled."""
    more = 'partition = "batch"\naccount = "me"\ndirectives = ["--exclusive"]\n'
    own = '[backend.bitset]\nmemory = "3GiB"\n'
    Path("own.toml").write_text(more + RESOURCES + own)
    words = ("count", "pentominoes-6x10", "-b", "bitset", "--json", "--cluster", "slurm:own.toml")
    command = [sys.executable, "-m", "dovetail.cli.main", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["count"] == 2339
    assert json.loads(done.stdout)["parallel"]["division"] == "cut"
    assert slurm.jobs() == slurm.jobs("cancelled") == ["1"]
    assert happens(lambda: slurm.jobs("ended") == ["1"], 5)
    script = slurm.script("1")
    for line in ("-p batch", "-A me", "--mem=3G", "-t 00:10:00", "--exclusive"):
        assert f"#SBATCH {line}\n" in script


@needs_jobqueue
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            'jobs = 2\nprologue = ["echo no module >&2; exit 3"]',
            "all 2 jobs have ended .*no module",
        ),
        (
            'prologue = ["sleep 99"]\nwait = "1s"',
            "no worker of 1 SLURM job for 1.0 s .(RUNNING|PENDING)",
        ),
        ('partition = "closed"', "SLURM has refused a job: sbatch: error: invalid partition"),
    ],
)
def test_jobs_without_workers(slurm: FakeSlurm, more: str, message: str) -> None:
    """A job that ends at once, never starts or is refused ends the run."""
    jobs = JobsOfRun(resources(RESOURCES + more))
    try:
        jobs.cluster.scale(jobs=jobs.resources.jobs)
        with pytest.raises(WorkersError, match=message):
            checked(jobs, 20.0)
    finally:
        with suppress(Exception):
            jobs.cluster.close()
    assert slurm.jobs("cancelled") == slurm.jobs()


@needs_jobqueue
def test_jobs_at_their_walltime(slurm: FakeSlurm) -> None:
    """A job whose worker has joined is submitted again; a job that ended before is not."""
    jobs = JobsOfRun(resources(f'jobs = 2\nprologue = ["sleep 99"]\n{RESOURCES}'))
    try:
        jobs.cluster.scale(jobs=2)
        assert happens(lambda: slurm.jobs("begun") == ["1", "2"] and len(jobs.cluster.workers) == 2)
        first = next(name for name, job in jobs.cluster.workers.items() if job.job_id == "1")
        worker = SimpleNamespace(name=first)
        jobs.cluster.scheduler.workers["tcp://worker"] = worker
        jobs.check()
        del jobs.cluster.scheduler.workers["tcp://worker"]
        slurm.end("1")
        slurm.end("2")
        assert happens(lambda: slurm.jobs("ended") == ["1", "2"])
        jobs.check()
        assert happens(lambda: slurm.jobs("begun") == ["1", "2", "3"])
        assert happens(lambda: len(jobs.cluster.workers) == 2)
        jobs.check()
        assert slurm.jobs() == ["1", "2", "3"]
    finally:
        jobs.cluster.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RESOURCES.replace("1 GiB", "lots"), "2: memory is 'lots'; expected a size such as"),
        (RESOURCES.replace("00:10:00", "ten"), "3: walltime is 'ten'; expected a time of SLURM"),
        ("cores = 1\n", "memory is missing; expected a size"),
        (RESOURCES + "jobs = 0", "jobs is 0; expected 1 or more"),
        (RESOURCES + "qeue = 3", "unknown key 'qeue'; .*expected one of account, backend, cores"),
        (RESOURCES + "[backend.zddd]", "unknown backend 'zddd'; did you mean 'zdd'"),
        (RESOURCES + "[backend.zdd]\ncors = 1", "unknown key 'cors' in backend.zdd; did you mean"),
    ],
)
def test_files_that_cannot_be_used(slurm: FakeSlurm, text: str, message: str) -> None:
    """One line names the place and the valid values."""
    with pytest.raises(FormatError, match=message):
        resources(text)


def test_a_missing_file(tmp_path: Path) -> None:
    """It is named, and other addresses have no file."""
    with pytest.raises(FormatError, match=r"none\.toml: cannot be read"):
        slurm_file(f"slurm:{tmp_path / 'none.toml'}")
    assert slurm_file("tcp://slurm:8786") is None
