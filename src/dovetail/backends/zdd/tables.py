"""Tables of the kernels: roles of items, options and states of a cover problem, components.

A state has a bit for each item that bars options, and more bits for colours and counts. The bits of
an item are cleared as soon as no option is left that the item could bar. Otherwise, for instance,
the colours of edges inside the filled part of a board would distinguish states with the same
completions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import memory_refusal
from dovetail.backends.shared.state_search import orbits_of
from dovetail.backends.zdd.kernels.search import StateTables
from dovetail.kernels.bits import bits_of, words_for
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.cover import MAX_COVERED, UNCOLOURED, CoverProblem

MAX_TABLE_BYTES = 2**30
BYTES_PER_WORD = 8
GROUPS_AT_ONCE = 1_000
BLOCK_BYTES = 2**20
NO_OPTION = -1

Sets = NDArray[np.uint64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ItemRoles:
    """Roles of the items of a cover problem in a search, as ascending item numbers."""

    branching: Numbers
    """Items that are covered exactly once, and further items for options without such an item."""
    barring: Numbers
    """Other items that are covered at most once, if several options have them."""
    counted: Numbers
    """Items with other bounds, unless every solution satisfies these bounds."""
    holding: NDArray[np.bool_]
    """Mask of the items that may bar an option, shape (items,)."""


def item_roles(cover: CoverProblem) -> ItemRoles:
    """Return the roles of the items; `refusal` reports options that have no item to branch on."""
    items, primary = cover.item_count, cover.primary_count
    covering = np.bincount(cover.item, minlength=items)
    lower = np.concatenate([cover.lower, np.zeros(items - primary, dtype=np.int32)])
    upper = np.concatenate([cover.upper, np.ones(items - primary, dtype=np.int32)])
    once = (lower == 1) & (upper == 1)
    single = (lower == 0) & (upper == 1)
    counted = ~once & ~single & ~_kept_by_all(cover, once)
    able = single.copy()
    able[cover.item[cover.colour != UNCOLOURED]] = False
    wanted = _without(cover, once)[cover.option_of_member] & able[cover.item]
    branching = once.copy()
    branching[hitting_set(cover.option_of_member[wanted], cover.item[wanted])] = True
    bars = single & (covering > 1) & ~branching
    return ItemRoles(
        np.flatnonzero(branching),
        np.flatnonzero(bars),
        np.flatnonzero(counted),
        branching | bars | counted,
    )


def _without(cover: CoverProblem, items: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the options that cover none of some items, shape (options,)."""
    bare = np.ones(cover.option_count, dtype=bool)
    bare[cover.option_of_member[items[cover.item]]] = False
    return bare


def without_needless_bounds(cover: CoverProblem, roles: ItemRoles) -> CoverProblem:
    """Return a problem in which items that bar nothing may be covered any number of times."""
    held = roles.holding[: cover.primary_count]
    return replace(
        cover,
        lower=np.where(held, cover.lower, 0).astype(np.int32),
        upper=np.where(held, cover.upper, MAX_COVERED).astype(np.int32),
    )


