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
    """Raised when no worker starts, or all workers are lost."""


@dataclass(frozen=True)
class Ready:
    """A worker has read the plan and compiled its kernels."""

    worker: str
    warm_up_s: float


@dataclass(frozen=True)
class Done:
    """A worker returns the reply to an assignment."""

    worker: str
    assignment: Assignment
    reply: Result | Promise


@dataclass(frozen=True)
class Searching:
    """A worker reports its progress on an assignment."""

    assignment: int
    nodes: int  # made for the assignment so far
    worker: str


@dataclass(frozen=True)
class Lost:
    """An assignment is lost with its worker, which the pool replaces if it can."""

    worker: str
    assignment: int | None  # None if the worker had no assignment
    reason: str
    begun: bool = True  # whether the assignment may be the reason


@dataclass(frozen=True)
class Refused:
    """The plan cannot be searched: every worker would report this error."""

    error: DovetailError | MemoryError


WorkerEvent = Ready | Done | Searching | Lost | Refused


class Workers(ABC):
    """A pool of workers that search the parts of one plan at a time.

    After `close`, no other method is called.
    """

    count: int  # workers at present

    @abstractmethod
    def begin(self, plan: Plan) -> None:
        """Send a plan to all workers, which are idle.

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
        """Give an assignment to a free worker, and return its name.

        Returns None if no worker is free, or only the worker to `avoid` is and there are others.
        The name is empty if the worker is not known yet.
        """

    @abstractmethod
    def stop(self) -> Sequence[int]:
        """Stop all searches; a search that can return parts replies soon.

        Returns the numbers of the other assignments, for which no reply comes.
        """

    @abstractmethod
    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        """Return new events; waits for the first one at most `timeout_s` seconds."""

    @abstractmethod
    def held_bytes(self, limit: int | None) -> int:
        """Return the memory of all workers on this machine; see `processes.held_bytes`."""

    @abstractmethod
    def close(self) -> None:
        """End all workers, whatever they do."""
