"""Kernels take few arguments: what belongs together is a NamedTuple, see the `layout` modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import dovetail

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
