"""Workers of a dask cluster.

Each sub-problem is a task for a certain worker, so that it is known who has what. Dask may run a
task twice and may lose one; what counts is the first result of the last task of a sub-problem.
"""

from __future__ import annotations

import json
import pickle
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from uuid import uuid4

from dovetail.errors import DovetailError
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_to_json
from dovetail.harness.workers.assignment import Assignment, reply_from_bytes
from dovetail.harness.workers.base import (
    Done,
    Lost,
    PlanMessage,
    Ready,
    Refused,
    WorkerEvent,
    Workers,
    WorkersError,
)
from dovetail.harness.workers.cluster_link import ClusterLink, Failed, Members, Returned
from dovetail.harness.workers.cluster_tasks import (
    UnknownPlanError,
    begin_plan,
    packed_plan,
    plan_digest,
    solve_part,
)
from dovetail.harness.workers.versions import versions_here

# Sub-problems that each thread of a worker has: one to search, and the next one.
WINDOW = 2
# How long a cluster may be without workers, when the run begins and later.
JOINS_S, ALONE_S = 5.0, 60.0
# A worker that is so much later than the time its sub-problems were given is taken for lost.
LATE_S = 60.0
# Workers leave for reasons of their own. A sub-problem that was under way when so many did may be
# the reason, for example if it takes more memory than their machines have.
DEPARTURES = 8
# A worker on which a kernel could not be started so many times is not used.
FAILED_STARTS = 3


@dataclass(eq=False)
class _Member:
    """A worker of the cluster: the task that gives it the plan, and those of sub-problems.

    One that is `refused` is not used.
    """

    address: str
    threads: int
    beginning: str | None = None
    ready: bool = False
    refused: str | None = None
    failed_starts: int = 0
    held: dict[str, Assignment] = field(default_factory=dict)
    last_reply: float = field(default_factory=time.monotonic)

    @property
    def free(self) -> int:
        return WINDOW * self.threads - len(self.held) if self.ready else 0

    @property
    def due(self) -> float | None:
        """When it ought to have returned something, if that is known."""
        if not self.held:
            return None
        seconds = next(iter(self.held.values())).seconds
        return None if seconds is None else self.last_reply + seconds


