"""Run commands one after another in this process: `python commands.py COMMAND…`.

It prints a line of JSON for each, `[exit status, output, errors]`, and the result of a kernel.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from cli.command import dovetail
from jit.sample_kernels import rows_digest


def main() -> None:
    """Run each command line, given without the name `dovetail`."""
    for line in sys.argv[1:]:
        done = dovetail(*shlex.split(line))
        sys.stdout.write(json.dumps([done.returncode, done.stdout, done.stderr]) + "\n")
    sys.stdout.write(f"{rows_digest(np.arange(6).reshape(2, 3))}\n")


if __name__ == "__main__":
    main()
