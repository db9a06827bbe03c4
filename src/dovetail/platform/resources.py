"""Memory, processor time and limits of this process and of the machine.

The memory and the limits of a process are known on Linux only. On other systems, the functions for
them return None or an empty list, or do nothing; `check_memory_limit` refuses a memory limit.
"""

# Importing psutil is slow: functions that every run calls on Linux do not import it.

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dovetail.errors import ConfigError
from dovetail.platform.system import IS_LINUX, refusal

if sys.platform == "linux":
    import resource

# Files with the memory limits of control groups, version 2 and 1. Without a limit, the first file
# contains "max".
_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
Limit = tuple[int, int]  # soft and hard


def peak_bytes() -> int | None:
    """Return the largest resident size of this process since its start or `forget_peak`.

    Reads VmHWM: `ru_maxrss` starts from the size of the parent process.
    """
    return _account("/proc/self/status", "VmHWM")


def forget_peak() -> None:
    """Restart `peak_bytes` from the present resident size, if the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def resident_bytes() -> int | None:
    """Return the resident size of this process; None if unknown."""
    return _account("/proc/self/status", "VmRSS")


def asked_for_bytes() -> int | None:
    """Return the allocated private memory of this process, which RLIMIT_DATA limits, if known."""
    return _account("/proc/self/status", "VmData")


def available_bytes() -> int | None:
    """Return the memory of the machine that new processes can use; None if unknown."""
    if IS_LINUX:
        return _account("/proc/meminfo", "MemAvailable")
    import psutil

    return int(psutil.virtual_memory().available)


def machine_bytes() -> int:
    """Return the memory of the machine, or the limit of its container if that is lower."""
    limits = [int(text) for path in _CONTAINER_LIMITS if (text := _text(path)).isdigit()]
    return min([physical_bytes(), *limits])


def physical_bytes() -> int:
    """Return the bytes of memory that the machine has."""
    if sys.platform != "win32":
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import psutil

    return int(psutil.virtual_memory().total)


def return_free_memory() -> None:
    """Make the C library return its free memory to the system, if it can."""
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def check_memory_limit(name: str) -> None:
    """Raise `ConfigError` if the system cannot limit memory; `name` is the option."""
    if not IS_LINUX:
        raise ConfigError(refusal(name, "limit time or nodes instead"))


def all_limits() -> list[Limit]:
    """Return all limits on resources of this process; its children inherit them."""
    if sys.platform == "linux":
        names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
        return [resource.getrlimit(getattr(resource, name)) for name in names]
    return []


def data_limit() -> Limit | None:
    """Return the limit on the private memory of this process; None on systems other than Linux.

    RLIMIT_DATA counts private memory from its allocation on. RLIMIT_AS would count address space,
    of which solvers reserve far more than they use.
    """
    if sys.platform == "linux":
        return resource.getrlimit(resource.RLIMIT_DATA)
    return None


def restore_data_limit(limit: Limit | None) -> None:
    """Set the limit on private memory to a value returned by `data_limit`."""
    if sys.platform == "linux" and limit is not None:
        resource.setrlimit(resource.RLIMIT_DATA, limit)


def lower_data_limit(bound: int, *, lift_soft: bool) -> None:
    """Limit the private memory of this process to `bound` bytes, on Linux only.

    Allocations beyond the limit fail. A lower hard limit is kept. A lower soft limit is kept unless
    `lift_soft` is true.
    """
    if sys.platform == "linux":
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        bound = min(bound, sys.maxsize)
        limits = [bound, hard] if lift_soft else [bound, hard, soft]
        lowest = min(limit for limit in limits if limit != resource.RLIM_INFINITY)
        resource.setrlimit(resource.RLIMIT_DATA, (lowest, hard))


def lift_data_limit(process: int) -> None:
    """Set the limits on private memory of a process to this process's hard limit, if possible."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.prlimit(process, resource.RLIMIT_DATA, (hard, hard))


def limits_processor_time() -> bool:
    """Return whether this process has a limit on its processor time; False if unknown."""
    if sys.platform == "linux":
        return resource.getrlimit(resource.RLIMIT_CPU)[0] != resource.RLIM_INFINITY
    return False


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(chosen_cores() or ()) or os.cpu_count() or 1


def chosen_cores() -> set[int] | None:
    """Return the numbers of the cores that this process may use; None except on Linux."""
    if sys.platform == "linux":
        return os.sched_getaffinity(0)
    return None


def processor_clock(*, of_thread: bool) -> Callable[[], float]:
    """Return a clock of processor seconds, of the calling thread or of this process.

    Any thread may read the clock. Reading raises `OSError` once the measured thread has ended. On
    systems other than Linux, the clock of the process is always returned.
    """
    if sys.platform != "linux":
        return time.process_time
    clock = time.CLOCK_PROCESS_CPUTIME_ID
    if of_thread:
        clock = time.pthread_getcpuclockid(threading.get_ident())
    return partial(time.clock_gettime, clock)


@dataclass(frozen=True)
class ProcessorTime:
    """Processor seconds of the machine, summed over its cores, at one moment."""

    wall_s: float  # time of a monotonic clock
    busy_s: float | None  # time in programs and in the kernel; None except on Linux
    stolen_s: float  # time that the host of a virtual machine used; 0 where unknown


def processor_time() -> ProcessorTime:
    """Return the processor time of the machine since its start, known on Linux only."""
    wall_s = time.monotonic()
    if not IS_LINUX:
        return ProcessorTime(wall_s, None, 0.0)
    import psutil

    times = psutil.cpu_times()
    busy_s = times.user + times.nice + times.system + times.irq + times.softirq
    return ProcessorTime(wall_s, busy_s, times.steal)


def processor_name() -> str:
    """Return the model of the processor, or its architecture if the system has no model name."""
    model = re.search(r"^model name\s*:(.*)", _text("/proc/cpuinfo"), re.MULTILINE)
    if model:
        return model[1].strip()
    import platform

    return platform.processor() or platform.machine()


def _account(path: str, key: str) -> int | None:
    """Return the value of `key` in a file of the kernel, in bytes; None if the key is missing."""
    for line in _text(path).splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return None


def _text(path: str) -> str:
    """Return the content of a file of the kernel, an empty text if there is no such file."""
    try:
        with open(path, "rb", buffering=0) as file:  # unbuffered, since a run reads often
            return file.read().decode(errors="replace").strip()
    except OSError:
        return ""
