"""Descriptions of how a process ended."""

from __future__ import annotations

import signal

from dovetail.errors import shorten
from dovetail.printable import printable


def describe_end(exit_code: int, last_words: bytes) -> str:
    """Return how a process ended, and the last line that it wrote to standard error.

    `exit_code` is the return code of `subprocess`: negative for a signal that killed the process.
    """
    how = f"ended with exit status {exit_code}"
    if exit_code < 0:
        how = f"was killed by {_signal_name(-exit_code)}"
    lines = last_words.decode(errors="replace").strip().splitlines()
    last = shorten(printable(lines[-1], mark=" ").strip(), 200) if lines else ""
    return f"{how}: {last}" if last else how


def _signal_name(number: int) -> str:
    """Return the name of a signal; real-time signals have only a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
