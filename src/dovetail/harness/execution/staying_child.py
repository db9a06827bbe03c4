"""The child process that runs one job after another.

`python -m dovetail.harness.execution.staying_child` is `child`, save that it is `Waiting` after a
job that has left nothing behind, and ends after any other. A job that it is sent then is
`Accepted`, unless a process that starts now would load other code.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from pathlib import Path
from typing import IO

from dovetail.harness.execution.child import run_job, serve
from dovetail.harness.execution.loaded_code import LoadedCode
from dovetail.harness.execution.messages import Accepted, Waiting
from dovetail.harness.execution.wire import receive, send
from dovetail.harness.run.job import Job
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
