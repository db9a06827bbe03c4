"""Memory of processes and of the machine, from the system's own accounts.

What processes hold is known on Linux only. Of Windows and macOS it is known how much memory the
machine has, of Windows also how much is left.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import ctypes

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
    if sys.platform != "linux":
        return
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
    if sys.platform == "win32":
        return int(_windows_memory().available_physical)
    return _account("meminfo", "", "MemAvailable")


def machine_bytes() -> int:
    """The memory of the machine, or of the container where that has a limit."""
    limits = [int(text) for path in CONTAINER_LIMITS if (text := _text(path)).isdigit()]
    return min([physical_bytes(), *limits])


def physical_bytes() -> int:
    """The memory of the machine."""
    if sys.platform == "win32":
        return int(_windows_memory().total_physical)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def return_free_memory() -> None:
    """Give the system what the C library keeps for later, where it has a call for that."""
    if sys.platform != "linux":
        return
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _account(process: str, account: str, key: str) -> int | None:
    """Return the value in a line of an account of the system, in bytes; None if there is none."""
    for line in _text(Path("/proc", process, account)).splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    return None


def _text(path: Path) -> str:
    """The content of a file of the system, nothing if it is not there or this is not Linux."""
    if sys.platform != "linux":
        return ""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


if sys.platform == "win32":

    class _WindowsMemory(ctypes.Structure):
        """MEMORYSTATUSEX."""

        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total_physical", ctypes.c_uint64),
            ("available_physical", ctypes.c_uint64),
            ("total_page_file", ctypes.c_uint64),
            ("available_page_file", ctypes.c_uint64),
            ("total_virtual", ctypes.c_uint64),
            ("available_virtual", ctypes.c_uint64),
            ("available_extended", ctypes.c_uint64),
        )

    def _windows_memory() -> _WindowsMemory:
        """What GlobalMemoryStatusEx reports."""
        memory = _WindowsMemory(length=ctypes.sizeof(_WindowsMemory))
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(memory))
        return memory
