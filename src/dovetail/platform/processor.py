"""The processor: its cores, clocks of its time, and how busy the machine is."""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chosen_cores() -> set[int] | None:
    """The cores that this process may use, by their numbers; None where none can be chosen."""
    if sys.platform == "linux":
        return os.sched_getaffinity(0)
    return None


def processor_clock(*, of_thread: bool) -> Callable[[], float]:
    """Return a clock of processor seconds, of the thread that calls this or of the process.

    Any thread may read it. It raises `OSError` when its thread has ended. Where threads have no
    clock that others can read it is the process's.
    """
    if sys.platform != "linux":
        return time.process_time
    clock = time.CLOCK_PROCESS_CPUTIME_ID
    if of_thread:
        clock = time.pthread_getcpuclockid(threading.get_ident())
    return partial(time.clock_gettime, clock)


@dataclass(frozen=True)
class ProcessorTime:
    """Seconds since the machine started, summed over cores; `busy_s` None if unknown."""

    wall_s: float
    busy_s: float | None
    stolen_s: float


def processor_time() -> ProcessorTime:
    """How much the processor has worked until now, from the accounts of Linux."""
    wall_s = time.monotonic()
    if sys.platform != "linux":
        return ProcessorTime(wall_s, None, 0.0)
    try:
        words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        user, nice, system, _, _, irq, soft, steal = map(int, words)
    except (OSError, ValueError):
        return ProcessorTime(wall_s, None, 0.0)
    tick = os.sysconf("SC_CLK_TCK")
    return ProcessorTime(wall_s, (user + nice + system + irq + soft) / tick, steal / tick)


def processor_name() -> str:
    """The processor's model, or its architecture where the system does not name the model."""
    if sys.platform != "linux":
        return platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())
