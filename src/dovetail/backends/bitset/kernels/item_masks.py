"""Lists of options as words of items, processed eight options at a time.

The word of an option has a bit for each of its items. Two options are compatible if their words
have no bit in common, so that no table is needed. A list consists of pairs of blocks of eight
options. The last pair is filled up with words that have all bits set, which are compatible with no
option.

The number of options that have each item is computed for all items at once, bit by bit: plane b has
bit b of the number for every item. Hand-written machine code keeps these planes in registers while
it reads a list.
"""

from typing import Any

import numpy as np

from dovetail.jit import Deferred, kernel
from dovetail.machine_code import LISTS
from dovetail.machine_code.layout import LANE_PLANES, LANES

PAIR_SIZE = 2 * LANES  # options of a pair of blocks
PLANES = LANE_PLANES + 3  # a sum of eight lanes has 3 more bits; a further plane marks overflows

ZERO, ONE, PAIR = np.uint64(0), np.uint64(1), np.uint64(PAIR_SIZE)
EVERY_BIT = np.uint64(2**64 - 1)


@kernel(inline=True)
def in_pairs(options):
    """Return the number of pairs of blocks of a list of `options` options."""
    return (options + PAIR - ONE) // PAIR


@kernel(inline=True)
def plain_choices(masks, at, pairs, items, branches):
    """Return which branches leave choices; see `branches_with_choices`."""
    viable = ZERO
    for number in range(len(branches)):
        covered = branches[number]
        for k in range(pairs * PAIR):
            if masks[at + k] & branches[number] == ZERO:
                covered |= masks[at + k]
        viable |= np.uint64(items & ~covered == ZERO) << np.uint64(number)
    return viable


@kernel(inline=True)
def plain_disjoint(masks, at, pairs, taken, below, planes):
    """Keep and count the options that have none of the items `taken`; see `keep_disjoint`."""
    count = ZERO
    planes[:] = 0
    for k in range(pairs * PAIR):
        carry = masks[at + k]
        if carry & taken == ZERO:
            masks[below + count] = carry
            count += ONE
            for plane in range(PLANES):
                before = planes[plane]
                planes[plane] = before ^ carry
                carry &= before
            planes[PLANES] |= carry
    for k in range(count, in_pairs(count) * PAIR):
        masks[below + k] = EVERY_BIT
    return count


@kernel(inline=True)
def plain_covering(masks, at, pairs, item, below):
    """Keep the options that have an item; see `keep_covering`."""
    count = ZERO
    for k in range(pairs * PAIR):
        if masks[at + k] & item != ZERO:
            masks[below + count] = masks[at + k]
            count += ONE
    return count


@kernel(inline=True)
def plain_left(masks, at, pairs, taken):
    """Return the items of remaining options, and the items that several have; see `items_left`."""
    either = several = ZERO
    for k in range(pairs * PAIR):
        option = masks[at + k]
        if option & taken == ZERO:
            several |= either & option
            either |= option
    return either, several


@kernel(inline=True)
def plain_option(masks, at, pairs, taken, item):
    """Return the only remaining option that has an item; see `only_option`."""
    united = ZERO
    for k in range(pairs * PAIR):
        option = masks[at + k]
        if option & (taken | item) == item:
            united |= option
    return united


CODE = "dovetail.machine_code.vectors"
with_choices: Any = Deferred(CODE, "with_choices", LISTS, plain_choices)
compressed_disjoint: Any = Deferred(CODE, "compressed_disjoint", LISTS, plain_disjoint)
compressed_covering: Any = Deferred(CODE, "compressed_covering", LISTS, plain_covering)
united_disjoint: Any = Deferred(CODE, "united_disjoint", LISTS, plain_left)
united_covering: Any = Deferred(CODE, "united_covering", LISTS, plain_option)


@kernel(inline=True)
def branches_with_choices(masks, at, pairs, items, branches):
    """Return which branches leave an option for each of the open `items` that they do not cover.

    `branches` is a tuple of words of options. The result has a bit for each branch.
    """
    masks[at + pairs * PAIR - ONE]  # checks bounds
    return with_choices(masks, at, pairs, items, branches)


@kernel(inline=True)
def keep_disjoint(masks, at, pairs, taken, below, planes):
    """Copy the options of a list that have no item of `taken`, in order, to `masks[below:]`.

    Returns the number of options written. For each item, `planes` gets the number of options
    written that have the item, bit by bit.
    """
    masks[at + pairs * PAIR - ONE]  # checks bounds
    masks[below + pairs * PAIR + PAIR - ONE]
    planes[PLANES]
    return compressed_disjoint(masks, at, pairs, taken, below, planes)


@kernel(inline=True)
def keep_covering(masks, at, pairs, item, below):
    """Copy the options of a list that have an item, in order, to `masks[below:]`.

    Returns the number of words written, including the words with all bits set that fill up the
    list.
    """
    masks[at + pairs * PAIR - ONE]  # checks bounds
    masks[below + pairs * PAIR + PAIR - ONE]
    return compressed_covering(masks, at, pairs, item, below)


@kernel(inline=True)
def items_left(masks, at, pairs, taken):
    """Return the items of the options that have no item of `taken`.

    Also returns the items that several of these options have.
    """
    masks[at + pairs * PAIR - ONE]  # checks bounds
    return united_disjoint(masks, at, pairs, taken)


@kernel(inline=True)
def only_option(masks, at, pairs, taken, item):
    """Return the only option of a list that has an item and no item of `taken`."""
    masks[at + pairs * PAIR - ONE]  # checks bounds
    return united_covering(masks, at, pairs, taken, item)
