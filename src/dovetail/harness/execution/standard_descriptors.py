"""File descriptors 0 to 2, which a process may have been started without.

The next file or pipe that such a process opens gets the number of a standard stream. What is
written to that stream then goes into the file, and a child process that gets its own standard
streams loses the pipe.
"""

from __future__ import annotations

import os

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
