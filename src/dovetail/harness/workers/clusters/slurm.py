"""SLURM jobs whose workers search: the file of their resources, and the program that runs them.

jobs = 10                  # number of jobs; default: 1
cores = 8                  # number of cores of a job, each with a worker process
memory = "16 GiB"          # memory of a job, divided equally among its workers
walltime = "04:00:00"      # time limit of a job, as for sbatch
partition = "batch"        # default: the partition of the cluster
account = "project"
interface = "ib0"          # network of workers and scheduler; default: chosen by dask
directives = ["--exclusive"]                # further options of sbatch
prologue = ["module load python/3.12"]      # commands that a job runs first
logs = "slurm-logs"        # folder for the output of jobs
wait = "1h"                # maximum time without a worker

The key `resources` of a suite replaces these resources for some solvers.

The program `python -m dovetail.harness.workers.clusters.slurm` receives `SlurmResources` and sends
the address of the scheduler. It cancels its jobs when it receives another message.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated, Any
from uuid import uuid4

from pydantic import BeforeValidator, Field

from dovetail.errors import WorkersError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.files.validation import Strict, read_table
from dovetail.harness.sizes import about_s, parse_seconds, parse_size
from dovetail.harness.workers.options import MAX_JOBS
from dovetail.harness.workers.process import MARK, send
from dovetail.plain_data import AtLeastOne
from dovetail.platform.system import STDIN, is_readable
from dovetail.printable import printable

SLURM = "slurm"
# File of the resources if the address names none.
DEFAULT_FILE = "slurm.toml"
PROGRAM = "dovetail.harness.workers.clusters.slurm"
# Seconds between two checks of the workers, and between two queries of the states of the jobs.
CHECK_S, POLL_S = 2.0, 30.0
# Time limit in seconds for cancelling the jobs; shorter than the time for which the run waits.
CLOSES_S = 20.0
# A job ends early if it ends within `EARLY_S` seconds after its first worker has joined. With n
# jobs, at most `MAX_EARLY` · n jobs in a row may end early.
EARLY_S, MAX_EARLY = 120.0, 3
LONGEST_REASON = 200

Jobs = Annotated[int, Field(ge=1, le=MAX_JOBS)]
Word = Annotated[str, Field(pattern=r"^[^\s]+$", description="text without spaces")]
Line = Annotated[str, Field(pattern=r"^[^\n]+$", description="a line of text")]
Size = Annotated[int, BeforeValidator(lambda size: parse_size(str(size)))]
Walltime = Annotated[
    str,
    Field(
        pattern="^([0-9]+-)?[0-9]+(:[0-9]{2}){0,2}$",
        description="a time of SLURM such as 04:00:00 or 1-12",
    ),
]


class SolverResources(Strict):
    """Resources of the SLURM jobs for one solver; None for the value in the file of resources."""

    jobs: Jobs | None = None
    cores: AtLeastOne | None = None
    memory: Size | None = None
    walltime: Walltime | None = None
    partition: Word | None = None
    account: Word | None = None
    directives: tuple[Line, ...] | None = None


class SlurmResources(SolverResources):
    """Resources of SLURM jobs that a file defines."""

    jobs: Jobs = 1
    cores: AtLeastOne
    memory: Size
    walltime: Walltime
    interface: Word | None = None
    directives: tuple[Line, ...] = ()
    prologue: tuple[Line, ...] = ()
    logs: Line = "slurm-logs"
    wait: Annotated[float, BeforeValidator(parse_seconds)] = 3600.0

    def of_solver(self, others: SolverResources | None) -> SlurmResources:
        """Return these resources, updated by the values that `others` sets for a single solver."""
        return self.model_copy(update=others.model_dump(exclude_none=True) if others else {})

    @property
    def worker_bytes(self) -> int:
        """Memory of a worker in bytes."""
        return self.memory // self.cores


def slurm_file(address: str | None) -> SlurmResources | None:
    """Return the resources for `slurm` or `slurm:FILE`; None for another address.

    Raises `FormatError` for an invalid file.
    """
    name, _, path = (address or "").partition(":")
    return (
        read_table(TextFile(Path(path or DEFAULT_FILE)), SlurmResources) if name == SLURM else None
    )


def run_cluster(resources: SlurmResources, messages: IO[bytes]) -> None:
    """Submit jobs, send the scheduler's address to `messages`, and cancel the jobs at the end.

    The end is the next message on standard input, or an error. A job that ends after its workers
    have joined is submitted again. Raises the errors of `SlurmCluster.check`.
    """
    # The jobs inherit the environment, but not the temporary folder and the mark of this process.
    tempfile.gettempdir()
    for name in ("TMPDIR", MARK):
        os.environ.pop(name, None)
    jobs = SlurmCluster(resources)
    try:
        send(messages, jobs.cluster.scheduler_address)
        jobs.cluster.scale(jobs=resources.jobs)
        while not is_readable(STDIN, CHECK_S):
            jobs.check()
    finally:
        jobs.close()


class SlurmCluster:
    """The jobs of a run, and their dask cluster."""

    def __init__(self, resources: SlurmResources) -> None:
        from dask_jobqueue.slurm import SLURMCluster, SLURMJob

        self.resources = resources
        self._name = f"dovetail-{uuid4().hex[:8]}"
        self._refusals = refusals = list[str]()
        self._joined = dict[str, float]()  # time when the first worker joined, by name of the job
        self._early = 0  # number of jobs in a row that have ended early
        self._states = dict[str, str]()  # states and reasons by number of the job in SLURM
        self._served = self._polled = time.monotonic()

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
            memory=f"{resources.memory} B",
            interface=resources.interface,
            job_extra_directives=list(resources.directives),
            job_script_prologue=list(resources.prologue),
            log_directory=resources.logs,
            # Dask sets no memory limit, because each search applies the limit of its run.
            worker_extra_args=["--memory-limit", "0", "--no-dashboard"],
            scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        )

    def close(self) -> None:
        """Cancel the jobs; wait for at most `CLOSES_S`, because `sbatch` and `scancel` may hang."""
        with suppress(Exception):  # a job that was not submitted cannot be closed
            self.cluster.close(timeout=CLOSES_S)

    def check(self) -> None:
        """Submit jobs again that have ended after their workers had joined.

        Raises `WorkersError` if a job was refused, if all jobs have ended before a worker has
        joined, if too many jobs in a row end early, or if there was no worker for
        `resources.wait` seconds.
        """
        now, logs = time.monotonic(), f"the output of jobs is in {self.resources.logs}"
        if self._refusals:
            reason = printable(shorten(" ".join(self._refusals[0].split()), LONGEST_REASON))
            raise WorkersError(f"SLURM has refused a job: {reason}")
        workers = [str(worker.name) for worker in list(self.cluster.scheduler.workers.values())]
        if workers:
            self._served = now
        jobs = dict(self.cluster.workers)
        for job in jobs:
            if any(name == job or name.startswith(f"{job}-") for name in workers):
                self._joined.setdefault(job, now)
        if len(jobs) == self.resources.jobs and self._has_polled(now):
            ended = {name for name, job in jobs.items() if job.job_id not in self._states}
            for name in ended & self._joined.keys():
                is_early = now < self._joined.pop(name) + EARLY_S
                self._early = self._early + 1 if is_early else 0
                del self.cluster.workers[name]
            if self._early > MAX_EARLY * len(jobs):
                soon = f"{self._early} jobs of SLURM have ended soon after their workers joined"
                raise WorkersError(f"{soon}; {logs}")
            if len(self.cluster.workers) < len(jobs):
                self.cluster.scale(jobs=self.resources.jobs)
            elif not workers and ended == jobs.keys():
                number = "the job of SLURM has" if len(jobs) == 1 else f"all {len(jobs)} jobs have"
                raise WorkersError(f"{number} ended before a worker has joined; {logs}")
        if now > self._served + self.resources.wait:
            seen = shorten(", ".join(dict.fromkeys(self._states.values())) or "unknown")
            jobs_words = how_many(self.resources.jobs, "SLURM job")
            waited = f"has been connected for {about_s(self.resources.wait)}"
            raise WorkersError(f"no worker of {jobs_words} {waited}; job states: {seen}; {logs}")

    def _has_polled(self, now: float) -> bool:
        """Ask SLURM for the states of waiting and running jobs; return whether it has replied.

        Returns False without asking if the last query was less than `POLL_S` seconds ago.
        """
        if now < self._polled + POLL_S:
            return False
        self._polled = now
        command = ["squeue", "--noheader", f"--name={self._name}", "--format=%i %T %r"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError):
            return False
        lines = (line.split(maxsplit=1) for line in done.stdout.splitlines() if line.strip())
        self._states = {job: " ".join(rest).removesuffix(" None") for job, *rest in lines}
        return True


if __name__ == "__main__":
    from dovetail.harness.workers.process import serve

    serve(run_cluster)
