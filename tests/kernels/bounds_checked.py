"""A program that runs searches with bounds checks, and prints the kernels that these executed.

`python bounds_checked.py NAME...` calls functions of `bounds_searches`. Each kernel marks in memory
that it was entered, so that kernels which are compiled and never executed are not printed.
"""

from __future__ import annotations

import gc
import sys
from typing import Any
from unittest.mock import patch

import numpy as np
from llvmlite import ir
from numba.core.lowering import Lower

from dovetail.jit import bounds_check, compilation, kernel

MAX_FUNCTIONS = 10_000
entered = np.zeros(MAX_FUNCTIONS, dtype=np.uint8)
names = list[str]()  # of compiled functions, a kernel once for each of its signatures

lower_start = Lower.pre_lower


def lower_mark(self: Any) -> None:
    """Begin a function with a store that marks it as entered."""
    lower_start(self)
    address = ir.Constant(ir.IntType(64), entered.ctypes.data + len(names))
    self.builder.store(ir.IntType(8)(1), address.inttoptr(ir.IntType(8).as_pointer()))
    names.append(f"{self.func_ir.func_id.modname}.{self.func_ir.func_id.func_qualname}")


@kernel
def read(array: Any, index: Any) -> Any:
    """A canary."""
    return array[index]


@kernel
def write(array: Any, index: Any) -> None:
    """A canary."""
    array[index] = 0


def check_canaries() -> None:
    """Raise `AssertionError` unless indices are checked, and functions marked when they run."""
    assert bounds_check()
    for canary in (read, write):
        for index in (3, np.uint64(3), np.uint64(2**63)):
            try:
                canary(np.zeros(3), index)
            except IndexError:
                continue
            raise AssertionError(f"{canary.__name__} of [{index}] raises no IndexError")
    assert executed() == {f"{__name__}.read", f"{__name__}.write"}


def executed() -> set[str]:
    """The functions that have been executed."""
    return {name for name, mark in zip(names, entered, strict=False) if mark}


def main() -> None:
    """Run the searches that the arguments name."""
    gc.set_threshold(100_000)  # compiling leaves little garbage
    with (
        patch.object(Lower, "pre_lower", lower_mark),
        # No code is kept or taken from a cache: a mark is an address in this process.
        patch.object(compilation, "cache_directory", lambda: None),
    ):
        check_canaries()
        from kernels import bounds_searches

        for name in sys.argv[1:]:
            getattr(bounds_searches, name)()
    sys.stdout.write("\n".join(sorted(executed())))


if __name__ == "__main__":
    main()
