"""A process and all that descend from it: who they are, what they hold, and their end (Linux)."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from dovetail.harness.memory import proportional_bytes, resident_bytes

KILL_ROUNDS = 5


def process_tree(root: int) -> list[int]:
    """The process `root` and its descendants, parents first; empty if it is gone."""
    found = [root] if Path(f"/proc/{root}").exists() else []
    for process in found:  # grows while it is walked
        found += _children(process)
    return found


def tree_bytes(root: int, limit: int | None = None) -> int:
    """The memory that `root` and its descendants hold together.

    The sum of resident sizes counts pages that several processes share more than once. Where
    that would exceed `limit`, the slower sum of proportional sizes decides.
    """
    processes = process_tree(root)
    resident = sum(resident_bytes(process) or 0 for process in processes)
    if limit is None or resident <= limit or len(processes) == 1:
        return resident
    return sum(proportional_bytes(process) or 0 for process in processes)


def kill_tree(root: int) -> None:
    """Kill `root`, which leads a process group, all in its group and all its descendants.

    A process that is forked meanwhile is found in a further round.
    """
    for _ in range(KILL_ROUNDS):
        processes = process_tree(root)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(root, signal.SIGKILL)
        for process in processes[1:]:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if len(processes) <= 1:
            return


def _children(process: int) -> list[int]:
    """The children of `process`, which the system lists by the thread that started them."""
    children: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                children += map(int, (thread / "children").read_text().split())
    return children
