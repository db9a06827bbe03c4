"""The options of a cover problem as a search numbers them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import UNCOLOURED, CoverProblem

NO_OPTION = -1


@dataclass(frozen=True, eq=False)
class OrderedOptions:
    """n options, those of items that are branched on early first.

    An item that is branched on and need not be covered has one option more: it leaves the item
    uncovered.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `number` | (n,) | int32 | the problem's number of an option, −1 for one that it has not |
    | `weight` | (n,) | uint64 | how many solutions one with the option stands for |
    | `option`, `item`, `colour` | (m,) | int64, int32 | the m items of all options, by option |
    | `position` | (items,) | int64 | when an item is branched on, −1 for never |
    """

    number: NDArray[np.int32]
    weight: NDArray[np.uint64]
    option: NDArray[np.int64]
    item: NDArray[np.int64]
    colour: NDArray[np.int32]
    position: NDArray[np.int64]

    @property
    def count(self) -> int:
        return len(self.number)

    @property
    def branched(self) -> NDArray[np.bool_]:
        """Which members are items that are branched on, shape (m,)."""
        return self.position[self.item] >= 0


def ordered_options(
    cover: CoverProblem, order: NDArray[np.int64], weight: NDArray[np.uint64]
) -> OrderedOptions:
    """Return the options for a search that branches on items in an `order`.

    `weight`, shape (options,), is that of the problem's options.
    """
    once = np.zeros(cover.item_count, dtype=bool)
    once[: cover.primary_count] = (cover.lower == 1) & (cover.upper == 1)
    slack = order[~once[order]]
    count = cover.option_count + len(slack)
    option = np.concatenate([cover.option_of_member, cover.option_count + np.arange(len(slack))])
    item = np.concatenate([cover.item, slack])
    colour = np.concatenate([cover.colour, np.full(len(slack), UNCOLOURED, dtype=np.int32)])
    position = np.full(cover.item_count, -1, dtype=np.int64)
    position[order] = np.arange(len(order))
    first = np.full(count, len(order), dtype=np.int64)
    branched = position[item] >= 0
    np.minimum.at(first, option[branched], position[item[branched]])
    ranked = np.argsort(first, kind="stable")
    rank = np.empty(count, dtype=np.int64)
    rank[ranked] = np.arange(count)
    by_option = np.argsort(rank[option], kind="stable")
    numbers = np.concatenate([np.arange(cover.option_count), np.full(len(slack), NO_OPTION)])
    weights = np.concatenate([weight, np.ones(len(slack), dtype=np.uint64)])
    return OrderedOptions(
        number=numbers[ranked].astype(np.int32),
        weight=weights[ranked],
        option=rank[option][by_option],
        item=item[by_option],
        colour=colour[by_option],
        position=position,
    )
