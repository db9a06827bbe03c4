"""The one decorator for numba kernels, and their cache on disk.

Import this module only from modules that hold kernels: it imports numba.

Numba's own cache notices a change in a kernel's file, but not in the files of the kernels
it calls, and bounds checking switched on by the environment neither reaches a warm cache
nor leaves one. So the cache directory is named after a digest of every kernel source and
every flag. Kernels live in packages called `kernels`; that is how the digest finds them.

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
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(*, inline: bool = False, inner: bool = False) -> Callable[[Function], Function]: ...


def kernel(
    function: Callable[..., Any] | None = None, *, inline: bool = False, inner: bool = False
) -> Callable[..., Any]:
    """Compile `function` with numba when it is first called, and keep the machine code.

    Kernels release the GIL, take and return plain arrays and scalars, and never mix uint64
    with int64 in one expression (numba would make it float64). With `inline` the compiler
    puts the function's code where it is called; such a helper is kept with its callers. An `inner`
    one is called by kernels only and makes no arrays: references to those that it is given are not
    counted, which takes longer than most helpers that branch (22 ns a call with three arrays,
    where half a nanosecond is left), and it compiles in three quarters of the time. With both the
    code is put where it is called, and references are not counted in it.
    """
    if function is None:
        return lambda decorated: _compiled_lazily(decorated, inline, inner)
    return _compiled_lazily(function, inline, inner)


def _compiled_lazily(function: Function, inline: bool, inner: bool) -> Function:
    directory = cache_directory()
    flags = {
        "nogil": True,
        "boundscheck": bounds_check(),
        "cache": directory is not None and not inline,
        "forceinline": inline,
        "no_cpython_wrapper": inner,
        "no_cfunc_wrapper": inner,
        "_nrt": not inner or bounds_check(),  # what raises an IndexError needs it
    }
    before = numba.config.CACHE_DIR
    try:
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)  # numba reads it once, while decorating
        return cast(Function, numba.njit(**flags)(function))
    finally:
        numba.config.CACHE_DIR = before


def bounds_check() -> bool:
    """Whether kernels check their indices."""
    return os.environ.get("DOVETAIL_BOUNDS_CHECK", "") == "1"


@cache
def cache_directory() -> Path | None:
    """Where this version of the kernels keeps its machine code; None if nowhere can be written."""
    root = os.environ.get("DOVETAIL_CACHE_DIR")
    if root is None:
        user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        root = os.path.join(user, "dovetail")
    directory = Path(root) / f"kernels-{_sources_digest()}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError as error:
        warnings.warn(
            f"compiled kernels cannot be kept in {directory} ({error.strerror}); every process "
            "compiles them again",
            stacklevel=2,
        )
        return None


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for name in sorted(PACKAGE.rglob("kernels/*.py")):
        digest.update(str(name.relative_to(PACKAGE)).encode() + b"\0" + name.read_bytes())
    digest.update(Path(__file__).read_bytes())
    digest.update(f"{numba.__version__} {sys.version} {bounds_check()}".encode())
    return digest.hexdigest()[:16]
