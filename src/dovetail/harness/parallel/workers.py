"""Who searches sub-problems: what the coordinator of a run asks of them and hears from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from dovetail.errors import DovetailError
from dovetail.harness.parallel.assignment import Assignment, PartResult
from dovetail.harness.run.plan import Plan


@dataclass(frozen=True)
class Ready:
    """A worker has read the plan and compiled, which took so many seconds."""

    worker: str
    warm_up_s: float


@dataclass(frozen=True)
class Done:
    """A worker returns the result of a sub-problem."""

    worker: str
    key: bytes
    result: PartResult


@dataclass(frozen=True)
class Searching:
    """A worker reports how many nodes it has made of a sub-problem so far."""

    worker: str
    key: bytes
    nodes: int | None


@dataclass(frozen=True)
class Lost:
    """A worker is gone, with the sub-problem that it had, if any; another takes its place.

    With `begun`, the sub-problem may be the reason.
    """

    worker: str
    key: bytes | None
    reason: str
    begun: bool = True


@dataclass(frozen=True)
class Refused:
    """No worker can do what is asked, or a worker reports an error that all would report."""

    error: DovetailError | MemoryError


WorkerEvent = Ready | Done | Searching | Lost | Refused


class Workers(ABC):
    """Some processes, here or elsewhere, that search the sub-problems of one plan at a time.

    `count` is how many there are to be. Those that `can_cut` return a running sub-problem early
    when asked; others get limits with their assignments.
    """

    count: int
    can_cut: bool

    @abstractmethod
    def begin(self, plan: Plan, *, listing: bool) -> None:
        """Give all workers a plan; with `listing` they return solutions."""

    @abstractmethod
    def free(self) -> int:
        """How many assignments can be handed out now."""

    @abstractmethod
    def are_idle(self) -> bool:
        """Whether nobody has anything to do, so that another plan may begin."""

    @abstractmethod
    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str:
        """Hand out an assignment and return who has it, if possible not the one to `avoid`."""

    @abstractmethod
    def cut(self, key: bytes) -> None:
        """Ask for what there is of a sub-problem, where that can be done."""

    @abstractmethod
    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        """Return what has happened; waits for it for so many seconds at most."""

    @abstractmethod
    def held_bytes(self, limit: int | None) -> int:
        """The memory that all workers on this machine hold; see `process_tree.held_bytes`."""

    @abstractmethod
    def close(self) -> None:
        """End all workers, whatever they do."""
