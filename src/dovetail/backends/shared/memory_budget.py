"""The work and the memory that a search may still use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class MemoryBudget:
    """Work to do before the next pause, and memory to take in all."""

    work: int = 0
    memory_bytes: int | None = None

    def check(self, bytes_held: int, what: str) -> None:
        """Raise `MemoryBudgetExceededError`, saying for what, if this much memory is not left."""
        if self.memory_bytes is not None and bytes_held > self.memory_bytes:
            raise MemoryBudgetExceededError(
                f"{what} would take {bytes_held:,} bytes; {self.memory_bytes:,} are left"
            )


class MemoryBudgetExceededError(Exception):
    """The search would take more memory than its budget."""


class RepresentationLimitError(Exception):
    """Numbers or windows that the words of the kernels cannot hold."""
