"""Worker processes on this machine, each under a supervisor."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from dovetail.errors import DovetailError, reason_of
from dovetail.harness.run.job import Plan
from dovetail.harness.run.plan_json import plan_to_json
from dovetail.harness.workers.assignment import Assignment, reply_from_bytes
from dovetail.harness.workers.base import (
    AliveMessage,
    CutMessage,
    Done,
    Lost,
    PlanMessage,
    Ready,
    ReadyMessage,
    Refused,
    RefusedMessage,
    ReplyMessage,
    Searching,
    WarmUpMessage,
    WorkerEvent,
    Workers,
    WorkersError,
)
from dovetail.harness.workers.child_process import ChildProcess
from dovetail.platform.processes import held_bytes, processor_s

PROGRAM = "dovetail.harness.workers.worker"
# A worker that is ready reports twice a second. Before, it may wait so many times longer than that
# for another one that compiles the same kernels.
STARTS = 4
# Workers that end before they are ready, beyond which there is no use in starting more.
FAILED_STARTS = 3
# A worker that does not report has searched, if it has used so much processor time meanwhile.
BUSY_S = 0.05


@dataclass(eq=False)
class _Worker:
    """One process. It is `ready` for assignments of the present plan, and has one of them.

    It sent something at `reported`; if that is long ago, it had used `processor_s` at `looked_at`.
    """

    name: str
    child: ChildProcess[object]
    ready: bool = False
    assignment: Assignment | None = None
    reported: float = field(default_factory=time.monotonic)
    looked_at: float = 0.0
    processor_s: float = 0.0

    @property
    def is_free(self) -> bool:
        return self.ready and self.assignment is None

    def is_stuck(self, after_s: float) -> bool:
        """Return whether the worker has neither reported nor searched for `after_s` seconds.

        A search may keep the interpreter to itself, so that the thread that reports has to wait.
        """
        now = time.monotonic()
        if now < self.reported + after_s / 2:
            return False
        used_s = processor_s(self.child.processes)
        if self.looked_at < self.reported or used_s > self.processor_s + BUSY_S:
            self.looked_at, self.processor_s = now, used_s
        return now > max(self.looked_at + after_s / 2, self.reported + after_s)


class LocalWorkers(Workers):
    """So many worker processes, started at once, which live until they are closed.

    `backend` is loaded while the plan is made, if it is known. A worker that neither reports nor
    uses the processor for `hangs_s`, or while it starts for `STARTS` times that, is killed and
    replaced. Raises `WorkersError` when no process
    can be started.
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
        self._plans = self._started = self._failed_starts = 0
        self._workers: list[_Worker] = []
        try:
            for _ in range(count):
                self._start()
        except WorkersError:
            self.close()
            raise

    def begin(self, plan: Plan) -> None:
        self._plans += 1
        self._plan = PlanMessage(self._plans, plan_to_json(plan), self._memory_bytes)
        for worker in self._workers:
            worker.ready = False
            worker.child.send(self._plan)

    def free(self) -> int:
        return sum(worker.is_free for worker in self._workers)

    def are_idle(self) -> bool:
        return all(worker.assignment is None for worker in self._workers)

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        only = len(self._workers) == 1
        for worker in self._workers:
            if worker.is_free and (only or worker.name != avoid):
                worker.assignment, worker.reported = assignment, time.monotonic()
                worker.child.send(assignment)
                return worker.name
        return None

    def cut(self, assignment: int) -> None:
        for worker in self._workers:
            if worker.assignment is not None and worker.assignment.number == assignment:
                worker.child.send(CutMessage(assignment))

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
            raise WorkersError(f"a worker could not be started ({reason_of(error)})") from None
        if self._plan is not None:
            child.send(self._plan)
        self._workers.append(_Worker(f"worker {self._started}", child))

    def _events_of(self, worker: _Worker) -> list[WorkerEvent]:
        """Read all that a worker has sent."""
        events: list[WorkerEvent] = []
        while (message := worker.child.next_message(0)) is not None:
            worker.reported = time.monotonic()
            match message:
                case ReadyMessage(plan=self._plans):
                    worker.ready = True
                    self._failed_starts = 0
                    events.append(Ready(worker.name, message.warm_up_s))
                case ReplyMessage():
                    events += self._replied(worker, message)
                case AliveMessage():
                    if message.assignment is not None:
                        events.append(Searching(message.assignment, message.nodes or 0))
                case RefusedMessage(plan=self._plans):
                    events.append(Refused(message.error))
                case DovetailError() | MemoryError():  # before it was given a plan
                    return [*events, Refused(message)]
                case EOFError():
                    return [*events, *self._replaced(worker, worker.child.death())]
        after_s = self._hangs_s * (1 if worker.ready else STARTS)
        if worker.is_stuck(after_s):
            reason = f"it did not respond for {time.monotonic() - worker.reported:.0f} s"
            return [*events, *self._replaced(worker, reason)]
        return events

    def _replied(self, worker: _Worker, message: ReplyMessage) -> list[WorkerEvent]:
        assignment = worker.assignment
        if assignment is None or assignment.number != message.assignment:
            return []  # of a plan before
        worker.assignment = None
        reply = reply_from_bytes(message.reply, f"worker {worker.name}")
        return [Done(worker.name, assignment, reply)]

    def _replaced(self, worker: _Worker, reason: str) -> list[WorkerEvent]:
        """Start another worker in place of one that is lost."""
        self._workers.remove(worker)
        worker.child.end()
        number = None if worker.assignment is None else worker.assignment.number
        lost = Lost(worker.name, number, reason)
        self._failed_starts += not worker.ready
        if self._failed_starts >= FAILED_STARTS:
            return [lost, Refused(WorkersError(f"workers end before they are ready: {reason}"))]
        try:
            self._start()
        except WorkersError as error:
            return [lost, Refused(error)]
        return [lost]
