"""A program in a child process, and the messages between it and this process."""

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

from dovetail.errors import DovetailError
from dovetail.platform.processes import Child, end_with_parent, kill, marked
from dovetail.platform.system import KILL, occupy_standard_descriptors
from dovetail.process_end import describe_end

# Time for an end after a kill, and for a reader thread to finish.
PATIENCE_S = 1.0
ERROR_TAIL_BYTES = 4096
# Messages of the child that are read in advance.
MAX_WAITING = 64
# Variable in the environment of a child and all its descendants, by which they are found.
MARK = "DOVETAIL_RUN"
# The program of local processes.
WORKER = "dovetail.harness.workers.worker"
# Reply to a job that is not the first of a process.
ACCEPTED = "accepted"
_NO_MORE = object()
_LENGTH = struct.Struct("<Q")
# Solutions are sent in batches far smaller than this.
_LONGEST = 2**30

MessageT = TypeVar("MessageT")
# The last message from a child: an error that it reports, or the end of its messages.
End = DovetailError | MemoryError | EOFError


def send(stream: IO[bytes], message: object) -> None:
    """Write a message: a pickle after its length."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read a message, and no byte after it if `stream` is unbuffered.

    Raises `EOFError` if the other side has ended, and `ValueError` for an impossible length.
    """
    (length,) = _LENGTH.unpack(_read(stream, _LENGTH.size))
    if length > _LONGEST:
        raise ValueError("not a message: too long")
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
    """A `program` that ends with this process, and the threads that exchange messages with it.

    The program is a module that calls `serve`. It is sent `first`. `notified` is set whenever a
    message has come. Temporary files of the child and its descendants are deleted when they have
    ended. Raises `OSError` if it cannot be started.
    """

    def __init__(
        self, first: object, program: str, notified: threading.Event | None = None
    ) -> None:
        self._mark = uuid.uuid4().hex
        occupy_standard_descriptors()  # the child's streams must not replace a pipe
        # -P: the current folder must not shadow modules
        self._child = Child([sys.executable, "-P", "-m", program], {**os.environ, MARK: self._mark})
        self._process = self._child.process
        self._messages: queue.SimpleQueue[MessageT | End] = queue.SimpleQueue()
        self._room = threading.Semaphore(MAX_WAITING)
        self._notified = notified or threading.Event()
        self.last_words = b""  # the end of its standard error
        self._abandoned = False
        self._outgoing: queue.SimpleQueue[object] = queue.SimpleQueue()
        self.send(first)
        tasks = (self._write_messages, self._read_messages, self._read_errors)
        self._threads = [threading.Thread(target=task, daemon=True) for task in tasks]
        try:
            for thread in self._threads:
                thread.start()
        except BaseException:  # an interruption, or no memory for a thread
            self._let_go()
            raise

    def send(self, message: object) -> None:
        """Send the child a message without waiting until the child reads it."""
        self._outgoing.put(message)

    def leave(self) -> None:
        """Give up a child of the process from which this process was forked.

        This process must not keep it alive.
        """
        self._process.returncode = 0  # it cannot be waited for here
        null = os.open(os.devnull, os.O_RDWR)
        for number in self._child.descriptors:
            os.dup2(null, number, inheritable=False)  # their streams close these numbers later
        os.close(null)

    @property
    def processes(self) -> list[int]:
        """The child and its descendants."""
        return self._child.processes

    def next_message(self, timeout_s: float) -> MessageT | End | None:
        """Return the next message, None if none comes in time, `EOFError` if none will come."""
        try:
            message = self._messages.get(block=timeout_s > 0, timeout=timeout_s)
        except queue.Empty:
            return None
        self._room.release()
        return message

    def exit_code(self) -> int:
        """Return the exit code of a child that sends no more messages, as `subprocess` has it.

        The child is killed if it goes on.
        """
        try:
            return self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._let_go()
            return self._process.wait()

    def death(self) -> str:
        """Return how the child ended, with the last line that it wrote to standard error."""
        code = self.exit_code()
        self._threads[-1].join(PATIENCE_S)
        return f"it {describe_end(code, self.last_words)}"

    def end(self) -> None:
        """Kill the child and its descendants, and wait for their end."""
        self._abandoned = True
        self._outgoing.put(_NO_MORE)
        self._room.release()
        self._let_go()
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        for thread, stream in zip(self._threads, streams, strict=True):
            thread.join(PATIENCE_S)
            if stream is not None and not thread.is_alive():  # else closing would wait for it
                with suppress(BrokenPipeError):
                    stream.close()

    def _let_go(self) -> None:
        self._child.let_go()
        try:
            self._process.wait(2 * PATIENCE_S)
        except subprocess.TimeoutExpired:
            kill([self._process.pid, *self.processes])
            self._process.wait()
        if self._process.returncode == -KILL:
            # If the supervisor itself was killed, it has left its descendants.
            kill(marked(MARK, self._mark))

    def _write_messages(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the child has ended, which the reader notices
            while (message := self._outgoing.get()) is not _NO_MORE:
                send(self._process.stdin, message)

    def _read_messages(self) -> None:
        assert self._process.stdout is not None
        message: Any = None
        while not isinstance(message, EOFError):
            self._room.acquire()
            if self._abandoned:
                return
            try:
                message = receive(self._process.stdout)
            except Exception:  # of pickle too: a program may write anything
                message = EOFError()
            self._messages.put(message)
            self._notified.set()
        self._process.wait()  # no zombie is left of a child that ends by itself

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError):
            while piece := os.read(self._process.stderr.fileno(), 2**16):
                self.last_words = (self.last_words + piece)[-ERROR_TAIL_BYTES:]


def asked_for() -> IO[bytes]:
    """Return the stream of messages to this process, unbuffered: `select` sees each message."""
    return open(0, "rb", buffering=0, closefd=False)


def serve(work: Callable[[Any, IO[bytes]], object]) -> NoReturn:
    """Run a program for `ChildProcess`, and end this process, which ends with its parent.

    `work` is called with the first message and with the stream for replies. An error of dovetail
    and a lack of memory are sent. What libraries print to standard output goes to standard error.
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
        words = " ".join([f"{type(error).__name__}:", *str(error).split()])
        os.write(2, f"{words}\n".encode(errors="replace"))
        os._exit(1)
    os._exit(0)  # a search that ran into a limit may still be running in its thread
