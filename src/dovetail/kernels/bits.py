"""Sets as bits of uint64 words: member v is bit v % 64 of word v // 64.

Kernels also take tuples of words. The length of a tuple is part of its type, so that loops over the
tuple are unrolled and the words stay in registers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import Deferred, kernel, tuple_setitem
from dovetail.kernels.layout import WORD_BITS
from dovetail.machine_code import VECTORS
from dovetail.machine_code.layout import LANES

ZERO, ONE = np.uint64(0), np.uint64(1)
PAIRS, FOURS, EIGHTS, BYTES = (
    np.uint64(int(digits * 8, 16)) for digits in ("55", "33", "0F", "01")
)


def _lowest_bit(word: np.uint64) -> np.uint64:
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def _bits_above(word: np.uint64) -> np.uint64:
    return np.uint64(WORD_BITS - int(word).bit_length())


# Functions of a uint64 that is not 0: the number of its lowest set bit, counted from 0, and the
# number of bits above its highest set bit.
NUMBERS = "numba.cpython.unsafe.numbers"
trailing_zeros: Any = Deferred(NUMBERS, "trailing_zeros", "", _lowest_bit)
leading_zeros: Any = Deferred(NUMBERS, "leading_zeros", "", _bits_above)


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
    masks[at + np.uint64(len(board) - 1) * stride + np.uint64(LANES - 1)]  # the read checks bounds
    return disjoint_vectors(masks, at, stride, board)


@kernel(inline=True)
def loaded(words, array, begin):
    """Return the words of `array` from `begin` on, as many as in `words`."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, array[begin + np.uint64(k)])
    return words


@kernel(inline=True)
def keep(words, array, begin):
    """Write words into `array` from `begin` on."""
    for k in range(len(words)):
        array[begin + np.uint64(k)] = words[k]


@kernel(inline=True)
def size(words):
    """Return the number of bits set in a tuple of words."""
    count = ZERO
    for k in range(len(words)):
        count += ones(words[k])
    return count


WordArray = NDArray[np.uint64]
WORDS_PER_CACHE_LINE = 8


def words_for(bits: int) -> int:
    """Return the number of words for sets of up to `bits` members, at least 1."""
    return max(1, -(-bits // WORD_BITS))


def bits_of(members: NDArray[np.bool_], words: int) -> WordArray:
    """Return sets of `words` words; `members` has the flags of a set's members in its last axis.

    Members without a flag are not in the set.
    """
    padded = np.zeros((*members.shape[:-1], words * WORD_BITS), dtype=bool)
    padded[..., : members.shape[-1]] = members
    packed: WordArray = np.packbits(padded, axis=-1, bitorder="little").view("<u8")
    return packed.astype(np.uint64)


def members_of(words: WordArray) -> NDArray[np.int64]:
    """Return the members of a set, ascending."""
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
    return np.flatnonzero(bits)


def aligned(words: int) -> WordArray:
    """Return an uninitialised array that begins at a cache line, so that vectors are aligned."""
    words_and_line = np.empty(words + WORDS_PER_CACHE_LINE, dtype=np.uint64)
    skip = -(words_and_line.ctypes.data // 8) % WORDS_PER_CACHE_LINE
    return words_and_line[skip : skip + words]


def zeros(words: int) -> tuple[np.uint64, ...]:
    """Return an empty set as a tuple of words."""
    return (np.uint64(0),) * words
