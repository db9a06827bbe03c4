"""Programs that a user or a suite names: permission to run them, their identity, and their output.

The permission is a variable of the environment: processes that this process starts have it too, and
a machine of a cluster only if it was given there.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dovetail.errors import reason_of
from dovetail.platform.processes import ProcessGroup
from dovetail.platform.system import IS_LINUX, refusal
from dovetail.process_end import describe_end

VARIABLE = "DOVETAIL_ALLOW_COMMANDS"
GRANTED = "1"
NEEDS_PERMISSION = f"it runs a program, which needs {VARIABLE}={GRANTED} (--allow-commands)"
LONGEST_LINE_BYTES = 2**26  # a solution, or a count
LAST_WORDS_BYTES = 4096


def allow_commands() -> None:
    """Let searches of this process and of its child processes run programs."""
    os.environ[VARIABLE] = GRANTED


def commands_refusal() -> str | None:
    """Return why no program may be run; None if programs may."""
    if not IS_LINUX:
        return refusal("running a program", "choose another backend")
    if os.environ.get(VARIABLE) == GRANTED:
        return None
    return NEEDS_PERMISSION


class ProgramError(RuntimeError):
    """A program did something else than what its definition says."""


def find_program(word: str) -> str | None:
    """Return the path of a program: a path itself, a file beside the interpreter, or on PATH."""
    return shutil.which(word, path=str(Path(sys.executable).parent)) or shutil.which(word)


class Program:
    """A process whose standard output is read line by line.

    Output is read as it comes, so that memory holds at most a line. Its child processes end with
    it. Raises `ProgramError` when it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._name = Path(command[0]).name
        try:
            self._processes = ProcessGroup([find_program(command[0]) or command[0], *command[1:]])
        except OSError as error:
            raise ProgramError(f"{self._name} cannot be started: {reason_of(error)}") from None
        self._last_words = b""

    @property
    def cpu_s(self) -> float:
        """Processor seconds that it has taken."""
        return self._processes.cpu_s

    @property
    def timed_out(self) -> bool:
        """Whether its time was over before it ended."""
        return self._processes.timed_out

    def lines(self, is_over: Callable[[], bool]) -> Iterator[str]:
        """Yield the lines of standard output, without their ends, until the program ends.

        When its time `is_over`, there are no more, and it has `timed_out`. Raises `ProgramError`
        for a line that is too long.
        """
        pending = bytearray()
        for piece in self._pieces(is_over):
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
        status = self._processes.wait()
        if status in expected:
            return
        raise ProgramError(f"{self._name} {describe_end(status, self._last_words)}")

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the program and its child processes."""
        self._processes.end()

    def _pieces(self, is_over: Callable[[], bool]) -> Iterator[bytes]:
        """Yield pieces of standard output; the end of standard error is kept."""
        for is_output, piece in self._processes.printed(is_over):
            if is_output:
                yield piece
            else:
                self._last_words = (self._last_words + piece)[-LAST_WORDS_BYTES:]
