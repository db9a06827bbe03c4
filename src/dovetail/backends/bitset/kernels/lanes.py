"""The item with the fewest choices, a block of items at a time.

The sets of options that cover items lie in planes: word 0 of all items, then word 1 of all, and so
on. Items side by side are lanes of a vector, and what is alive is the same word for all of them, so
that nothing is added up across a vector before the very end.

An intrinsic, since the counts of a block have to stay in registers while its words go by. It does
not run with the JIT switched off: tests use a twin in plain Python.
"""

from typing import Any

import numpy as np

from dovetail.backends.bitset.kernels.layout import LANES
from dovetail.jit import Deferred, kernel

LANE_BITS = 32  # of a key, below the number of choices
NO_ITEM = 1 << 62
DEAD = -1

fewest_of_blocks: Any = Deferred("dovetail.backends.bitset.kernels.lane_code", "fewest_of_blocks")


@kernel(inline=True)
def fewest_choices(planes, extent, alive, alive_at, need, need_at, closed):
    """The key of the open item with the fewest choices, the first of these, as an int64.

    A key is the number of choices · 2**32 + the lane; `NO_ITEM` when no item is open. The result
    is `DEAD` where more than `closed` lanes have no choice, so that one of them is an open item's.

    The `Extent` of a frame has the `first`, `words` and `blocks` of its planes:
    `planes[first + (w · blocks + b) · LANES + l]` is word w of the options that cover the item in
    lane b · LANES + l, `alive[alive_at + w]` of those that may still be taken. Where all items are
    covered exactly once, `need` is None and an item has as many choices as it has options alive.
    Otherwise `need[need_at + lane]`, int64, is how many more an item needs, and its choices are
    options + 1 − max(0, need): which option to take first, or none. All arrays but `need` are
    uint64.
    """
    at, words, blocks = extent.first, extent.words, extent.blocks
    planes[at + words * blocks * np.uint64(LANES) - np.uint64(1)]  # in bounds?
    alive[alive_at + words - np.uint64(1)]
    return fewest_of_blocks(planes, at, words, blocks, alive, alive_at, need, need_at, closed)
