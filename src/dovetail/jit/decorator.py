"""The decorator for kernels, and objects of numba that kernels use."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, update_wrapper
from importlib import import_module
from threading import RLock
from typing import Any, TypeVar, overload

from dovetail.jit.cache import cache_directory, runs_in_numba, source_digest
from dovetail.machine_code import is_on
from dovetail.machine_code.start import (
    ArgumentType,
    MachineCode,
    NativeFunction,
    code_path,
    flatten,
    text_of,
)
from dovetail.machine_code.two_processes import ListedKernel, wait_for_child
from dovetail.platform.system import after_fork

Function = TypeVar("Function", bound=Callable[..., Any])

# True to run kernels as plain Python, for debugging.
_IS_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_loading = RLock()


def _forget_in_fork() -> None:
    """Replace the lock in a forked child, which lacks the thread that may hold the lock."""
    global _loading  # noqa: PLW0603 - a single lock for all kernels
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

    Kernels release the GIL. They take arrays, numbers, None and tuples of these, and return a
    number, a tuple of numbers, or nothing. They create no arrays, and never mix uint64 with int64
    in an expression, which numba would evaluate in float64. With `inline`, the compiler copies the
    function's code into its callers, and keeps no machine code of the function alone.
    """
    if function is None:
        return lambda decorated: Kernel(decorated, inline)
    return Kernel(function, inline)


class Kernel:
    """A function that runs as machine code, through numba, or as plain Python for debugging.

    The function runs through numba if `runs_in_numba` returns True. Raises `TypeError` for a
    function that is not defined at module level.
    """

    def __init__(self, function: Callable[..., Any], inline: bool) -> None:
        if function.__closure__ or "<" in function.__qualname__:
            raise TypeError(f"kernel {function.__qualname__}; expected a module-level function")
        update_wrapper(self, function)
        self._function, self._inline = function, inline
        self._native: dict[tuple[ArgumentType, ...], NativeFunction] = {}

    def __call__(self, *arguments: Any) -> Any:
        if _IS_PLAIN:
            return self._python(*arguments)
        if runs_in_numba():
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
        """Load or compile the machine code for the types of some arguments, without a call."""
        types: list[ArgumentType] = []
        for argument in arguments:
            flatten(argument, types, [])
        self._load(tuple(types), arguments)

    @property
    def _numba_type_(self) -> Any:
        """Numba's type of the kernel, for calls by other kernels."""
        from dovetail.jit.compilation import numba_type

        return numba_type(self._dispatcher)

    @cached_property
    def _python(self) -> Callable[..., Any]:
        """The Python function; `Deferred` objects in its globals have been replaced."""
        load_deferred(self._function)
        return self._function

    @cached_property
    def _dispatcher(self) -> Any:
        from dovetail.jit.compilation import dispatcher

        return dispatcher(self._python, inline=self._inline)

    def _load(self, key: tuple[ArgumentType, ...], arguments: tuple[Any, ...]) -> NativeFunction:
        """Return the machine code for arguments of some types, from the cache or compiled now."""
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
        from dovetail.jit.compilation import compile_kernel

        return compile_kernel(self._python, arguments)


class Deferred:
    """Placeholder in the globals of kernels for an object of a module that imports numba.

    `plain` is used instead of the object if kernels run as plain Python, or if the object belongs
    to a `piece` of hand-written code that is off. `piece` is empty for other objects.
    """

    def __init__(self, module: str, name: str, piece: str, plain: Callable[..., Any]) -> None:
        self._module, self._name, self._piece, self._plain = module, name, piece, plain

    def loaded(self) -> Any:
        """Import the module and return the object, or return `plain` if it replaces the object."""
        if _IS_PLAIN or (self._piece and not is_on(self._piece)):
            return self._plain
        return getattr(import_module(self._module), self._name)


def load_deferred(function: Callable[..., Any]) -> None:
    """Replace each `Deferred` in the globals of a function's module by its object or by `plain`."""
    names = function.__globals__
    for name, value in list(names.items()):
        if isinstance(value, Deferred):
            names[name] = value.loaded()


def _with_item(members: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*members[:index], value, *members[index + 1 :])


tuple_setitem: Any = Deferred("numba.cpython.unsafe.tuple", "tuple_setitem", "", _with_item)
