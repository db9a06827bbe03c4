"""Bits of 64-bit words. LLVM compiles `ones` to one instruction, as numba does the others."""

from typing import Any

import numpy as np

from dovetail.jit import Deferred, kernel
from dovetail.kernels.lanes import LANES
from dovetail.machine_code import VECTORS

ZERO, ONE = np.uint64(0), np.uint64(1)
PAIRS, FOURS, EIGHTS, BYTES = (
    np.uint64(int(digits * 8, 16)) for digits in ("55", "33", "0F", "01")
)


# The number of the lowest bit set in a uint64 that is not 0, and of bits above the highest.
trailing_zeros: Any = Deferred("numba.cpython.unsafe.numbers", "trailing_zeros")
leading_zeros: Any = Deferred("numba.cpython.unsafe.numbers", "leading_zeros")


@kernel(inline=True)
def ones(word):
    """Return the number of bits set in a uint64: H. S. Warren, "Hacker's Delight", 5-1."""
    word = word - (word >> ONE & PAIRS)
    word = (word & FOURS) + (word >> np.uint64(2) & FOURS)
    word = (word + (word >> np.uint64(4))) & EIGHTS
    return word * BYTES >> np.uint64(56)


@kernel(inline=True)
def plain_disjoint(masks, at, stride, board):
    """Return which of eight masks have no bit in common with `board`: see `disjoint_lanes`."""
    disjoint = ZERO
    for lane in range(LANES):
        common = ZERO
        for word in range(len(board)):
            common |= masks[at + np.uint64(word) * stride + np.uint64(lane)] & board[word]
        disjoint |= np.uint64(common == ZERO) << np.uint64(lane)
    return disjoint


disjoint_vectors: Any = Deferred(
    "dovetail.machine_code.vectors", "disjoint_vectors", VECTORS, plain_disjoint
)


@kernel(inline=True)
def disjoint_lanes(masks, at, stride, board):
    """Return which of eight masks have no bit in common with `board`, as bits 0 to 7.

    `board` is a tuple of uint64 words. The first words of the masks are `masks[at : at + 8]`,
    their second words lie `stride` further on, and so on.
    """
    masks[at + np.uint64(len(board) - 1) * stride + np.uint64(LANES - 1)]  # in bounds?
    return disjoint_vectors(masks, at, stride, board)
