"""A program under way: the lines that it prints, its limits and its end."""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from dovetail.process_end import describe_end

LONGEST_LINE_BYTES = 2**26  # a solution, or a count
LAST_WORDS_BYTES = 4096
_CHUNK_BYTES = 2**16
_POLL_S = 0.05


class ProgramError(RuntimeError):
    """A program did something else than what its definition says."""


def find_program(word: str) -> str | None:
    """Return the path of a program: a path itself, or one beside the interpreter, or on PATH."""
    return shutil.which(word, path=str(Path(sys.executable).parent)) or shutil.which(word)


class Program:
    """A process whose standard output is read line by line.

    Whatever it prints beyond a line is passed over as it comes, so that only its longest line is
    kept. What it starts is its process group, which ends with it. Raises `ProgramError` when it
    cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._name = Path(command[0]).name
        self._others_s = _children_s()
        try:
            self._process = subprocess.Popen(
                [find_program(command[0]) or command[0], *command[1:]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
            )
        except OSError as error:
            raise ProgramError(f"{self._name} cannot be started: {error.strerror}") from None
        self._lift_memory_limit()
        self._last_words = b""
        self.timed_out = False

    @property
    def cpu_s(self) -> float:
        """Processor seconds that it has taken."""
        if self._process.returncode is not None:
            return _children_s() - self._others_s
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def lines(self, deadline: float | None) -> Iterator[str]:
        """Yield the lines of standard output, without their ends, until the program ends.

        At the `deadline`, by the monotonic clock, it is killed and has `timed_out`. Raises
        `ProgramError` for a line that is too long.
        """
        pending = bytearray()
        for piece in self._pieces(deadline):
            start = len(pending)
            pending += piece
            if b"\n" in piece:
                *whole, rest = bytes(pending).split(b"\n")
                pending = bytearray(rest)
                for line in whole:
                    yield line.decode(errors="replace").rstrip("\r")
            elif start + len(piece) > LONGEST_LINE_BYTES:
                raise ProgramError(
                    f"{self._name} printed a line of more than {LONGEST_LINE_BYTES:,} bytes"
                )
        if pending:
            yield pending.decode(errors="replace")

    def check_end(self, expected: Sequence[int]) -> None:
        """Raise `ProgramError` if the program ended otherwise than with an `expected` status."""
        status = self._process.wait()
        if status in expected:
            return
        raise ProgramError(f"{self._name} {describe_end(status, self._last_words)}")

    def end(self) -> None:
        """Kill what is left of the program and of its process group."""
        self._kill_group()
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()

    def _pieces(self, deadline: float | None) -> Iterator[bytes]:
        """Yield what the program prints until it has ended, whoever else has its streams."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        stdout, stderr = self._process.stdout.fileno(), self._process.stderr.fileno()
        poll = select.poll()
        for stream in (stdout, stderr):
            os.set_blocking(stream, False)
            poll.register(stream, select.POLLIN)
        open_streams = 2
        ended = False
        while open_streams or not ended:
            if deadline is not None and time.monotonic() >= deadline:
                self.timed_out = True
                return
            ready = poll.poll(0 if ended else _POLL_S * 1000)
            if not open_streams and not ended:
                time.sleep(_POLL_S / 10)
            if ended and not ready:
                return  # what it has printed is read; others may keep its streams open
            for stream, _ in ready:
                piece = _read(stream)
                if not piece:
                    poll.unregister(stream)
                    open_streams -= 1
                elif stream == stdout:
                    yield piece
                else:
                    self._last_words = (self._last_words + piece)[-LAST_WORDS_BYTES:]
            if not ended and self._process.poll() is not None:
                ended = True
                self._kill_group()

    def _kill_group(self) -> None:
        """Kill what the program has left behind, so that its streams end."""
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _lift_memory_limit(self) -> None:
        """Let the program ask for memory as it likes: whoever watches the run sees what it holds.

        The limit of this process is on what is asked for, which the program would report as a
        failure.
        """
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.prlimit(self._process.pid, resource.RLIMIT_DATA, (hard, hard))


def _read(stream: int) -> bytes:
    """Return what a stream has; nothing at its end."""
    try:
        return os.read(stream, _CHUNK_BYTES)
    except BlockingIOError:
        return b""


def _children_s() -> float:
    """Processor seconds of all children of this process that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
