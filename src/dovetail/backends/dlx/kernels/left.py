"""What the matrix still holds when options have been taken."""

import numpy as np

from dovetail.backends.dlx.kernels.links import (
    DOWN,
    ITEM,
    ONE,
    SPACER,
    STEP,
    TWO,
    ZERO,
    is_open,
)
from dovetail.jit import kernel


@kernel
def options_left(matrix, first, left):
    """Write the options of open items from `first` on into `left`; returns how many.

    `matrix` is the `Links` of `layout`, `left` (options,) int32.
    Each is written once, for the last such item of its members, in no order: where every
    option has one item from `first` on, as a placement has its shape, nothing is passed twice.
    """
    links, option, active = matrix.links, matrix.option, matrix.active
    count = ZERO
    for item in range(first, np.uint64(len(matrix.capacity))):
        if not is_open(item, active):
            continue
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            if not has_later(row, links, active, first):
                left[count] = option[row >> TWO]
                count += ONE
            row = np.uint64(links[row + DOWN])
    return count


@kernel(inline=True)
def has_later(node, links, active, first):
    """Whether an open item from `first` on is among the members of an option behind `node`."""
    for other in range(node + STEP, np.uint64(links[node + SPACER]), STEP):
        item = np.uint64(links[other + ITEM])
        if item >= first and is_open(item, active):
            return True
    return False
