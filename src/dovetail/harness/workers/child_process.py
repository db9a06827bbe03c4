"""A child process, seen from the harness: its life and its messages."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import uuid
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Generic, TypeVar

from dovetail.errors import DovetailError
from dovetail.harness.workers.standard_descriptors import occupy_standard_descriptors
from dovetail.harness.workers.wire import receive, send
from dovetail.platform.processes import Child, kill, marked
from dovetail.platform.system import KILL
from dovetail.process_end import describe_end

# How long what ought to happen at once may take: an end after a kill, a reader's last words.
PATIENCE_S = 1.0
ERROR_TAIL_BYTES = 4096
MAX_WAITING = 64
# In the environment of a child and all that it starts, to know them by.
MARK = "DOVETAIL_RUN"
_NO_MORE = object()
_NOTHING_ADDED: Mapping[str, str] = MappingProxyType({})

ResultT = TypeVar("ResultT")
# What ends a child: an error that it reports, or that it sends no more.
End = DovetailError | MemoryError | EOFError


class ChildProcess(Generic[ResultT]):
    """A `program` that ends with this process, and threads that talk to it.

    The program is a module that calls `child.serve`; it is sent what is `asked`, and sends results.
    `notified` is set whenever there is a message. `environment` is added to that of this process.
    Temporary files of the child, and of all that it starts, go when they end.
    Raises `OSError` when it cannot be started.
    """

    def __init__(
        self,
        asked: object,
        program: str,
        notified: threading.Event | None = None,
        environment: Mapping[str, str] = _NOTHING_ADDED,
    ) -> None:
        self._mark = uuid.uuid4().hex
        occupy_standard_descriptors()  # no pipe must be what the child's streams replace
        # -P: the folder it is started in must not shadow modules
        self._child = Child(
            [sys.executable, "-P", "-m", program],
            {**os.environ, **environment, MARK: self._mark},
        )
        self._process = self._child.process
        self._messages: queue.Queue[ResultT | End] = queue.Queue(maxsize=MAX_WAITING)
        self._notified = notified or threading.Event()
        self._last_words = b""
        self._abandoned = False
        self._outgoing: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.send(asked)
        self._writer = threading.Thread(target=self._write_messages, daemon=True)
        self._reader = threading.Thread(target=self._read_messages, daemon=True)
        self._listener = threading.Thread(target=self._read_errors, daemon=True)
        for thread in (self._writer, self._reader, self._listener):
            thread.start()

    def send(self, message: object) -> None:
        """Send the child one more message, in its turn."""
        self._outgoing.put(message)

    def send_next(self, asked: object) -> None:
        """Send what comes after the end of a job: what the child wrote until now is not of it."""
        self._last_words = b""
        self.send(asked)

    def leave(self) -> None:
        """Let go of a child of the process that this one was forked from.

        Otherwise it would not see that process end.
        """
        self._process.returncode = 0  # nobody here can wait for it
        null = os.open(os.devnull, os.O_RDWR)
        for number in self._child.descriptors:
            os.dup2(null, number, inheritable=False)  # numbers that are closed later stay theirs
        os.close(null)

    @property
    def processes(self) -> list[int]:
        """The child and all that it has started."""
        return self._child.processes

    def next_message(self, timeout_s: float) -> ResultT | End | None:
        """Return its next message, None if none comes in time, EOFError when no more will come."""
        try:
            return self._messages.get(block=timeout_s > 0, timeout=timeout_s)
        except queue.Empty:
            return None

    @property
    def ended_by(self) -> int | None:
        """The signal that ended the child, if one did."""
        code = self._exit_code()
        return -code if code < 0 else None

    def death(self) -> str:
        """Describe how the child ended, with the last line that it wrote."""
        code = self._exit_code()
        self._listener.join(PATIENCE_S)
        return f"it {describe_end(code, self._last_words)}"

    def end(self) -> None:
        """Kill what is left of the child and of all that it started, and wait for it."""
        self._abandoned = True
        self._outgoing.put(_NO_MORE)
        self._let_go()
        for thread, stream in (
            (self._writer, self._process.stdin),
            (self._reader, self._process.stdout),
            (self._listener, self._process.stderr),
        ):
            thread.join(PATIENCE_S)
            if not thread.is_alive():  # else closing would wait for it
                assert stream is not None
                with suppress(BrokenPipeError):
                    stream.close()

    def _let_go(self) -> None:
        """Have the child ended, and see to it that this happens."""
        self._child.let_go()
        try:
            self._process.wait(2 * PATIENCE_S)
        except subprocess.TimeoutExpired:
            kill([self._process.pid, *self.processes])
            self._process.wait()
        if self._process.returncode == -KILL:
            # The supervisor may have been killed itself, and have left somebody behind.
            kill(marked(MARK, self._mark))

    def _exit_code(self) -> int:
        """Return how a child that sends no more has ended; one that goes on is killed."""
        try:
            return self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._let_go()
            return self._process.wait()

    def _write_messages(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has died; the reader sees the end of its events
            while (message := self._outgoing.get()) is not _NO_MORE:
                send(self._process.stdin, message)

    def _read_messages(self) -> None:
        assert self._process.stdout is not None
        stream = os.fdopen(os.dup(self._process.stdout.fileno()), "rb")
        with stream:
            try:
                while not self._abandoned:
                    self._put(receive(stream))
            except (EOFError, ValueError, OSError):
                self._put(EOFError())

    def _put(self, message: ResultT | EOFError) -> None:
        while not self._abandoned:
            try:
                self._messages.put(message, timeout=0.05)
                self._notified.set()
                return
            except queue.Full:
                continue

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        stderr = self._process.stderr.fileno()
        with suppress(OSError):
            while piece := os.read(stderr, 2**16):
                self._last_words = (self._last_words + piece)[-ERROR_TAIL_BYTES:]
