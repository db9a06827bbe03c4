"""The states of a cover problem: what the kernels know of its options."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.bit_sets import bits_of, words_for
from dovetail.backends.zdd.guards import guards_of
from dovetail.backends.zdd.item_roles import ItemRoles, item_roles
from dovetail.backends.zdd.kernels.layout import Problem
from dovetail.backends.zdd.option_sets import compatible_options, options_of_items
from dovetail.backends.zdd.ordered_options import OrderedOptions, ordered_options
from dovetail.backends.zdd.state_bits import StateBits, state_bits
from dovetail.models.cover import CoverProblem

MAX_TABLE_BYTES = 2**30
BYTES_PER_WORD = 8
GROUPS_AT_ONCE = 1_000


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


class CoverStates:
    """The states of a cover problem whose items are branched on in a certain order.

    `option` has the problem's number of each option, −1 for one that leaves an item uncovered,
    shape (n,), int32. `root` is the state at first, shape (w,), uint64. `depth` is how many items
    are branched on. `weight`, shape (options,), is how many solutions one that has an option stands
    for.
    """

    def __init__(
        self,
        cover: CoverProblem,
        roles: ItemRoles,
        order: NDArray[np.int64],
        weight: NDArray[np.uint64],
    ) -> None:
        options = ordered_options(cover, order, weight)
        bits = state_bits(cover, roles, options)
        self.depth, self.option, self.option_count = len(order), options.number, options.count
        self.root, self.words = bits.root, bits.words
        self.problem = _problem(cover, roles, order, options, bits)


def _problem(
    cover: CoverProblem,
    roles: ItemRoles,
    order: NDArray[np.int64],
    options: OrderedOptions,
    bits: StateBits,
) -> Problem:
    words, count, own, item = bits.words, options.count, options.option, options.item
    is_counted = np.isin(item, roles.counted)
    single = np.isin(item, roles.barring) | options.branched
    stored = single | is_counted
    clear = np.zeros((count, words), dtype=np.uint64)
    put = np.zeros((count, words), dtype=np.uint64)
    word = bits.word[item]
    np.bitwise_or.at(clear, (own[single], word[single]), bits.mask[item[single]])
    np.bitwise_or.at(put, (own[stored], word[stored]), bits.code[stored])
    of_item = options_of_items(options)
    lying = [np.flatnonzero(of_item[item]) for item in order.tolist()]
    guards = guards_of(roles.barring, options, bits)
    touched_start, touched = _by_option(guards.options, guards.fields, count)
    counted_start, counted = _by_option(
        own[is_counted], np.searchsorted(roles.counted, item[is_counted]), count
    )
    count_shift = bits.shift[roles.counted].astype(np.uint64)
    covering = np.bincount(item, minlength=cover.item_count)
    max_count = np.minimum(cover.upper[roles.counted], covering[roles.counted])
    return Problem(
        clear=clear.ravel(),
        put=put.ravel(),
        weight=options.weight,
        affected=_affected(options, bits, stored).ravel(),
        compatible=compatible_options(options, of_item, single).ravel(),
        planes=of_item[order].ravel(),
        first_word=_words([int(found[0]) if len(found) else 0 for found in lying]),
        last_word=_words([int(found[-1]) if len(found) else 0 for found in lying]),
        branching=bits_of(np.ones(len(order), dtype=bool), words),
        touched_start=touched_start,
        touched=touched,
        field_word=bits.word[roles.barring].astype(np.uint64),
        field_mask=bits.mask[roles.barring],
        guard=guards.items.ravel(),
        counted_start=counted_start,
        counted=counted,
        count_word=bits.word[roles.counted].astype(np.uint64),
        count_shift=count_shift,
        count_mask=bits.mask[roles.counted] >> count_shift,
        min_count=cover.lower[roles.counted].astype(np.uint64),
        max_count=max_count.astype(np.uint64),
        counted_planes=of_item[roles.counted].ravel(),
        words=np.uint64(words),
        live_words=np.uint64(of_item.shape[1]),
    )


def _affected(
    options: OrderedOptions, bits: StateBits, stored: NDArray[np.bool_]
) -> NDArray[np.uint64]:
    """The items branched on that an option may leave fewer options, shape (n, w).

    They are in an option that has a `stored` member, shape (m,), in common with it.
    """
    own, item, branched = options.option, options.item, options.branched
    own_items = np.zeros((options.count, bits.words), dtype=np.uint64)
    np.bitwise_or.at(
        own_items, (own[branched], bits.word[item[branched]]), bits.mask[item[branched]]
    )
    reach = _united(own_items, own, item, len(options.position))
    return _united(reach, item[stored], own[stored], options.count)


def _united(
    sets: NDArray[np.uint64], member: NDArray[np.int64], group: NDArray[np.int64], groups: int
) -> NDArray[np.uint64]:
    """Return the union of `sets[member[k]]` over the k of each group, shape (groups, w)."""
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


def _by_option(
    of_option: NDArray[np.int64], value: NDArray[np.int64], options: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Where the values of each option begin, and the values in the order of their options."""
    start = np.zeros(options + 1, dtype=np.uint64)
    start[1:] = np.cumsum(np.bincount(of_option, minlength=options))
    return start, value[np.argsort(of_option, kind="stable")].astype(np.uint64)


def _words(values: list[int]) -> NDArray[np.uint64]:
    return np.array(values, dtype=np.uint64)
