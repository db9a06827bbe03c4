"""Worker processes, here or elsewhere, and the messages to and from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

from dovetail.errors import BackendError, DovetailError
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.assignment import Assignment, Promise


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


class WorkersError(BackendError):
    """There are no workers: they do not start, or all of them are lost."""


@dataclass(frozen=True)
class Ready:
    """A worker has read the plan and compiled, which took so many seconds."""

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
    """A worker reports how many nodes it has made for the assignment with a number so far."""

    assignment: int
    nodes: int


@dataclass(frozen=True)
class Lost:
    """A worker is gone, with the assignment that it had, if any; another takes its place.

    With `begun`, the sub-problem may be the reason.
    """

    worker: str
    assignment: int | None
    reason: str
    begun: bool = True


@dataclass(frozen=True)
class Refused:
    """No worker can do what is asked, or a worker reports an error that all would report."""

    error: DovetailError | MemoryError


WorkerEvent = Ready | Done | Searching | Lost | Refused


class WorkerSource(Protocol):
    """Who has the workers of a run, and starts them when they are needed."""

    def workers(self) -> Workers:
        """Return the workers, which are started if there are none."""
        ...

    def dismiss(self) -> None:
        """End the workers, if there are any: the run does not need them."""
        ...


class Workers(ABC):
    """Some processes, here or elsewhere, that search the sub-problems of one plan at a time.

    `count` is how many there are at present. Those that `can_cut` return a running sub-problem
    early when asked; others get limits with their assignments. After `close`, no method is called.
    """

    count: int
    can_cut: bool

    @abstractmethod
    def begin(self, plan: Plan) -> None:
        """Give all workers a plan; they return solutions where its request lists them.

        Called again when they are idle, for the next plan.
        """

    @abstractmethod
    def free(self) -> int:
        """Return the number of assignments that can be handed out now."""

    @abstractmethod
    def are_idle(self) -> bool:
        """Return whether all workers are idle, so that another plan may begin."""

    @abstractmethod
    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        """Hand out an assignment and return who has it, None if nobody takes it now.

        Nobody does if no worker is free, or only the one to `avoid` is and there are others.
        """

    @abstractmethod
    def cut(self, assignment: int) -> None:
        """Ask for what there is of an assignment, where that can be done."""

    def withdraw(self) -> list[int]:
        """Take back the assignments that nobody has begun, and return their numbers."""
        return []

    @abstractmethod
    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        """Return what has happened; waits for it for so many seconds at most."""

    @abstractmethod
    def held_bytes(self, limit: int | None) -> int:
        """Return the memory of all workers on this machine; see `process_tree.held_bytes`."""

    @abstractmethod
    def close(self) -> None:
        """End all workers, whatever they do."""
