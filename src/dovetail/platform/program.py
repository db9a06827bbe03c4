"""A program of others, with all that it starts: what it prints, what it uses, and its end.

Only Linux can end all that it has started, whatever becomes of this process, and knows what it
uses: elsewhere programs are refused.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dovetail.platform.limits import lift_data_limit

if sys.platform == "linux":
    import resource

_CHUNK_BYTES = 2**16
_POLL_S = 0.05


class Printed(NamedTuple):
    """What a program has printed: a piece of its standard output or of its standard error."""

    is_output: bool
    piece: bytes


class ProcessGroup:
    """A process whose output is read as it comes, and which ends with all that it starts.

    What it starts is its process group. Raises `OSError` when it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._others_s = _children_s()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        # Whoever watches the run sees what it holds. The limit of this process is on what is asked
        # for, which the program would report as a failure.
        lift_data_limit(self._process.pid)
        self.timed_out = False

    @property
    def cpu_s(self) -> float:
        """Processor seconds that it has taken."""
        if self._process.returncode is not None:
            return _children_s() - self._others_s
        if sys.platform == "linux":
            with suppress(OSError, IndexError):
                account = Path(f"/proc/{self._process.pid}/stat").read_text()
                fields = account.rpartition(")")[2].split()
                return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def printed(self, is_over: Callable[[], bool]) -> Iterator[Printed]:
        """Yield what the program prints until it has ended, whoever else has its streams.

        When its time `is_over`, it has `timed_out`.
        """
        with selectors.DefaultSelector() as streams:
            self._register(streams)
            ended = False
            while streams.get_map() or not ended:
                if is_over():
                    self.timed_out = True
                    return
                ready = streams.select(0 if ended else _POLL_S)
                if not streams.get_map() and not ended:
                    time.sleep(_POLL_S / 10)
                if ended and not ready:
                    return  # what it has printed is read; others may keep its streams open
                for key, _ in ready:
                    piece = _read(key.fd)
                    if piece:
                        yield Printed(key.fileobj is self._process.stdout, piece)
                    else:
                        streams.unregister(key.fileobj)
                if not ended and self._process.poll() is not None:
                    ended = True
                    self._kill()

    def wait(self) -> int:
        """Wait for the program to end; returns its exit status as `subprocess` has it."""
        return self._process.wait()

    def end(self) -> None:
        """Kill what is left of the program and of its process group."""
        self._kill()
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()

    def _register(self, streams: selectors.BaseSelector) -> None:
        """Let its output be waited for."""
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            if sys.platform == "linux":
                os.set_blocking(stream.fileno(), False)
            streams.register(stream, selectors.EVENT_READ)

    def _kill(self) -> None:
        """Kill what the program has left behind, so that its streams end."""
        if sys.platform == "linux":
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _read(stream: int) -> bytes:
    """Return what a stream has; nothing at its end."""
    try:
        return os.read(stream, _CHUNK_BYTES)
    except BlockingIOError:
        return b""


def _children_s() -> float:
    """Processor seconds of all children of this process that have ended."""
    if sys.platform == "linux":
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    return 0.0
