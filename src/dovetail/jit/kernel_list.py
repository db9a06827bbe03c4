"""Lists of kernels, with what they are compiled for, that a backend needs from cold.

A line has a kernel's name and the types of its arguments as `arguments.text_of` writes them, the
kernel that takes longest to compile first.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from dovetail.jit.arguments import examples_of


class ListedKernel(NamedTuple):
    """A kernel by its module and name, and the types of its arguments as text."""

    name: str
    types: str

    def load(self) -> None:
        """Compile it unless its machine code is kept already.

        Raises whatever a name or types that are out of date lead to.
        """
        module, _, function = self.name.rpartition(".")
        getattr(import_module(module), function).load(examples_of(self.types))

    def __str__(self) -> str:
        return f"{self.name} {self.types}"

    @classmethod
    def of_line(cls, line: str) -> ListedKernel:
        """Return what a line is about."""
        name, _, types = line.strip().partition(" ")
        return cls(name, types)


def read_kernel_list(path: Path) -> list[ListedKernel]:
    """Read a list; raises `OSError` where there is none."""
    return [ListedKernel.of_line(line) for line in path.read_text(encoding="utf-8").splitlines()]
