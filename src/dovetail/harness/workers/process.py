"""Child processes that run a program, and the exchange of messages with them."""

from __future__ import annotations

import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
import traceback
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, Generic, NoReturn, TypeVar

from dovetail.errors import ConfigError, DovetailError
from dovetail.platform.processes import Child, end_with_parent, kill, marked
from dovetail.platform.system import KILL, occupy_standard_descriptors
from dovetail.process_end import describe_end
from dovetail.python_files import error_in_file

# Seconds to wait until a process or one of its threads ends, or until a process accepts a job.
PATIENCE_S = 1.0
ERROR_TAIL_BYTES = 4096
# Maximum number of messages from the child that are read in advance.
MAX_WAITING = 64
# Environment variable that identifies a child and all its descendants.
MARK = "DOVETAIL_RUN"
# Module of the program that local processes run.
WORKER = "dovetail.harness.workers.worker"
# Message with which a process accepts a second or later job.
ACCEPTED = "accepted"
_LENGTH = struct.Struct("<Q")
# Maximum length of a message in bytes; batches of solutions are far smaller.
_LONGEST = 2**30

MessageT = TypeVar("MessageT")
# The last message from a child: a reported error, or the end of the messages.
End = DovetailError | MemoryError | EOFError


def send(stream: IO[bytes], message: object) -> None:
    """Write a message."""
    stream.write(_bytes_of(message))
    stream.flush()


def _bytes_of(message: object) -> bytes:
    """Return the bytes of a message: its length, then its pickle."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def receive(stream: IO[bytes]) -> Any:
    """Read a message; if `stream` is unbuffered, no byte after the message is read.

    Raises `EOFError` if the other side has ended, `ValueError` for an invalid length, and any
    exception for an invalid pickle.
    """
    (length,) = _LENGTH.unpack(_read(stream, _LENGTH.size))
    if length > _LONGEST:
        raise ValueError(f"a message has {length} bytes; expected {_LONGEST} or fewer")
    return pickle.loads(_read(stream, length))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = stream.read(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


class ChildProcess(Generic[MessageT]):
    """A child process that ends with this process, and the threads that exchange messages with it.

    `program` is a module that calls `serve`, and `first` is the first message to the child.
    `notified` is set when a message of the child has arrived. When the child and its descendants
    have ended, their temporary files are deleted. Raises `OSError` if the process cannot be
    started, and `ConfigError` for a first message that cannot be pickled.
    """

    def __init__(
        self, first: object, program: str, notified: threading.Event | None = None
    ) -> None:
        self._mark = uuid.uuid4().hex
        occupy_standard_descriptors()  # else a pipe could get the number of a standard stream
        # -P: the current folder must not shadow modules
        self._child = Child([sys.executable, "-P", "-m", program], {**os.environ, MARK: self._mark})
        self._process = self._child.process
        self._messages: queue.SimpleQueue[MessageT | End] = queue.SimpleQueue()
        self._room = threading.Semaphore(MAX_WAITING)
        self._notified = notified or threading.Event()
        self.last_words = b""  # the end of the child's standard error
        self._abandoned = False
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        tasks = (self._write_messages, self._read_messages, self._read_errors)
        self._threads = [threading.Thread(target=task, daemon=True) for task in tasks]
        try:
            self.send(first)
            for thread in self._threads:
                thread.start()
        except BaseException:  # also an interruption, or not enough memory for a thread
            self._kill()
            raise

    def send(self, message: object) -> None:
        """Send a message to the child without waiting until the child reads it.

        Raises `ConfigError` for a message that cannot be pickled.
        """
        try:
            self._outgoing.put(_bytes_of(message))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigError(f"the run cannot be sent to another process: {error}") from None

    def leave(self) -> None:
        """Abandon the child in a fork of the process that started it.

        The copies of the pipes in this process must not keep the child alive.
        """
        self._process.returncode = 0  # only the parent can wait for the child
        null = os.open(os.devnull, os.O_RDWR)
        for number in self._child.descriptors:
            os.dup2(null, number, inheritable=False)  # `number` stays open for its stream to close
        os.close(null)

    @property
    def processes(self) -> list[int]:
        """The process numbers of the child and its descendants."""
        return self._child.processes

    def next_message(self, timeout_s: float) -> MessageT | End | None:
        """Return the next message, an `EOFError` after the last message, or None.

        None means that no message has arrived within `timeout_s` seconds.
        """
        try:
            message = self._messages.get(block=timeout_s > 0, timeout=timeout_s)
        except queue.Empty:
            return None
        self._room.release()
        return message

    def exit_code(self) -> int:
        """Return the exit code, as in `subprocess`, of a child that sends no more messages.

        A child that is still running is killed.
        """
        try:
            return self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._kill()
            return self._process.wait()

    def death(self) -> str:
        """Describe how the child ended, with the last line that it wrote to standard error."""
        code = self.exit_code()
        self._threads[-1].join(PATIENCE_S)
        return f"it {describe_end(code, self.last_words)}"

    def end(self) -> None:
        """Kill the child and its descendants, and wait until they have ended."""
        self._abandoned = True
        self._outgoing.put(None)
        self._room.release()
        self._kill()
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        for thread, stream in zip(self._threads, streams, strict=True):
            thread.join(PATIENCE_S)
            if stream is not None and not thread.is_alive():  # otherwise `close` would block
                with suppress(BrokenPipeError):
                    stream.close()

    def _kill(self) -> None:
        self._child.kill()
        try:
            self._process.wait(2 * PATIENCE_S)
        except subprocess.TimeoutExpired:
            kill([self._process.pid, *self.processes])
            self._process.wait()
        if self._process.returncode == -KILL:
            # If the supervisor itself was killed, its descendants are still running.
            kill(marked(MARK, self._mark))

    def _write_messages(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the child has ended, and the reader thread reports it
            while (message := self._outgoing.get()) is not None:
                self._process.stdin.write(message)
                self._process.stdin.flush()

    def _read_messages(self) -> None:
        assert self._process.stdout is not None
        message: Any = None
        while not isinstance(message, EOFError):
            self._room.acquire()
            if self._abandoned:
                return
            try:
                message = receive(self._process.stdout)
            except Exception:  # pickle may raise any exception for invalid bytes
                message = EOFError()
            self._messages.put(message)
            self._notified.set()
        self._process.wait()  # a child that ends by itself must not stay a zombie

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError):
            while piece := os.read(self._process.stderr.fileno(), 2**16):
                self.last_words = (self.last_words + piece)[-ERROR_TAIL_BYTES:]


def asked_for() -> IO[bytes]:
    """Return the stream of messages to this process.

    The stream is unbuffered, so that `select` reports a message that waits.
    """
    return open(0, "rb", buffering=0, closefd=False)


def serve(work: Callable[[Any, IO[bytes]], object]) -> NoReturn:
    """Run the program of a `ChildProcess`, and end this process.

    The process also ends with its parent. `work` is called with the first message and the stream
    for replies. A `DovetailError` or `MemoryError` is sent to the parent; another exception is
    written to standard error, and the exit status is 1. Output of libraries to standard output is
    redirected to standard error.
    """
    end_with_parent()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        work(receive(asked_for()), replies)
    except (DovetailError, MemoryError) as error:
        send(replies, error)
    except Exception as error:
        traceback.print_exc()
        words = error_in_file(error) or " ".join([f"{type(error).__name__}:", *str(error).split()])
        os.write(2, f"{words}\n".encode(errors="replace"))
        os._exit(1)
    os._exit(0)  # a search that reached a limit may still be running in its thread
