"""Symmetry breaking for puzzles in which no piece is used exactly once.

The items that are covered exactly once are ordered by orbits. Orbits with the fewest ways to cover
their items come first. Options are ranked by the first of these items that they cover, and then by
number. A solution is represented by the sorted ranks of its options. The lexicographically least of
its images represents its class. This requires no piece that is used exactly once.

The first entries of the sorted ranks are the options on the first items. A sub-problem that takes
options of these items is skipped if a symmetry makes all its solutions smaller. The solutions of
the other sub-problems are compared with their images.

Sources: J. Crawford, M. Ginsberg, E. Luks, A. Roy, "Symmetry-breaking predicates for search
problems", KR 1996, for least images; R. C. Read, "Every one a winner", 1978, for the rejection of
the beginnings of solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from dovetail.models.cover import CoverProblem
from dovetail.models.sub_problem import SubProblem
from dovetail.random_stream import random_words

# Maximum number of sub-problems for a search in one process. Puzzles with few options have fewer:
# one, and one more for each `OPTIONS_PER_PART` options. Each sub-problem is prepared separately,
# which takes time.
MAX_PARTS, OPTIONS_PER_PART = 32, 4
MAX_MEMBERS = 10**8
# A part is divided further if a larger share of the search is expected to be avoidable.
MIN_AVOIDABLE = 0.001


@dataclass(frozen=True, eq=False)
class LeastImages:
    """Order of the n options of a puzzle, and the sub-problems that may contain least images.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `group` | (g, n) | int32 | symmetries as permutations of the options, identity first |
    | `rank` | (n,) | int32 | place of each option in the order |
    | `kept` | (n,) | bool | options that other reductions have left |
    """

    cover: CoverProblem
    group: NDArray[np.int32]
    rank: NDArray[np.int32]
    kept: NDArray[np.bool_]
    _place_of_item: NDArray[np.int64]

    @cached_property
    def ranked_group(self) -> NDArray[np.int32]:
        """Symmetries as permutations of ranks, shape (g, n)."""
        ranked = np.empty_like(self.group)
        ranked[:, self.rank] = self.rank[self.group]
        return ranked

    @cached_property
    def share(self) -> float:
        """Expected share of the whole search that the parts take.

        The options of an item are assumed to have equal shares.
        """
        return self._divided(None)[1]

    def parts(self, most: int | None = None) -> list[SubProblem]:
        """Return at most `most` sub-problems that contain the least image of every solution.

        The part in which symmetry may avoid the largest share of the search is divided first. By
        default, the maximum grows with the number of options, up to `MAX_PARTS`.
        """
        return self._divided(most)[0]

    def _divided(self, most: int | None) -> tuple[list[SubProblem], float]:
        """Return the parts and their expected share of the whole search."""
        if most is None:
            most = min(MAX_PARTS, 1 + len(self.rank) // OPTIONS_PER_PART)
        waiting: list[tuple[float, int, tuple[int, ...], float]] = [(-1.0, 0, (), 1.0)]
        below: dict[tuple[int, ...], list[int]] = {}
        shares: dict[tuple[int, ...], float] = {}
        number = 0
        while waiting and len(below) < most and -waiting[0][0] > MIN_AVOIDABLE:
            _, _, taken, share = heappop(waiting)
            branches = self._branches(taken)
            if branches is None:
                continue
            if taken:
                below[taken[:-1]].remove(taken[-1])
            options, undecided, tried = branches
            below[taken] = options.tolist()
            shares[taken] = share = share / max(1, tried)
            for option, more in zip(options.tolist(), undecided.tolist(), strict=True):
                if more:
                    number += 1
                    avoidable = share * more / (more + 1)
                    heappush(waiting, (-avoidable, number, (*taken, option), share))
            below = {taken: options for taken, options in below.items() if options}
        if not below:
            return [SubProblem(least_images=True)], 1.0
        parts = [
            SubProblem(taken, tuple(options), least_images=True) for taken, options in below.items()
        ]
        return parts, sum(shares[taken] * len(options) for taken, options in below.items())

    def _branches(
        self, taken: tuple[int, ...]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int] | None:
        """Return the options of the next item that may belong to a least image.

        Also returns, for each option, the number of symmetries that may still make its solutions
        smaller, and the number of options of the item before this test. Returns None if the options
        `taken` cover all ordered items.
        """
        needed = self._needed(taken)
        if needed[-1] < 0:
            return None
        own = self._first_place == needed[-1]
        left = SubProblem(taken).kept(self.cover) & self.kept
        options = np.flatnonzero(own & left)
        before = np.tile(np.array(taken, dtype=np.int64), (len(options), 1))
        undecided, refuted = self._compared(np.column_stack([before, options]), needed)
        return options[~refuted], undecided[~refuted], len(options)

    def _compared(
        self, taken: NDArray[np.int64], needed: list[int]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Compare m beginnings of solutions, given by t options each, with their images.

        Column s of `taken`, shape (m, t), has an option of the item at place `needed[s]`. Returns
        two arrays of shape (m,): the number of symmetries, without the identity, whose effect
        depends on further options, and whether a symmetry makes the beginning smaller.
        """
        ranks = np.sort(self.rank[self.group[:, taken]], axis=2)  # shape (g, m, t)
        own, places = self.rank[taken], self._first_place_of_rank
        equal = np.ones(ranks.shape[:2], dtype=bool)
        undecided, smaller = np.zeros_like(equal), np.zeros_like(equal)
        for column, place in enumerate(needed):
            image = ranks[:, :, column]
            known = places[image] == place
            undecided |= equal & ~known
            equal &= known
            smaller |= equal & (image < own[:, column])
            equal &= image == own[:, column]
        undecided |= equal
        refuted: NDArray[np.bool_] = np.logical_or.reduce(smaller)
        return undecided.sum(axis=0) - 1, refuted

    def _needed(self, taken: tuple[int, ...]) -> list[int]:
        """Return the first uncovered place before each option and after the last; −1 for none."""
        cover, open_places = self.cover, np.ones(self._place_of_item.max() + 1, dtype=bool)
        needed = list[int]()
        for option in (*taken, None):
            needed.append(int(open_places.argmax()) if open_places.any() else -1)
            if option is not None:
                items = cover.item[cover.start[option] : cover.start[option + 1]]
                places = self._place_of_item[items]
                open_places[places[places >= 0]] = False
        return needed

    @cached_property
    def _first_place(self) -> NDArray[np.int64]:
        return _first_places(self.cover, self._place_of_item)

    @cached_property
    def _first_place_of_rank(self) -> NDArray[np.int64]:
        places = np.empty_like(self._first_place)
        places[self.rank] = self._first_place
        return places


