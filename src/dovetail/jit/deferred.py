"""Objects of numba for kernels, imported when a kernel is compiled."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from dovetail.machine_code import is_on


class Deferred:
    """Stands in the globals of kernels for an object of a module that imports numba.

    Where the object is a `piece` of hand-written code that is off, the kernel `plain` is used.
    """

    def __init__(self, module: str, name: str, piece: str = "", plain: Any = None) -> None:
        self._module, self._name, self._piece, self._plain = module, name, piece, plain

    def loaded(self) -> Any:
        """Import the module and return the object, or return the kernel in its place."""
        if self._piece and not is_on(self._piece):
            return self._plain
        return getattr(import_module(self._module), self._name)


def load_deferred(function: Callable[..., Any]) -> None:
    """Replace each `Deferred` in the globals of a function's module by its object."""
    names = function.__globals__
    for name, value in list(names.items()):
        if isinstance(value, Deferred):
            names[name] = value.loaded()


tuple_setitem: Any = Deferred("numba.cpython.unsafe.tuple", "tuple_setitem")
