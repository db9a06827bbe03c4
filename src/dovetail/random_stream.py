"""A stream of random numbers that is the same on every machine and with every version of numpy.

The generator is SplitMix64 (see `kernels.layout`), since numpy does not promise that its generators
produce the same numbers in every version. The state is a counter, so that many words from any
position of the stream can be computed together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import (
    FIRST_FACTOR,
    FIRST_SHIFT,
    LAST_SHIFT,
    MASK,
    SECOND_FACTOR,
    SECOND_SHIFT,
    STEP,
)

WORD_BITS = 64


class RandomStream:
    """Stream of the generator SplitMix64 from a seed.

    The parts of a search get words of the search's stream as their seeds. All seeds have the same
    cycle of words, but the streams of small seeds begin far apart in this cycle.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & MASK

    def word(self) -> int:
        """Return the next 64 random bits."""
        self._state = (self._state + STEP) & MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> FIRST_SHIFT)) * FIRST_FACTOR) & MASK
        mixed = ((mixed ^ (mixed >> SECOND_SHIFT)) * SECOND_FACTOR) & MASK
        return mixed ^ (mixed >> LAST_SHIFT)

    def below(self, bound: int) -> int:
        """Return a uniform number from 0 to bound − 1.

        Large bounds take several words; the first word has the highest bits.
        """
        words = max(1, -((bound - 1).bit_length() // -WORD_BITS))
        limit = 2 ** (WORD_BITS * words)
        limit -= limit % bound
        while (number := self._number(words)) >= limit:
            pass
        return number % bound

    def _number(self, words: int) -> int:
        number = 0
        for _ in range(words):
            number = number << WORD_BITS | self.word()
        return number


def random_words(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """Return `count` words of `RandomStream(seed)`, from the word with index `first` on."""
    begin = np.uint64((seed + (first + 1) * STEP) & MASK)
    mixed = begin + np.arange(count, dtype=np.uint64) * np.uint64(STEP)
    mixed = (mixed ^ (mixed >> np.uint64(FIRST_SHIFT))) * np.uint64(FIRST_FACTOR)
    mixed = (mixed ^ (mixed >> np.uint64(SECOND_SHIFT))) * np.uint64(SECOND_FACTOR)
    return mixed ^ (mixed >> np.uint64(LAST_SHIFT))
