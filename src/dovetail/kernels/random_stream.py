"""A stream of random numbers for kernels, equal to a `RandomStream` with the same seed.

The generator is SplitMix64 (see `kernels.layout`). The state is an array of one uint64, which is
the seed at first.
"""

import numpy as np

from dovetail.jit import kernel
from dovetail.kernels import layout

ZERO, ONE = np.uint64(0), np.uint64(1)
LARGEST, STEP = np.uint64(layout.MASK), np.uint64(layout.STEP)
FIRST_FACTOR, SECOND_FACTOR = (
    np.uint64(factor) for factor in (layout.FIRST_FACTOR, layout.SECOND_FACTOR)
)
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = (
    np.uint64(shift) for shift in (layout.FIRST_SHIFT, layout.SECOND_SHIFT, layout.LAST_SHIFT)
)


@kernel(inline=True)
def word(state):
    """Return the next 64 random bits."""
    state[0] += STEP
    return mixed(state[0])


@kernel(inline=True)
def mixed(bits):
    """Return 64 bits that look random but depend only on `bits`, a uint64."""
    bits = (bits ^ (bits >> FIRST_SHIFT)) * FIRST_FACTOR
    bits = (bits ^ (bits >> SECOND_SHIFT)) * SECOND_FACTOR
    return bits ^ (bits >> LAST_SHIFT)


@kernel(inline=True)
def below(state, bound):
    """Return a uniform number from 0 to `bound` − 1; `bound` is a uint64 of at least 1."""
    last = LARGEST - (ZERO - bound) % bound  # beyond it, not all remainders are equally frequent
    drawn = word(state)
    while drawn > last:
        drawn = word(state)
    return drawn % bound
