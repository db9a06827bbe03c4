"""Kernels: the one decorator, and what runs them.

A kernel is compiled by numba once for each combination of argument types. Its machine code is kept
on disk and called through its plain C interface, so that a process whose kernels are all there
never imports numba, which takes longer than many a search.

| module | what is in it |
|---|---|
| `decorator` | `kernel`, and what it makes of a function |
| `deferred` | what kernels use of numba, imported when one is compiled |
| `arguments` | values as machine code takes and returns them |
| `machine_code` | the code kept on disk, and loading it |
| `llvm_code` | code that a program writes for one problem |
| `compilation` | numba: functions to machine code |
| `kernel_list`, `two_processes`, `compiling_child` | lists of kernels, compiled in two processes |
| `cache` | where code is kept, and what may not be mixed with what |
"""

from dovetail.jit.cache import bounds_check, cache_directory, runs_in_numba
from dovetail.jit.decorator import kernel
from dovetail.jit.deferred import Deferred, tuple_setitem
from dovetail.jit.machine_code import CODE_SUFFIX
from dovetail.jit.two_processes import COMPILE_PROCESSES, compiling_in_two

__all__ = [
    "CODE_SUFFIX",
    "COMPILE_PROCESSES",
    "Deferred",
    "bounds_check",
    "cache_directory",
    "compiling_in_two",
    "kernel",
    "runs_in_numba",
    "tuple_setitem",
]
