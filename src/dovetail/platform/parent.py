"""The end of a child whose parent has ended without a word."""

from __future__ import annotations

import os
import sys
import threading
import time

POLL_S = 0.5


def end_with_parent() -> None:
    """Let this process be ended when its parent is, in whatever way that is."""
    if sys.platform == "linux":
        from dovetail.platform.supervisor import be_killed_with_parent

        be_killed_with_parent()
        return
    threading.Thread(target=_end_after, args=(os.getppid(),), daemon=True).start()


def _end_after(parent: int) -> None:
    """End this process as soon as it has lost its `parent`."""
    if sys.platform == "win32":  # where a process keeps the number of a parent that is gone
        import _winapi

        handle = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, parent)
        _winapi.WaitForSingleObject(handle, _winapi.INFINITE)
    else:
        while os.getppid() == parent:
            time.sleep(POLL_S)
    os._exit(1)
