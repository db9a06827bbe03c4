"""File descriptors 0 to 2, which a process may have been started without.

The next file or pipe that such a process opens gets the number of a standard stream. What is
written to that stream then goes into the file, and a child process that gets its own standard
streams loses the pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

STDIN, STDOUT, STDERR = range(3)
# Reading a closed standard input and writing to a closed standard output remain errors (EBADF).
# Messages on a closed standard error are discarded. gnulib's stdopen does the same.
MODES = {STDIN: os.O_WRONLY, STDOUT: os.O_RDONLY, STDERR: os.O_WRONLY}


def occupy_standard_descriptors() -> None:
    """Open each of the descriptors 0 to 2 that is closed on the null device.

    Raises `OSError` when the null device cannot be opened.
    """
    for descriptor, mode in MODES.items():
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != descriptor:  # another thread has opened a file in the meantime
                os.close(opened)
            else:
                os.set_inheritable(descriptor, True)


@contextmanager
def captured_output() -> Iterator[bytearray]:
    """Collect what this process writes to standard output, also from outside Python.

    The array is filled when the context ends.
    """
    import tempfile

    written = bytearray()
    with tempfile.TemporaryFile() as file, os.fdopen(os.dup(STDOUT), "wb") as before:
        sys.stdout.flush()
        os.dup2(file.fileno(), STDOUT)
        try:
            with open(STDOUT, "w", closefd=False) as stream, redirect_stdout(stream):
                yield written
        finally:
            os.dup2(before.fileno(), STDOUT)
            file.seek(0)
            written += file.read()
