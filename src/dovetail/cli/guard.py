"""What every command does with trouble: one line on standard error and an exit status."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from types import FrameType
from typing import NoReturn, TypeVar

from dovetail.cli.exits import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_LIMIT
from dovetail.cli.output import STANDARD_OUTPUT_NAME
from dovetail.errors import DovetailError, reason_of
from dovetail.harness.run.memory_limit import MemoryLimit
from dovetail.printable import printable

INTERRUPTED = "interrupted before there were any results"

Command = TypeVar("Command", bound=Callable[..., None])


def guarded(command: Command) -> Command:
    """`command`, its mistakes, interruptions and unwritable output turned into exit statuses."""

    @wraps(command)
    def run(*args: object, **kwargs: object) -> None:
        from typer import Exit

        try:
            try:
                with _on_ctrl_c(_interrupt):
                    command(*args, **kwargs)
            finally:
                sys.stdout.flush()  # here, where a full disk or a closed pipe can be reported
        except DovetailError as error:
            complain(str(error))
            raise Exit(EXIT_BAD_INPUT) from None
        except KeyboardInterrupt:
            complain(INTERRUPTED)
            raise Exit(EXIT_INTERRUPTED) from None
        except MemoryError:
            complain(MemoryLimit(None).explained())
            raise Exit(EXIT_LIMIT) from None
        except OSError as error:
            raise Exit(report_os_error(error)) from None

    return run  # type: ignore[return-value]


def leave_on_ctrl_c() -> None:
    """From here on Ctrl-C ends the process at once, save within a guarded command.

    For the time before a command begins, when there is nothing to tidy up yet: the parser of
    the command line would make an error of its own of a KeyboardInterrupt.
    """
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)


def leave(status: int) -> NoReturn:
    """End the process, whose output has been flushed, without finalising the interpreter.

    That takes 0.4 s once numba is loaded, and there is nothing left that would need it.
    """
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(status)


def complain(message: str) -> None:
    """Print `message` in one line on standard error."""
    with suppress(OSError):  # the terminal may be gone
        sys.stderr.write(f"dovetail: {printable(message)}\n")


def warn_in_one_line() -> None:
    """Let Python's warnings be one line each on standard error, like every other message."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        complain(f"warning: {message}")

    warnings.showwarning = show


def report_os_error(error: OSError) -> int:
    """Report which file could not be read or written, and why; returns the exit status.

    It is 0, without a report, where the reader of standard output has left.
    """
    if error.filename == STANDARD_OUTPUT_NAME:
        _discard_output()
        if isinstance(error, BrokenPipeError):
            return 0
        complain(f"{STANDARD_OUTPUT_NAME} cannot be written ({reason_of(error)})")
    elif isinstance(error.filename, str | bytes):
        complain(f"{os.fsdecode(error.filename)}: {reason_of(error)}")
    else:
        complain(reason_of(error))
    return EXIT_BAD_INPUT


@contextmanager
def _on_ctrl_c(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let `handler` handle SIGINT within, unless SIGINT is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but leave at once in the midst of an import.

    There libraries print what is raised or make another error of it, and nothing that would
    have to be tidied up has begun.
    """
    outer = frame
    while outer is not None:
        if outer.f_code.co_filename.startswith("<frozen importlib"):
            _leave(number, frame)
        outer = outer.f_back
    raise KeyboardInterrupt


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"dovetail: {INTERRUPTED}\n".encode())
    os._exit(EXIT_INTERRUPTED)


def _discard_output() -> None:
    """Python flushes standard output at exit, and would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
