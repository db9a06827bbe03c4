"""Orders in which items are branched on where a search takes the first that is open."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import CoverProblem

MAX_NARROWED = 2_000  # items: the order is found in quadratic time


def narrow_order(cover: CoverProblem, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the items in an order in which few are open between those done and those to come.

    Greedy: of the items that share an option with one done, the next is the one that brings the
    fewest new ones in, the first of these on ties.
    """
    if len(items) > MAX_NARROWED:
        return items
    near = _near(cover, items)
    left, reached, order = (1 << len(items)) - 1, 0, list[int]()
    while left:
        candidates = _bits(reached & left) or _bits(left)
        best = min(candidates, key=lambda item: (near[item] & left & ~reached).bit_count())
        order.append(best)
        left &= ~(1 << best)
        reached |= near[best]
    return items[order]


def _near(cover: CoverProblem, items: NDArray[np.int64]) -> list[int]:
    """The items that each shares an option with, as bits."""
    position = np.full(cover.item_count, -1, dtype=np.int64)
    position[items] = np.arange(len(items))
    found, start = [0] * len(items), cover.start.tolist()
    places = position[cover.item].tolist()
    for option in range(cover.option_count):
        own = [place for place in places[start[option] : start[option + 1]] if place >= 0]
        together = sum(1 << place for place in own)
        for place in own:
            found[place] |= together
    return found


def _bits(members: int) -> list[int]:
    found = []
    while members:
        lowest = members & -members
        found.append(lowest.bit_length() - 1)
        members ^= lowest
    return found
