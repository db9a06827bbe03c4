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
from dataclasses import replace
from io import BufferedReader
from typing import IO

from dovetail.errors import DovetailError
from dovetail.harness.events import (
    MEMORY_REASON,
    Event,
    Finished,
    Progress,
    Started,
    ended,
)
from dovetail.harness.interruption import Interruption
from dovetail.harness.job import Job
from dovetail.harness.memory import resident_bytes
from dovetail.harness.wire import receive, send
from dovetail.models.outcome import Counters, Outcome, Status

POLL_S = 0.05
# A child knows its own limits; one that has not ended this long after them is killed.
GRACE_S = 1.5
ERROR_TAIL_BYTES = 4096
MEMORY_SIGNALS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP, signal.SIGILL)


def execute_isolated(job: Job, interruption: Interruption | None = None) -> Iterator[Event]:
    """`execute` in a child process: the same events, whatever becomes of the child.

    A child that dies ends the run as `failed` with the last line it wrote to standard error;
    one that has to be killed ends it under the status of the limit, with the last lower
    bound it told.
    """
    interruption = interruption or Interruption()
    with interruption.defer():
        child = _Child(job)
        try:
            yield from _watch(child, job, interruption)
        finally:
            child.end()


def _watch(child: _Child, job: Job, interruption: Interruption) -> Iterator[Event]:
    known = Progress(None, None, None)
    started: float | None = None
    while True:
        event = child.next_event(POLL_S)
        if isinstance(event, DovetailError):
            raise event
        if isinstance(event, EOFError):
            yield _dead(job, known, started, child)
            return
        if isinstance(event, Started):
            started = time.monotonic()
        if isinstance(event, Progress):
            known = event
        if event is not None:
            yield event
        if isinstance(event, Finished):
            return
        if interruption.requested:
            yield _cut(Status.INTERRUPTED, known, started)
            return
        if _overdue(job, started):
            reason = "killed: it did not stop at its time limit"
            yield _cut(Status.TIME_LIMIT, known, started, reason)
            return
        limit = job.limits.memory_bytes
        if limit is not None and (resident_bytes(child.pid) or 0) > limit:
            yield _cut(Status.MEMORY_LIMIT, known, started, MEMORY_REASON)
            return


def _dead(job: Job, known: Progress, started: float | None, child: _Child) -> Finished:
    """The end of a child that died without a word.

    Under a memory limit an allocation that fails inside a library ends in a signal.
    """
    how = child.death()
    if job.limits.memory_bytes is not None and child.ended_by in MEMORY_SIGNALS:
        return _cut(Status.MEMORY_LIMIT, known, started, MEMORY_REASON)
    return _cut(Status.FAILED, known, started, how)


def _overdue(job: Job, started: float | None) -> bool:
    limit = job.limits.time_s
    if started is None or limit is None:
        return False
    return time.monotonic() > started + limit + GRACE_S


def _cut(
    status: Status, known: Progress, started: float | None, reason: str | None = None
) -> Finished:
    """The end of a run whose child did not tell it itself."""
    spent = 0.0 if started is None else time.monotonic() - started
    finished = ended(status, reason or "", solve_s=spent)
    outcome = Outcome(status, known.count, Counters(nodes=known.nodes), reason)
    return replace(finished, outcome=outcome)


class _Child:
    """The process, and two threads that read what it says."""

    def __init__(self, job: Job) -> None:
        self._process = subprocess.Popen(
            # -P: the folder it is started in must not shadow modules
            [sys.executable, "-P", "-m", "dovetail.harness.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches the harness, not the child
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._events: queue.Queue[Event | DovetailError | EOFError] = queue.Queue(maxsize=64)
        self._last_words = b""
        self._abandoned = False
        self._reader = threading.Thread(
            target=self._read_events, args=(self._process.stdout,), daemon=True
        )
        assert isinstance(self._process.stderr, BufferedReader)
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

    def next_event(self, timeout_s: float) -> Event | DovetailError | EOFError | None:
        """The next event, None if there is none in time, EOFError when there will be none."""
        try:
            return self._events.get(timeout=timeout_s)
        except queue.Empty:
            return None

    @property
    def ended_by(self) -> int | None:
        """The signal that ended the child, if one did."""
        code = self._process.wait()
        return -code if code < 0 else None

    def death(self) -> str:
        """How the child ended, and the last line it wrote."""
        code = self._process.wait()
        self._listener.join(1.0)
        how = f"it ended with exit status {code}"
        if code < 0:
            how = f"it was killed by {signal.Signals(-code).name}"
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        return f"{how}: {lines[-1].strip()}" if lines else how

    def end(self) -> None:
        """Kill what is left of the child and its own children, and wait for it."""
        self._abandoned = True
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _read_events(self, stream: IO[bytes]) -> None:
        try:
            while not self._abandoned:
                self._put(receive(stream))
        except (EOFError, ValueError, OSError):
            self._put(EOFError())

    def _put(self, event: Event | DovetailError | EOFError) -> None:
        while not self._abandoned:
            try:
                self._events.put(event, timeout=POLL_S)
                return
            except queue.Full:
                continue

    def _read_errors(self, stream: BufferedReader) -> None:
        try:
            while piece := stream.read1(ERROR_TAIL_BYTES):
                self._last_words = (self._last_words + piece)[-ERROR_TAIL_BYTES:]
        except (ValueError, OSError):
            pass
