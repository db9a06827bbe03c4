"""The arrays of a search whose options are words of items, where at most 64 items are left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dovetail.backends.bitset.kernels import layout
from dovetail.backends.bitset.kernels.item_masks import PAIR_SIZE, PLANES
from dovetail.backends.bitset.kernels.layout import Lists
from dovetail.backends.bitset.tables import Sizes, aligned
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.cover import CoverProblem
from dovetail.random_stream import random_words


@dataclass(frozen=True)
class ListPrices:
    """When options are listed, which changes the time and nothing else.

    Options are listed if at most `max_items` items are left and the gain is worth it: a node costs
    `cost` words of a block looked at, listing an option `price` words.
    """

    max_items: int = WORD_BITS
    cost: int = 16
    price: int = 2


DEFAULT_PRICES = ListPrices()


def build_lists(cover: CoverProblem, sizes: Sizes, prices: ListPrices) -> Lists | None:
    """Return the arrays for a problem, None where an item may be covered several times.

    Options with colours, or with the same items as another option, are never listed.
    """
    if not cover.unit_bounds:
        return None
    looked_at = sizes.words * sizes.blocks
    listable = (
        looked_at > prices.cost
        and not np.any(cover.colour)
        and np.diff(cover.start).max(initial=0) < WORD_BITS  # a word of all bits fills lists up
        and _all_differ(cover)
    )
    # Each level takes an item, so that lists go so deep at most; the branches of all levels are no
    # more than there are options.
    list_words = cover.option_count + 3 * PAIR_SIZE
    lists = min(sizes.levels, WORD_BITS) + 2 if listable else 1
    return Lists(
        masks=aligned(lists * list_words),
        names=np.zeros(cover.option_count, dtype=np.uint32),
        bits=np.zeros(cover.item_count, dtype=np.uint64),
        levels=np.zeros(sizes.levels * layout.LIST_SIZE, dtype=np.uint64),
        planes=np.zeros(PLANES + 1, dtype=np.uint64),
        too_many_items=np.uint64(prices.max_items + 1 if listable else 0),
        cost=np.uint64(prices.cost),
        price=np.uint64(prices.price),
    )


def _all_differ(cover: CoverProblem) -> bool:
    """Return whether no two options have the same items; False, seldom, also where none have."""
    if not cover.option_count:
        return True
    words = random_words(0, 0, cover.item_count)
    sums = np.sort(np.add.reduceat(words[cover.item], cover.start[:-1]))
    return not np.any(sums[1:] == sums[:-1])
