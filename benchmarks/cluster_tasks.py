"""How many sub-problems a coordinator and a dask scheduler can take, and what each one costs.

Run by hand, `python -m benchmarks.cluster_tasks N`: it divides a puzzle into at least N tiny
sub-problems, searches them on two workers started by `dask worker`, with a checkpoint in a
temporary file, and prints a row for each tenth of them and what the whole came to. The overhead is
the time of a worker for a sub-problem less that of the search itself.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from dovetail.harness.parameters import make_jobs
from dovetail.harness.planning.planner import session_of
from dovetail.harness.run.events import Progress
from dovetail.harness.run.job import Job, Plan
from dovetail.harness.run.plan_json import plan_to_json
from dovetail.harness.run.session import Session
from dovetail.harness.workers.base import Workers
from dovetail.harness.workers.checkpoint import Checkpoint, Division
from dovetail.harness.workers.clusters.cluster import WINDOW, ClusterWorkers
from dovetail.harness.workers.coordinator import Coordinator
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.parallel_run import divided_task
from dovetail.harness.workers.runs import finish, run
from dovetail.models.sub_problem import SubProblem

PUZZLE, BACKEND, WORKERS = "pentominoes-6x10", "dlx", 2
HERE = "127.0.0.1"


@contextmanager
def dask(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A command of dask while it runs."""
    places = ["--host", HERE, "--dashboard-address", f"{HERE}:0", "--no-dashboard"]
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words, *places], stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def address_of(scheduler: subprocess.Popen[str]) -> str:
    """Where a scheduler that has just been started listens."""
    assert scheduler.stderr is not None
    found = (re.search(r"Scheduler at: +(tcp://\S+)", line) for line in scheduler.stderr)
    return next(one[1] for one in found if one)


def peak_mb(process: int) -> float:
    """The largest resident size that a process has had."""
    status = Path(f"/proc/{process}/status").read_text()
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(kilobytes) * 1024 / 1e6


def processor_s(process: int) -> float:
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def planned(job: Job) -> Plan:
    """The plan of a job that names its backend."""
    return session_of(job).plan


def parts_of(plan: Plan, wanted: int) -> list[SubProblem]:
    """The sub-problems of a plan, at least so many."""
    return divided_task(Session(plan).begun().task, wanted)


def wait_for(workers: Workers) -> None:
    """Until two of them are ready."""
    while workers.free() < WINDOW * WORKERS:
        workers.wait(0.1)


def measure(job: Job, wanted: int, checkpoint: Checkpoint, address: str, scheduler: int) -> None:
    """Search all sub-problems and print the figures."""
    plan = planned(job)
    parts = parts_of(plan, wanted)
    checkpoint_run = checkpoint.run(0)
    checkpoint_run.begin(plan_to_json(plan), Division.TASK.value, parts)
    workers = ClusterWorkers(address)
    try:
        workers.begin(plan)
        wait_for(workers)
        options = ParallelOptions(audit=0)
        coordinator = Coordinator(checkpoint_run, workers, Division.TASK, Session(plan), options)
        print("| sub-problems | per second | coordinator, MB | scheduler, MB |")
        print("|---|---|---|---|")
        began = since = time.perf_counter()
        counted, busy = 0, [processor_s(one) for one in (os.getpid(), scheduler)]
        for event in coordinator.events():
            if not isinstance(event, Progress) or event.parallel is None:
                continue
            done = event.parallel.totals.done
            if done - counted >= len(parts) / 10 or done == len(parts) != counted:
                now = time.perf_counter()
                print(
                    f"| {done:,} | {(done - counted) / (now - since):.0f} "
                    f"| {peak_mb(os.getpid()):.0f} | {peak_mb(scheduler):.0f} |",
                    flush=True,
                )
                since, counted = now, done
        wall_s = time.perf_counter() - began
        taken = [processor_s(one) for one in (os.getpid(), scheduler)]
    finally:
        workers.close()
    totals = coordinator.totals
    assert totals.count == finish(run(job)).count, "the counts differ"
    searched_s = totals.prepare_s + totals.solve_cpu_s + totals.check_s
    overhead_s = (wall_s * WORKERS - searched_s) / len(parts)
    here_ms, scheduler_ms = (
        1e3 * (after - before) / len(parts) for before, after in zip(busy, taken, strict=True)
    )
    print(
        f"{len(parts):,} sub-problems in {wall_s:.1f} s: {len(parts) / wall_s:.0f} per second, "
        f"{1e3 * wall_s * WORKERS / len(parts):.2f} ms of a worker for each, of these "
        f"{1e3 * overhead_s:.2f} ms overhead; processor time for each: coordinator "
        f"{here_ms:.2f} ms, scheduler {scheduler_ms:.2f} ms"
    )


def main(wanted: int) -> None:
    """Start a scheduler and two workers, and measure."""
    (job,) = make_jobs([PUZZLE], BACKEND)
    with TemporaryDirectory() as folder, dask("scheduler", "--port", "0") as scheduler:
        address = address_of(scheduler)
        places = ("--nthreads", "1", "--local-directory", folder)
        with (
            dask("worker", address, f"--nworkers={WORKERS}", *places),
            Checkpoint(Path(folder, "checkpoint"), ["tasks"]) as checkpoint,
        ):
            measure(job, wanted, checkpoint, address, scheduler.pid)


if __name__ == "__main__":
    main(int(sys.argv[1]))
