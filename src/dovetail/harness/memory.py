"""Memory of processes, read from the system's own accounts (Linux)."""

from __future__ import annotations

import resource
from contextlib import suppress
from pathlib import Path

STACKS = 0.04  # of a memory limit


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


def room_bytes(limit: int | None) -> int | None:
    """How much more memory this process may take under a limit, or what the machine has left."""
    if limit is not None:
        return max(0, limit - (resident_bytes() or 0))
    return _account("meminfo", "", "MemAvailable")


def limit_growth(limit: int) -> None:
    """Let allocations of this process fail where they would carry it beyond `limit` bytes.

    RLIMIT_DATA counts private memory that was asked for, touched or not: what has been asked
    for already does not count against the growth that is left. RLIMIT_AS would: solvers
    reserve far more address space than they ever use. A little is left for stacks of threads,
    of which most is never touched; whoever watches the resident size is exact.
    """
    resident, asked_for = resident_bytes() or 0, _account("self", "status", "VmData") or 0
    room = int(limit * (1 + STACKS)) - resident
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (asked_for + max(0, room), hard))


def _account(process: str, account: str, key: str) -> int | None:
    try:
        lines = Path("/proc", process, account).read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    return None
