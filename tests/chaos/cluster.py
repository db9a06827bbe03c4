"""Runs on a dask cluster, of which anything may be killed or stopped."""

from __future__ import annotations

import os
import random
import signal
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from chaos.disturbed_run import Place, strike_command
from chaos.search import Command
from harness.workers.dask_cluster import DaskCluster

# What to look for in the command line of a process.
PROCESSES = {
    "dask worker": b"spawn_main",
    "stopped dask worker": b"spawn_main",
    "nanny": b"dask\0worker",
    "supervisor": b"supervisor.py",
}
WORKERS, STOPPED_S = 2, 4.0


class Cluster(Place):
    """A scheduler and two workers, started as a user would start them."""

    ways: ClassVar[dict[str, bool]] = {
        **dict.fromkeys(PROCESSES, True),
        "scheduler": True,
        "all of the cluster": False,
        "coordinator": False,
        "terminated": False,
        "disk full": False,
    }
    # A sub-problem takes up to 5 s: more frequent kills would hit the same one three times, which
    # is reported as its fault.
    moments_s = 4.0, 8.0

    def __init__(self, mark: str, chance: random.Random) -> None:
        super().__init__(mark, chance)
        self._folder = TemporaryDirectory()
        self._cluster = self._start(0)

    def options(self) -> dict[str, Any]:
        return {"cluster": self._cluster.address, "audit": 0.05}

    def strike(self, way: str, command: Command) -> bool:
        if not command.is_running:
            return False
        if way in ("scheduler", "all of the cluster"):
            self._end_scheduler(way)
            return True
        if way not in PROCESSES:
            return strike_command(way, command, self.chance)
        found = self._cluster.processes(PROCESSES[way])
        with suppress(ProcessLookupError):
            if found:
                self._kill(self.chance.choice(found), way)
                return True
        return False

    def close(self) -> None:
        self._cluster.close()
        self._folder.cleanup()

    def _start(self, port: int) -> DaskCluster:
        started = DaskCluster(Path(self._folder.name), port)
        started.add_workers(WORKERS)
        return started

    def _end_scheduler(self, way: str) -> None:
        """End it and its workers; another one listens at its address, or elsewhere."""
        port = int(self._cluster.address.rpartition(":")[2])
        self._cluster.close()
        self._cluster = self._start(port if way == "scheduler" else 0)

    def _kill(self, process: int, way: str) -> None:
        if way == "stopped dask worker":
            os.kill(process, signal.SIGSTOP)
            threading.Timer(STOPPED_S, _go_on, [process]).start()
            return
        os.kill(process, signal.SIGKILL)
        if way == "nanny":
            self._cluster.add_workers(1)


def _go_on(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGCONT)
