"""Kernels: the decorator, and the modules that compile and keep machine code.

A kernel is compiled by numba once for each combination of argument types. Its machine code is kept
on disk and, unless `runs_in_numba` returns True, called through its plain C interface. Then a
process whose kernels are all on disk never imports numba, which takes longer than many searches.

| module | contents |
|---|---|
| `decorator` | `kernel`, the callable that it returns, and `Deferred` objects of numba |
| `compilation` | compilation of functions to machine code, by numba |
| `cache` | the directory of compiled code, and digests of sources |

`dovetail.machine_code` loads and calls machine code, and shares compilation with a child process.
"""

from dovetail.jit.cache import bounds_check, cache_directory, runs_in_numba
from dovetail.jit.decorator import Deferred, kernel, tuple_setitem
from dovetail.machine_code.start import CODE_SUFFIX
from dovetail.machine_code.two_processes import COMPILE_PROCESSES, compiling_in_two

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
