"""Bits of 64-bit words, as single machine instructions.

Intrinsics, since a de Bruijn multiplication costs 18 % of a FILA search and a loop over bits
81 %. They do not run with the JIT switched off: tests use twins in plain Python.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context, word):
    """The number of the lowest bit set in a uint64 that is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate
