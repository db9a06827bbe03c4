"""Sets as bits of uint64 words, for kernels: member v is bit v % 64 of word v // 64."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.word_size import WORD_BITS

WordArray = NDArray[np.uint64]


def words_for(bits: int) -> int:
    """Return the number of words of a set of `bits` members at most, at least 1."""
    return max(1, -(-bits // WORD_BITS))


def bits_of(members: NDArray[np.bool_], words: int) -> WordArray:
    """Return a set of `words` words; `members` may be fewer than its bits."""
    padded = np.zeros(words * WORD_BITS, dtype=bool)
    padded[: len(members)] = members
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def members_of(words: WordArray) -> NDArray[np.int64]:
    """Return the members of a set, ascending."""
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
    return np.flatnonzero(bits)


def zeros(words: int) -> tuple[np.uint64, ...]:
    """Return an empty set as kernels keep it in registers, see `kernels.words`."""
    return (np.uint64(0),) * words
