"""Parts of a cover problem that share no item: the numbers of their solutions multiply.

Source: R. J. Bayardo and J. D. Pehoushek, "Counting models using connected components", AAAI 2000;
here at the root alone, where they cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.zdd.item_roles import barring_items, without_needless_bounds
from dovetail.models.cover import CoverProblem


@dataclass(frozen=True, eq=False)
class Component:
    """Options that share no item with the others, by their `numbers`, as a problem of their own.

    `numbers` has shape (n,), int64, ascending. Items that bar nothing may be covered any number of
    times.
    """

    cover: CoverProblem
    numbers: NDArray[np.int64]


def components(cover: CoverProblem) -> list[Component]:
    """Return the components of a problem whose options each have an item to branch on.

    They are in the order of their first options. Items without options belong to the first.
    """
    barring = barring_items(cover)
    kept = barring[cover.item]
    option, item = cover.option_of_member[kept], cover.item[kept]
    label = _labels(option, item, cover.option_count, cover.item_count)
    _, first = np.unique(label, return_index=True)
    if len(first) <= 1:
        return [Component(cover, np.arange(cover.option_count))]
    orphans = np.setdiff1d(np.flatnonzero(barring), item)
    relaxed = without_needless_bounds(cover, barring)
    found: list[Component] = []
    for start in np.sort(first).tolist():
        numbers = np.flatnonzero(label == label[start])
        more = orphans if not found else orphans[:0]
        found.append(Component(_part(relaxed, numbers, more), numbers))
    return found


def _part(cover: CoverProblem, numbers: NDArray[np.int64], more: NDArray[np.int64]) -> CoverProblem:
    """Return the problem of some options, with their items and `more` of them."""
    part = cover.subset(numbers)
    items = np.union1d(part.item, more)
    primary = items[items < cover.primary_count]
    return replace(
        part,
        item_names=tuple(cover.item_names[item] for item in items),
        lower=cover.lower[primary],
        upper=cover.upper[primary],
        item=np.searchsorted(items, part.item).astype(np.int32),
    )


def _labels(
    option: NDArray[np.int32], item: NDArray[np.int32], options: int, items: int
) -> NDArray[np.int64]:
    """Return a label of each option, equal for those that are connected by items.

    Member k of the problem is `item[k]` in `option[k]`.
    """
    of_item = np.arange(items)
    while True:
        of_option = np.full(options, items)
        np.minimum.at(of_option, option, of_item[item])
        lowest = of_item.copy()
        np.minimum.at(lowest, item, of_option[option])
        lowest = lowest[lowest]  # a label is an item of the same component
        if np.array_equal(lowest, of_item):
            return of_option
        of_item = lowest
