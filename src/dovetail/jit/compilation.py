"""Compilation of kernels to machine code by numba; imported only when a kernel is compiled."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache
from numba.core.types import Boolean, Dispatcher, Float, Integer
from numba.core.types.containers import BaseTuple
from numba.core.types.misc import NoneType

from dovetail.jit.cache import bounds_check, cache_directory, runs_in_numba, source_digest
from dovetail.machine_code.start import MachineCode

# Calls that machine code may not contain: of numba's helpers and runtime, and of Python.
_CALLS_OF_NUMBA = re.compile(r"call [^@\n]*@((?:numba_|NRT_|Py)\w+)")


def dispatcher(function: Callable[..., Any], *, inline: bool) -> Any:
    """Return numba's dispatcher of a kernel, for calls by other kernels or from Python.

    Python can call the dispatcher only if `runs_in_numba`. Otherwise numba builds no wrapper for
    Python, and no reference counting, since kernels create no arrays.
    """
    is_kept = not inline and source_digest(function.__code__) is not None
    return _dispatcher(function, cache_directory() if is_kept else None, inline=inline)


def _dispatcher(
    function: Callable[..., Any], directory: Path | None, *, inline: bool = False
) -> Any:
    flags = {
        "nogil": True,
        "boundscheck": bounds_check(),
        "forceinline": inline,
        "no_cpython_wrapper": not runs_in_numba(),
        "no_cfunc_wrapper": True,
        "_nrt": runs_in_numba(),  # needed to take arrays from Python and to raise errors
    }
    before = numba.config.CACHE_DIR
    try:
        if directory is not None:
            numba.config.CACHE_DIR = str(directory)  # numba reads it only while it decorates
        made = numba.njit(**flags)(function)
        if directory is not None:
            made._cache = _KernelCache(function)
        return made
    finally:
        numba.config.CACHE_DIR = before


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a kernel, without errors: the kernel is compiled again, or not kept."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types; None if it is missing or damaged, or of other types.

        Two processes that write at once can leave the code of the one under the types of the other.
        """
        with suppress(Exception):  # pickle may raise any exception for invalid bytes
            kept = super().load_overload(sig, target_context)
            if kept is None or kept.signature.args == sig:
                return kept
        with suppress(OSError):
            self.flush()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for some types; do nothing if it cannot be written."""
        with suppress(Exception):
            super().save_overload(sig, data)


def compile_kernel(function: Callable[..., Any], arguments: tuple[Any, ...]) -> MachineCode:
    """Compile a kernel for the types of some arguments.

    Kernels that the kernel calls may come from numba's cache. The kernel itself may not, since
    numba drops the object code of functions that it loads from its cache. Raises `TypeError` for a
    kernel that calls functions of numba or Python, and for a kernel that returns anything other
    than None, a number or a tuple of numbers.
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
    """Pause the garbage collector, which costs time although compilation leaves little garbage."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _check_calls(library: Any) -> None:
    """Raise `TypeError` for code that calls functions of numba or Python."""
    missing = sorted(set(_CALLS_OF_NUMBA.findall(library.get_llvm_str())))
    if missing:
        raise TypeError(f"a kernel calls {', '.join(missing)}; expected only functions of C")


def numba_type(made: Any) -> Any:
    """Return numba's type of a kernel, given its dispatcher."""
    return Dispatcher(made)


def _returned(returned_type: Any) -> str | list[str] | None:
    """Return the value of `MachineCode.returned` for numba's type of a result."""
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
    raise TypeError(f"a kernel returns {returned_type}; expected a number or a tuple of numbers")
