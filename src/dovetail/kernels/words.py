"""Sets as tuples of uint64 words, bit v % 64 of word v // 64.

Their lengths are part of their type, so that loops over them are unrolled and they stay in
registers.
"""

import numpy as np

from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import ones

ZERO = np.uint64(0)


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
    """Return how many bits are set."""
    count = ZERO
    for k in range(len(words)):
        count += ones(words[k])
    return count
