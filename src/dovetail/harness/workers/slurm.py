"""SLURM jobs whose workers search: the file of their resources, and the program that runs them.

jobs = 10                  # number of jobs; default: 1
cores = 8                  # of a job, with one worker process for each core
memory = "16 GiB"          # of a job; its workers share it equally
walltime = "04:00:00"      # of a job, as for sbatch
partition = "batch"        # default: the partition of the cluster
account = "project"
interface = "ib0"          # network of workers and scheduler; default: chosen by dask
directives = ["--exclusive"]                # further options of sbatch
prologue = ["module load python/3.12"]      # commands that a job runs first
logs = "slurm-logs"        # folder of the output of jobs
wait = "1h"                # the longest time without a worker

[backend.zdd]              # other resources for the searches of this backend
cores = 1
memory = "64 GiB"

The program, `python -m dovetail.harness.workers.slurm`, receives `SlurmJobs`, and sends the address
of the scheduler. It cancels its jobs when it receives another message.
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated, Any
from uuid import uuid4

from pydantic import Field

from dovetail.errors import WorkersError, how_many, shorten, unknown_name
from dovetail.files.text_file import TextFile
from dovetail.files.validation import Strict, located, read_table
from dovetail.harness.planning.named import backend_names
from dovetail.harness.sizes import about_s, parse_seconds, parse_size
from dovetail.harness.workers.options import MAX_JOBS
from dovetail.harness.workers.process import MARK, asked_for, send
from dovetail.plain_data import AtLeastOne
from dovetail.printable import printable

SLURM = "slurm"
# File of the resources if the address names none.
DEFAULT_FILE = "slurm.toml"
PROGRAM = "dovetail.harness.workers.slurm"
# Interval at which SLURM is asked for the states of the jobs.
POLL_S = 2.0
LONGEST_REASON = 200

Jobs = Annotated[int, Field(ge=1, le=MAX_JOBS)]
Word = Annotated[str, Field(pattern=r"^[^\s]+$", description="text without spaces")]
Line = Annotated[str, Field(pattern=r"^[^\n]+$", description="a line of text")]
Size = Annotated[
    str,
    Field(pattern=r"^(?i)[1-9]\d{0,6} ?[kmgt](i?b)?$", description="a size such as 16 GiB"),
]
Walltime = Annotated[
    str,
    Field(
        pattern=r"^(\d+-)?\d+(:\d\d){0,2}$", description="a time of SLURM such as 04:00:00 or 1-12"
    ),
]
Time = Annotated[
    str,
    Field(pattern=r"^\d{1,9} ?(s|m|min|h)$", description="a time such as 30s, 10m or 2h"),
]


class SlurmJobs(Strict):
    """The resources of the jobs of a search."""

    jobs: Jobs = 1
    cores: AtLeastOne
    memory: Size
    walltime: Walltime
    partition: Word | None = None
    account: Word | None = None
    interface: Word | None = None
    directives: tuple[Line, ...] = ()
    prologue: tuple[Line, ...] = ()
    logs: Line = "slurm-logs"
    wait: Time = "1h"

    @property
    def worker_bytes(self) -> int:
        """The memory of a worker."""
        return parse_size(self.memory) // self.cores


class OfBackend(Strict):
    """Resources for a backend, in place of the values of the file."""

    jobs: Jobs | None = None
    cores: AtLeastOne | None = None
    memory: Size | None = None
    walltime: Walltime | None = None
    partition: Word | None = None
    account: Word | None = None
    directives: tuple[Line, ...] | None = None


class SlurmFile(SlurmJobs):
    """A file of resources."""

    backend: Mapping[str, OfBackend] = Field(default_factory=dict)

    def jobs_for(self, backend: str) -> SlurmJobs:
        """Return the resources for the searches of a backend."""
        others = self.backend.get(backend, OfBackend()).model_dump(exclude_none=True)
        return SlurmJobs(**{**self.model_dump(exclude={"backend"}), **others})


def slurm_file(address: str | None) -> SlurmFile | None:
    """Return the resources for `slurm` or `slurm:FILE`; None for another address.

    Raises `FormatError` for an invalid file.
    """
    name, _, path = (address or "").partition(":")
    if name != SLURM:
        return None
    file = TextFile(Path(path or DEFAULT_FILE))
    resources = read_table(file, SlurmFile)
    for backend in resources.backend:
        if backend not in backend_names():
            problem = str(unknown_name("backend", backend, backend_names()))
            raise located(file, ("backend", backend), problem)
    return resources


def run_jobs(resources: SlurmJobs, messages: IO[bytes]) -> None:
    """Submit jobs, send the scheduler's address, and cancel the jobs at the next message.

    A job that ends after its workers have joined is submitted again. Raises `WorkersError` if a job
    cannot be submitted, if all jobs have ended before a worker has joined, and after
    `resources.wait` without a worker.
    """
    # The jobs inherit the environment, but not the folder and the mark of this process.
    tempfile.gettempdir()
    for name in ("TMPDIR", MARK):
        os.environ.pop(name, None)
    jobs = JobsOfRun(resources)
    try:
        send(messages, jobs.cluster.scheduler_address)
        jobs.cluster.scale(jobs=resources.jobs)
        while not select.select([asked_for()], [], [], POLL_S)[0]:
            jobs.check()
    finally:
        with suppress(Exception):  # a job that was not submitted cannot be closed
            jobs.cluster.close()


class JobsOfRun:
    """The jobs of a run, and their dask cluster."""

    def __init__(self, resources: SlurmJobs) -> None:
        from dask_jobqueue.slurm import SLURMCluster, SLURMJob

        self.resources = resources
        self._name = f"dovetail-{uuid4().hex[:8]}"
        self._refusals = refusals = list[str]()
        self._joined = set[str]()  # names of the jobs whose workers have joined
        self._served = time.monotonic()

        class Job(SLURMJob):  # type: ignore[misc]
            async def _submit_job(self, script_filename: str) -> Any:
                try:
                    return await super()._submit_job(script_filename)
                except (OSError, RuntimeError) as error:
                    refusals.append(str(error).rpartition("stderr:")[2])
                    raise

        self.cluster = SLURMCluster(
            job_cls=Job,
            job_name=self._name,
            queue=resources.partition,
            account=resources.account,
            walltime=resources.walltime,
            cores=resources.cores,
            processes=resources.cores,
            memory=f"{parse_size(resources.memory)} B",
            interface=resources.interface,
            job_extra_directives=list(resources.directives),
            job_script_prologue=list(resources.prologue),
            log_directory=resources.logs,
            # Searches apply the limit of their run.
            worker_extra_args=["--memory-limit", "0", "--no-dashboard"],
            scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        )

    def check(self) -> None:
        """Submit jobs again that have ended after their workers had joined.

        Raises `WorkersError` if there are no workers and none can be expected.
        """
        now = time.monotonic()
        if self._refusals:
            raise WorkersError(f"SLURM has refused a job: {_one_line(self._refusals[0])}")
        workers = [str(worker.name) for worker in list(self.cluster.scheduler.workers.values())]
        if workers:
            self._served = now
        jobs = dict(self.cluster.workers)
        self._joined |= {
            job for job in jobs for name in workers if name == job or name.startswith(f"{job}-")
        }
        states = self._states()
        if states is None or len(jobs) < self.resources.jobs:
            return  # SLURM is busy, or jobs are being submitted
        ended = {name for name, job in jobs.items() if job.job_id not in states}
        for name in ended & self._joined:
            self._joined.discard(name)
            del self.cluster.workers[name]
        if len(self.cluster.workers) < len(jobs):
            self.cluster.scale(jobs=self.resources.jobs)
        elif not workers and ended == jobs.keys():
            number = "the job of SLURM has" if len(jobs) == 1 else f"all {len(jobs)} jobs have"
            words = self._last_words([job.job_id for job in jobs.values()])
            raise WorkersError(f"{number} ended before a worker has joined{words}")
        if now > self._served + parse_seconds(self.resources.wait):
            seen = ", ".join(dict.fromkeys(states.values())) or "no states"
            waited = about_s(parse_seconds(self.resources.wait))
            raise WorkersError(
                f"no worker of {how_many(len(jobs), 'SLURM job')} for {waited} ({shorten(seen)})"
            )

    def _states(self) -> dict[str, str] | None:
        """Return the states of the jobs that are waiting or running, by their ids."""
        command = ["squeue", "--noheader", f"--name={self._name}", "--format=%i %T %r"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        lines = (line.split(maxsplit=1) for line in done.stdout.splitlines() if line.strip())
        return {job: " ".join(rest).removesuffix(" None") for job, *rest in lines}

    def _last_words(self, ids: list[str]) -> str:
        """Return the last line that one of the jobs has written, and the folder of its output."""
        logs = Path(self.resources.logs)
        for number in ids:
            for path in sorted(logs.glob(f"{self._name}-{number}*")):
                lines = path.read_text(errors="replace").split("\n")
                if last := next(filter(str.strip, reversed(lines)), ""):
                    return f": {_one_line(last)} ({path})"
        return f" (no output in {logs})"


def _one_line(text: str) -> str:
    return printable(shorten(" ".join(text.split()), LONGEST_REASON))


if __name__ == "__main__":
    from dovetail.harness.workers.process import serve

    serve(run_jobs)
