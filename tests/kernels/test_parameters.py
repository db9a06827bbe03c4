"""Kernels: few arguments, no constants from elsewhere, and the random stream of plain Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dovetail
from dovetail.kernels import random_stream
from dovetail.random_stream import RandomStream

SOURCES = Path(dovetail.__file__).parent
MAX_PARAMETERS = 8


def test_kernels_take_at_most_eight_arguments() -> None:
    """More cost time at each call; structures take the place of several."""
    assert not [name for name, parameters in kernels() if parameters > MAX_PARAMETERS]


def kernels() -> Iterator[tuple[str, int]]:
    """Yield every function that is compiled, as `module.name`, with its number of parameters."""
    names = 0
    for path in sorted(SOURCES.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "@kernel" in text else ():
            if isinstance(node, ast.FunctionDef) and any(map(_is_kernel, node.decorator_list)):
                names += 1
                taken = node.args
                count = len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs)
                yield f"{module}.{node.name}", count
    assert names > 100, "kernels are not found by their decorator any more"


def _is_kernel(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(function, ast.Name) and function.id == "kernel"


OUTSIDE = {"__future__", "collections", "enum", "llvmlite", "numba", "numpy", "typing"}


def test_kernels_import_only_kernels() -> None:
    """A constant from elsewhere could change, and what was compiled with it would be kept."""
    strange = {
        f"{path.relative_to(SOURCES)}: {module}"
        for path in SOURCES.rglob("kernels/*.py")
        for module in imported(ast.parse(path.read_text()))
        if module.split(".")[0] not in OUTSIDE
        and module != "dovetail.jit"
        and not module.startswith("dovetail.machine_code")
        and "kernels" not in module.split(".")
    }
    assert not strange


def imported(tree: ast.Module) -> list[str]:
    """The names of the modules that a module imports, `TYPE_CHECKING` included."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return names


compiled: Any = random_stream  # their types are numba's


@given(st.integers(0, 2**64 - 1))
def test_words_are_the_same(seed: int) -> None:
    """From any seed."""
    state, twin = np.array([seed], dtype=np.uint64), RandomStream(seed)
    for _ in range(10):
        assert compiled.word(state) == twin.word()


@pytest.mark.parametrize("bound", [1, 2, 3, 1000, 2**63, 2**63 + 1, 2**64 - 1])
def test_bounded_numbers_are_the_same(bound: int) -> None:
    """Also where about half of the words have to be drawn again."""
    state, twin = np.array([5], dtype=np.uint64), RandomStream(5)
    for _ in range(100):
        assert compiled.below(state, np.uint64(bound)) == twin.below(bound)
