"""The interface of worker pools: assignments go in, events come out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from dovetail.errors import BackendError, DovetailError
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import Assignment, Promise


class WorkersError(BackendError):
    """Raised if no worker starts, or if all workers are lost."""


@dataclass(frozen=True)
class Ready:
    """A worker has read the plan and compiled its kernels."""

    worker: str
    warm_up_s: float


@dataclass(frozen=True)
class Done:
    """A worker has replied to an assignment."""

    worker: str
    assignment: Assignment
    reply: Result | Promise


@dataclass(frozen=True)
class Searching:
    """A worker has reported its progress on an assignment."""

    assignment: int
    nodes: int  # of the assignment so far
    worker: str


@dataclass(frozen=True)
class Lost:
    """An assignment was lost with its worker, which the pool replaces if possible."""

    worker: str
    assignment: int | None  # None if the worker had no assignment
    reason: str
    begun: bool = True  # whether the assignment may have ended the worker


@dataclass(frozen=True)
class Refused:
    """The plan cannot be searched; every worker would report this error."""

    error: DovetailError | MemoryError


WorkerEvent = Ready | Done | Searching | Lost | Refused


class Workers(ABC):
    """A pool of workers that search the parts of a single plan at a time.

    After `close`, no other method may be called.
    """

    count: int  # current number of workers

    @abstractmethod
    def begin(self, plan: Plan) -> None:
        """Send a plan to all workers, which must be idle.

        Their results have rows of solutions if the request of the plan lists solutions.
        """

    @abstractmethod
    def free(self) -> int:
        """Return the number of assignments that the pool can take now."""

    @abstractmethod
    def are_idle(self) -> bool:
        """Return whether no worker has an assignment."""

    @abstractmethod
    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        """Give an assignment to a free worker, and return the worker's name.

        Returns None if no worker is free, or if the only free worker is the worker to `avoid` and
        the pool has others. The name is empty if the worker is not known yet.
        """

    @abstractmethod
    def stop(self) -> Sequence[int]:
        """Stop all searches; a search that can return its unexplored parts replies soon.

        Returns the numbers of the other assignments, which get no reply.
        """

    @abstractmethod
    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        """Return new events, after waiting at most `timeout_s` seconds for the first event."""

    @abstractmethod
    def held_bytes(self, limit: int | None) -> int:
        """Return the memory of all workers on this machine; see `processes.held_bytes`."""

    @abstractmethod
    def close(self) -> None:
        """End all workers, even if they are busy."""
