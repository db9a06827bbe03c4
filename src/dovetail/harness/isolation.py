"""Runs a job in a child process of its own, which is killed when it does not end in time."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from typing import IO

from dovetail.errors import DovetailError
from dovetail.harness.events import MEMORY_REASON, Event, Finished, Progress, Started
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.process_tree import kill_tree, tree_bytes
from dovetail.harness.wire import receive, send
from dovetail.models.outcome import Counters, Outcome, Status

POLL_S = 0.05
# Memory grows by about 20 MB in this time at the most.
POLL_MEMORY_S = 0.01
# A child knows its own limits; one that has not ended this long after them is killed.
GRACE_S = 1.0
# Importing and compiling are outside the time limit, but not without one of their own.
SLOWEST_START_S = 300.0
ERROR_TAIL_BYTES = 4096
# Under a memory limit an allocation that fails inside a library ends in one of these.
MEMORY_SIGNALS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP, signal.SIGILL)

Message = Event | DovetailError | MemoryError | EOFError


def execute_isolated(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """`execute` in a child process: the same events, whatever becomes of the child.

    A child that dies ends the run as `failed` with the last line it wrote to standard error;
    one that has to be killed ends it under the status of the limit, with the last lower
    bound it told. Time and memory are watched over the child and all that it starts.
    """
    interruption = interruption or Interruption()
    with interruption.defer():
        child = _Child(job)
        try:
            yield from _Watch(child, job, interruption).events()
        finally:
            child.end()


class _Watch:
    """What is known of a run from outside, and when it has to end."""

    def __init__(self, child: _Child, job: Job, interruption: Interruption) -> None:
        self._child, self._limits, self._interruption = child, job.limits, interruption
        self._born = time.monotonic()
        self._started: float | None = None
        self._baseline: int | None = None
        self._known = Progress(None, None, None)
        self._peak = 0
        self._poll_s = POLL_S if job.limits.memory_bytes is None else POLL_MEMORY_S
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
                    yield message
                    return
                case Started():
                    self._started, self._baseline = time.monotonic(), message.baseline_bytes
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
        if self._started is None:
            if now > self._born + SLOWEST_START_S:
                return self._ended(Status.FAILED, f"not ready after {SLOWEST_START_S:.0f} s")
            return None
        time_s, memory = self._limits.time_s, self._limits.memory_bytes
        if time_s is not None and now > self._started + time_s + GRACE_S:
            reason = "killed: it did not stop at its time limit"
            return self._ended(Status.TIME_LIMIT, reason)
        if now >= self._polled + self._poll_s:
            self._polled = now
            held = tree_bytes(self._child.pid, memory)
            self._peak = max(self._peak, held)
            if memory is not None and held > memory:
                return self._ended(Status.MEMORY_LIMIT, MEMORY_REASON)
        return None

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
            solve_s=0.0 if self._started is None else time.monotonic() - self._started,
            peak_bytes=self._peak or None,
            baseline_bytes=self._baseline,
        )


class _Child:
    """The process, its lifeline, and two threads that read what it says."""

    def __init__(self, job: Job) -> None:
        inherited, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(
                # -P: the folder it is started in must not shadow modules
                [sys.executable, "-P", "-m", "dovetail.harness.child", str(inherited)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(inherited,),
                start_new_session=True,  # Ctrl-C reaches the harness, not the child
            )
        except OSError:
            os.close(self._lifeline)
            raise
        finally:
            os.close(inherited)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert isinstance(self._process.stderr, BufferedReader)
        self._messages: queue.Queue[Message] = queue.Queue(maxsize=64)
        self._last_words = b""
        self._abandoned = False
        self._reader = threading.Thread(
            target=self._read_messages, args=(self._process.stdout,), daemon=True
        )
        self._listener = threading.Thread(
            target=self._read_errors, args=(self._process.stderr,), daemon=True
        )
        self._reader.start()
        self._listener.start()
        with suppress(BrokenPipeError):  # it died at once; the reader sees the end of its events
            send(self._process.stdin, job)

    @property
    def pid(self) -> int:
        return self._process.pid

    def next_message(self, timeout_s: float) -> Message | None:
        """What it says next, None if nothing in time, EOFError when there will be no more."""
        try:
            return self._messages.get(timeout=timeout_s)
        except queue.Empty:
            return None

    @property
    def ended_by(self) -> int | None:
        """The signal that ended the child, if one did."""
        code = self._exit_code()
        return -code if code < 0 else None

    def death(self) -> str:
        """How the child ended, and the last line it wrote."""
        code = self._exit_code()
        self._listener.join(1.0)
        how = f"it ended with exit status {code}"
        if code < 0:
            how = f"it was killed by {signal.Signals(-code).name}"
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        return f"{how}: {lines[-1].strip()}" if lines else how

    def end(self) -> None:
        """Kill what is left of the child and of all that it started, and wait for it."""
        self._abandoned = True
        kill_tree(self._process.pid)
        self._process.wait()
        os.close(self._lifeline)
        for thread in (self._reader, self._listener):
            thread.join(GRACE_S)  # nobody is left to write what they read
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _exit_code(self) -> int:
        """How a child that says nothing more has ended; one that goes on is killed."""
        try:
            return self._process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            kill_tree(self._process.pid)
            return self._process.wait()

    def _read_messages(self, stream: IO[bytes]) -> None:
        try:
            while not self._abandoned:
                self._put(receive(stream))
        except (EOFError, ValueError, OSError):
            self._put(EOFError())

    def _put(self, message: Message) -> None:
        while not self._abandoned:
            try:
                self._messages.put(message, timeout=POLL_S)
                return
            except queue.Full:
                continue

    def _read_errors(self, stream: BufferedReader) -> None:
        try:
            while piece := stream.read1(2**16):
                self._last_words = (self._last_words + piece)[-ERROR_TAIL_BYTES:]
        except (ValueError, OSError):
            pass
