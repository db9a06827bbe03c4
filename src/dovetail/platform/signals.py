"""Signals that end a process, by what they mean; a system may lack some of them."""

from __future__ import annotations

import signal


def _present(*names: str) -> tuple[signal.Signals, ...]:
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


# Ctrl-C, a shutdown or a batch system, a terminal that was closed.
ENDING = _present("SIGINT", "SIGTERM", "SIGHUP")
# What ends a process at once: on Windows there is no other way.
(KILL,) = _present("SIGKILL") or (signal.SIGTERM,)
# Under a memory limit an allocation that fails inside a library ends in one of these.
OUT_OF_MEMORY = _present("SIGABRT", "SIGSEGV", "SIGBUS", "SIGTRAP", "SIGILL")
