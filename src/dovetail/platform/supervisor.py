"""The parent of a child process on Linux: it ends the child and all that descends from it.

Run as a script, `python -I -S supervisor.py LIFELINE FOLDER COMMAND…`, so that it starts quickly
and holds little memory: it imports nothing of the package.

LIFELINE is the file descriptor of a pipe whose other end the harness holds. When that closes,
because a run is over or because the harness is gone, whatever ended it, the supervisor kills
its descendants; so it does when the command has ended by itself. It is the subreaper of its
descendants: one whose parent has died becomes its child, also in another session. Then it
deletes FOLDER, in which they keep their temporary files.
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
SIGCHLD_POLL_S = 0.05
LONGEST_KILL_S = 5.0


def main() -> None:
    """Run the command and end as it ends."""
    lifeline, folder, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.set_inheritable(lifeline, False)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    child = os.posix_spawn(command[0], command, os.environ)
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # its pipes are the child's alone
        os.dup2(silent, stream)
    status = _wait(child, lifeline)
    _kill_descendants()
    _delete(folder)
    _end_as(status)


def be_killed_with_parent() -> None:
    """Let this process be killed when its parent is: for the child, should it lose this one."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait(child: int, lifeline: int) -> int:
    """The status with which `child` ended, or that of a kill when the lifeline closes."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    timeout_s: float | None = SIGCHLD_POLL_S
    with suppress(OSError, AttributeError):
        poll.register(os.pidfd_open(child), select.POLLIN)
        timeout_s = None
    while True:
        ready = poll.poll(None if timeout_s is None else timeout_s * 1000)
        if any(descriptor == lifeline for descriptor, _ in ready):
            return int(signal.SIGKILL)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status


def _kill_descendants() -> None:
    """Kill children until there are none; those of the killed become children here."""
    deadline = time.monotonic() + LONGEST_KILL_S
    while time.monotonic() < deadline:
        for process in _children():
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
        os.rmdir(folder)  # it is nearly always empty
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _children() -> list[int]:
    found: list[int] = []
    for thread in os.listdir("/proc/self/task"):
        with suppress(OSError), open(f"/proc/self/task/{thread}/children") as listing:
            found += map(int, listing.read().split())
    return found


def _end_as(status: int) -> None:
    """End with the child's exit status, or by the signal that ended it."""
    number = os.waitstatus_to_exitcode(status)
    if number >= 0:
        os._exit(number)
    with suppress(OSError):
        signal.signal(-number, signal.SIG_DFL)
    with suppress(ValueError, ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the child has left its own
    os.kill(os.getpid(), -number)
    os._exit(128 - number)


def _prctl(option: int, value: int) -> None:
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(option, *(ctypes.c_ulong(number) for number in (value, 0, 0, 0)))


if __name__ == "__main__":
    main()
