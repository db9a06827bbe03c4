"""Kernels take few arguments: what belongs together is a NamedTuple, see the `layout` modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import dovetail

SOURCES = Path(dovetail.__file__).parent
MAX_PARAMETERS = 8
# Kernels that keep the flat form, since NamedTuples cost more than 2 %; the figure stands beside
# each in the code.
FLAT: set[str] = set()


def test_kernels_take_at_most_eight_arguments() -> None:
    """Save those that are listed here, each of which still takes more."""
    found = {name: parameters for name, parameters in kernels() if parameters > MAX_PARAMETERS}
    assert found.keys() == FLAT, found


def test_nobody_spreads_a_tuple_over_arguments() -> None:
    """Nor do callers of kernels, nor kernels among themselves."""
    names = {name.rpartition(".")[2] for name, _ in kernels()} | {"_kernel"}
    for path in sorted((SOURCES / "backends").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and any(
                isinstance(one, ast.Starred) for one in node.args
            ):
                called = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
                assert called not in names, f"{path.name}:{node.lineno}"


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
