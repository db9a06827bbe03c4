"""Messages between a coordinator and its worker processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WarmUpMessage:
    """The first one: the backend that will be asked, if it is known, to be imported meanwhile."""

    backend: str | None


@dataclass(frozen=True)
class PlanMessage:
    """The plan whose sub-problems follow. The memory limit is that of all workers together."""

    plan: str
    listing: bool
    memory_bytes: int | None


@dataclass(frozen=True)
class CutMessage:
    """A sub-problem to be returned early, if it is still under way."""

    key: bytes


@dataclass(frozen=True)
class ReadyMessage:
    """The plan is read and everything compiled."""

    warm_up_s: float


@dataclass(frozen=True)
class ResultMessage:
    """The result of a sub-problem; see `assignment.result_from_bytes`."""

    key: bytes
    result: bytes


@dataclass(frozen=True)
class AliveMessage:
    """The worker is alive; the sub-problem under way, if any, and its nodes so far."""

    key: bytes | None
    nodes: int | None
