"""Messages of functions: a caller in Python has parameters, and no options of the command."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dovetail

PACKAGE = Path(dovetail.__file__).parent
ROOMS = ("backends", "harness", "improvers", "models", "puzzles")
# For the command and for its users: `uniform=False (--not-uniform)` names both.
OPTION = re.compile(r"(?<![\w(-])--[a-z][a-z-]*")
# Arguments of other programs, and a whole command of ours.
OTHERS = re.compile(
    r"--(models|configuration|seed)=|--(porcelain|solver|all-solutions|statistics|version)$"
)
# They write arguments of commands.
MODULES = ("benchexec_files.py", "slurm.py")
COMMANDS = re.compile(r"(dovetail|pytest)[`: \w]* --")


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module with an option that are no docstrings, with their lines."""
    source = path.read_text()
    nodes = list(ast.walk(ast.parse(source))) if OPTION.search(source) else []
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield node.lineno, str(node.value)


def test_no_option_of_the_command_alone() -> None:
    """It stands behind its parameter, in brackets."""
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for room in ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
        if path.parent.name != "pytest_plugin" and path.name not in MODULES
        for line, text in texts(path)
        if OPTION.search(text) and not OTHERS.search(text) and not COMMANDS.search(text)
    ]
    assert found == []
