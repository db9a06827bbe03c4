"""How much memory a run may take: as much as was asked for, or a share of the machine's.

A search that asks for more ends as one that met its limit. Without any limit the system would kill
it, or another process, when the machine has no memory left.
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
SHARE = 3  # of the machine's memory, one part in so many
STACKS = 0.04  # of a memory limit


class MemoryLimit:
    """The memory that one run may take.

    A limit that a user `asked` for, in bytes, is of the process that searches, with all that it
    holds. By default a run may take a third of the machine's memory beyond what its process holds
    already, or what the machine has left if that is less: a notebook may hold much. Runs side by
    side share that.
    """

    def __init__(self, asked: int | None, side_by_side: int = 1) -> None:
        self.is_default = asked is None
        self.bytes = _default_bytes() // side_by_side if asked is None else asked

    @property
    def in_this_process(self) -> int:
        """The resident size that this process may reach, in bytes."""
        return self.bytes + (_resident_bytes() if self.is_default else 0)

    @property
    def free_bytes(self) -> int:
        """How much more this process may take."""
        return max(0, self.in_this_process - _resident_bytes())

    def explained(self, reason: str | None = None) -> str:
        """The `reason` why the limit ended a run; a default limit is named."""
        reason = reason or MEMORY_REASON
        if not self.is_default:
            return reason
        return (
            f"{reason} (the default limit is {show_size(self.bytes)}: a third of the machine's "
            "memory, or the free memory if that is less; memory_bytes (--memory-limit) sets "
            "another limit)"
        )

    def hold_in_this_process(self) -> None:
        """Let allocations of this process that exceed the limit raise MemoryError from now on.

        Only for a process whose whole work is the run: all threads share the limit. The kernel
        counts private memory that was asked for, touched or not: what has been asked for already
        does not count against the growth that is left. A little is left for stacks of threads, of
        which most is never touched; whoever watches the resident size is exact. Does nothing where
        the kernel keeps no such limit.
        """
        growth = self.in_this_process + int(self.bytes * STACKS) - _resident_bytes()
        bound = (asked_for_bytes() or 0) + max(0, growth)
        # A default does not lift a limit that the user's shell has set; one that is asked for may.
        lower_data_limit(bound, lift_soft=not self.is_default)


def _default_bytes() -> int:
    share, available = machine_bytes() // SHARE, available_bytes()
    return share if available is None else min(share, available)


def _resident_bytes() -> int:
    return resident_bytes() or 0
