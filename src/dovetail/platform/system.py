"""Which system this is, by its name, and what is refused on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypedDict

IS_LINUX = sys.platform == "linux"
_NAMES = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}


class _Apart(TypedDict):
    start_new_session: bool
    creationflags: int


# For `subprocess.Popen`: Ctrl-C reaches this process, not the child. The flag of Windows is
# CREATE_NEW_PROCESS_GROUP.
APART: _Apart = (
    {"start_new_session": False, "creationflags": 0x200}
    if sys.platform == "win32"
    else {"start_new_session": True, "creationflags": 0}
)


def system_name() -> str:
    """Return the name of this system as people write it."""
    return _NAMES.get(sys.platform, sys.platform)


def refusal(what: str, instead: str) -> str:
    """Return why `what`, which only Linux can do, is refused here, and what to do `instead`."""
    return f"{what} is not supported on {system_name()}, only on Linux; {instead}"


def after_fork(function: Callable[[], None]) -> None:
    """Have `function` called in each process that is forked from this one, where one can be."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)
