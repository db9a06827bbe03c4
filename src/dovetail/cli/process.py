"""The process of a command: exit statuses, single-line errors, Ctrl-C and garbage collection.

`main` imports this module before it sets up the handling of Ctrl-C. Functions therefore import
other modules only when they are called.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

EXIT_WRONG = 1  # a result is wrong, or a run failed
EXIT_BAD_INPUT = 2
EXIT_LIMIT = 3  # a limit cut a run short
EXIT_INTERRUPTED = 130  # Ctrl-C
# Environment variable that makes --json print each job on standard error before its run, in case
# the run is killed.
JOB_FIRST = "DOVETAIL_JOB_FIRST"
INTERRUPTED = "interrupted before there were any results"
# Importing leaves about 100,000 objects and hardly any garbage. With Python's threshold, garbage
# collection would examine them many times during the imports.
NEW_OBJECTS = 200_000
BY_DEFAULT = gc.get_threshold()


@contextmanager
def guarded() -> Iterator[None]:
    """Turn errors, Ctrl-C and unwritable output into a single line and an exit status.

    An unexpected error is raised again, unless a loaded Python file has raised it.
    """
    from typer import Exit

    from dovetail.cli.output import complain
    from dovetail.errors import DovetailError
    from dovetail.harness.run.memory_limit import MemoryLimit

    before = signal.getsignal(signal.SIGINT)
    try:
        if before != signal.SIG_IGN:
            signal.signal(signal.SIGINT, _interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            sys.stdout.flush()  # a full disk or a closed pipe can still be reported here
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
    except Exception as error:
        from dovetail.python_files import error_in_file

        located = error_in_file(error)
        if located is None:
            raise
        complain(str(located))
        raise Exit(EXIT_WRONG) from None


def leave_on_ctrl_c() -> None:
    """End the process at once on Ctrl-C, except within a guarded command.

    Before a command begins, nothing needs cleaning up, and the parser of the command line would
    turn KeyboardInterrupt into another error.
    """
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)


def leave(status: int) -> NoReturn:
    """End the process without finalising the interpreter; its output must have been flushed.

    Finalising is slow once numba is loaded, and nothing needs it.
    """
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(status)


def collect_seldom() -> None:
    """Raise the threshold of garbage collection so far that most commands do not reach it."""
    gc.set_threshold(NEW_OBJECTS)


def collect_by_default() -> None:
    """Restore Python's garbage collection for long commands; existing objects are skipped."""
    gc.freeze()
    gc.set_threshold(*BY_DEFAULT)


def report_os_error(error: OSError) -> int:
    """Print which file could not be read or written, and why; return the exit status.

    If the reader of standard output has closed it, the status is 0 and nothing is printed.
    """
    from dovetail.cli.output import STANDARD_OUTPUT_NAME, complain
    from dovetail.errors import reason_of

    if error.filename == STANDARD_OUTPUT_NAME:
        # Python flushes standard output at exit, and would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        complain(f"{STANDARD_OUTPUT_NAME} cannot be written ({reason_of(error)})")
    elif isinstance(error.filename, str | bytes):
        complain(f"{os.fsdecode(error.filename)}: {reason_of(error)}")
    else:
        complain(reason_of(error))
    return EXIT_BAD_INPUT


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but end the process at once during an import.

    A library that is being imported may print the exception, or replace it by another. During an
    import, nothing needs cleaning up.
    """
    # Python itself reads this attribute to find running imports, and no public function reports
    # them. Frames are no help: generated code of a library looks like the code of a module.
    specs = [getattr(module, "__spec__", None) for module in list(sys.modules.values())]
    if any(getattr(spec, "_initializing", False) for spec in specs):
        _leave(number, frame)
    raise KeyboardInterrupt


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"dovetail: {INTERRUPTED}\n".encode())
    os._exit(EXIT_INTERRUPTED)
