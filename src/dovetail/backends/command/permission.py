"""Whether programs that a user or a suite names may be run.

The permission is a variable of the environment: processes that this one starts have it too, and a
machine of a cluster only if it was given there.
"""

from __future__ import annotations

import os

from dovetail.platform.system import IS_LINUX, refusal

VARIABLE = "DOVETAIL_ALLOW_COMMANDS"
GRANTED = "1"
NEEDS_PERMISSION = f"it runs a program, which needs {VARIABLE}={GRANTED} (--allow-commands)"


def allow_commands() -> None:
    """Let searches of this process, and of those that it starts, run programs."""
    os.environ[VARIABLE] = GRANTED


def commands_refusal() -> str | None:
    """Return why no program may be run; None if one may."""
    if not IS_LINUX:
        return refusal("running a program", "choose another backend")
    if os.environ.get(VARIABLE) == GRANTED:
        return None
    return NEEDS_PERMISSION
