"""Random numbers for choices where an error of 2^-32 does not matter: no division is needed."""

import numpy as np

from dovetail.jit import kernel
from dovetail.kernels.random_stream import word

HALF = np.uint64(32)


@kernel(inline=True)
def draw(random, bound):
    """A number from 0 to `bound` − 1, which is below 2^32; `random` (1,) is uint64."""
    return np.int64(((word(random) >> HALF) * np.uint64(bound)) >> HALF)


@kernel
def shuffle(random, entries, count):
    """Put the first entries into a random order."""
    for number in range(count - 1, 0, -1):
        other = draw(random, number + 1)
        kept = entries[number]
        entries[number] = entries[other]
        entries[other] = kept
