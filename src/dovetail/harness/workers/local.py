"""The pool of worker processes on this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dovetail.errors import DovetailError, WorkersError, reason_of
from dovetail.harness.run.events import Progress, Started
from dovetail.harness.run.job import Plan
from dovetail.harness.run.result import Result
from dovetail.harness.workers.base import (
    Assignment,
    Done,
    Lost,
    Refused,
    Searching,
    WorkerEvent,
    Workers,
)
from dovetail.harness.workers.process import WORKER, ChildProcess
from dovetail.platform.processes import held_bytes, processor_s

# Factor on the time for which a worker may be silent while it starts. A worker may have to wait
# until another worker has compiled the same kernels.
STARTS = 4
# Number of failed starts in a row after which no more workers are started.
FAILED_STARTS = 3
# Processor seconds that show that a silent worker is working.
BUSY_S = 0.05


@dataclass(eq=False)
class _Worker:
    """The state of a worker process."""

    name: str
    child: ChildProcess[object]
    pending: int = 1  # number of plans for which `Started` is awaited; 1 before the first plan
    is_new: bool = True  # whether the present plan is the first, and has not started yet
    busy: bool = False
    assignment: Assignment | None = None  # current assignment, unless it was taken back
    reported: float = field(default_factory=time.monotonic)  # last message in either direction
    looked_at: float = 0.0  # last time at which the worker was seen to use the processor
    processor_s: float = 0.0  # processor seconds used up to `looked_at`

    @property
    def is_free(self) -> bool:
        return not self.pending and not self.busy

    def is_stuck(self, after_s: float) -> bool:
        """Return whether the worker was silent for `after_s` seconds and is not working.

        The worker is not working if it used hardly any processor time in the last `after_s / 2`
        seconds.
        """
        now = time.monotonic()
        if now < self.reported + after_s / 2:
            return False
        used_s = processor_s(self.child.processes)
        if self.looked_at < self.reported or used_s > self.processor_s + BUSY_S:
            self.looked_at, self.processor_s = now, used_s
        return now > max(self.looked_at + after_s / 2, self.reported + after_s)


class LocalWorkers(Workers):
    """A pool of `count` processes.

    The kernels of `backend`, if given, are compiled while the plan is made. A worker is replaced if
    it ends or is stuck (see `_Worker.is_stuck`): for `hangs_s` seconds after the time limit of its
    assignment, or for `STARTS * hangs_s` seconds while it starts. Raises `WorkersError` if a
    process cannot be started.
    """

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
        self._plan: tuple[Plan, int | None] | None = None
        self._notified = threading.Event()
        self._started = self._failed_starts = 0
        self._workers: list[_Worker] = []
        try:
            for _ in range(count):
                self._start()
        except BaseException:
            self.close()
            raise

    def begin(self, plan: Plan) -> None:
        is_first, self._plan = self._plan is None, (plan, self._memory_bytes)
        self._failed_starts = 0
        for worker in self._workers:
            worker.pending += not is_first
            worker.is_new = is_first
            worker.reported = time.monotonic()
            worker.child.send(self._plan)

    def free(self) -> int:
        return sum(worker.is_free for worker in self._workers)

    def are_idle(self) -> bool:
        return not any(worker.busy for worker in self._workers)

    def submit(self, assignment: Assignment, *, avoid: str | None = None) -> str | None:
        only = len(self._workers) == 1
        for worker in self._workers:
            if worker.is_free and (only or worker.name != avoid):
                worker.busy, worker.assignment = True, assignment
                worker.reported = time.monotonic()
                worker.child.send(assignment)
                return worker.name
        return None

    def stop(self) -> Sequence[int]:
        taken_back = []
        for worker in self._workers:
            if worker.assignment is not None and worker.assignment.to_end:
                taken_back.append(worker.assignment.number)
                worker.assignment = None
            elif worker.busy:
                worker.child.send(None)  # any message ends a search
        return taken_back

    def wait(self, timeout_s: float) -> list[WorkerEvent]:
        self._notified.wait(timeout_s)
        self._notified.clear()
        return [event for worker in list(self._workers) for event in self._events_of(worker)]

    def held_bytes(self, limit: int | None) -> int:
        processes = [process for worker in self._workers for process in worker.child.processes]
        return held_bytes(processes, limit)

    def close(self) -> None:
        for worker in self._workers:
            worker.child.end()
        self._workers.clear()

    def _start(self) -> None:
        self._started += 1
        try:
            child = ChildProcess[object](self._backend, WORKER, self._notified)
        except OSError as error:
            raise WorkersError(f"a worker could not be started ({reason_of(error)})") from None
        if self._plan is not None:
            child.send(self._plan)
        self._workers.append(_Worker(f"worker {self._started}", child))

    def _events_of(self, worker: _Worker) -> Iterator[WorkerEvent]:
        while (message := worker.child.next_message(0)) is not None:
            worker.reported = time.monotonic()
            assignment = worker.assignment
            match message:
                case Started():
                    worker.pending -= 1
                    worker.is_new = False
                    self._failed_starts = 0
                case Progress() if assignment is not None:
                    yield Searching(assignment.number, message.nodes or 0, worker.name)
                case Result() | float():
                    worker.busy, worker.assignment = False, None
                    if assignment is not None:
                        yield Done(worker.name, assignment, message)
                # An error that concerns an earlier plan is ignored.
                case DovetailError() | MemoryError() if worker.pending <= 1:
                    yield Refused(message)
                    return
                case EOFError():
                    yield from self._replaced(worker, worker.child.death())
                    return
        after_s = self._hangs_s * (STARTS if worker.pending else 1)
        if worker.assignment is not None:
            after_s += worker.assignment.seconds or 0.0
        if not worker.is_free and worker.is_stuck(after_s):
            reason = f"it did not respond for {time.monotonic() - worker.reported:.0f} s"
            yield from self._replaced(worker, reason)

    def _replaced(self, worker: _Worker, reason: str) -> Iterator[WorkerEvent]:
        """Start another worker in place of a lost worker.

        Yields `Lost`, and `Refused` if no other worker can be started.
        """
        self._workers.remove(worker)
        worker.child.end()
        number = None if worker.assignment is None else worker.assignment.number
        yield Lost(worker.name, number, reason)
        self._failed_starts += worker.is_new  # another worker may have ended before this plan
        try:
            if self._failed_starts >= FAILED_STARTS:
                raise WorkersError(f"workers failed at their start, the last because {reason}")
            self._start()
        except WorkersError as error:
            yield Refused(error)
