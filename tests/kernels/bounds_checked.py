"""A program that runs searches with bounds checks, and prints the kernels that these executed.

`python bounds_checked.py NAME...` calls functions of `bounds_searches`. Kernels are plain Python,
whose arrays check their indices, or compiled with bounds checks, as the environment says.
"""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import patch

import numpy as np

from dovetail.jit import decorator, kernel

executed = set[str]()  # kernels as `module.name`; compiled ones are called by other kernels unseen
call = decorator.Kernel.__call__


def marked(function: Any, *arguments: Any) -> Any:
    """Call a kernel, which is marked as executed."""
    executed.add(f"{function.__module__}.{function.__qualname__}")
    return call(function, *arguments)


@kernel
def read(array: Any, index: Any) -> Any:
    """A canary."""
    return array[index]


@kernel
def write(array: Any, index: Any) -> None:
    """A canary."""
    array[index] = 0


def check_canaries() -> None:
    """Raise `AssertionError` unless indices are checked."""
    for canary in (read, write):
        for index in (3, np.uint64(3), np.uint64(2**63)):
            try:
                canary(np.zeros(3), index)
            except (IndexError, OverflowError):  # numpy cannot take 2**63
                continue
            raise AssertionError(f"{canary.__name__} of [{index}] raises no IndexError")


def main() -> None:
    """Run the searches that the arguments name."""
    with patch.object(decorator.Kernel, "__call__", marked):
        check_canaries()
        from kernels import bounds_searches

        for name in sys.argv[1:]:
            getattr(bounds_searches, name)()
    sys.stdout.write("\n".join(sorted(executed)))


if __name__ == "__main__":
    main()
