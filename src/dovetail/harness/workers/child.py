"""The child process that runs one job: `python -m dovetail.harness.workers.child`.

It reads a job from standard input and writes events to standard output. Whatever libraries
print goes to standard error. It ends with its parent.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Callable
from typing import IO, Any, NoReturn

from dovetail.errors import DovetailError
from dovetail.harness.run.events import Found, Started
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.workers.execute import execute
from dovetail.harness.workers.wire import receive, send
from dovetail.platform.processes import end_with_parent
from dovetail.platform.resources import forget_peak


def main() -> None:
    """Run the job that the harness sends."""
    serve(run_job)


def serve(work: Callable[[Any, IO[bytes]], object]) -> NoReturn:
    """Do what the harness asks for, and end the process.

    `work` is called with what the harness sends, and the stream for its messages.
    """
    end_with_parent()
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asked = receive(sys.stdin.buffer)
    try:
        work(asked, messages)
    except (DovetailError, MemoryError) as error:
        send(messages, error)
    except Exception as error:
        traceback.print_exc()
        words = " ".join(str(error).split())
        sys.stderr.write(f"{type(error).__name__}: {words}\n")
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)  # a search that ran into a limit may still be running in its thread


def run_job(job: Job, events: IO[bytes]) -> int | None:
    """Run a job and send its events; returns the resident size when memory began to count."""
    baseline = None
    for event in execute(job):
        send(events, Found(event.options) if isinstance(event, Found) else event)
        if isinstance(event, Started):
            baseline = event.baseline_bytes
            gc.freeze()  # what imports and compiling have left is not gone through again
            forget_peak()
            MemoryLimit(job.limits.memory_bytes).hold_in_this_process()
    return baseline


if __name__ == "__main__":
    main()
