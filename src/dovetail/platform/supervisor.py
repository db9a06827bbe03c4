"""The parent of a child process on Linux: it ends the child and the child's descendants.

It runs as a script, `python -I -S supervisor.py LIFELINE FOLDER COMMAND…`, and imports only modules
of the standard library, so that it starts quickly and holds little memory.

LIFELINE is the file descriptor of a pipe whose other end the harness holds. The pipe closes when a
run is over, or when the harness has ended or was killed. Then, or when the command has ended by
itself, the supervisor kills its descendants. It is their subreaper: a descendant whose parent has
died becomes a child of the supervisor, in any session. Finally, the supervisor deletes FOLDER,
which holds the temporary files of the command and its descendants.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

assert sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
CHILD_POLL_MS = 50.0
LONGEST_KILL_S = 5.0


def main() -> None:
    """Run the command, then end with its exit status or by its signal."""
    lifeline, folder, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.set_inheritable(lifeline, False)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    child = os.posix_spawn(command[0], command, os.environ)
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # only the child keeps the pipes
        os.dup2(silent, stream)
    status = _wait(child, lifeline)
    _kill_descendants()
    _delete(folder)
    _end_as(status)


def be_killed_with_parent() -> None:
    """Let the kernel kill this process when its parent has ended."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def children(process: int | str) -> list[int]:
    """Return the children of a process, which the kernel lists by the thread that started them."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children") as listing:
                found += map(int, listing.read().split())
    return found


def _wait(child: int, lifeline: int) -> int:
    """Return the wait status of `child`, or that of a killed process if the lifeline closes."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    timeout_ms: float | None = CHILD_POLL_MS
    with suppress(OSError, AttributeError):  # kernel or Python without pidfd_open
        poll.register(os.pidfd_open(child), select.POLLIN)
        timeout_ms = None
    while all(descriptor != lifeline for descriptor, _ in poll.poll(timeout_ms)):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
    return int(signal.SIGKILL)


def _kill_descendants() -> None:
    """Kill children until there are none, for `LONGEST_KILL_S` at most.

    The orphans of a killed child become children too.
    """
    deadline = time.monotonic() + LONGEST_KILL_S
    while time.monotonic() < deadline:
        for process in children("self"):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _delete(folder: str) -> None:
    try:
        os.rmdir(folder)  # nearly always empty
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _end_as(status: int) -> None:
    """End with the child's exit status, or by the signal that ended it."""
    number = os.waitstatus_to_exitcode(status)
    if number >= 0:
        os._exit(number)
    with suppress(OSError):
        signal.signal(-number, signal.SIG_DFL)
    with suppress(ValueError, ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the child may have left a core file
    os.kill(os.getpid(), -number)
    os._exit(128 - number)


def _prctl(option: int, value: int) -> None:
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(option, *(ctypes.c_ulong(number) for number in (value, 0, 0, 0)))


if __name__ == "__main__":
    main()
