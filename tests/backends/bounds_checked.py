"""Kernels run with bounds checking, in a process and a cache of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PRELUDE = """
import numpy as np
from dovetail.jit import bounds_check, kernel

assert bounds_check()

@kernel
def canary(array, index):
    return array[index]

try:
    canary(np.zeros(3), 3)
except IndexError:
    print("canary raised")
"""


def bounds_checked(script: str, folder: Path) -> list[str]:
    """What `script` prints, line by line; a canary has shown that indices are checked."""
    environment = {
        **os.environ,
        "DOVETAIL_BOUNDS_CHECK": "1",
        "DOVETAIL_CACHE_DIR": str(folder),
    }
    path = folder / "bounds_checked.py"
    path.write_text(PRELUDE + script)
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    canary, *lines = done.stdout.splitlines()
    assert canary == "canary raised"
    return lines
