"""Run one job in a child process that is watched and killed at its limits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory

from dovetail.backends.registry import backends
from dovetail.errors import DovetailError, reason_of
from dovetail.harness.run.events import Compiling, Event, Found, Started
from dovetail.harness.run.interruption import Interruption
from dovetail.harness.run.job import Job
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.harness.run.result import Result
from dovetail.harness.workers.child_process import ChildProcess
from dovetail.harness.workers.run_so_far import RunSoFar
from dovetail.harness.workers.waiting_child import StayingChild, WaitingChild
from dovetail.jit import COMPILE_PROCESSES
from dovetail.models.outcome import Status
from dovetail.models.task import LoweredPuzzle, lower
from dovetail.platform.processes import held_bytes
from dovetail.platform.system import OUT_OF_MEMORY_SIGNALS

# What `dovetail.jit` reads, which imports numba, and what numba reads for the kernels of xcover.
CACHE_VARIABLES = ("DOVETAIL_CACHE_DIR", "NUMBA_CACHE_DIR")
PREFIX = "dovetail-cold-"


@contextmanager
def environment_of(job: Job) -> Iterator[Mapping[str, str]]:
    """Yield the variables that the child process of a job needs beside those of this process.

    For a cold start they name the folder of an empty cache, which is deleted on leaving, or at the
    latest when this process ends in order. Raises `OSError` when the folder cannot be created.
    """
    if not job.cold_start:
        yield {}
        return
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        yield dict.fromkeys(CACHE_VARIABLES, folder)


PROGRAM = "dovetail.harness.workers.child"
# How often memory is looked at. Under a limit: before a run that grows as fast as memory can
# be filled would meet it.
POLL_S, MIN_POLL_S = 0.05, 0.0005
FASTEST_GROWTH_BYTES_PER_S = 4e9
# A search knows its own limits; one that has not ended this long after them, and after as long as
# it has verified so far, is killed. Less where waiting gains nothing: preparing, which nothing
# interrupts, has found nothing to report; a search that holds the interpreter does not look.
GRACE_S, SHORT_GRACE_S = 1.0, 0.1
# Importing and compiling are outside the time limit, but not without one of their own.
SLOWEST_START_S = 120.0
# A search that ended so has done all that it was asked for, and goes on nowhere.
IN_ORDER = (Status.EXHAUSTED, Status.SOLUTION_LIMIT, Status.NODE_LIMIT)


def execute_isolated(
    job: Job,
    interruption: Interruption | None = None,
    *,
    side_by_side: int = 1,
    waiting: WaitingChild | None = None,
) -> Iterator[Event]:
    """`execute` in a child process: the same events, whatever becomes of the child.

    A child that dies ends the run as `failed` with the last line it wrote to standard error;
    one that has to be killed ends it under the status of the limit, with the last lower
    bound it reported. Limits on time and memory apply to the child and all that it starts. Runs
    `side_by_side` share the default limit on memory. A job with a cold start has an empty cache of
    compiled kernels, which is deleted when the child has ended.

    The child that is `waiting` runs the job if it can, and one that has ended its search in order
    waits then; jobs with a limit on memory or a cold start are for a child of their own.
    """
    interruption = interruption or Interruption()
    with interruption.defer(), ExitStack() as kept:
        try:
            child = _child_for(job, waiting, kept)
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
            if in_order and waiting is not None and isinstance(child, StayingChild):
                waiting.give(child)
            else:
                child.end()


def _child_for(
    job: Job, waiting: WaitingChild | None, kept: ExitStack
) -> ChildProcess[Event] | StayingChild:
    """Start or take the child that runs a job; its environment lasts as long as `kept`.

    Raises `OSError` when none can be started.
    """
    if waiting is None or job.limits.memory_bytes is not None or job.cold_start:
        environment = dict(kept.enter_context(environment_of(job)))
        if job.limits.memory_bytes is not None:
            environment[COMPILE_PROCESSES] = "1"  # a second process would count
        return ChildProcess[Event](job, PROGRAM, environment=environment)
    return waiting.take(job) or StayingChild(job)


class _RunMonitor:
    """What is known of a run from outside, and when it has to end."""

    def __init__(
        self, child: ChildProcess[Event], job: Job, memory: MemoryLimit, interruption: Interruption
    ) -> None:
        self._child, self._job, self._interruption = child, job, interruption
        self._limits = job.limits
        backend = None if job.improves else backends().get(job.backend)
        held = backend is not None and backend.holds_interpreter
        self._search_grace_s = SHORT_GRACE_S if held else GRACE_S
        self._lowered: LoweredPuzzle | None = None
        self._memory, self._run = memory, RunSoFar()
        self._waiting_since = time.monotonic()
        self._peak = 0
        self._poll_s = POLL_S if self._memory.is_default else MIN_POLL_S
        self._polled = self._waiting_since

    def events(self) -> Iterator[Event]:
        """Yield the child's events; the last one is made here if the child cannot send it."""
        while True:
            message = self._child.next_message(self._wait_s)
            match message:
                case DovetailError():
                    raise message
                case MemoryError():
                    yield self._ended(Status.MEMORY_LIMIT, self._memory.explained())
                    return
                case EOFError():
                    yield self._dead()
                    return
                case Result():
                    peak = max(self._peak, message.peak_bytes or 0)
                    yield replace(message, peak_bytes=peak or None)
                    return
                case Compiling():
                    self._waiting_since = time.monotonic()
                case Started():
                    self._peak = 0
            if message is not None:
                self._run.add(message)
                yield message if not isinstance(message, Found) else self._readable(message)
            cut = self._cut(silent=message is None)
            if cut is not None:
                yield cut
                return

    def _readable(self, found: Found) -> Found:
        """Solutions from the child, with what its options are."""
        if self._lowered is None:
            request = self._job.request
            self._lowered = lower(self._job.puzzle, labelled=request.labelled)
        return Found(found.options, self._lowered)

    @property
    def _wait_s(self) -> float:
        """How long to wait for a message, before memory or time has to be looked at."""
        kill_s = self._seconds_to_kill
        return self._poll_s if kill_s is None else min(self._poll_s, max(MIN_POLL_S, kill_s))

    def _cut(self, *, silent: bool) -> Result | None:
        """Return the result of a run that must end now; `silent`: no message waits."""
        if self._interruption.requested:
            return self._ended(Status.INTERRUPTED)
        now = time.monotonic()
        if not self._run.is_ready and now > self._waiting_since + SLOWEST_START_S:
            return self._ended(Status.FAILED, f"not ready after {SLOWEST_START_S:.0f} s")
        return (self._time_cut() if silent else None) or self._memory_cut(now)

    @property
    def _seconds_to_kill(self) -> float | None:
        """Seconds until a run that stays silent is late; None while no time limit is charged."""
        if self._limits.time_s is None or not self._run.is_ready:
            return None
        searches, check_s = self._run.searches, self._run.check_s
        grace_s = self._search_grace_s + check_s if searches else SHORT_GRACE_S
        return self._limits.time_s + grace_s - self._run.charged_s

    def _time_cut(self) -> Result | None:
        """Return the result of a run that exceeded its time limit."""
        kill_s = self._seconds_to_kill
        if kill_s is None or kill_s > 0:
            return None
        if self._run.searches:
            return self._ended(Status.TIME_LIMIT, "killed: it did not stop at its time limit")
        return self._ended(Status.TIME_LIMIT, "the time limit was reached while preparing")

    def _memory_cut(self, now: float) -> Result | None:
        """Return the result if the processes hold too much memory; looked at from time to time."""
        if now < self._polled + self._poll_s:
            return None
        limit = self._memory.bytes
        held = held_bytes(self._child.processes, limit)
        self._polled = time.monotonic()
        self._peak = max(self._peak, held)
        slack_s = (limit - held) / FASTEST_GROWTH_BYTES_PER_S
        self._poll_s = min(POLL_S, max(MIN_POLL_S, slack_s))
        if held <= limit:
            return None
        return self._ended(Status.MEMORY_LIMIT, self._memory.explained())

    def _dead(self) -> Result:
        """Return the result of a run whose child died without a message.

        One that a failed allocation may have ended has met a limit that was asked for; by default,
        only if it had come near it.
        """
        near = not self._memory.is_default or self._peak > self._memory.bytes // 2
        if near and self._child.ended_by in OUT_OF_MEMORY_SIGNALS:
            return self._ended(Status.MEMORY_LIMIT, self._memory.explained())
        return self._ended(Status.FAILED, self._child.death())

    def _ended(self, status: Status, reason: str | None = None) -> Result:
        return self._run.finished(status, reason, self._peak or None)
