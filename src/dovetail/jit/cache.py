"""Where compiled kernels are kept on disk.

Numba's own cache notices a change in a kernel's file, but not in the files of the kernels it
calls, and bounds checking switched on by the environment neither reaches nor leaves a warm
cache. So the cache directory is named after a digest of every kernel source and every flag. Kernels
live in packages called `kernels`; that is how the digest finds them.

| environment variable | meaning |
|---|---|
| `DOVETAIL_CACHE_DIR` | where compiled kernels are kept; default: `dovetail` in the user's cache |
| `DOVETAIL_BOUNDS_CHECK` | `1`: kernels raise IndexError on an index out of bounds (4–7 % slower) |
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import warnings
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType

from dovetail.errors import reason_of
from dovetail.machine_code import START, is_on, pieces
from dovetail.platform.system import IS_LINUX

PACKAGE = Path(__file__).parent.parent
SOURCES = ("kernels/*.py", "jit/*.py", "machine_code/*.py")
# Variables of numba that do not change what is compiled.
_NO_FLAGS = (
    "NUMBA_CACHE_DIR",
    "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING",
    "NUMBA_NUM_THREADS",
)


@cache
def bounds_check() -> bool:
    """Return whether kernels check their indices; the environment is read once."""
    return os.environ.get("DOVETAIL_BOUNDS_CHECK", "") == "1"


@cache
def runs_in_numba() -> bool:
    """Return whether numba calls the kernels, in place of their machine code alone.

    It does where indices are checked, where that piece of hand-written code is off, and on other
    systems than Linux: there machine code may need functions that only numba brings into a process,
    as on Windows the function that makes room for a large stack frame.
    """
    return bounds_check() or not IS_LINUX or not is_on(START)


@cache
def cache_directory() -> Path | None:
    """Return the folder for machine code of these kernels; None if none is writable."""
    root = os.environ.get("DOVETAIL_CACHE_DIR")
    if not root:
        user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        root = os.path.join(user, "dovetail")
    directory = Path(root).absolute() / f"kernels-{_sources_digest()}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError as error:
        warnings.warn(
            f"compiled kernels cannot be kept in {directory} ({reason_of(error)}); every process "
            "compiles them again",
            stacklevel=2,
        )
        return None


def source_digest(code: CodeType) -> str | None:
    """Return a digest that changes with a kernel or its file, None without a file.

    The file may have been edited since it was imported: `code` is compiled. The
    directory stands for the files of this package. A kernel of another distribution is compiled
    again when its own file changes, not when the files of the kernels it calls change.
    """
    digest = hashlib.sha256(code.co_code)
    constants = [one for one in code.co_consts if not isinstance(one, CodeType)]
    digest.update(repr((code.co_names, constants)).encode())
    file = Path(code.co_filename)
    try:
        if not file.is_relative_to(PACKAGE):
            digest.update(file.read_bytes())
    except OSError:  # it was typed in
        return None
    return digest.hexdigest()


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in PACKAGE.rglob(pattern)):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes())
    flags = {name: text for name, text in os.environ.items() if name.startswith("NUMBA_")}
    for name in _NO_FLAGS:
        flags.pop(name, None)
    versions = f"{version('numba')} {version('llvmlite')} {sys.version}"
    made_by = (
        f"{versions} {bounds_check()} {runs_in_numba()} {sorted(pieces())} {sorted(flags.items())}"
    )
    digest.update(made_by.encode())
    return digest.hexdigest()[:16]
