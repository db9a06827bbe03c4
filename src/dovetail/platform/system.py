"""The name of this operating system, its signals, and its calls for files and forks."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

IS_LINUX = sys.platform == "linux"
# A lock on Windows prevents reading of the locked bytes: lock a byte beyond the end of any file.
_LOCKED_BYTE = 2**31 - 2

STDIN, STDOUT, STDERR = range(3)
# Modes in which the null device is opened in place of a closed stream. Reading a closed standard
# input and writing to a closed standard output remain errors (EBADF), as with gnulib's stdopen.
# Messages on a closed standard error are discarded, other than there.
_MODES = {STDIN: os.O_WRONLY, STDOUT: os.O_RDONLY, STDERR: os.O_WRONLY}

# Options of `subprocess.Popen` for a child that Ctrl-C does not reach. The flag of Windows is
# CREATE_NEW_PROCESS_GROUP.
APART: dict[str, Any] = (
    {"creationflags": 0x200} if sys.platform == "win32" else {"start_new_session": True}
)


def _present(*names: str) -> tuple[signal.Signals, ...]:
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


# Signals sent by Ctrl-C, by a shutdown or a batch system, and when a terminal is closed.
ENDING_SIGNALS = _present("SIGINT", "SIGTERM", "SIGHUP")
# The signal that ends a process at once; on Windows, every signal does.
(KILL,) = _present("SIGKILL") or (signal.SIGTERM,)
# Signals that end a process whose library fails to allocate memory under a limit.
OUT_OF_MEMORY_SIGNALS = _present("SIGABRT", "SIGSEGV", "SIGBUS", "SIGTRAP", "SIGILL")


def refusal(what: str, instead: str) -> str:
    """Return the message that `what` needs Linux, with the advice `instead`."""
    system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
    return f"{what} is not supported on {system}, only on Linux; {instead}"


def after_fork(function: Callable[[], None]) -> None:
    """Call `function` in each process forked from this process, if the system can fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed or this process ends, without waiting.

    Raises `BlockingIOError` if the file is locked already, and another `OSError` if the file system
    has no locks.
    """
    if sys.platform == "win32":
        before = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
        finally:
            os.lseek(descriptor, before, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sync_folder(folder: Path) -> None:
    """Write the entries of a folder to the disk, if the system can."""
    with suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def occupy_standard_descriptors() -> None:
    """Open the null device at each of the descriptors 0 to 2 that is closed.

    A process may have been started without some of these descriptors. The next file or pipe that it
    opened would get the number of a standard stream: output to the stream would go into the file,
    and a child process whose standard streams are replaced would lose the pipe.

    Raises `OSError` if the null device cannot be opened.
    """
    for descriptor, mode in _MODES.items():
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != descriptor:  # another thread has opened a file in the meantime
                os.close(opened)
            else:
                os.set_inheritable(descriptor, True)


def is_readable(descriptor: int, timeout_s: float = 0.0) -> bool:
    """Return whether a pipe has bytes, or has ended, after `timeout_s` seconds at most.

    Always False on systems where `select` does not support pipes.
    """
    try:
        return bool(select.select([descriptor], [], [], timeout_s)[0])
    except OSError:
        return False
