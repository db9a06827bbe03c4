"""Sets as bits of uint64 words, for kernels: member v is bit v % 64 of word v // 64."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.word_size import WORD_BITS

WordArray = NDArray[np.uint64]


def words_for(bits: int) -> int:
    """Return how many words a set of this many takes, one at least."""
    return max(1, -(-bits // WORD_BITS))


def bits_of(members: NDArray[np.bool_], words: int) -> WordArray:
    """Return a set of this many words; `members` may be fewer than its bits."""
    padded = np.zeros(words * WORD_BITS, dtype=bool)
    padded[: len(members)] = members
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)
