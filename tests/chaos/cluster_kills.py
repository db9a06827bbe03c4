"""Runs on a dask cluster in which workers, nannies and kernels are killed or stopped.

By hand: `PYTHONPATH=tests python -m chaos.cluster_kills 20` prints what was done to each run, until
so many processes have been killed or stopped. A sub-problem takes up to 5 s: more frequent kills
would hit the same one three times, which is reported as its fault.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from dovetail.harness.execution.launch import run
from dovetail.harness.execution.process_tree import marked
from dovetail.harness.parallel.options import ParallelOptions
from dovetail.harness.parallel.runs import Runs
from dovetail.harness.parameters import make_jobs
from dovetail.harness.run.job import Job
from harness.parallel.dask_cluster import MARK, DaskCluster
from harness.parallel.results import Result, assert_same, collected
from harness.parallel.test_cluster import ENDS_S

# What to look for in the command line of a process.
PROCESSES = {
    "dask worker": b"spawn_main",
    "stopped dask worker": b"spawn_main",
    "nanny": b"dask\0worker",
    "kernel": b"parallel.worker",
    "supervisor": b"supervisor.py",
}
FIRST_S, STOPPED_S, WORKER_TIMEOUT_S = 4.0, 4.0, 1.0


class Killer:
    """Disturbs a cluster every few seconds, until the run ends."""

    def __init__(self, cluster: DaskCluster, chance: random.Random) -> None:
        self._cluster, self._chance = cluster, chance
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._disturb, daemon=True)
        self.ways: list[str] = []

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _disturb(self) -> None:
        wait_s = FIRST_S
        while not self._ended.wait(wait_s):
            way = self._chance.choice(list(PROCESSES))
            found = self._cluster.processes(PROCESSES[way])
            if found:
                self._kill(self._chance.choice(found), way)
                self.ways.append(way)
            wait_s = self._chance.uniform(4.0, 8.0)

    def _kill(self, process: int, way: str) -> None:
        with suppress(ProcessLookupError):
            if way == "stopped dask worker":
                os.kill(process, signal.SIGSTOP)
                threading.Timer(STOPPED_S, _go_on, [process]).start()
                return
            os.kill(process, signal.SIGKILL)
            if way == "nanny":
                self._cluster.add_workers(1)


def disturbed(job: Job, serial: Result, seed: int) -> list[str]:
    """Run a job on two workers that are disturbed, compare, and return what was done."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = DaskCluster(Path(folder))
        try:
            cluster.add_workers(2)
            options = ParallelOptions(
                cluster=cluster.address, audit=0.05, worker_timeout_s=WORKER_TIMEOUT_S
            )
            with Killer(cluster, random.Random(seed)) as killer, Runs([job], options) as runs:
                result = collected(runs.run(0))
        finally:
            cluster.close()
        deadline = time.monotonic() + ENDS_S
        while (left := marked(MARK, cluster.mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, "processes are left"
    assert_same(job, serial, result)
    return killer.ways


def _go_on(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGCONT)


def main(wanted: int) -> None:
    """Disturb runs until so many processes have been killed or stopped."""
    (job,) = make_jobs(["bedlam-cube"], "bitset")
    job = job.listed()
    serial = collected(run(job))
    done, seed = 0, int(time.time())
    while done < wanted:
        ways = disturbed(job, serial, seed)
        done, seed = done + len(ways), seed + 1
        sys.stdout.write(f"{done} of {wanted}, seed {seed - 1}: {', '.join(ways)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
