"""Listing the options that are alive, as words of items, for `list_search`."""

import numpy as np

from dovetail.backends.bitset.kernels.frames import ONE, SIX, ZERO
from dovetail.backends.bitset.kernels.item_masks import PAIR, in_pairs, keep_covering
from dovetail.backends.bitset.kernels.layout import (
    BRANCHES_AT,
    CHECKED,
    FRAME_SIZE,
    LIST_AT,
    LIST_SIZE,
    LISTED,
    LISTS,
    NAMED,
    NAMES,
    OPEN,
    PAIRS,
    VIABLE,
    WORDS,
)
from dovetail.backends.bitset.kernels.list_search import NOTHING
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros


@kernel
def list_options(level, lane, frame, rows, frames, stack, lists):
    """List the options alive on a level that branches on the item in a lane of a frame.

    At most 64 items are left. `rows`, `frames`, `stack` and `lists` are as in `search.search`.
    """
    masks, levels, items = lists.masks, lists.levels, np.uint64(len(rows.once))
    count = name_options(level, frame, frames, stack, lists)
    open_items = number_items(count, rows, lists)
    fill_masks(count, rows, lists)
    pairs = in_pairs(count)
    for k in range(count, pairs * PAIR):
        masks[k] = NOTHING
    item = lists.bits[frames.item_of[frame * items + lane]]
    keep_covering(masks, ZERO, pairs, item, pairs * PAIR)
    record, below = level * LIST_SIZE, np.uint64(len(levels))
    levels[record + LIST_AT], levels[record + PAIRS] = ZERO, pairs
    levels[record + BRANCHES_AT], levels[record + OPEN] = pairs * PAIR, open_items
    levels[record + CHECKED] = levels[record + VIABLE] = ZERO
    for row in range(record, below, LIST_SIZE):
        levels[row + NAMED] = ZERO
    stack.state[LISTED] = level
    stack.state[LISTS] += ONE


@kernel(inline=True)
def name_options(level, frame, frames, stack, lists):
    """Write the options alive on a level into `lists.names`; return the number of options."""
    this = frame * FRAME_SIZE
    first, words = frames.frames[this + NAMES], frames.frames[this + WORDS]
    alive, alive_at, count = stack.alive, level * stack.words, ZERO
    for word in range(words):
        bits = alive[alive_at + word]
        while bits:
            lists.names[count] = frames.names[first + (word << SIX) + trailing_zeros(bits)]
            count += ONE
            bits &= bits - ONE
    return count


@kernel(inline=True)
def number_items(count, rows, lists):
    """Assign a bit to each item of the listed options; return the bits of primary items."""
    bits, mark_start, mark = lists.bits, rows.mark_start, rows.mark
    bits[:] = 0
    for k in range(count):
        option = np.uint64(lists.names[k])
        for m in range(np.uint64(mark_start[option]), np.uint64(mark_start[option + ONE])):
            bits[np.uint64(mark[m])] = ONE
    bit, primary, open_items = ONE, np.uint64(len(rows.once)), ZERO
    for item in range(np.uint64(len(bits))):
        if bits[item]:
            bits[item] = bit
            open_items |= bit if item < primary else ZERO
            bit <<= ONE
    return open_items


@kernel(inline=True)
def fill_masks(count, rows, lists):
    """Write the listed options into `lists.masks` as words of items."""
    bits, mark_start, mark = lists.bits, rows.mark_start, rows.mark
    for k in range(count):
        option, items = np.uint64(lists.names[k]), ZERO
        for m in range(np.uint64(mark_start[option]), np.uint64(mark_start[option + ONE])):
            items |= bits[np.uint64(mark[m])]
        lists.masks[k] = items
