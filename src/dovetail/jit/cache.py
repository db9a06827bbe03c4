"""The directory of compiled kernels on disk.

The directory is named after a digest of all kernel sources, of the settings that change compiled
code, and of the versions of numba, llvmlite and Python. The sources are those of the packages of
Dovetail called `kernels`, `jit` and `machine_code`. Numba's own cache is not enough: it notices a
change in a kernel's file, but neither a change in the files of the kernels that the kernel calls,
nor a change of bounds checking.

| environment variable | meaning |
|---|---|
| `DOVETAIL_CACHE_DIR` | directory of compiled kernels; default: `dovetail` in the user's cache |
| `DOVETAIL_BOUNDS_CHECK` | `1`: kernels are slower, but raise IndexError for invalid indices |
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
# Environment variables of numba that do not change the compiled code.
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
    """Return whether kernels are called through numba, and not directly as machine code.

    Numba is used if indices are checked, if the piece `start` is off, and on systems other than
    Linux. On these systems, machine code may need functions that only numba loads into a process.
    An example is the function that makes room for a large stack frame on Windows.
    """
    return bounds_check() or not IS_LINUX or not is_on(START)


@cache
def cache_directory() -> Path | None:
    """Return the directory for machine code of the present kernels.

    Returns None, after a warning, if the directory cannot be created or written.
    """
    root = os.environ.get("DOVETAIL_CACHE_DIR")
    if not root:
        root = os.path.join(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "dovetail")
    root = os.path.expanduser(root)
    directory = Path(root).absolute() / f"kernels-{_sources_digest()}"
    try:
        if root.startswith("~"):
            raise OSError("the home folder is unknown")
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
    """Return a digest of a kernel's bytecode and file; None if the kernel has no file.

    The bytecode is included because the file may have been edited since it was imported. Files of
    this package are left out, because the name of the cache directory covers them. A kernel of
    another distribution is compiled again if its own file changes, but not if the file of a kernel
    that it calls changes.
    """
    digest = hashlib.sha256(code.co_code)
    constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    digest.update(repr((code.co_names, constants)).encode())
    file = Path(code.co_filename)
    try:
        if not file.is_relative_to(PACKAGE):
            digest.update(file.read_bytes())
    except OSError:  # for example, a kernel typed into a console
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