def _kept_by_all(cover: CoverProblem, once: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the items, except `once`, whose bounds are satisfied by every solution.

    If every option covers an item that is covered exactly once, the number of options of a solution
    is limited.
    """
    items, primary, options = cover.item_count, cover.primary_count, cover.option_count
    covering = np.bincount(cover.item, minlength=items)[:primary]
    uses = np.bincount(cover.option_of_member[once[cover.item]], minlength=options)
    min_options, max_options = 0, options
    if options and uses.min() > 0:
        min_options = -(-int(once.sum()) // int(uses.max()))
        max_options = int(once.sum()) // int(uses.min())
    min_used = np.where(covering == options, min_options, 0)
    kept = np.zeros(items, dtype=bool)
    kept[:primary] = (cover.lower <= min_used) & (np.minimum(covering, max_options) <= cover.upper)
    return kept & ~once


def hitting_set(sets: NDArray[np.integer], members: NDArray[np.integer]) -> list[int]:
    """Return few members such that each set has one of these members.

    The members are chosen greedily: the next member is in most of the sets without a chosen member.
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
    """Return why an option has no item to branch on, or tables are too large, or None."""
    branching = np.zeros(cover.item_count, dtype=bool)
    branching[item_roles(cover).branching] = True
    bare = np.flatnonzero(_without(cover, branching))
    if len(bare):
        return (
            f"option {int(bare[0])} has no item that is covered at most once; "
            "expected such an item in each option"
        )
    options = cover.option_count + int(branching.sum())
    size = BYTES_PER_WORD * options * words_for(options)
    return memory_refusal("its table of compatible options", size, MAX_TABLE_BYTES)


class _Options:
    """The n options of the tables, with m members, sorted by their first item in `order`.

    If an item that is branched on need not be covered, there is an additional option that leaves
    the item uncovered. All bits of an item are in one of the w words of a state. Items that are
    branched on have the lowest bits. A set of options has l words. `weight` and `order` are as in
    `CoverStates`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `number` | (n,) | int32 | the problem's number of each option, −1 for an additional option |
    | `weight` | (n,) | uint64 | how many solutions a solution with the option stands for |
    | `option`, `item`, `colour` | (m,) | int64, int64, int32 | the members, by option |
    | `branched` | (m,) | bool | True if the item of the member is branched on |
    | `of_item` | (items, l) | uint64 | the set of options that cover each item |
    | `word`, `shift`, `mask` | (items,) | int64, uint64, uint64 | position of each item's bits |
    | `code` | (m,) | uint64 | the bits that each member writes to the state |
    | `root` | (w,) | uint64 | the state in which every item is open |
    """

    def __init__(
        self, cover: CoverProblem, roles: ItemRoles, order: Numbers, weight: NDArray[np.uint64]
    ) -> None:
        once = np.zeros(cover.item_count, dtype=bool)
        once[: cover.primary_count] = (cover.lower == 1) & (cover.upper == 1)
        more = order[~once[order]]
        self.count = cover.option_count + len(more)
        option = np.concatenate([cover.option_of_member, np.arange(cover.option_count, self.count)])
        item = np.concatenate([cover.item, more])
        colour = np.concatenate([cover.colour, np.full(len(more), UNCOLOURED, dtype=np.int32)])
        position = np.full(cover.item_count, -1, dtype=np.int64)
        position[order] = np.arange(len(order))
        first = np.full(self.count, len(order), dtype=np.int64)
        branched = position[item] >= 0
        np.minimum.at(first, option[branched], position[item[branched]])
        ranked = np.argsort(first, kind="stable")
        rank = np.argsort(ranked)
        by_option = np.argsort(rank[option], kind="stable")
        self.option, self.item = rank[option][by_option], item[by_option]
        self.colour, self.branched = colour[by_option], branched[by_option]
        self.of_item = np.zeros((cover.item_count, words_for(self.count)), dtype=np.uint64)
        _insert(self.of_item, self.item, self.option)
        numbers = np.concatenate([np.arange(cover.option_count), np.full(len(more), NO_OPTION)])
        self.number = numbers[ranked].astype(np.int32)
        self.weight = np.concatenate([weight, np.ones(len(more), dtype=np.uint64)])[ranked]
        self._lay_out(cover, roles, order)

    def _lay_out(self, cover: CoverProblem, roles: ItemRoles, order: Numbers) -> None:
        """Assign bits of the states to the items; set `word`, `shift`, `mask`, `code` and `root`.

        An item that is branched on has 1 bit. A barring item has a bit, which is 1 while the item
        is open, and more bits for its colours. A counted item has as many bits as its largest count
        needs.
        """
        items = cover.item_count
        width = np.ones(items, dtype=np.int64)
        code = np.zeros(len(self.item), dtype=np.uint64)
        coloured = np.unique(self.item[self.colour != UNCOLOURED])
        for field in np.intersect1d(roles.barring, coloured).tolist():
            in_field = self.item == field
            colours, number = np.unique(self.colour[in_field], return_inverse=True)
            code[in_field] = np.where(self.colour[in_field] == UNCOLOURED, 0, number + 2)
            width[field] = int(len(colours) + 1).bit_length()
        covering = np.bincount(self.item, minlength=items)
        for field in roles.counted.tolist():
            width[field] = max(1, min(int(cover.upper[field]), int(covering[field])).bit_length())
        code[np.isin(self.item, roles.counted)] = 1
        place, at = np.zeros(items, dtype=np.int64), len(order)
        place[order] = np.arange(len(order))
        for field in (*roles.barring.tolist(), *roles.counted.tolist()):
            if at % WORD_BITS + width[field] > WORD_BITS:
                at = -(-at // WORD_BITS) * WORD_BITS
            place[field] = at
            at += int(width[field])
        self.word, self.shift = place // WORD_BITS, (place % WORD_BITS).astype(np.uint64)
        self.mask = ((np.uint64(1) << width.astype(np.uint64)) - np.uint64(1)) << self.shift
        self.code = code << self.shift[self.item]
        self.root = np.zeros(words_for(at), dtype=np.uint64)
        is_open = np.concatenate([order, roles.barring])
        np.bitwise_or.at(self.root, self.word[is_open], np.uint64(1) << self.shift[is_open])


class CoverStates:
    """The states of a cover problem whose items are branched on in the order `order`.

    `weight`, shape (options,), is how many solutions a solution with an option stands for.
    """

    def __init__(
        self,
        cover: CoverProblem,
        roles: ItemRoles,
        order: NDArray[np.int64],
        weight: NDArray[np.uint64],
    ) -> None:
        options = _Options(cover, roles, order, weight)
        # Number of items that are branched on.
        self.depth = len(order)
        # The problem's number of each option, −1 for an option that leaves an item uncovered.
        self.option, self.option_count = options.number, options.count
        self.root, self.words = options.root, len(options.root)
        self.problem = _problem(cover, roles, order, options)


def _problem(
    cover: CoverProblem, roles: ItemRoles, order: Numbers, options: _Options
) -> StateTables:
    """Return the tables of the kernels."""
    words, count, option, item = len(options.root), options.count, options.option, options.item
    is_counted = np.isin(item, roles.counted)
    single = np.isin(item, roles.barring) | options.branched
    stored = single | is_counted
    clear = np.zeros((count, words), dtype=np.uint64)
    put = np.zeros((count, words), dtype=np.uint64)
    word, mask, of_item = options.word, options.mask, options.of_item
    np.bitwise_or.at(clear, (option[single], word[item[single]]), mask[item[single]])
    np.bitwise_or.at(put, (option[stored], word[item[stored]]), options.code[stored])
    lying = [np.flatnonzero(of_item[item]) for item in order.tolist()]
    guard, touching = _guards(roles.barring, options)
    touched_start, touched = _by_option(*touching, count)
    counted = np.searchsorted(roles.counted, item[is_counted])
    counted_start, counted_items = _by_option(option[is_counted], counted, count)
    count_shift = options.shift[roles.counted]
    covering = np.bincount(item, minlength=cover.item_count)
    max_count = np.minimum(cover.upper[roles.counted], covering[roles.counted])
    return StateTables(
        clear=clear.ravel(),
        put=put.ravel(),
        weight=options.weight,
        affected=_affected(options, stored).ravel(),
        compatible=_compatible(options, single).ravel(),
        planes=of_item[order].ravel(),
        first_word=np.array([places[0] if len(places) else 0 for places in lying], dtype=np.uint64),
        last_word=np.array([places[-1] if len(places) else 0 for places in lying], dtype=np.uint64),
        branching=bits_of(np.ones(len(order), dtype=bool), words),
        touched_start=touched_start,
        touched=touched,
        field_word=word[roles.barring].astype(np.uint64),
        field_mask=mask[roles.barring],
        guard=guard.ravel(),
        counted_start=counted_start,
        counted=counted_items,
        count_word=word[roles.counted].astype(np.uint64),
        count_shift=count_shift,
        count_mask=mask[roles.counted] >> count_shift,
        min_count=cover.lower[roles.counted].astype(np.uint64),
        max_count=max_count.astype(np.uint64),
        counted_planes=of_item[roles.counted].ravel(),
        words=np.uint64(words),
        live_words=np.uint64(of_item.shape[1]),
    )


def _guards(fields: Numbers, options: _Options) -> tuple[Sets, tuple[Numbers, Numbers]]:
    """Return the guards of the `fields`, and the options that close an item of each guard.

    The guard of a field is a small set of items that are branched on. Each option of the field has
    an item of this guard. Guards are bits of states, shape (f, w). The second result is an array of
    options and an array of fields, shape (t,) each.
    """
    guard = np.zeros((len(fields), len(options.root)), dtype=np.uint64)
    of_items = _Groups(options.item, len(options.word))
    of_options = _Groups(options.option, options.count)
    touching, touched = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for number, field in enumerate(fields.tolist()):
        covering = of_options.members(np.unique(options.option[of_items.own(field)]))
        covering = covering[options.branched[covering]]
        chosen = hitting_set(options.option[covering], options.item[covering])
        np.bitwise_or.at(guard[number], options.word[chosen], options.mask[chosen])
        closing = [options.option[of_items.own(item)] for item in chosen]
        touching.append(np.unique(np.concatenate([*touching[:1], *closing])))
        touched.append(np.full(len(touching[-1]), number))
    return guard, (np.concatenate(touching), np.concatenate(touched))


class _Groups:
    """Members by group; `group[k]` is the group of member k."""

    def __init__(self, group: Numbers, groups: int) -> None:
        self._member = np.argsort(group, kind="stable")
        self._start = np.append(0, np.cumsum(np.bincount(group, minlength=groups)))

    def own(self, group: int) -> Numbers:
        """Return the members of a group."""
        return self._member[self._start[group] : self._start[group + 1]]

    def members(self, groups: Numbers) -> Numbers:
        """Return the members of some groups."""
        begin, size = self._start[groups], self._start[groups + 1] - self._start[groups]
        before = np.repeat(begin - (np.cumsum(size) - size), size)
        return self._member[before + np.arange(len(before))]


def _affected(options: _Options, stored: NDArray[np.bool_]) -> Sets:
    """Return for each option the items that may lose options when it is taken, shape (n, w).

    An option affects the items of all options that share an item with it, as far as these items are
    branched on. The shared item must be in a `stored` member of the option. `stored` has shape
    (m,).
    """
    option, item, branched = options.option, options.item, options.branched
    own_items = np.zeros((options.count, len(options.root)), dtype=np.uint64)
    np.bitwise_or.at(
        own_items, (option[branched], options.word[item[branched]]), options.mask[item[branched]]
    )
    reach = _united(own_items, option, item, len(options.word))
    return _united(reach, item[stored], option[stored], options.count)


def _united(sets: Sets, member: Numbers, group: Numbers, groups: int) -> Sets:
    """Return for each group g the union of `sets[member[k]]` over all k with `group[k]` = g.

    The result has shape (groups, w).
    """
    united = np.zeros((groups, sets.shape[1]), dtype=np.uint64)
    by_group = np.argsort(group, kind="stable")
    found, start = np.unique(group[by_group], return_index=True)
    # Few groups at a time: the sets of all members would take many times the memory of the result.
    for first in range(0, len(found), GROUPS_AT_ONCE):
        begin = start[first : first + GROUPS_AT_ONCE]
        end = start[first + GROUPS_AT_ONCE] if first + GROUPS_AT_ONCE < len(found) else len(group)
        rows = sets[member[by_group[begin[0] : end]]]
        united[found[first : first + GROUPS_AT_ONCE]] = np.bitwise_or.reduceat(
            rows, begin - begin[0]
        )
    return united


def _compatible(options: _Options, barring: NDArray[np.bool_]) -> Sets:
    """Return the options that may be taken with each option, shape (n, l).

    Two options that share an item by `barring` members are incompatible unless both give it the
    same colour. `barring` has shape (m,).
    """
    of_item, live_words = options.of_item, options.of_item.shape[1]
    members = np.flatnonzero(barring)
    option, item, colour = options.option[members], options.item[members], options.colour[members]
    coloured, colours = colour != UNCOLOURED, int(colour.max(initial=0)) + 1
    found, group = np.unique(item * colours + colour, return_inverse=True)
    alike = np.zeros((len(found), live_words), dtype=np.uint64)
    _insert(alike, group[coloured], option[coloured])
    # Few options at a time: the sets of all would take many times the memory of the result.
    step = max(1, BLOCK_BYTES // (BYTES_PER_WORD * live_words))
    sets = np.zeros((options.count, live_words), dtype=np.uint64)  # of incompatible options
    of_groups = _Groups(group, len(found))
    for number, barred in enumerate((found // colours).tolist()):
        group_options, unlike = option[of_groups.own(number)], of_item[barred] & ~alike[number]
        for first in range(0, len(group_options), step):
            sets[group_options[first : first + step]] |= unlike
    np.invert(sets, out=sets)
    sets &= bits_of(np.ones(options.count, dtype=bool), live_words)
    return sets


def _insert(sets: Sets, rows: NDArray[np.integer], options: Numbers) -> None:
    """Put option `options[k]` into the set `sets[rows[k]]`, for all k."""
    bit = np.uint64(1) << (options % WORD_BITS).astype(np.uint64)
    np.bitwise_or.at(sets, (rows, options // WORD_BITS), bit)


def _by_option(of_option: Numbers, value: Numbers, options: int) -> tuple[Sets, Sets]:
    """Return the index at which the values of each option begin, and the values by option."""
    start = np.zeros(options + 1, dtype=np.uint64)
    start[1:] = np.cumsum(np.bincount(of_option, minlength=options))
    return start, value[np.argsort(of_option, kind="stable")].astype(np.uint64)


MAX_NARROWED = 2_000  # limit on the number of items, since the order takes quadratic time


@dataclass(frozen=True, eq=False)
class Component:
    """A problem of options that share no item with other options, except items that bar nothing.

    `numbers`, shape (n,), are the options' numbers in the whole problem, ascending. If there are
    several components, items that bar nothing may be covered any number of times.
    """

    cover: CoverProblem
    numbers: NDArray[np.int64]


def components(cover: CoverProblem) -> list[Component]:
    """Return the components of a problem, in the order of their first options.

    Each option must have an item to branch on. An item that has to be covered but has no options
    belongs to the first component.
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
    """Return the problem of some options, with their items and the items `more`."""
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
    """Return the problem whose options are orbits of options under a permutation of all options.

    A solution that the permutation maps to itself consists of whole orbits. An orbit is left out if
    two of its options share an item that may bar an option, unless both give it the same colour. An
    item that several options of an orbit share is kept once.
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
    """Return the items in an order that keeps few items open beside the items done.

    The choice is greedy, among the items that share an option with an item done, or among all items
    left if there is no such item. The next item is the item that brings in the fewest new items,
    the first on ties. More than `MAX_NARROWED` items are returned in their given order.
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
    """Return for each item the items that share an option with it, itself included, as bits."""
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
