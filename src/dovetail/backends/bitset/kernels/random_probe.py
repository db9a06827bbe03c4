"""Random descents from the root to the end of a branch, where all items are covered once.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
Computation 29, 1975.
"""

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.bitset.kernels.frames import LANES, ONE, SIX, ZERO
from dovetail.backends.bitset.kernels.lanes import fewest_choices
from dovetail.backends.bitset.kernels.layout import (
    BLOCKS,
    PLANES,
    TABLE,
    WORDS,
    Extent,
    Frames,
    Rows,
)
from dovetail.backends.bitset.kernels.search import DEAD, LANE_BITS, LANE_MASK, NO_ITEM
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.random_stream import below


@kernel(inline=True)
def numbered_option(number, alive, alive_at, planes, lane_at, stride, words):
    """The option alive, counted from 0, that covers the item of a lane; there are more of them."""
    option = ZERO
    for word in range(words):
        bits = alive[alive_at + word] & planes[lane_at + word * stride]
        here = ones(bits)
        if number < here:
            for _ in range(number):
                bits &= bits - ONE
            option = (word << SIX) + trailing_zeros(bits)
            break
        number -= here
    return option


@kernel
def random_probe(
    rows: Rows,
    frames: Frames,
    alive: NDArray[np.uint64],
    closed: np.uint64,
    random: NDArray[np.uint64],
    sizes: NDArray[np.float64],
) -> np.uint64:
    """Write an estimate of the tree's nodes for each descent into `sizes`; returns nodes made.

    `rows` and `frames` are the `Rows` and `Frames` of `layout`. `alive` is that of the `Stack` at
    the root, where so many lanes are `closed`; a set of as many words behind it is scratch.
    `random` is the state of a random stream, `sizes` (descents,) float64. A descent takes a random
    branch at each node, and stands for as many nodes as there would be if all branches were like
    it.
    """
    planes, table = frames.planes, frames.table
    words, blocks = frames.frames[WORDS], frames.frames[BLOCKS]
    first, stride, made = frames.frames[PLANES], blocks * LANES, ZERO
    extent = Extent(first, words, blocks)
    for descent in range(len(sizes)):
        for word in range(words):
            alive[words + word] = alive[word]
        size, weight, closed_here = 0.0, 1.0, closed
        while True:
            key = fewest_choices(planes, extent, alive, words, None, ZERO, closed_here)
            if key in (DEAD, NO_ITEM):
                break
            width, lane = np.uint64(key >> LANE_BITS), np.uint64(key & LANE_MASK)
            weight *= width
            size += weight
            made += ONE
            taken = numbered_option(
                below(random, width), alive, words, planes, first + lane, stride, words
            )
            compatible = frames.frames[TABLE] + taken * words
            for word in range(words):
                alive[words + word] &= table[compatible + word]
            closed_here += np.uint64(rows.closes[taken])
        sizes[descent] = size
    return made
