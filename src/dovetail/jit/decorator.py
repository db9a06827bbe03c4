"""The decorator for kernels."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, update_wrapper
from threading import RLock
from typing import Any, TypeVar, overload

from dovetail.jit.cache import cache_directory, runs_in_numba, source_digest
from dovetail.machine_code.arguments import ArgumentType, flatten, text_of
from dovetail.machine_code.start import MachineCode, NativeFunction, code_path
from dovetail.machine_code.two_processes import ListedKernel, wait_for_child
from dovetail.platform.system import after_fork

Function = TypeVar("Function", bound=Callable[..., Any])

_IS_NUMBAS = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # plain Python, to debug
_loading = RLock()


def _forget_in_fork() -> None:
    """Replace the lock after a fork: the thread that holds it is not in the child."""
    global _loading  # noqa: PLW0603 - one for all kernels
    _loading = RLock()


after_fork(_forget_in_fork)


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(*, inline: bool = False) -> Callable[[Function], Function]: ...


def kernel(
    function: Callable[..., Any] | None = None, *, inline: bool = False
) -> Callable[..., Any]:
    """Compile `function` with numba when it is first called, and keep the machine code.

    Kernels release the GIL, take arrays, numbers and tuples of these, return numbers or a tuple of
    them, make no arrays, and never mix uint64 with int64 in one expression (numba would make it
    float64). With `inline` the compiler puts the function's code where it is called; such a helper
    is kept with its callers.
    """
    if function is None:
        return lambda decorated: Kernel(decorated, inline)
    return Kernel(function, inline)


class Kernel:
    """A function that runs as machine code.

    With bounds checking numba runs it, so that errors come as exceptions, and so it does elsewhere
    than on Linux.
    """

    def __init__(self, function: Callable[..., Any], inline: bool) -> None:
        if function.__closure__ or "<" in function.__qualname__:
            raise TypeError(f"{function.__qualname__} is no kernel: expected a module's function")
        update_wrapper(self, function)
        self._function, self._inline = function, inline
        self._native: dict[tuple[ArgumentType, ...], NativeFunction] = {}

    def __call__(self, *arguments: Any) -> Any:
        if _IS_NUMBAS or runs_in_numba():
            return self._dispatcher(*arguments)
        types: list[ArgumentType] = []
        words: list[Any] = []
        for argument in arguments:
            flatten(argument, types, words)
        key = tuple(types)
        native = self._native.get(key)
        if native is None:
            native = self._load(key, arguments)
        return native(words)

    def load(self, arguments: tuple[Any, ...]) -> None:
        """Have the machine code for arguments of the types that these have, without a call."""
        types: list[ArgumentType] = []
        for argument in arguments:
            flatten(argument, types, [])
        self._load(tuple(types), arguments)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes it for where another kernel calls it."""
        from dovetail.jit.compilation import numba_type

        return numba_type(self._dispatcher)

    @cached_property
    def _dispatcher(self) -> Any:
        from dovetail.jit.compilation import dispatcher

        return dispatcher(self._function, inline=self._inline)

    def _load(self, key: tuple[ArgumentType, ...], arguments: tuple[Any, ...]) -> NativeFunction:
        """Return the machine code for arguments of some types: kept, or compiled now."""
        with _loading:
            if key in self._native:
                return self._native[key]
            name = f"{self._function.__module__}.{self._function.__qualname__}"
            directory = cache_directory()
            source = source_digest(self._function.__code__)
            path = None
            if directory is not None and source is not None:
                path = code_path(directory, name, source, text_of(key))
            kept = None if path is None else MachineCode.read(path)
            if kept is None and path is not None:
                wait_for_child(ListedKernel(name, text_of(key)))
                kept = MachineCode.read(path)
            code = self._compiled(arguments) if kept is None else kept
            self._native[key] = code.function(name, key)
            if kept is None and path is not None:
                code.write(path)
            return self._native[key]

    def _compiled(self, arguments: tuple[Any, ...]) -> MachineCode:
        from dovetail.jit.compilation import machine_code

        return machine_code(self._function, arguments)
