"""Operations on the links of the matrix: cover items, hide options, take options, and undo.

A node is given by the offset of its four entries in `links`; see `tables`. `base` is the offset of
a level's row in `choices`. Offsets serve in place of views, because numba counts references for
every view. Undoing restores the links in the opposite order. The row of `choices` is not restored
but dropped.

Taking an option counts it for its items and hides the options that contradict it. Hiding stops as
soon as an open item has lost its last choice, if the item is guarded when the next item is picked
(see `DlxRules`). The option counts as a node all the same, so that node counts are those of the
plain algorithm.
"""

import numpy as np

from dovetail.backends.dlx.kernels import layout
from dovetail.jit import kernel

UP, DOWN, ITEM, SPACER = map(np.uint64, (layout.UP, layout.DOWN, layout.ITEM, layout.SPACER))
STEP = np.uint64(layout.ENTRIES)  # offset from a node to the next
# TWO is log2(STEP): `node >> TWO` is the number of a node, `item << TWO` the header of an item.
# A word has `1 << SIX` bits.
ZERO, ONE, TWO, SIX = map(np.uint64, (0, 1, 2, 6))
LOW_SIX = np.uint64(63)

NO_ITEM = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def is_open(item, active):
    """Return whether a primary item is open; the result is False for a secondary item."""
    return (active[item >> SIX] >> (item & LOW_SIX)) & ONE != ZERO


@kernel(inline=True)
def hide_option(node, links, choices, base, active):
    """Hide an option in the columns of its items, except the column of `node` (Knuth's hide).

    Returns the open item with the lowest number among those that lost their last choice, or
    `NO_ITEM`. If a caller ignores the result, the compiler leaves out its computation.
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
def unhide_option(node, links):
    """Undo `hide_option`."""
    end = np.uint64(links[node + SPACER])
    first = np.uint64(links[end + UP])
    other = node
    for _ in range((end - first - STEP) >> TWO):
        other += STEP
        other = first if other == end else other
        links[np.uint64(links[other + UP]) + DOWN] = other
        links[np.uint64(links[other + DOWN]) + UP] = other


@kernel(inline=True)
def cover_item(item, links, choices, base, active):
    """Hide all options of an item in the columns of other items (Knuth's cover operation).

    The item's own column keeps its header and its nodes. The caller closes the item by `toggle`,
    which replaces Knuth's list of headers. Returns the number of nodes passed.
    """
    header = item << TWO
    passed = ONE
    node = np.uint64(links[header + DOWN])
    while node != header:
        hide_option(node, links, choices, base, active)
        node = np.uint64(links[node + DOWN])
        passed += ONE
    return passed


@kernel(inline=True)
def uncover_item(item, links):
    """Undo `cover_item`."""
    header = item << TWO
    node = np.uint64(links[header + UP])
    while node != header:
        unhide_option(node, links)
        node = np.uint64(links[node + UP])


@kernel(inline=True)
def remove_option(node, links, choices, base, active):
    """Remove an option from the columns of all its items, including the column of `node`."""
    links[np.uint64(links[node + DOWN]) + UP] = links[node + UP]
    links[np.uint64(links[node + UP]) + DOWN] = links[node + DOWN]
    choices[base + links[node + ITEM]] -= 1
    hide_option(node, links, choices, base, active)


@kernel(inline=True)
def drop_option(node, links, choices, base, active, removed, height):
    """Remove an option and push its node onto `removed`; return the new height."""
    remove_option(node, links, choices, base, active)
    removed[height] = node
    return height + ONE


@kernel(inline=True)
def restore_option(node, links):
    """Undo `remove_option`."""
    unhide_option(node, links)
    links[np.uint64(links[node + DOWN]) + UP] = node
    links[np.uint64(links[node + UP]) + DOWN] = node


@kernel(inline=True)
def toggle(item, active, bit):
    """Open a closed primary item, or close an open one; a secondary item is not changed."""
    active[item >> SIX] ^= bit[item]


@kernel(inline=True)
def use_capacity(item, choices, base, capacity, slack):
    """Count a further option for an item; return whether the item can take another option."""
    left = np.uint64(capacity[item]) - ONE
    capacity[item] = left
    if left >= slack[item]:  # the item needs one option less
        choices[base + item] += 1
    return left > ZERO


@kernel(inline=True)
def book_members(node, matrix, choices, base):
    """Count an option for its items without colour, except the item of `node`; close full items."""
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
    """Hide every option that contradicts the option of `node`.

    A full item loses all options. A secondary item that gets its colour here loses the options of
    other colours; its entry of `painted` becomes `mark`, which is 1 + the level. The loop stops
    when an open item below `guarded_items` loses its last choice. Returns (member, row, passed):
    the node of the option and the node in its column at which the loop stopped, or (end, end) if it
    did not stop, and the number of nodes passed.
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
                lost = hide_option(row, links, choices, base, active)
                if lost < guarded_items:
                    return other, row, passed
            row = np.uint64(links[row + DOWN])
    return end, end, passed


@kernel(inline=True)
def restore_members(node, mark, member, row, links, colour, capacity, painted):
    """Undo `clear_members`, which returned `member` and `row`."""
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
                    unhide_option(row, links)
                row = np.uint64(links[row + UP])
            if hue != 0:
                painted[item] = 0
        other -= STEP
        if other >= first:
            row = np.uint64(links[(np.uint64(links[other + ITEM]) << TWO) + UP])


@kernel(inline=True)
def take_back(node, branch, mark, member, row, matrix):
    """Undo the taking of an option of item `branch`; `clear_members` returned `member`, `row`."""
    links, colour, capacity, once = matrix.links, matrix.colour, matrix.capacity, matrix.once
    painted, bit, active = matrix.painted, matrix.bit, matrix.active
    restore_members(node, mark, member, row, links, colour, capacity, painted)
    unbook_members(node, links, colour, capacity, active, bit)
    if not once[branch]:
        if capacity[branch] == 0:
            uncover_item(branch, links)
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

    `matrix` is the `DlxLinks` of `layout`. `left` has shape (options,) and dtype int32. Each option
    is written once, at its last open item, in no particular order. No option is passed twice if
    every option has a single item from `first` on, as a placement has its shape.
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
    """Return whether an option has an open item, from `first` on, after `node`."""
    for other in range(node + STEP, np.uint64(links[node + SPACER]), STEP):
        item = np.uint64(links[other + ITEM])
        if item >= first and is_open(item, active):
            return True
    return False
