"""Problems made of a cover problem: its components, and the solutions that a symmetry keeps.

Parts of a problem that share no item are components: the numbers of their solutions multiply.
Source: R. J. Bayardo and J. D. Pehoushek, "Counting models using connected components", AAAI 2000;
here at the root alone, where they cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.state_search import orbits_of
from dovetail.backends.zdd.states import item_roles, without_needless_bounds
from dovetail.models.cover import UNCOLOURED, CoverProblem

MAX_NARROWED = 2_000  # items: the order is found in quadratic time


@dataclass(frozen=True, eq=False)
class Component:
    """Options that share no item with other options, by their `numbers`, as a problem of their own.

    `numbers` has shape (n,), int64, ascending. Items that bar nothing may be covered any number of
    times.
    """

    cover: CoverProblem
    numbers: NDArray[np.int64]


def components(cover: CoverProblem) -> list[Component]:
    """Return the components of a problem whose options each have an item to branch on.

    They are in the order of their first options. Items without options belong to the first.
    """
    roles = item_roles(cover)
    kept = roles.holding[cover.item]
    label = _labels(
        cover.option_of_member[kept], cover.item[kept], cover.option_count, cover.item_count
    )
    _, first = np.unique(label, return_index=True)
    if len(first) <= 1:
        return [Component(cover, np.arange(cover.option_count))]
    more = np.setdiff1d(np.flatnonzero(roles.holding), cover.item)
    relaxed = without_needless_bounds(cover, roles)
    found: list[Component] = []
    for start in np.sort(first).tolist():
        numbers = np.flatnonzero(label == label[start])
        found.append(Component(_part(relaxed, numbers, more), numbers))
        more = more[:0]
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
    """Return a label of each option, equal for options that are connected by items.

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


def orbit_cover(cover: CoverProblem, symmetry: NDArray[np.int32]) -> CoverProblem:
    """Return the problem whose options are orbits of options under a permutation of them.

    A solution that the permutation leaves as it is consists of whole orbits. Orbits that cover a
    barring item twice are left out; so only items that are covered once at most may be in several
    options of an orbit.
    """
    roles = item_roles(cover)
    orbit_of = orbits_of(symmetry)[cover.option_of_member]
    order = np.lexsort((cover.colour, cover.item, orbit_of))
    orbit, item, colour = orbit_of[order], cover.item[order], cover.colour[order]
    same = (orbit[1:] == orbit[:-1]) & (item[1:] == item[:-1])
    differ = (colour[1:] != colour[:-1]) | (colour[1:] == UNCOLOURED)
    clashing = np.unique(orbit[1:][same & differ & roles.holding[item[1:]]])
    kept = np.concatenate([[True], ~same]) & ~np.isin(orbit, clashing)
    _, sizes = np.unique(orbit[kept], return_counts=True)
    return replace(
        without_needless_bounds(cover, roles),
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        item=item[kept],
        colour=colour[kept],
        option_names=None,
        symmetries=np.empty((0, 0), np.int32),
    )


def narrow_order(cover: CoverProblem, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the items in an order in which few are open between items done and items to come.

    Greedy: of the items that share an option with an item done, the next is the item that brings in
    the fewest new items, the first on ties.
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
    """Return the items that each item shares an option with, as bits."""
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
