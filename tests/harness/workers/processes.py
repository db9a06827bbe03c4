"""Processes that a test looks for, waits for and kills."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from dovetail.harness.workers.process import WORKER
from dovetail.platform.processes import descendants


def command_line(process: int) -> bytes:
    """The words of a process, each with a NUL behind it; none of one that has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def is_gone(process: int) -> bool:
    """Whether a process has ended; a zombie has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def happens(condition: Callable[[], bool], within_s: float = 10.0) -> bool:
    """Whether a condition comes to hold."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def workers_of(process: int) -> list[int]:
    """The processes below `process` that run jobs, not their supervisors."""
    lines = {child: command_line(child) for child in descendants(process)}
    worker = WORKER.encode()
    return [child for child in lines if worker in lines[child] and b"-I\0" not in lines[child]]