class ClusterWorkers(Workers):
    """The workers of the dask cluster at an `address`, as they come and go; or of `local:N`.

    Raises `ConfigError` for an address that is none, `BackendError` if nobody listens there, if
    the cluster has no workers, or if one has other versions.
    """

    can_cut = False

    def __init__(
        self,
        address: str,
        *,
        memory_bytes: int | None = None,
        alone_s: float = ALONE_S,
        late_s: float = LATE_S,
    ) -> None:
        self.count = 0
        self._memory_bytes, self._alone_s, self._late_s = memory_bytes, alone_s, late_s
        self._run, self._numbers = f"0{uuid4().hex[:11]}", count(1)
        self._plan, self._digest = b"", b""
        self._members: dict[str, _Member] = {}
        self._holders: dict[str, _Member] = {}
        self._departures: Counter[bytes] = Counter()
        self._replied = self._served = time.monotonic()
        self._link = ClusterLink(address)
        try:
            self._wait_for_members()
            self._link.check_versions(versions_here())
        except BaseException:
            self.close()
            raise

    def begin(self, plan: Plan) -> None:
        self._give_up(list(self._members.values()))
        self._departures.clear()
        message = PlanMessage(0, plan_to_json(plan), self._memory_bytes)
        self._plan = packed_plan(message)
        self._digest = plan_digest(self._plan)
        for member in self._members.values():
            member.ready = False
            self._begin(member)

    def free(self) -> int:
        return sum(max(0, member.free) for member in self._members.values())

    def are_idle(self) -> bool:
        return not any(member.held for member in self._members.values())

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        usable = [member for member in self._members.values() if not member.refused]
        others = [member for member in usable if member.address != avoid]
        free = [member for member in others or usable if member.free > 0]
        if not free:
            return None
        member = max(free, key=lambda one: one.free / one.threads)
        if not member.held:
            member.last_reply = time.monotonic()
        name = self._name(assignment.key.hex())
        member.held[name] = assignment
        self._holders[name] = member
        asked = pickle.dumps(assignment)
        self._link.submit(name, solve_part, self._digest, asked, worker=member.address)
        return member.address

    def cut(self, assignment: int) -> None:
        """Do nothing: assignments have limits."""

    def withdraw(self) -> list[int]:
        """Take back what is in the window of a worker behind what its threads search."""
        withdrawn = []
        for member in self._members.values():
            for name in list(member.held)[member.threads :]:
                withdrawn.append(member.held.pop(name).number)
                self._holders.pop(name)
                self._link.release([name])
        return withdrawn

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        events: list[WorkerEvent] = []
        for news in self._link.news(timeout_s):
            match news:
                case Returned():
                    events += self._returned(news)
                case Failed():
                    events += self._failed(news)
                case Members():
                    events += self._joined_and_left(news)
        for member in self._members.values():
            if member.due is not None and time.monotonic() > member.due + self._late_s:
                events += self._lost(member, f"it is {self._late_s:.0f} s late")
                self._begin(member)
        if time.monotonic() > self._served + self._alone_s:
            events.append(Refused(WorkersError(self._nobody(self._alone_s))))
        return events

    def held_bytes(self, limit: int | None) -> int:  # noqa: ARG002  (they are elsewhere)
        return 0

    def close(self) -> None:
        self._link.close()

    def _wait_for_members(self) -> None:
        deadline = time.monotonic() + JOINS_S
        while not self.count:
            if time.monotonic() > deadline:
                raise WorkersError(self._nobody(JOINS_S))
            for news in self._link.news(0.1):
                if isinstance(news, Members):
                    self._joined_and_left(news)

    def _nobody(self, seconds: float) -> str:
        """Say that the scheduler is gone, or that there are no workers, and why not."""
        if time.monotonic() > self._replied + seconds:
            return f"the scheduler at {self._link.address} has not replied for {seconds:.0f} s"
        refused = [
            f"; {one.address}: {one.refused}" for one in self._members.values() if one.refused
        ]
        return (
            f"the cluster at {self._link.address} has had no usable workers for {seconds:.0f} s"
            f"{''.join(refused[:3])}"
        )

    def _name(self, what: str) -> str:
        """Return a key that no other task has had."""
        return f"dovetail-{self._run}-{what}-{next(self._numbers)}"

    def _begin(self, member: _Member) -> None:
        """Give a worker the plan."""
        member.ready, member.beginning = False, self._name("plan")
        self._holders[member.beginning] = member
        versions = json.dumps(versions_here()).encode()
        self._link.submit(member.beginning, begin_plan, versions, self._plan, worker=member.address)

    def _returned(self, news: Returned) -> list[WorkerEvent]:
        member = self._holders.pop(news.name, None)
        if member is None:
            return []  # it was given up
        member.last_reply = time.monotonic()
        assignment = member.held.pop(news.name, None)
        if assignment is not None:
            return [Done(member.address, assignment, reply_from_bytes(news.data, member.address))]
        member.beginning = None
        reply = json.loads(news.data)
        if "refused" in reply:
            return self._refuse(member, f"it has {reply['refused']}")
        member.ready, member.failed_starts = True, 0
        return [Ready(member.address, reply["warm_up_s"])]

    def _failed(self, news: Failed) -> list[WorkerEvent]:
        member = self._holders.pop(news.name, None)
        if member is None:
            return []
        if isinstance(news.error, DovetailError | MemoryError):
            return [Refused(news.error)]
        error = news.error
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        assignment = member.held.pop(news.name, None)
        if assignment is None:
            member.beginning = None  # it begins again when the members are next known
            member.failed_starts += error is not None
            failed = member.failed_starts >= FAILED_STARTS
            return self._refuse(member, reason) if failed else []
        if error is None or isinstance(error, UnknownPlanError):
            member.ready = False
            return [Lost(member.address, assignment.number, "it was started anew", begun=False)]
        return [Lost(member.address, assignment.number, reason)]

    def _refuse(self, member: _Member, reason: str) -> list[WorkerEvent]:
        member.refused = reason
        self._count()
        return [Lost(member.address, None, reason)]

    def _joined_and_left(self, news: Members) -> list[WorkerEvent]:
        self._replied = time.monotonic()
        events: list[WorkerEvent] = []
        for address in self._members.keys() - news.threads.keys():
            events += self._lost(self._members[address], "it has left the cluster")
            del self._members[address]
        for address, threads in news.threads.items():
            self._members.setdefault(address, _Member(address, threads)).threads = threads
        for member in self._members.values():
            if self._plan and not (member.ready or member.beginning or member.refused):
                self._begin(member)
        self._count()
        if self.count:
            self._served = time.monotonic()
        return events

    def _count(self) -> None:
        self.count = sum(one.threads for one in self._members.values() if not one.refused)

    def _lost(self, member: _Member, reason: str) -> list[WorkerEvent]:
        """Give up what a worker has; it has begun as many sub-problems as it has threads."""
        held = list(member.held.values())
        self._departures.update(one.key for one in held[: member.threads])
        self._give_up([member])
        return [
            Lost(
                member.address,
                one.number,
                reason,
                begun=place < member.threads and self._departures[one.key] >= DEPARTURES,
            )
            for place, one in enumerate(held)
        ]

    def _give_up(self, members: list[_Member]) -> None:
        for member in members:
            names = [*member.held, *([member.beginning] if member.beginning else [])]
            self._link.release(names)
            for name in names:
                self._holders.pop(name, None)
            member.held.clear()
            member.beginning = None
