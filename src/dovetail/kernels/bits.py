"""Bits of 64-bit words, as single machine instructions.

Intrinsics, since a de Bruijn multiplication costs 18 % of a FILA search and a loop over bits
81 %. They do not run with the JIT switched off: tests use twins in plain Python.
"""

from typing import Any

import numpy as np

from dovetail.jit import Deferred, kernel
from dovetail.kernels.lanes import LANES

INSTRUCTIONS = "dovetail.kernels.instructions"

trailing_zeros: Any = Deferred(INSTRUCTIONS, "trailing_zeros")
leading_zeros: Any = Deferred(INSTRUCTIONS, "leading_zeros")
ones: Any = Deferred(INSTRUCTIONS, "ones")
disjoint_vectors: Any = Deferred(INSTRUCTIONS, "disjoint_vectors")


@kernel(inline=True)
def disjoint_lanes(masks, at, stride, board):
    """Which of eight masks have no bit in common with `board`, as bits 0 to 7.

    `board` is a tuple of uint64 words. The first words of the masks are `masks[at : at + 8]`,
    their second words lie `stride` further on, and so on.
    """
    masks[at + np.uint64(len(board) - 1) * stride + np.uint64(LANES - 1)]  # in bounds?
    return disjoint_vectors(masks, at, stride, board)
