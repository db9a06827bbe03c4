"""Numba: from functions to machine code. It is imported only when something is compiled."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core.types import Boolean, Dispatcher, Float, Integer
from numba.core.types.containers import BaseTuple
from numba.core.types.misc import NoneType

from dovetail.jit.cache import bounds_check, cache_directory, runs_in_numba, source_digest
from dovetail.machine_code.start import MachineCode

# What numba brings into a process: its helpers, its runtime, and Python itself.
_CALLS_OF_NUMBA = re.compile(r"call [^@\n]*@((?:numba_|NRT_|Py)\w+)")


def dispatcher(function: Callable[..., Any], *, inline: bool) -> Any:
    """Return numba's view of a kernel: for the kernels that call it, or to call it from Python.

    It can be called from Python only where numba runs the kernels. Otherwise nothing is made for
    that, and references to arrays are not counted: kernels make none.
    """
    is_kept = not inline and source_digest(function.__code__) is not None
    return _dispatcher(function, cache_directory() if is_kept else None, inline=inline)


def _dispatcher(
    function: Callable[..., Any], directory: Path | None, *, inline: bool = False
) -> Any:
    flags = {
        "nogil": True,
        "boundscheck": bounds_check(),
        "cache": directory is not None,
        "forceinline": inline,
        "no_cpython_wrapper": not runs_in_numba(),
        "no_cfunc_wrapper": True,
        "_nrt": runs_in_numba(),  # what takes arrays or raises an IndexError needs it
    }
    before = numba.config.CACHE_DIR
    try:
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)  # numba reads it once, while decorating
        return numba.njit(**flags)(function)
    finally:
        numba.config.CACHE_DIR = before


def machine_code(function: Callable[..., Any], arguments: tuple[Any, ...]) -> MachineCode:
    """Compile a kernel for some arguments; kernels that it calls may come from numba's cache.

    The kernel itself may not, since numba drops the object code of loaded functions.
    """
    signature = tuple(numba.typeof(argument) for argument in arguments)
    made = _dispatcher(function, None)
    with _collector_paused():
        made.compile(signature)
    compiled = made.overloads[signature]
    _check_calls(compiled.library)
    _, _, (object_code, _) = compiled.library.serialize_using_object_code()
    return MachineCode(
        symbol=compiled.fndesc.llvm_func_name,
        returned=_returned(compiled.signature.return_type),
        object_code=object_code,
    )


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Collect no garbage: a tenth of the time, and compiling leaves next to none."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _check_calls(library: Any) -> None:
    """Raise `TypeError` for code that calls functions that only numba's process has."""
    missing = sorted(set(_CALLS_OF_NUMBA.findall(library.get_llvm_str())))
    if missing:
        raise TypeError(f"kernels call functions of C alone, not {', '.join(missing)}")


def numba_type(made: Any) -> Any:
    """Return the type that numba gives a kernel."""
    return Dispatcher(made)


def _returned(returned_type: Any) -> str | list[str] | None:
    """Return what `MachineCode` has for numba's type of a result."""
    if isinstance(returned_type, NoneType):
        return None
    if isinstance(returned_type, BaseTuple):
        return [str(_number(member)) for member in returned_type]
    return str(_number(returned_type))


def _number(returned_type: Any) -> str:
    if isinstance(returned_type, Boolean):
        return "bool"
    if isinstance(returned_type, Integer | Float):
        return str(returned_type)
    raise TypeError(f"kernels return numbers and tuples of these, not {returned_type}")
