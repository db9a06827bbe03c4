"""What a search does with each item of a cover problem: branch on it, bar options by it, count."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.zdd.hitting_set import hitting_set
from dovetail.models.cover import MAX_COVERED, UNCOLOURED, CoverProblem


@dataclass(frozen=True, eq=False)
class ItemRoles:
    """What a search does with each item of a cover problem, as sets of their numbers.

    It branches on those in `branching`: those that are covered exactly once, and some of the
    others where an option covers none of these. What is covered at most once is `barring`, what has
    other bounds is `counted`; the rest bars nothing.
    """

    branching: NDArray[np.int64]
    barring: NDArray[np.int64]
    counted: NDArray[np.int64]


def item_roles(cover: CoverProblem) -> ItemRoles:
    """Return the roles of the items; of options that cover counted items only see `refusal`."""
    items, primary = cover.item_count, cover.primary_count
    covering = np.bincount(cover.item, minlength=items)
    lower = np.concatenate([cover.lower, np.zeros(items - primary, dtype=np.int32)])
    upper = np.concatenate([cover.upper, np.ones(items - primary, dtype=np.int32)])
    once = (lower == 1) & (upper == 1)
    single = (lower == 0) & (upper == 1)
    bars = single & (covering > 1)
    counted = ~once & ~single & ~_holds(cover, once)
    uncoloured = np.ones(items, dtype=bool)
    uncoloured[cover.item[cover.colour != UNCOLOURED]] = False
    bare = np.ones(cover.option_count, dtype=bool)
    bare[cover.option_of_member[once[cover.item]]] = False
    able = single & uncoloured
    wanted = bare[cover.option_of_member] & able[cover.item]
    also = hitting_set(cover.option_of_member[wanted], cover.item[wanted])
    branching = once.copy()
    branching[also] = True
    return ItemRoles(
        np.flatnonzero(branching),
        np.flatnonzero(bars & ~branching),
        np.flatnonzero(counted),
    )


def barring_items(cover: CoverProblem) -> NDArray[np.bool_]:
    """Return which items may bar an option, shape (items,): those with a role."""
    roles = item_roles(cover)
    barring = np.zeros(cover.item_count, dtype=bool)
    barring[np.concatenate([roles.branching, roles.barring, roles.counted])] = True
    return barring


def without_needless_bounds(cover: CoverProblem, barring: NDArray[np.bool_]) -> CoverProblem:
    """Return a problem in which items that are not `barring` may be covered any number of times."""
    held = barring[: cover.primary_count]
    return replace(
        cover,
        lower=np.where(held, cover.lower, 0).astype(np.int32),
        upper=np.where(held, cover.upper, MAX_COVERED).astype(np.int32),
    )


def _holds(cover: CoverProblem, once: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the items whose bounds hold in every solution, of those that are not covered once.

    An option covers so many of the items that are covered exactly once, at least and at most; so a
    solution has so many options.
    """
    items, primary, options = cover.item_count, cover.primary_count, cover.option_count
    covering = np.bincount(cover.item, minlength=items)[:primary]
    own = np.bincount(cover.option_of_member[once[cover.item]], minlength=options)
    min_options, max_options = 0, options
    if options and own.min() > 0:
        min_options, max_options = (
            -(-int(once.sum()) // int(own.max())),
            int(once.sum()) // int(own.min()),
        )
    min_used = np.where(covering == options, min_options, 0)
    holds = np.zeros(items, dtype=bool)
    holds[:primary] = (cover.lower <= min_used) & (np.minimum(covering, max_options) <= cover.upper)
    return holds & ~once
