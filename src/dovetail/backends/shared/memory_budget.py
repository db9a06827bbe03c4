"""The work and the memory that a search may still use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class MemoryBudget:
    """Work to do before the next pause, and memory to take in all."""

    work: int = 0
    memory_bytes: int | None = None

    def allows(self, bytes_held: int) -> bool:
        """Return whether `bytes_held` are within the budget."""
        return self.memory_bytes is None or bytes_held <= self.memory_bytes

    def check(self, bytes_held: int, what: str) -> None:
        """Raise `MemoryBudgetExceededError`, with the use of the bytes, if they are too many."""
        if not self.allows(bytes_held):
            raise MemoryBudgetExceededError(
                f"{what} would take {bytes_held:,} bytes; {self.memory_bytes or 0:,} are left"
            )


class MemoryBudgetExceededError(Exception):
    """The search would take more memory than its budget."""


class RepresentationLimitError(Exception):
    """Numbers or windows are larger than the words of the kernels."""
