"""The links of the matrix: taking options and columns out, and putting them back.

A node is the offset of its four entries in `links`, laid out by `tables.build_links`; `base`
is the offset of a level's row in `choices` (offsets, not views: taking a view counts
references, at every node). Putting back is relinking alone, in the opposite order; the row
of `choices` is not restored but dropped.

Taking an option counts it for its items and clears what contradicts it. Clearing stops as soon as
an open item that the next choice looks at has lost its last choice (heuristics that pick cells do
not notice such a piece). The option is a node all the same, so that node counts are those of
the plain algorithm.
"""

import numpy as np

from dovetail.backends.dlx.kernels import layout
from dovetail.jit import kernel

UP, DOWN, ITEM, SPACER = map(np.uint64, (layout.UP, layout.DOWN, layout.ITEM, layout.SPACER))
STEP = np.uint64(layout.ENTRIES)  # from a node to the next
# TWO is log2(STEP): node >> TWO is a node's number, item << TWO its header; 1 << SIX bits make a
# word.
ZERO, ONE, TWO, SIX = map(np.uint64, (0, 1, 2, 6))
LOW_SIX = np.uint64(63)

NO_ITEM = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def is_open(item, active):
    """Return whether a primary item is open; no secondary item ever is."""
    return (active[item >> SIX] >> (item & LOW_SIX)) & ONE != ZERO


@kernel(inline=True)
def unlink_option(node, links, choices, base, active):
    """Take the other nodes of `node`'s option out of their columns.

    Returns the least open item that has lost its last choice by it, `NO_ITEM` if none has;
    where nobody asks, the compiler leaves that out.
    """
    lost = NO_ITEM
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    other = node
    for _ in range((end - first - STEP) >> TWO):
        other += STEP
        other = first if other == end else other
        above, below = np.uint64(links[other + UP]), np.uint64(links[other + DOWN])
        links[above + DOWN] = below
        links[below + UP] = above
        item = np.uint64(links[other + ITEM])
        left = choices[base + item] - 1
        choices[base + item] = left
        if left <= 0 and is_open(item, active):
            lost = min(lost, item)
    return lost


@kernel(inline=True)
def relink_option(node, links):
    """Undo `unlink_option`."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    other = node
    for _ in range((end - first - STEP) >> TWO):
        other += STEP
        other = first if other == end else other
        links[np.uint64(links[other + UP]) + DOWN] = other
        links[np.uint64(links[other + DOWN]) + UP] = other


@kernel(inline=True)
def hide_column(item, links, choices, base, active):
    """Take all options of a column out of the others; returns how many nodes were passed."""
    header = item << TWO
    passed = ONE
    node = np.uint64(links[header + DOWN])
    while node != header:
        unlink_option(node, links, choices, base, active)
        node = np.uint64(links[node + DOWN])
        passed += ONE
    return passed


@kernel(inline=True)
def unhide_column(item, links):
    """Undo `hide_column`."""
    header = item << TWO
    node = np.uint64(links[header + UP])
    while node != header:
        relink_option(node, links)
        node = np.uint64(links[node + UP])


@kernel(inline=True)
def remove_option(node, links, choices, base, active):
    """Take a whole option out of the matrix, `node` itself included."""
    links[np.uint64(links[node + DOWN]) + UP] = links[node + UP]
    links[np.uint64(links[node + UP]) + DOWN] = links[node + DOWN]
    choices[base + links[node + ITEM]] -= 1
    unlink_option(node, links, choices, base, active)


@kernel(inline=True)
def drop_option(node, links, choices, base, active, removed, height):
    """Remove an option and write its node on top of `removed`; returns the new height."""
    remove_option(node, links, choices, base, active)
    removed[height] = node
    return height + ONE


@kernel(inline=True)
def restore_option(node, links):
    """Undo `remove_option`."""
    relink_option(node, links)
    links[np.uint64(links[node + DOWN]) + UP] = node
    links[np.uint64(links[node + UP]) + DOWN] = node


@kernel(inline=True)
def toggle(item, active, bit):
    """Open or close a primary item; a secondary item stays as it is."""
    active[item >> SIX] ^= bit[item]


@kernel(inline=True)
def use_capacity(item, choices, base, capacity, slack):
    """Count a further option for an item; return whether it can take another."""
    left = np.uint64(capacity[item]) - ONE
    capacity[item] = left
    if left >= slack[item]:  # one less is needed
        choices[base + item] += 1
    return left > ZERO


@kernel(inline=True)
def book_members(node, matrix, choices, base):
    """Count `node`'s option for its other items, and close full items."""
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

    A full item loses all options; a secondary item that gets its colour here (`mark` is 1 +
    the level) loses the options of other colours. Returns (member, row, passed): where it stopped
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
    """Copy the row of `choices` at `start` into the next row."""
    for source in range(start, start + items):
        choices[source + items] = choices[source]


@kernel
def options_left(matrix, first, left):
    """Write the options of open items from `first` on into `left`; return their number.

    `matrix` is the `DlxLinks` of `layout`, `left` (options,) int32.
    Each option is written once, for its last such item, in no order: where every option has a
    single item from `first` on, as a placement has its shape, nothing is passed twice.
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
    """Return whether an option has an open item from `first` on behind `node`."""
    for other in range(node + STEP, np.uint64(links[node + SPACER]), STEP):
        item = np.uint64(links[other + ITEM])
        if item >= first and is_open(item, active):
            return True
    return False
