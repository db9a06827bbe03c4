"""Runs of jobs in separate processes, which are watched and killed at the limits of the job."""

from __future__ import annotations

import atexit
import math
import os
import queue
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dovetail.backends.registry import find_backend
from dovetail.errors import DovetailError, reason_of
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Compiling, Event, Found, RunSoFar, Started
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.workers.process import ACCEPTED, PATIENCE_S, WORKER, ChildProcess
from dovetail.models.outcome import Status
from dovetail.models.task import LoweredPuzzle, lower
from dovetail.platform.processes import held_bytes
from dovetail.platform.resources import all_limits, chosen_cores
from dovetail.platform.system import OUT_OF_MEMORY_SIGNALS, after_fork

# Maximum and minimum number of seconds between two measurements of memory. The interval is shorter
# near the limit: memory that grows no faster than `FASTEST_GROWTH_BYTES_PER_S` can exceed the limit
# before the next measurement only by the growth in `MIN_POLL_S`.
POLL_S, MIN_POLL_S = 0.05, 0.0005
FASTEST_GROWTH_BYTES_PER_S = 4e9
# A search checks its own limits. The process is killed if it still searches `GRACE_S` seconds after
# the time limit; the time spent on verification does not count. `SHORT_GRACE_S` applies to phases
# that do not check the clock: preparation, and searches that hold the interpreter lock.
GRACE_S, SHORT_GRACE_S = 1.0, 0.1
# Time limit of imports and compilation in seconds; the time limit of the job excludes them.
SLOWEST_START_S = 120.0
# Statuses after which no thread of the search is still running.
IN_ORDER = (Status.EXHAUSTED, Status.SOLUTION_LIMIT, Status.NODE_LIMIT)


def run_watched(
    job: Job,
    interruption: Interruption | None = None,
    *,
    side_by_side: int = 1,
    reuse: bool = False,
) -> Iterator[Event]:
    """Run a job as `execute` does, but in a separate process; yield the same events.

    If the process cannot be started or dies, the run ends as `failed`, or as `memory-limit` if an
    allocation has probably failed. The reason of `failed` has the last line that a dead process
    wrote to standard error. If the process is killed at a limit, the run ends with the status of
    the limit and the last lower bound. The limits on time and memory apply to the process and its
    descendants. `side_by_side` is the number of concurrent runs, which share the default limit on
    memory. For a job with a cold start, the process begins with an empty cache of compiled kernels,
    and this cache is deleted with the process. Raises the errors of `execute`.

    With `reuse`, the job may run in a process that has run other jobs, and the process waits for
    another job afterwards. This does not apply to jobs with a limit on memory or a cold start.
    """
    interruption = interruption or Interruption()
    reuse = reuse and job.limits.memory_bytes is None and not job.cold_start
    with interruption.defer():
        try:
            surroundings = _surroundings() if reuse else None
            child = IDLE_PROCESS.take(job, surroundings) if reuse else None
            child = child or ChildProcess[Any](job, WORKER)
        except OSError as error:
            yield Result(
                Status.FAILED, reason=f"a process could not be started ({reason_of(error)})"
            )
            return
        in_order = False
        try:
            memory = MemoryLimit(job.limits.memory_bytes, side_by_side)
            for event in _RunMonitor(child, job, memory, interruption).events():
                in_order = isinstance(event, Result) and event.status in IN_ORDER
                yield event
        finally:
            if reuse and in_order:
                IDLE_PROCESS.give(child, surroundings)
            else:
                child.end()


class _IdleProcess:
    """A place for a single child process that waits for the next job.

    The waiting process ends with this process, or earlier (see `worker`). A fork of this process
    does not use the waiting process.
    """

    def __init__(self) -> None:
        self._place: queue.Queue[tuple[ChildProcess[Any], object]] = queue.Queue(1)
        atexit.register(self.end)
        after_fork(self._forget_in_fork)

    def give(self, child: ChildProcess[Any], surroundings: object) -> None:
        """Keep a process that has sent the result of its job; end it if the place is taken."""
        try:
            self._place.put_nowait((child, surroundings))
        except queue.Full:
            child.end()

    def take(self, job: Job, surroundings: object) -> ChildProcess[Any] | None:
        """Send `job` to the waiting process, and return the process.

        Returns None if there is no waiting process, or if it does not accept the job. A process
        that does not accept the job, or that has other `surroundings`, is ended.
        """
        try:
            child, before = self._place.get_nowait()
        except queue.Empty:
            return None
        accepted = False
        try:
            if surroundings == before:
                child.last_words = b""  # drop the output of earlier jobs
                child.send(job)
                accepted = child.next_message(PATIENCE_S) == ACCEPTED
        finally:
            if not accepted:
                child.end()
        return child if accepted else None

    def end(self) -> None:
        """End the waiting process, if any."""
        with suppress(queue.Empty):
            self._place.get_nowait()[0].end()

    def _forget_in_fork(self) -> None:
        waiting = list(self._place.queue)
        self._place = queue.Queue(1)  # a thread may have held the old lock
        for child, _ in waiting:
            child.leave()


