"""The memory limit of a run: a given size, or by default a share of the machine's memory.

A search that needs more ends at the memory limit. Without any limit the system would kill it, or
another process, when the machine has no memory left.
"""

from __future__ import annotations

from dovetail.harness.sizes import show_size
from dovetail.platform.resources import (
    asked_for_bytes,
    available_bytes,
    lower_data_limit,
    machine_bytes,
    resident_bytes,
)

MEMORY_REASON = "the memory limit was reached"
SHARE = 3  # a run may take a third of the memory
STACKS = 0.04  # of a memory limit, for the stacks of threads


class MemoryLimit:
    """The memory limit of one run.

    A limit that a user `asked` for, in bytes, applies to all memory of the process that searches.
    By default a run may take a third of the machine's memory in addition to what its process holds
    already, which can be much in a notebook, or the free memory if that is less. Runs side by side
    share the default limit.
    """

    def __init__(self, asked: int | None, side_by_side: int = 1) -> None:
        self.is_default = asked is None
        self.bytes = _default_bytes() // side_by_side if asked is None else asked

    @property
    def in_this_process(self) -> int:
        """Maximum resident size of this process in bytes."""
        return self.bytes + (_resident_bytes() if self.is_default else 0)

    @property
    def free_bytes(self) -> int:
        """Number of bytes that this process may still take."""
        return max(0, self.in_this_process - _resident_bytes())

    def explained(self, reason: str | None = None) -> str:
        """Return the reason why the limit ended a run, with an explanation of a default limit."""
        reason = reason or MEMORY_REASON
        if not self.is_default:
            return reason
        return (
            f"{reason} (the default limit is {show_size(self.bytes)}: a third of the machine's "
            "memory, or the free memory if that is less; memory_bytes (--memory-limit) sets "
            "another limit)"
        )

    def hold_in_this_process(self) -> None:
        """Make allocations of this process that exceed the limit raise MemoryError.

        Only for a process that does nothing but the run, because all threads share the limit. The
        operating system counts private memory that was allocated, touched or not. The limit is
        therefore the memory allocated already plus the growth that is left, and a little for stacks
        of threads, of which most is never touched. Watching the resident size is exact. Does
        nothing if the operating system has no such limit.
        """
        growth = self.in_this_process + int(self.bytes * STACKS) - _resident_bytes()
        bound = (asked_for_bytes() or 0) + max(0, growth)
        # A limit set in the user's shell is raised only for a limit that the user asked for.
        lower_data_limit(bound, lift_soft=not self.is_default)


def _default_bytes() -> int:
    share, available = machine_bytes() // SHARE, available_bytes()
    return share if available is None else min(share, available)


def _resident_bytes() -> int:
    return resident_bytes() or 0
