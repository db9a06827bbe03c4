"""A dask cluster as a user starts it: `dask scheduler` and `dask worker` on this machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from pathlib import Path

from dovetail.platform.processes import kill, marked
from harness.known import known

MARK = "DOVETAIL_CLUSTER_TEST"
HERE = "127.0.0.1"


class DaskCluster:
    """A scheduler, and workers that are added one by one; all of them end with `close`."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder, self.mark = folder, uuid.uuid4().hex
        self._processes: list[subprocess.Popen[str]] = []
        options = ["--host", HERE, "--port", str(port), "--dashboard-address", f"{HERE}:0"]
        scheduler = self._start("scheduler", *options, "--no-dashboard")
        for line in known(scheduler.stderr):
            if found := re.search(r"Scheduler at: +(tcp://\S+)", line):
                self.address = found[1]
                return
        raise AssertionError("the scheduler has not started")

    def add_workers(self, number: int = 1, *options: str) -> subprocess.Popen[str]:
        """Start workers; with `--no-nanny` the process is the worker itself."""
        places = ["--host", HERE, "--dashboard-address", f"{HERE}:0", "--no-dashboard"]
        places += ["--local-directory", str(self._folder), "--nthreads", "1"]
        return self._start("worker", self.address, f"--nworkers={number}", *places, *options)

    def processes(self, named: bytes) -> list[int]:
        """Those with certain bytes in their command line."""
        found = []
        for process in marked(MARK, self.mark):
            with suppress(OSError):
                if named in Path(f"/proc/{process}/cmdline").read_bytes():
                    found.append(process)
        return found

    def close(self) -> None:
        """End everything."""
        for process in self._processes:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        kill(marked(MARK, self.mark))

    def _start(self, *words: str) -> subprocess.Popen[str]:
        is_scheduler = words[0] == "scheduler"
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env={**os.environ, MARK: self.mark},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if is_scheduler else subprocess.DEVNULL,
            text=True,
        )
        self._processes.append(process)
        return process
