"""The lifeline of a child process: a pipe that closes when the harness is gone.

A child inherits the reading end and hands it to a watcher, a shell that waits for the pipe to
close and then kills the child's process group. The watcher works whatever the child does (a
kernel may keep every thread of Python's waiting), and whatever the child has started itself
goes with it, if it stayed in the group.
"""

from __future__ import annotations

import ctypes
import os

SHELL = "/bin/sh"
WATCHER = 'read _; kill -s KILL -- "-$1"'
PR_SET_CHILD_SUBREAPER = 36


def end_with(lifeline: int) -> None:
    """Have this process's group killed when the pipe with reading end `lifeline` closes.

    The end is closed here: the watcher holds it. Also makes this process the parent of
    orphans among its descendants, so that they are still counted and killed with it.
    """
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_CHILD_SUBREAPER, *(ctypes.c_ulong(value) for value in (1, 0, 0, 0)))
    silent = (os.devnull, os.O_WRONLY, 0)
    os.posix_spawn(
        SHELL,
        [SHELL, "-c", WATCHER, "dovetail-watcher", str(os.getpgrp())],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, lifeline, 0),
            (os.POSIX_SPAWN_CLOSE, lifeline),
            (os.POSIX_SPAWN_OPEN, 1, *silent),
            (os.POSIX_SPAWN_OPEN, 2, *silent),
        ],
    )
    os.close(lifeline)
