"""What is compiled into a kernel is in the sources that its cache is named after."""

from __future__ import annotations

import ast
from pathlib import Path

import dovetail

SOURCES = Path(dovetail.__file__).parent
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
