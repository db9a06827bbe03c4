"""The states of a cover problem: which bits its items have, and what each option does to them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.bit_sets import WORD_BITS, bits_of, words_for
from dovetail.backends.zdd.kernels.layout import Problem
from dovetail.models.cover import MAX_COVERED, UNCOLOURED, CoverProblem

NO_OPTION = -1
MAX_TABLE_BYTES = 2**30
BYTES_PER_WORD = 8


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


def hitting_set(sets: NDArray[np.integer], members: NDArray[np.integer]) -> list[int]:
    """Return members such that each set has one of them, the member of most sets first.

    Member `members[k]` is in set `sets[k]`.
    """
    chosen = []
    while len(sets):
        best = int(np.bincount(members).argmax())
        chosen.append(best)
        left = ~np.isin(sets, sets[members == best])
        sets, members = sets[left], members[left]
    return chosen


def refusal(cover: CoverProblem) -> str | None:
    """Return why there are no states of a problem, or none that fit; None if there are."""
    roles = item_roles(cover)
    held = np.isin(cover.item, roles.branching)
    bare = np.ones(cover.option_count, dtype=bool)
    bare[cover.option_of_member[held]] = False
    if bare.any():
        return (
            f"option {int(np.flatnonzero(bare)[0])} has no item that is covered at most once; "
            "expected one in each option"
        )
    options = cover.option_count + len(roles.branching)
    size = BYTES_PER_WORD * options * words_for(options)
    if size > MAX_TABLE_BYTES:
        return (
            f"its table of compatible options would take {size:,} bytes; the limit is "
            f"{MAX_TABLE_BYTES:,}"
        )
    return None


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


class CoverStates:
    """The states of a cover problem whose items are branched on in a certain order.

    `option` has the problem's number of each option, −1 for one that leaves an item uncovered,
    shape (n,), int32. `root` is the state at first, shape (w,), uint64. `depth` is how many items
    are branched on. `times` says how many solutions one that has an option stands for.
    """

    def __init__(
        self,
        cover: CoverProblem,
        roles: ItemRoles,
        order: NDArray[np.int64],
        times: NDArray[np.uint64],
    ) -> None:
        self._cover, self._roles, self.depth = cover, roles, len(order)
        position = np.full(cover.item_count, -1, dtype=np.int64)
        position[order] = np.arange(len(order))
        self._position = position
        self._once = np.zeros(cover.item_count, dtype=bool)
        self._once[: cover.primary_count] = (cover.lower == 1) & (cover.upper == 1)
        slack = order[~self._once[order]]
        # members of the options and of those that leave an item uncovered, the latter behind them
        member_option = np.concatenate(
            [cover.option_of_member, cover.option_count + np.arange(len(slack))]
        )
        member_item = np.concatenate([cover.item, slack])
        member_colour = np.concatenate([cover.colour, np.zeros(len(slack), dtype=np.int32)])
        count = cover.option_count + len(slack)
        first = np.full(count, len(order), dtype=np.int64)
        branched = position[member_item] >= 0
        np.minimum.at(first, member_option[branched], position[member_item[branched]])
        ranked = np.argsort(first, kind="stable")
        rank = np.empty(count, dtype=np.int64)
        rank[ranked] = np.arange(count)
        numbers = np.concatenate([np.arange(cover.option_count), np.full(len(slack), NO_OPTION)])
        self.option: NDArray[np.int32] = numbers[ranked].astype(np.int32)
        self.option_count = count
        by_option = np.argsort(rank[member_option], kind="stable")
        self._of_option = rank[member_option][by_option]
        self._item, self._colour = member_item[by_option], member_colour[by_option]
        self._times = np.concatenate([times, np.ones(len(slack), dtype=np.uint64)])[ranked]
        self._lay_out(len(order))
        self.problem = self._problem(order)

    def _lay_out(self, branching: int) -> None:
        """Give each item its bits: those branched on first, then fields that lie in one word."""
        cover, roles = self._cover, self._roles
        self._word = np.zeros(cover.item_count, dtype=np.int64)
        self._shift = np.zeros(cover.item_count, dtype=np.int64)
        self._width = np.ones(cover.item_count, dtype=np.int64)
        self._code = np.zeros(len(self._item), dtype=np.int64)  # of each member's colour
        at = branching
        covering = np.bincount(self._item, minlength=cover.item_count)
        for item in roles.barring.tolist():
            own = self._item == item
            colours, code = np.unique(self._colour[own], return_inverse=True)
            if colours.max(initial=UNCOLOURED) != UNCOLOURED:
                self._code[own] = np.where(self._colour[own] == UNCOLOURED, 0, code + 2)
                self._width[item] = int(len(colours) + 1).bit_length()
            at = self._place(item, at)
        for item in roles.counted.tolist():
            max_count = min(int(cover.upper[item]), int(covering[item]))
            self._width[item] = max(1, max_count.bit_length())
            at = self._place(item, at)
        branched = np.flatnonzero(self._position >= 0)
        self._word[branched] = self._position[branched] // WORD_BITS
        self._shift[branched] = self._position[branched] % WORD_BITS
        self.words = words_for(at)
        self.root = np.zeros(self.words, dtype=np.uint64)
        for item in (*branched.tolist(), *roles.barring.tolist()):
            self.root[self._word[item]] |= np.uint64(1 << int(self._shift[item]))

    def _place(self, item: int, at: int) -> int:
        width = int(self._width[item])
        if at % WORD_BITS + width > WORD_BITS:
            at = -(-at // WORD_BITS) * WORD_BITS
        self._word[item], self._shift[item] = at // WORD_BITS, at % WORD_BITS
        return at + width

    def _mask(self, item: int) -> int:
        return ((1 << int(self._width[item])) - 1) << int(self._shift[item])

    def _problem(self, order: NDArray[np.int64]) -> Problem:
        roles, words, count = self._roles, self.words, self.option_count
        clear = np.zeros((count, words), dtype=np.uint64)
        put = np.zeros((count, words), dtype=np.uint64)
        is_counted = np.isin(self._item, roles.counted)
        single = np.isin(self._item, roles.barring) | (self._position[self._item] >= 0)
        masks = np.array([self._mask(item) for item in range(self._cover.item_count)], np.uint64)
        shift = self._shift[self._item].astype(np.uint64)
        own, word = self._of_option, self._word[self._item]
        np.bitwise_or.at(clear, (own[single], word[single]), masks[self._item[single]])
        code = np.where(is_counted, 1, self._code).astype(np.uint64) << shift
        stored = single | is_counted
        np.bitwise_or.at(put, (own[stored], word[stored]), code[stored])
        live_words = words_for(count)
        planes = self._planes(live_words)
        affected, compatible = self._beside(planes, single, is_counted, live_words)
        fields, guard, touched_start, touched = self._guards()
        counted_start, counted = _by_option(
            own[is_counted], np.searchsorted(roles.counted, self._item[is_counted]), count
        )
        lying = [np.flatnonzero(planes[item]) for item in order.tolist()]
        branching = np.ones(len(order), dtype=bool)
        bounds = self._cover.lower, self._cover.upper
        covering = np.bincount(self._item, minlength=self._cover.item_count)
        return Problem(
            clear=clear.ravel(),
            put=put.ravel(),
            times=self._times,
            affected=affected.ravel(),
            compatible=compatible.ravel(),
            planes=planes[order].ravel(),
            first_word=_words([int(found[0]) if len(found) else 0 for found in lying]),
            last_word=_words([int(found[-1]) if len(found) else 0 for found in lying]),
            branching=bits_of(branching, words),
            touched_start=touched_start,
            touched=touched,
            field_word=self._word[fields].astype(np.uint64),
            field_mask=masks[fields],
            guard=guard.ravel(),
            counted_start=counted_start,
            counted=counted,
            count_word=self._word[roles.counted].astype(np.uint64),
            count_shift=self._shift[roles.counted].astype(np.uint64),
            count_mask=masks[roles.counted] >> self._shift[roles.counted].astype(np.uint64),
            min_count=bounds[0][roles.counted].astype(np.uint64),
            max_count=np.minimum(bounds[1][roles.counted], covering[roles.counted]).astype(
                np.uint64
            ),
            counted_planes=planes[roles.counted].ravel(),
            words=np.uint64(words),
            live_words=np.uint64(live_words),
        )

    def _planes(self, live_words: int) -> NDArray[np.uint64]:
        """The options of each item as bits, shape (items, live words)."""
        planes = np.zeros((self._cover.item_count, live_words), dtype=np.uint64)
        words = self._of_option // WORD_BITS
        np.bitwise_or.at(planes, (self._item, words), _bit_of(self._of_option))
        return planes

    def _beside(
        self,
        planes: NDArray[np.uint64],
        single: NDArray[np.bool_],
        is_counted: NDArray[np.bool_],
        live_words: int,
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Items that an option may leave fewer options, and the options compatible with it."""
        branched = self._position[self._item] >= 0
        own_items = np.zeros((self.option_count, self.words), dtype=np.uint64)
        bit = np.uint64(1) << self._shift[self._item].astype(np.uint64)
        np.bitwise_or.at(
            own_items,
            (self._of_option[branched], self._word[self._item][branched]),
            bit[branched],
        )
        reach = np.zeros((self._cover.item_count, self.words), dtype=np.uint64)
        np.bitwise_or.at(reach, self._item, own_items[self._of_option])
        affected = np.zeros_like(own_items)
        held = single | is_counted
        np.bitwise_or.at(affected, self._of_option[held], reach[self._item[held]])
        barred = np.zeros((self.option_count, live_words), dtype=np.uint64)
        coloured = self._colour != UNCOLOURED
        plain = single & ~coloured
        np.bitwise_or.at(barred, self._of_option[plain], planes[self._item[plain]])
        members = np.flatnonzero(single & coloured)
        pairs = np.stack([self._item[members], self._colour[members]], axis=1)
        found, group = np.unique(pairs, axis=0, return_inverse=True)
        alike = np.zeros((len(found), live_words), dtype=np.uint64)
        options = self._of_option[members]
        np.bitwise_or.at(alike, (group, options // WORD_BITS), _bit_of(options))
        unlike = planes[found[:, 0]] & ~alike
        for option, number in zip(options.tolist(), group.tolist(), strict=True):
            barred[option] |= unlike[number]
        every = bits_of(np.ones(self.option_count, dtype=bool), live_words)
        return affected, every & ~barred

    def _guards(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
        """Fields, the items that guard each, and which of them the options of guards touch."""
        fields = self._roles.barring
        guard = np.zeros((len(fields), self.words), dtype=np.uint64)
        options, touched = [], []
        branched = self._position[self._item] >= 0
        for number, field in enumerate(fields.tolist()):
            covers = np.zeros(self.option_count, dtype=bool)
            covers[self._of_option[self._item == field]] = True
            covering = covers[self._of_option] & branched
            chosen = hitting_set(self._of_option[covering], self._item[covering])
            guards = np.zeros(self._cover.item_count, dtype=bool)
            guards[chosen] = True
            for item in chosen:
                guard[number, self._word[item]] |= np.uint64(1 << int(self._shift[item]))
            touching = np.unique(self._of_option[guards[self._item]])
            options.append(touching)
            touched.append(np.full(len(touching), number))
        start, values = _by_option(_joined(options), _joined(touched), self.option_count)
        return fields, guard, start, values


def _bit_of(options: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the bit of each option within its word."""
    return np.uint64(1) << (options % WORD_BITS).astype(np.uint64)


def _joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _by_option(
    of_option: NDArray[np.int64], value: NDArray[np.int64], options: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Values in the order of their options, and where those of each option begin."""
    start = np.zeros(options + 1, dtype=np.uint64)
    start[1:] = np.cumsum(np.bincount(of_option, minlength=options))
    return start, value[np.argsort(of_option, kind="stable")].astype(np.uint64)


def _words(values: list[int]) -> NDArray[np.uint64]:
    return np.array(values, dtype=np.uint64)
