"""The child process that runs one job: `python -m dovetail.harness.child`.

It reads a job from standard input, writes events to standard output, and ends when standard
input closes: a harness that is killed leaves no orphan behind. Whatever libraries print goes
to standard error.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import traceback
from typing import IO

from dovetail.errors import DovetailError
from dovetail.harness.events import MEMORY_REASON, Started, ended
from dovetail.harness.execution import execute
from dovetail.harness.job import Job
from dovetail.harness.wire import receive, send
from dovetail.models.outcome import Status


def main() -> None:
    """Run the job that the harness sends."""
    events = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    job: Job = receive(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, args=(sys.stdin.buffer,), daemon=True).start()
    try:
        for event in execute(job):
            send(events, event)
            if isinstance(event, Started) and job.limits.memory_bytes is not None:
                _limit_memory(job.limits.memory_bytes)
    except DovetailError as error:
        send(events, error)
    except MemoryError:
        send(events, ended(Status.MEMORY_LIMIT, MEMORY_REASON))
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)  # a search that ran into a limit may still be running in its thread


def _end_with_parent(requests: IO[bytes]) -> None:
    requests.read(1)
    os._exit(1)


def _limit_memory(limit: int) -> None:
    # RLIMIT_DATA, not RLIMIT_AS: solvers reserve far more address space than they use.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


if __name__ == "__main__":
    main()
