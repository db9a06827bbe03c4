"""Taking an option: counting it for its items, clearing what contradicts it; and taking it back.

Clearing stops as soon as an open item that the next choice looks at has lost its last choice
(heuristics that pick cells do not notice a piece that has). The option is a node all the same, so
that node counts are those of the plain algorithm.
"""

import numpy as np

from dovetail.backends.dlx.kernels.links import (
    DOWN,
    ITEM,
    ONE,
    SIX,
    SPACER,
    STEP,
    TWO,
    UP,
    ZERO,
    relink_option,
    unhide_column,
    unlink_option,
)
from dovetail.jit import kernel


@kernel(inline=True)
def toggle(item, active, bit):
    """Open or close a primary item; does nothing to a secondary one."""
    active[item >> SIX] ^= bit[item]


@kernel(inline=True)
def use_capacity(item, choices, base, capacity, slack):
    """Count one more option for an item; True if it can take another after it."""
    left = np.uint64(capacity[item]) - ONE
    capacity[item] = left
    if left >= slack[item]:  # one less is needed
        choices[base + item] += 1
    return left > ZERO


@kernel(inline=True)
def book_members(node, matrix, choices, base):
    """Count `node`'s option for its other items, and close those that are full."""
    links, colour, capacity, slack = matrix.links, matrix.colour, matrix.capacity, matrix.slack
    bit, active = matrix.bit, matrix.active
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    for other in range(first, end, STEP):
        if other != node and colour[other >> TWO] == 0:
            item = np.uint64(links[other + ITEM])
            if not use_capacity(item, choices, base, capacity, slack):
                toggle(item, active, bit)


@kernel(inline=True)
def unbook_members(node, links, colour, capacity, active, bit):
    """Undo `book_members`."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    for other in range(first, end, STEP):
        if other != node and colour[other >> TWO] == 0:
            item = np.uint64(links[other + ITEM])
            if capacity[item] == 0:
                toggle(item, active, bit)
            capacity[item] += ONE


@kernel(inline=True)
def clear_members(node, mark, matrix, choices, base, guarded_items):
    """Take out every option that contradicts `node`'s.

    Of a full item, all options; of a secondary item that gets its colour here (`mark` is 1 +
    the level), those of other colours. Returns (member, row, passed): where it stopped
    because an open item below `guarded_items` lost its last choice, (end, end) if it did not, and
    the nodes passed.
    """
    links, colour, capacity = matrix.links, matrix.colour, matrix.capacity
    painted, active = matrix.painted, matrix.active
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    passed = ONE
    for other in range(first, end, STEP):
        item = np.uint64(links[other + ITEM])
        hue = colour[other >> TWO]
        if other == node or (capacity[item] != 0 if hue == 0 else painted[item] != 0):
            continue
        if hue != 0:
            painted[item] = mark
        header = item << TWO
        row = np.uint64(links[header + DOWN])
        while row != header:
            passed += ONE
            if hue == 0 or colour[row >> TWO] != hue:
                lost = unlink_option(row, links, choices, base, active)
                if lost < guarded_items:
                    return other, row, passed
            row = np.uint64(links[row + DOWN])
    return end, end, passed


@kernel(inline=True)
def restore_members(node, mark, member, row, links, colour, capacity, painted):
    """Undo `clear_members`, which stopped at `row` of `member`, or passed all (end, end)."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    other = member
    if member == end:
        other -= STEP
        row = np.uint64(links[(np.uint64(links[other + ITEM]) << TWO) + UP])
    while other >= first:
        item = np.uint64(links[other + ITEM])
        hue = colour[other >> TWO]
        if other != node and (capacity[item] == 0 if hue == 0 else painted[item] == mark):
            header = item << TWO
            while row != header:
                if hue == 0 or colour[row >> TWO] != hue:
                    relink_option(row, links)
                row = np.uint64(links[row + UP])
            if hue != 0:
                painted[item] = 0
        other -= STEP
        if other >= first:
            row = np.uint64(links[(np.uint64(links[other + ITEM]) << TWO) + UP])


@kernel(inline=True)
def take_back(node, branch, mark, member, row, matrix):
    """Undo an option that was taken in `branch`, as far as (member, row) says it was."""
    links, colour, capacity, once = matrix.links, matrix.colour, matrix.capacity, matrix.once
    painted, bit, active = matrix.painted, matrix.bit, matrix.active
    restore_members(node, mark, member, row, links, colour, capacity, painted)
    unbook_members(node, links, colour, capacity, active, bit)
    if not once[branch]:
        if capacity[branch] == 0:
            unhide_column(branch, links)
            toggle(branch, active, bit)
        capacity[branch] += ONE


@kernel(inline=True)
def copy_row(choices, start, items):
    """Copy the row of `choices` at `start` into the next one."""
    for source in range(start, start + items):
        choices[source + items] = choices[source]
