"""The solutions that a symmetry leaves as they are, as a cover problem of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.zdd.item_roles import barring_items, without_needless_bounds
from dovetail.models.cover import UNCOLOURED, CoverProblem


def orbit_cover(cover: CoverProblem, symmetry: NDArray[np.int32]) -> CoverProblem:
    """Return the problem whose options are orbits of options under a permutation of them.

    A solution that the permutation leaves as it is consists of whole orbits. Those that cover a
    barring item twice are left out; so only items that are covered once at most may be in several
    options of an orbit.
    """
    barring = barring_items(cover)
    orbit_of = _orbits(symmetry)[cover.option_of_member]
    order = np.lexsort((cover.colour, cover.item, orbit_of))
    orbit, item, colour = orbit_of[order], cover.item[order], cover.colour[order]
    same = (orbit[1:] == orbit[:-1]) & (item[1:] == item[:-1])
    twice = same & barring[item[1:]] & ((colour[1:] != colour[:-1]) | (colour[1:] == UNCOLOURED))
    clashing = np.unique(orbit[1:][twice])
    kept = np.concatenate([[True], ~same]) & ~np.isin(orbit, clashing)
    _, sizes = np.unique(orbit[kept], return_counts=True)
    return replace(
        without_needless_bounds(cover, barring),
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        item=item[kept],
        colour=colour[kept],
        option_names=None,
        symmetries=np.empty((0, 0), np.int32),
    )


def _orbits(symmetry: NDArray[np.int32]) -> NDArray[np.int64]:
    """The lowest option of each option's orbit."""
    first = np.arange(len(symmetry))
    image = symmetry.astype(np.int64)
    while (image != np.arange(len(symmetry))).any():
        first = np.minimum(first, image)
        image = symmetry[image].astype(np.int64)
    return first
