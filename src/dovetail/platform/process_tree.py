"""A process and all that descend from it: who they are, and what they hold.

Linux lists them. Elsewhere a process seems to have started no others, and to hold nothing.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from dovetail.platform.memory import proportional_bytes, resident_bytes
from dovetail.platform.signals import KILL


def descendants(root: int) -> list[int]:
    """All that descend from the process `root`, parents first."""
    found = _children(root)
    for process in found:  # grows while it is walked
        found += _children(process)
    return found


def marked(variable: str, value: str) -> list[int]:
    """All processes of this user in whose environment `variable` had `value` at their start."""
    if sys.platform != "linux":
        return []
    wanted = f"{variable}={value}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def kill(processes: list[int]) -> None:
    """Kill those of `processes` that are there."""
    _signal(processes, KILL)


def held_bytes(processes: list[int], limit: int | None = None) -> int:
    """The memory that `processes` hold together.

    The sum of resident sizes counts pages that several share more than once. Where that would
    exceed `limit`, the sum of proportional sizes decides; that takes milliseconds, for which
    the processes are stopped.
    """
    resident = sum(resident_bytes(process) or 0 for process in processes)
    if sys.platform != "linux" or limit is None or resident <= limit or len(processes) == 1:
        return resident
    _signal(processes, signal.SIGSTOP)
    proportional = sum(proportional_bytes(process) or 0 for process in processes)
    _signal(processes, signal.SIGCONT)
    return proportional


def processor_s(processes: list[int]) -> float:
    """The processor time that `processes` have used together; one that has ended counts none."""
    if sys.platform != "linux":
        return 0.0
    ticks = 0
    for process in processes:
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _signal(processes: list[int], number: int) -> None:
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _children(process: int) -> list[int]:
    """The children of `process`, which the system lists by the thread that started them."""
    children: list[int] = []
    if sys.platform != "linux":
        return children
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                children += map(int, (thread / "children").read_text().split())
    return children
