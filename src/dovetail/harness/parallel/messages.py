"""Messages between a coordinator and its worker processes."""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.errors import DovetailError


@dataclass(frozen=True)
class WarmUpMessage:
    """The first one: the backend that will be asked, if it is known, to be imported meanwhile."""

    backend: str | None


@dataclass(frozen=True)
class PlanMessage:
    """The plan whose sub-problems follow, and its number among those of the command.

    The memory limit is that of all workers together.
    """

    number: int
    plan: str
    memory_bytes: int | None


@dataclass(frozen=True)
class CutMessage:
    """The number of an assignment to be returned early, if it has not been returned."""

    assignment: int


@dataclass(frozen=True)
class ReadyMessage:
    """The plan with a number is read, and everything compiled."""

    plan: int
    warm_up_s: float


@dataclass(frozen=True)
class RefusedMessage:
    """The plan with a number cannot be searched; the process ends."""

    plan: int
    error: DovetailError | MemoryError


@dataclass(frozen=True)
class ReplyMessage:
    """The reply to an assignment; see `assignment.reply_from_bytes`."""

    assignment: int
    reply: bytes


@dataclass(frozen=True)
class AliveMessage:
    """The worker is alive; the assignment under way, if any, and its nodes so far."""

    assignment: int | None
    nodes: int | None
