"""Options as the sets of their items, one word each, eight options at a time.

Two options can be taken together where their words have no bit in common: no table says so. A
list is a number of pairs of blocks of eight options. It is filled up with words of all bits, which
go together with nothing.

How many options each item is in is added up bit by bit, for all items at once: plane b of a number
has bit b of every item's.

Intrinsics, since what is counted of a list has to stay in registers while its words go by. They do
not run with the JIT switched off: tests use a twin in plain Python.
"""

from typing import Any

import numpy as np

from dovetail.jit import Deferred, kernel
from dovetail.kernels.lanes import LANES

PAIR_SIZE = 2 * LANES  # options of a pair of blocks
LANE_PLANES = 4  # of a number in one lane of a vector
PLANES = LANE_PLANES + 3  # of the sum of eight lanes; behind them, what overflowed in any

CODE = "dovetail.backends.bitset.kernels.item_code"
with_choices: Any = Deferred(CODE, "with_choices")
compressed_disjoint: Any = Deferred(CODE, "compressed_disjoint")
compressed_covering: Any = Deferred(CODE, "compressed_covering")

PAIR = np.uint64(PAIR_SIZE)
ONE = np.uint64(1)


@kernel(inline=True)
def in_pairs(options):
    """How many pairs of blocks a list of so many options takes."""
    return (options + PAIR - ONE) // PAIR


@kernel(inline=True)
def branches_with_choices(masks, at, pairs, items, branches):
    """Which branches leave each of the open `items` that they do not cover an option.

    `branches` is a tuple of options; the result has a bit for each.
    """
    masks[at + pairs * PAIR - ONE]  # in bounds?
    return with_choices(masks, at, pairs, items, branches)


@kernel(inline=True)
def keep_disjoint(masks, at, pairs, taken, below, planes):
    """Write the options of a list that have none of the items `taken` to `below`, in their order.

    Returns how many there are. `planes` gets the number of these that each item is in, bit by bit.
    """
    masks[at + pairs * PAIR - ONE]  # in bounds?
    masks[below + pairs * PAIR + PAIR - ONE]
    planes[PLANES]
    return compressed_disjoint(masks, at, pairs, taken, below, planes)


@kernel(inline=True)
def keep_covering(masks, at, pairs, item, below):
    """Write the options of a list that have an item to `below`, in their order.

    Returns how many there are; what fills up the list is among them.
    """
    masks[at + pairs * PAIR - ONE]  # in bounds?
    masks[below + pairs * PAIR + PAIR - ONE]
    return compressed_covering(masks, at, pairs, item, below)
