"""Worker processes on this machine, each under a supervisor."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from dovetail.errors import BackendError, DovetailError
from dovetail.harness.execution.child_process import ChildProcess
from dovetail.harness.execution.process_tree import held_bytes
from dovetail.harness.parallel.assignment import Assignment, result_from_bytes
from dovetail.harness.parallel.messages import (
    AliveMessage,
    CutMessage,
    PlanMessage,
    ReadyMessage,
    ResultMessage,
    WarmUpMessage,
)
from dovetail.harness.parallel.workers import (
    Done,
    Lost,
    Ready,
    Refused,
    Searching,
    WorkerEvent,
    Workers,
)
from dovetail.harness.run.plan import Plan
from dovetail.harness.run.plan_json import plan_to_json

PROGRAM = "dovetail.harness.parallel.worker"
# A worker that is not ready after so long is killed; one that is reports twice a second.
STARTS_S = 120.0
# Workers that end before they are ready, beyond which there is no use in starting more.
FAILED_STARTS = 3


@dataclass(eq=False)
class _Worker:
    """One process. It is `ready` for assignments, and has the one with `key`."""

    name: str
    child: ChildProcess[object]
    ready: bool = False
    key: bytes | None = None
    notified: float = field(default_factory=time.monotonic)


class LocalWorkers(Workers):
    """So many worker processes, started at once, which live as long as the run.

    `backend` is loaded while the plan is made, if it is known. A worker that reports nothing for
    `hangs_s` is killed and replaced. Raises `BackendError` when no
    process can be started.
    """

    can_cut = True

    def __init__(
        self,
        count: int,
        *,
        backend: str | None = None,
        memory_bytes: int | None = None,
        hangs_s: float = 30.0,
    ) -> None:
        self.count = count
        self._backend, self._memory_bytes, self._hangs_s = backend, memory_bytes, hangs_s
        self._plan: PlanMessage | None = None
        self._notified = threading.Event()
        self._started = self._failed_starts = 0
        self._workers: list[_Worker] = []
        try:
            for _ in range(count):
                self._start()
        except BackendError:
            self.close()
            raise

    def begin(self, plan: Plan, *, listing: bool) -> None:
        self._plan = PlanMessage(plan_to_json(plan), listing, self._memory_bytes)
        for worker in self._workers:
            worker.ready = False
            worker.child.send(self._plan)

    def free(self) -> int:
        return sum(worker.ready and worker.key is None for worker in self._workers)

    def are_idle(self) -> bool:
        return all(worker.key is None for worker in self._workers)

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str:
        free = [worker for worker in self._workers if worker.ready and worker.key is None]
        others = [worker for worker in free if worker.name != avoid]
        worker = (others or free)[0]
        worker.key, worker.notified = assignment.key, time.monotonic()
        worker.child.send(assignment)
        return worker.name

    def cut(self, key: bytes) -> None:
        for worker in self._workers:
            if worker.key == key:
                worker.child.send(CutMessage(key))

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        self._notified.wait(timeout_s)
        self._notified.clear()
        return [event for worker in list(self._workers) for event in self._events_of(worker)]

    def held_bytes(self, limit: int | None) -> int:
        processes = [one for worker in self._workers for one in worker.child.processes]
        return held_bytes(processes, limit)

    def close(self) -> None:
        for worker in self._workers:
            worker.child.end()
        self._workers.clear()

    def _start(self) -> None:
        self._started += 1
        first = WarmUpMessage(self._backend)
        try:
            child = ChildProcess[object](first, PROGRAM, self._notified)
        except OSError as error:
            raise BackendError(f"a worker could not be started ({error.strerror})") from None
        if self._plan is not None:
            child.send(self._plan)
        self._workers.append(_Worker(f"worker {self._started}", child))

    def _events_of(self, worker: _Worker) -> list[WorkerEvent]:
        """Read all that a worker has sent."""
        events: list[WorkerEvent] = []
        while (message := worker.child.next_message(0)) is not None:
            worker.notified = time.monotonic()
            match message:
                case ReadyMessage():
                    worker.ready = True
                    self._failed_starts = 0
                    events.append(Ready(worker.name, message.warm_up_s))
                case ResultMessage():
                    worker.key = None
                    result = result_from_bytes(message.result)
                    events.append(Done(worker.name, message.key, result))
                case AliveMessage():
                    if message.key is not None:
                        events.append(Searching(worker.name, message.key, message.nodes))
                case DovetailError() | MemoryError():
                    return [*events, Refused(message)]
                case EOFError():
                    return [*events, *self._replaced(worker, worker.child.death())]
        silent_s = time.monotonic() - worker.notified
        if silent_s > (self._hangs_s if worker.ready else STARTS_S):
            reason = f"it did not respond for {silent_s:.0f} s"
            return [*events, *self._replaced(worker, reason)]
        return events

    def _replaced(self, worker: _Worker, reason: str) -> list[WorkerEvent]:
        """Start another worker in place of one that is lost."""
        self._workers.remove(worker)
        worker.child.end()
        lost = Lost(worker.name, worker.key, reason)
        self._failed_starts += not worker.ready
        if self._failed_starts >= FAILED_STARTS:
            return [lost, Refused(BackendError(f"workers end before they are ready: {reason}"))]
        try:
            self._start()
        except BackendError as error:
            return [lost, Refused(error)]
        return [lost]
