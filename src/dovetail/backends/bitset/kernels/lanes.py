"""The item with the fewest choices, a block of items at a time.

The sets of options that cover items lie in planes: word 0 of all items, then word 1 of all, and so
on. Items side by side are lanes of a vector, and what is alive is the same word for all of them, so
that nothing is added up across a vector before the very end.

Hand-written code keeps the counts of a block in registers while its words go by.
"""

from typing import Any

import numpy as np

from dovetail.backends.bitset.kernels.layout import LANES
from dovetail.jit import Deferred, kernel
from dovetail.kernels.bits import ones
from dovetail.machine_code import LANES as LANE_CODE
from dovetail.machine_code import sizes

ZERO, ONE = np.uint64(0), np.uint64(1)
NO_ITEM, DEAD = np.int64(sizes.NO_ITEM), np.int64(sizes.DEAD)
LANE_BITS, LANE_MASK = np.int64(sizes.LANE_BITS), np.int64((1 << sizes.LANE_BITS) - 1)


@kernel(inline=True)
def fewest_of_lanes(planes, extent, alive, alive_at, need, need_at, closed):
    """Return the key of the open item with the fewest choices: see `fewest_choices`."""
    stride = extent.blocks * np.uint64(LANES)
    lowest, without = NO_ITEM, ZERO
    for lane in range(stride):
        options = ZERO
        for word in range(extent.words):
            covering = planes[extent.first + word * stride + lane]
            options += ones(covering & alive[alive_at + word])
        choices = np.int64(options)
        if need is not None:
            choices += 1 - max(np.int64(0), need[need_at + lane])
        if choices <= 0:
            without += ONE
        else:
            lowest = min(lowest, choices << LANE_BITS | np.int64(lane))
    return DEAD if without > closed else lowest


fewest_of_blocks: Any = Deferred(
    "dovetail.machine_code.lanes", "fewest_of_blocks", LANE_CODE, fewest_of_lanes
)


@kernel(inline=True)
def fewest_choices(planes, extent, alive, alive_at, need, need_at, closed):
    """Return the key of the open item with the fewest choices, the first of these, as an int64.

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
    planes[extent.first + extent.words * extent.blocks * np.uint64(LANES) - ONE]  # in bounds?
    alive[alive_at + extent.words - ONE]
    return fewest_of_blocks(planes, extent, alive, alive_at, need, need_at, closed)