def least_images(
    cover: CoverProblem, group: NDArray[np.int32], kept: NDArray[np.bool_]
) -> LeastImages | None:
    """Return the order of the options under a group of symmetries, or None.

    Returns None if the only symmetry is the identity, if there is no option, if no item is covered
    exactly once, or if the images of all options have more than `MAX_MEMBERS` members in total.
    """
    once = np.flatnonzero((cover.lower == 1) & (cover.upper == 1))
    if len(group) == 1 or not len(once) or not cover.option_count:
        return None
    if len(group) * len(cover.item) > MAX_MEMBERS:
        return None
    place_of_item = np.full(cover.item_count, -1, dtype=np.int64)
    ordered = [item for orbit in _orbits(cover, group, once) for item in orbit]
    place_of_item[ordered] = np.arange(len(ordered))
    rank = np.empty(cover.option_count, dtype=np.int32)
    order = np.argsort(_first_places(cover, place_of_item), kind="stable")
    rank[order] = np.arange(cover.option_count, dtype=np.int32)
    return LeastImages(cover, group, rank, kept, place_of_item)


def _first_places(cover: CoverProblem, place_of_item: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first place that each option covers, shape (n,); if none, the number of places."""
    places = place_of_item[cover.item]
    none = int(place_of_item.max()) + 1
    first: NDArray[np.int64] = np.minimum.reduceat(
        np.where(places < 0, none, places), cover.start[:-1]
    )
    return first


def _orbits(
    cover: CoverProblem, group: NDArray[np.int32], items: NDArray[np.int64]
) -> Iterator[list[int]]:
    """Yield the orbits of `items`; orbits with the fewest ways to cover all their items come first.

    The image of an item is the item whose options are the images of the item's options. Sets of
    options are compared by sums of random words. An error would only make the order less effective.
    """
    word = random_words(0, 0, cover.option_count)
    left = np.bincount(cover.item, minlength=cover.item_count)[items]
    member_order = np.argsort(cover.item, kind="stable")
    options = cover.option_of_member[member_order]
    starts = np.searchsorted(cover.item[member_order], items)

    def sums(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
        total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(words[options])])
        found: NDArray[np.uint64] = total[starts + left] - total[starts]
        return found

    number = {key: item for item, key in enumerate(sums(word).tolist())}
    lowest = np.arange(len(items))
    for permutation in group[1:]:
        images = [number.get(key, -1) for key in sums(word[permutation]).tolist()]
        known = np.array(images) >= 0
        lowest[known] = np.minimum(lowest[known], np.array(images)[known])
    orbits = [np.flatnonzero(lowest == first) for first in np.unique(lowest)]
    ways = [float(np.log(np.maximum(left[orbit], 1)).sum()) for orbit in orbits]
    for index in np.argsort(ways, kind="stable"):
        yield items[orbits[index]].tolist()
