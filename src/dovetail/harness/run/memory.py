"""Memory of processes, read from the system's own accounts (Linux)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

# Of control groups, version 2 and 1; the first is "max" where there is no limit.
CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def peak_bytes() -> int | None:
    """The largest resident size this process has had, since `forget_peak` if that was called.

    Read as VmHWM; `ru_maxrss` would start from the size of the process that started this one.
    """
    return _account("self", "status", "VmHWM")


def forget_peak() -> None:
    """Let `peak_bytes` start from the present size, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def resident_bytes(process: int | None = None) -> int | None:
    """The resident size of a process now (this one if not given), None if it is gone."""
    return _account("self" if process is None else str(process), "status", "VmRSS")


def proportional_bytes(process: int) -> int | None:
    """Like the resident size, but of a page that n processes share a process holds 1/n."""
    return _account(str(process), "smaps_rollup", "Pss")


def asked_for_bytes() -> int | None:
    """The private memory that this process has asked for, which RLIMIT_DATA limits."""
    return _account("self", "status", "VmData")


def available_bytes() -> int | None:
    """The memory that the machine has left for new processes."""
    return _account("meminfo", "", "MemAvailable")


def machine_bytes() -> int:
    """The memory of the machine, or of the container where that has a limit."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limits = [int(text) for path in CONTAINER_LIMITS if (text := _text(path)).isdigit()]
    return min([physical, *limits])


def _account(process: str, account: str, key: str) -> int | None:
    """Return the value in a line of an account of the system, in bytes; None if there is none."""
    for line in _text(Path("/proc", process, account)).splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    return None


def _text(path: Path) -> str:
    """The content of a file of the system, nothing if it is not there."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""