def _surroundings() -> object:
    """Return all settings that a child inherits from this process, for comparison."""
    # `os.getcwd` would fail in a deleted folder.
    folders = os.stat(os.curdir)[1:3], tempfile.gettempdir()
    return dict(os.environ), folders, sys.executable, chosen_cores(), all_limits()


IDLE_PROCESS = _IdleProcess()


class _RunMonitor:
    """Follows a run in a child process, and ends the run at its limits."""

    def __init__(
        self, child: ChildProcess[Any], job: Job, memory: MemoryLimit, interruption: Interruption
    ) -> None:
        self._child, self._job, self._memory = child, job, memory
        self._interruption, self._run = interruption, RunSoFar()
        backend = None if job.improves else find_backend(job.backend)
        held = backend is not None and backend.holds_interpreter
        self._search_grace_s = SHORT_GRACE_S if held else GRACE_S
        self._measured = self._compiles_since = time.monotonic()
        self._peak = 0
        self._poll_s = POLL_S if memory.is_default else MIN_POLL_S

    def events(self) -> Iterator[Event]:
        """Yield the events of the child, and finally its result or a result in its place."""
        lowered: LoweredPuzzle | None = None
        while True:
            wait_s = min(self._poll_s, max(MIN_POLL_S, self._seconds_to_kill))
            message = self._child.next_message(wait_s)
            end: Result | None = None
            match message:
                case DovetailError():
                    raise message
                case MemoryError():
                    end = self._out_of_memory()
                case EOFError():
                    end = self._dead()
                case Result():
                    peak = max(self._peak, message.peak_bytes or 0)
                    end = replace(message, peak_bytes=peak or None)
                case Found():  # the child sends it without the puzzle that defines the options
                    labelled = self._job.request.labelled
                    lowered = lowered or lower(self._job.puzzle, labelled=labelled)
                    yield Found(message.options, lowered)
                case None:
                    pass
                case _:
                    if isinstance(message, Compiling):
                        self._compiles_since = time.monotonic()
                    elif isinstance(message, Started):
                        self._peak = 0
                    self._run.add(message)
                    yield message
            end = end or self._cut(silent=message is None)
            if end is not None:
                yield end
                return

    def _cut(self, *, silent: bool) -> Result | None:
        """Return the result if the run must end now, or None.

        `silent` is True if no message of the child waits.
        """
        now = time.monotonic()
        if self._interruption.requested:
            return self._ended(Status.INTERRUPTED)
        if not self._run.is_ready and now > self._compiles_since + SLOWEST_START_S:
            return self._ended(Status.FAILED, f"its start took over {SLOWEST_START_S:.0f} s")
        if silent and self._seconds_to_kill <= 0:
            reason = "the time limit was reached while preparing"
            if self._run.searches:
                reason = "killed: it did not stop at its time limit"
            return self._ended(Status.TIME_LIMIT, reason)
        if now >= self._measured + self._poll_s and self._exceeds_memory():
            return self._out_of_memory()
        return None

    @property
    def _seconds_to_kill(self) -> float:
        """Seconds until a run that sends no message is killed.

        Infinite without a time limit, and while no time is charged.
        """
        if self._job.limits.time_s is None or not self._run.is_ready:
            return math.inf
        grace_s = SHORT_GRACE_S
        if self._run.searches:
            grace_s = self._search_grace_s + self._run.known.check_s
        return self._job.limits.time_s + grace_s - self._run.charged_s

    def _exceeds_memory(self) -> bool:
        """Return whether the processes hold more memory than the limit.

        Also sets the interval before the next measurement.
        """
        limit = self._memory.bytes
        held = held_bytes(self._child.processes, limit)
        self._measured, self._peak = time.monotonic(), max(self._peak, held)
        slack_s = (limit - held) / FASTEST_GROWTH_BYTES_PER_S
        self._poll_s = min(POLL_S, max(MIN_POLL_S, slack_s))
        return held > limit

    def _dead(self) -> Result:
        """Return the result of a run whose child died before it sent a result.

        A signal may show that an allocation has failed. Such a signal counts as the memory limit if
        the user has set the limit, or if the child used more than half of the default limit.
        """
        near = not self._memory.is_default or self._peak > self._memory.bytes // 2
        if near and -self._child.exit_code() in OUT_OF_MEMORY_SIGNALS:
            return self._out_of_memory()
        return self._ended(Status.FAILED, self._child.death())

    def _out_of_memory(self) -> Result:
        return self._ended(Status.MEMORY_LIMIT, self._memory.explained())

    def _ended(self, status: Status, reason: str | None = None) -> Result:
        return self._run.finished(status, reason, self._peak or None)
