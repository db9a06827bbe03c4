"""What kernels use of numba without importing it, until one of them is compiled."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Deferred:
    """Stands in the globals of kernels for what importing a module, and numba with it, brings."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def loaded(self) -> Any:
        """Import the module; returns what this stands for."""
        return getattr(import_module(self._module), self._name)


def load_deferred(function: Callable[..., Any]) -> None:
    """Put what stands for something in the globals of a function's module by what it stands for."""
    names = function.__globals__
    for name, value in list(names.items()):
        if isinstance(value, Deferred):
            names[name] = value.loaded()


tuple_setitem: Any = Deferred("numba.cpython.unsafe.tuple", "tuple_setitem")
