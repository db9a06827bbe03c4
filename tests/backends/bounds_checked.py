"""Kernels run with bounds checking, in a process of their own.

All tests of a session share one cache of such kernels, so that none is compiled twice.
"""

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
    """Return what `script` prints, by line; a canary has shown that indices are checked.

    `folder` is the test's `tmp_path`.
    """
    of_session = folder.parents[1 if "PYTEST_XDIST_WORKER" in os.environ else 0]
    environment = {
        **os.environ,
        "DOVETAIL_BOUNDS_CHECK": "1",
        "DOVETAIL_CACHE_DIR": str(of_session / "bounds-checked"),
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
