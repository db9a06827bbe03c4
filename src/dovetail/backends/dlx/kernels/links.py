"""The links of the matrix: taking options and columns out, and putting them back.

A node is the offset of its four entries in `links`, laid out by `tables.build_links`; `base`
is the offset of a level's row in `choices` (offsets, not views: taking a view counts
references, at every node). Putting back is relinking alone, in the opposite order; the row
of `choices` is not restored but dropped.
"""

import numpy as np

from dovetail.backends.dlx.kernels import layout
from dovetail.jit import kernel

UP = np.uint64(layout.UP)
DOWN = np.uint64(layout.DOWN)
ITEM = np.uint64(layout.ITEM)
SPACER = np.uint64(layout.SPACER)
STEP = np.uint64(layout.ENTRIES)  # from a node to the next
TWO = np.uint64(2)  # log2(STEP): node >> TWO is a node's number, item << TWO its header

ZERO = np.uint64(0)
ONE = np.uint64(1)
SIX = np.uint64(6)  # 1 << 6 bits make a word
LOW_SIX = np.uint64(63)

NO_ITEM = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def is_open(item, active):
    """Whether a primary item is open; no secondary item ever is."""
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
def restore_option(node, links):
    """Undo `remove_option`."""
    relink_option(node, links)
    links[np.uint64(links[node + DOWN]) + UP] = node
    links[np.uint64(links[node + UP]) + DOWN] = node
