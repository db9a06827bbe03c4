"""The memory limit of a run: a given size, or by default a share of the machine's memory.

A search that needs more memory ends with the status `memory-limit`. Without a limit, the operating
system would kill the search or another process when the machine is out of memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from dovetail.harness.sizes import show_size
from dovetail.platform.resources import (
    asked_for_bytes,
    available_bytes,
    lower_data_limit,
    machine_bytes,
    resident_bytes,
)

MEMORY_REASON = "the memory limit was reached"
# By default, a run may use 1 / `SHARE` of the machine's memory.
SHARE = 3
# Seconds between two measurements of other processes.
POLL_S = 0.2
# Share of a memory limit that is added for the stacks of threads.
STACKS = 0.04


class MemoryLimit:
    """The memory limit of a run.

    `asked` is the user's limit in bytes for all memory of the searching process. If `asked` is
    None, the default limit applies to the memory that the run adds to its process, since a
    notebook may already use much memory. The default limit is a third of the machine's memory, or
    the free memory if that is less. `side_by_side` runs share the default limit equally.
    """

    def __init__(self, asked: int | None, side_by_side: int = 1) -> None:
        self.is_default = asked is None
        self.bytes = _default_bytes() // side_by_side if asked is None else asked

    @property
    def in_this_process(self) -> int:
        """Maximum resident size of this process in bytes.

        A default limit applies only to the memory beyond the present size.
        """
        return self.bytes + (_resident_bytes() if self.is_default else 0)

    @property
    def free_bytes(self) -> int:
        """Number of bytes that this process may still allocate."""
        return max(0, self.in_this_process - _resident_bytes())

    def explained(self, reason: str | None = None) -> str:
        """Return the reason why the limit ended a run, with an explanation of a default limit."""
        reason = reason or MEMORY_REASON
        if not self.is_default:
            return reason
        return (
            f"{reason} (the default limit is {show_size(self.bytes)}: a third of the machine's "
            "memory, or the free memory if it is smaller; memory_bytes (--memory-limit) sets "
            "another limit)"
        )

    def hold_in_this_process(self) -> None:
        """Limit the memory of this process, so that larger allocations raise MemoryError.

        The process must do nothing but the run, because all threads share the limit. The operating
        system counts all private memory that is allocated, whether it is used or not. Its limit is
        therefore the sum of the allocated memory, the memory by which the process may still grow,
        and a share for the stacks of threads, which are mostly unused. This limit is approximate;
        the exact limit applies to the resident size, which is watched. Does nothing if the
        operating system has no such limit.
        """
        growth = self.in_this_process + int(self.bytes * STACKS) - _resident_bytes()
        bound = (asked_for_bytes() or 0) + max(0, growth)
        # A limit of the user's shell is raised only if the user has set a limit for the run.
        lower_data_limit(bound, lift_soft=not self.is_default)


class MemoryWatch:
    """Measures the memory of several processes at intervals of `POLL_S` or more.

    `held_bytes` is called with the limit and returns the memory of the processes in bytes. If the
    sum is above the limit, `held_bytes` may stop counting.
    """

    def __init__(self, limit: MemoryLimit, held_bytes: Callable[[int], int]) -> None:
        self._limit, self._held_bytes = limit, held_bytes
        self._measured = time.monotonic()
        self.peak_bytes = 0

    def is_exceeded(self) -> bool:
        """Return whether the processes hold more than the limit.

        Returns False if fewer than `POLL_S` seconds have passed since the last measurement.
        """
        if time.monotonic() < self._measured + POLL_S:
            return False
        held = self._held_bytes(self._limit.bytes)
        self._measured, self.peak_bytes = time.monotonic(), max(self.peak_bytes, held)
        return held > self._limit.bytes


def _default_bytes() -> int:
    share, available = machine_bytes() // SHARE, available_bytes()
    return share if available is None else min(share, available)


def _resident_bytes() -> int:
    return resident_bytes() or 0
