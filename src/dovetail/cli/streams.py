"""The standard streams of a command."""

from __future__ import annotations

import os
import sys

from dovetail.harness.standard_descriptors import (
    STDERR,
    STDOUT,
    occupy_standard_descriptors,
)


def prepare_streams() -> None:
    """Open the output streams that the process was started without.

    Python has None in their place. Writing to a standard output that was closed is an error of
    the operating system from here on, as on a full disk; messages to a closed standard error
    are discarded.
    """
    occupy_standard_descriptors()
    if sys.stdout is None:
        sys.stdout = os.fdopen(STDOUT, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(STDERR, "w", encoding="utf-8")
