"""Programs in C and C++ that benchmarks run beside the project's kernels, compiled on the spot."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

COMPILERS = {".c": ("cc", "gcc", "clang"), ".cpp": ("c++", "g++", "clang++")}


def compiled(
    source: Path, folder: Path, flags: Sequence[str], compiler: str | None = None
) -> ctypes.CDLL:
    """`source` as a library in `folder`, by a compiler or the first one that is there.

    Skips the test where there is none for it.
    """
    names = COMPILERS[source.suffix]
    compiler = compiler or next(filter(None, map(shutil.which, names)), None)
    if compiler is None:
        pytest.skip(f"no compiler for {source.name}: none of {', '.join(names)} is there")
    target = folder / f"{source.stem}-{Path(compiler).name}.so"
    subprocess.run([compiler, *flags, str(source), "-o", str(target)], check=True)
    return ctypes.CDLL(str(target))
