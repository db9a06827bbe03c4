"""A stream of random numbers for kernels, the same as `puzzles.random_stream` from one seed.

SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014. The state is an array of one uint64, at first the seed.
"""

import numpy as np

from dovetail.jit import kernel

ZERO = np.uint64(0)
LARGEST = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
STEP = np.uint64(0x9E37_79B9_7F4A_7C15)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)


@kernel(inline=True)
def word(state):
    """The next 64 random bits."""
    mixed = state[0] + STEP
    state[0] = mixed
    mixed = (mixed ^ (mixed >> FIRST_SHIFT)) * FIRST_FACTOR
    mixed = (mixed ^ (mixed >> SECOND_SHIFT)) * SECOND_FACTOR
    return mixed ^ (mixed >> LAST_SHIFT)


@kernel(inline=True)
def below(state, bound):
    """A uniform number from 0 to `bound` − 1; `bound` is a uint64 from 1 on."""
    last = LARGEST - (ZERO - bound) % bound  # behind it an incomplete run of remainders begins
    drawn = word(state)
    while drawn > last:
        drawn = word(state)
    return drawn % bound
