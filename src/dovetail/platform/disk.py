"""Locks of files, and names of new files brought to the disk."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# On Windows a lock is on bytes that nobody else can read then: one behind the ends of files
_LOCKED_BYTE = 2**31 - 2


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed or this process ends, without waiting.

    Raises `BlockingIOError` when another has locked it, another `OSError` where there are no locks.
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
    """Bring the name of a new file to the disk, where a folder can be."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
