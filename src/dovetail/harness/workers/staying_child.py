"""The child process that runs one job after another.

`python -m dovetail.harness.workers.staying_child` is `child`, except that it is `Waiting` after a
job that has left nothing behind, and ends after any other job. A job that it is sent then is
`Accepted`, unless a process that starts now would load other code.
"""

from __future__ import annotations

import gc
import os
import sys
import sysconfig
import threading
from pathlib import Path
from typing import IO

from dovetail.harness.run.job import Job
from dovetail.harness.workers.child import run_job, serve
from dovetail.harness.workers.wire import Accepted, Waiting, receive, send
from dovetail.platform.processes import descendants
from dovetail.platform.resources import (
    data_limit,
    forget_peak,
    limits_processor_time,
    peak_bytes,
    resident_bytes,
    restore_data_limit,
    return_free_memory,
)

Stamp = tuple[int, int] | None  # when a file was changed, in ns, and its size; None: it is gone
# What is installed here is not edited: an installer that changes it changes an entry of the folder.
INSTALLED = tuple(
    os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "purelib", "platlib")
)


class LoadedCode:
    """The folders that modules are looked for in, and the files of loaded ones elsewhere."""

    def __init__(self) -> None:
        self._seen: dict[str, Stamp] = {}
        self.add_new()

    def add_new(self) -> None:
        """Take in what was loaded since."""
        for path in _files() - self._seen.keys():
            self._seen[path] = _stamp(path)

    def is_current(self) -> bool:
        """Return whether a process that starts now would load the same code."""
        return all(_stamp(path) == stamp for path, stamp in self._seen.items())


def _files() -> set[str]:
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    named = (file for file in files if isinstance(file, str) and file)
    return {*sys.path, *(file for file in named if not file.startswith(INSTALLED))}


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


# Memory that jobs may leave behind, all together: a search's tables start from a larger process.
LEFT_BYTES = 64 * 2**20


def main() -> None:
    """Run the jobs that the harness sends, one after another."""
    serve(_run_jobs)


def _run_jobs(job: Job, messages: IO[bytes]) -> None:
    before = _Before()
    while before.is_as_before(run_job(job, messages)):
        send(messages, Waiting())
        try:
            job = receive(sys.stdin.buffer)
        except EOFError:
            return
        if not before.code.is_current():
            return
        send(messages, Accepted())


class _Before:
    """The process as it was before its first job, and has to be again before the next."""

    def __init__(self) -> None:
        self.code = LoadedCode()
        self._limit = data_limit()
        self._left = 0

    def is_as_before(self, baseline: int | None) -> bool:
        """Let go of what a job has left; whether all of it went.

        Not so where threads or processes go on, files lie in the temporary folder, much memory was
        taken for good since the `baseline`, or the system does not forget its peak, or adds up
        the processor time of all jobs for a limit.
        """
        restore_data_limit(self._limit)
        self.code.add_new()
        gc.collect()
        return_free_memory()
        forget_peak()
        held, peak = resident_bytes(), peak_bytes()
        if held is None or peak is None or peak > held + LEFT_BYTES // 8:
            return False
        self._left += max(0, held - (baseline or held))
        return (
            self._left <= LEFT_BYTES
            and not limits_processor_time()
            and threading.active_count() == 1
            and not descendants(os.getpid())
            and not any(Path(os.environ["TMPDIR"]).iterdir())
        )


if __name__ == "__main__":
    main()
