"""What a search may still spend, and how it ends where that is not enough."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Room:
    """How much work may be done before the next pause, and how much memory taken in all."""

    work: int = 0
    memory_bytes: int | None = None

    def check(self, bytes_held: int, what: str) -> None:
        """Raises `OutOfRoomError`, in words, where so much memory is more than there is."""
        if self.memory_bytes is not None and bytes_held > self.memory_bytes:
            raise OutOfRoomError(
                f"{what} would take {bytes_held:,} bytes; there are {self.memory_bytes:,} left"
            )


class OutOfRoomError(Exception):
    """There is not enough memory."""


class BeyondReachError(Exception):
    """Numbers or windows that the words of the kernels cannot hold."""
