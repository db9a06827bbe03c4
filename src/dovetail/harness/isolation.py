"""Runs a job in a child process of its own, which is killed when it does not end in time."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import replace

from dovetail.errors import DovetailError
from dovetail.harness.child_process import ChildProcess
from dovetail.harness.events import (
    MEMORY_REASON,
    Chosen,
    Compiling,
    Event,
    Finished,
    Progress,
    Started,
    ended,
)
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.process_tree import held_bytes
from dovetail.models.outcome import Counters, Outcome, Status

# How often memory is looked at. Under a limit: before a run that grows as fast as memory can
# be filled would meet it.
POLL_S, LEAST_POLL_S = 0.05, 0.0005
FASTEST_GROWTH_BYTES_PER_S = 4e9
# A child knows its own limits; one that has not ended this long after them is killed.
GRACE_S = 1.0
# Importing and compiling are outside the time limit, but not without one of their own.
SLOWEST_START_S = 120.0
# Under a memory limit an allocation that fails inside a library ends in one of these.
MEMORY_SIGNALS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP, signal.SIGILL)


def execute_isolated(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """`execute` in a child process: the same events, whatever becomes of the child.

    A child that dies ends the run as `failed` with the last line it wrote to standard error;
    one that has to be killed ends it under the status of the limit, with the last lower
    bound it told. Time and memory are watched over the child and all that it starts.
    """
    interruption = interruption or Interruption()
    with interruption.defer():
        try:
            child = ChildProcess(job)
        except OSError as error:
            yield ended(Status.FAILED, f"no process could be started ({error.strerror})")
            return
        try:
            yield from _Watch(child, job, interruption).events()
        finally:
            child.end()


class _Watch:
    """What is known of a run from outside, and when it has to end."""

    def __init__(self, child: ChildProcess, job: Job, interruption: Interruption) -> None:
        self._child, self._limits, self._interruption = child, job.limits, interruption
        self._born = time.monotonic()
        self._started: float | None = None
        self._baseline: int | None = None
        self._known = Progress(None, None, None)
        self._chosen: Chosen | None = None
        self._peak = 0
        self._poll_s = POLL_S if job.limits.memory_bytes is None else LEAST_POLL_S
        self._polled = self._born

    def events(self) -> Iterator[Event]:
        """What the child tells; the end is told here if the child cannot."""
        while True:
            message = self._child.next_message(self._poll_s)
            match message:
                case DovetailError():
                    raise message
                case MemoryError():
                    yield self._out_of_memory()
                    return
                case EOFError():
                    yield self._dead()
                    return
                case Finished():
                    peak = max(self._peak, message.peak_bytes or 0)
                    yield replace(message, peak_bytes=peak or None)
                    return
                case Compiling():
                    self._started = None if message.under_way else time.monotonic()
                    self._born = time.monotonic()
                case Chosen():
                    self._chosen = message
                case Started():
                    self._started, self._baseline = time.monotonic(), message.baseline_bytes
                    self._peak = 0
                case Progress():
                    self._known = message
            if message is not None:
                yield message
            cut = self._cut()
            if cut is not None:
                yield cut
                return

    def _cut(self) -> Finished | None:
        """The end of a run that must not go on."""
        if self._interruption.requested:
            return self._ended(Status.INTERRUPTED)
        now = time.monotonic()
        if self._started is None and now > self._born + SLOWEST_START_S:
            return self._ended(Status.FAILED, f"not ready after {SLOWEST_START_S:.0f} s")
        limit = self._limits.time_s
        if (
            self._started is not None
            and limit is not None
            and now > self._started + limit + GRACE_S
        ):
            reason = "killed: it did not stop at its time limit"
            return self._ended(Status.TIME_LIMIT, reason)
        return self._memory_cut() if now >= self._polled + self._poll_s else None

    def _memory_cut(self) -> Finished | None:
        """Look at the memory of all processes of the run; the end if it is too much."""
        limit = self._limits.memory_bytes
        held = held_bytes(self._child.processes, limit)
        self._polled = time.monotonic()
        self._peak = max(self._peak, held)
        if limit is None:
            return None
        room_s = (limit - held) / FASTEST_GROWTH_BYTES_PER_S
        self._poll_s = min(POLL_S, max(LEAST_POLL_S, room_s))
        return self._ended(Status.MEMORY_LIMIT, MEMORY_REASON) if held > limit else None

    def _out_of_memory(self) -> Finished:
        if self._limits.memory_bytes is None:
            return self._ended(Status.FAILED, "the machine has no more memory")
        return self._ended(Status.MEMORY_LIMIT, MEMORY_REASON)

    def _dead(self) -> Finished:
        """The end of a child that died without a word."""
        if self._limits.memory_bytes is not None and self._child.ended_by in MEMORY_SIGNALS:
            return self._ended(Status.MEMORY_LIMIT, MEMORY_REASON)
        return self._ended(Status.FAILED, self._child.death())

    def _ended(self, status: Status, reason: str | None = None) -> Finished:
        known = self._known
        return Finished(
            Outcome(status, known.count, Counters(nodes=known.nodes), reason),
            searched=known.searched,
            chosen=self._chosen,
            solve_s=0.0 if self._started is None else time.monotonic() - self._started,
            peak_bytes=self._peak or None,
            baseline_bytes=self._baseline,
        )
