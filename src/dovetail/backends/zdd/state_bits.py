"""Which bits of a state each item of a cover problem has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.bit_sets import words_for
from dovetail.backends.zdd.item_roles import ItemRoles
from dovetail.backends.zdd.ordered_options import OrderedOptions
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.cover import UNCOLOURED, CoverProblem


@dataclass(frozen=True, eq=False)
class StateBits:
    """States of w words: items that are branched on have the lowest bits, then come fields.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `word`, `shift` | (items,) | int64 | where an item's bits lie, all in one word |
    | `mask` | (items,) | uint64 | these bits |
    | `code` | (m,) | uint64 | what a member of an option writes there, at its place |
    | `root` | (w,) | uint64 | the state in which every item is open |
    """

    word: NDArray[np.int64]
    shift: NDArray[np.int64]
    mask: NDArray[np.uint64]
    code: NDArray[np.uint64]
    root: NDArray[np.uint64]

    @property
    def words(self) -> int:
        return len(self.root)


def state_bits(cover: CoverProblem, roles: ItemRoles, options: OrderedOptions) -> StateBits:
    """Lay out the bits of the items, and what the members of the options write there.

    An item that bars options has a bit, 1 while it is open, and more bits for its colours; a
    counted item has as many as its largest count needs.
    """
    items = cover.item_count
    word, shift = np.zeros(items, dtype=np.int64), np.zeros(items, dtype=np.int64)
    width = np.ones(items, dtype=np.int64)
    code = np.zeros(len(options.item), dtype=np.uint64)
    coloured = np.unique(options.item[options.colour != UNCOLOURED])
    for item in np.intersect1d(roles.barring, coloured).tolist():
        own = options.item == item
        colours, number = np.unique(options.colour[own], return_inverse=True)
        code[own] = np.where(options.colour[own] == UNCOLOURED, 0, number + 2)
        width[item] = int(len(colours) + 1).bit_length()
    covering = np.bincount(options.item, minlength=items)
    for item in roles.counted.tolist():
        max_count = min(int(cover.upper[item]), int(covering[item]))
        width[item] = max(1, max_count.bit_length())
    code[np.isin(options.item, roles.counted)] = 1
    branched = np.flatnonzero(options.position >= 0)
    at = len(branched)
    for item in (*roles.barring.tolist(), *roles.counted.tolist()):
        if at % WORD_BITS + width[item] > WORD_BITS:
            at = -(-at // WORD_BITS) * WORD_BITS
        word[item], shift[item] = at // WORD_BITS, at % WORD_BITS
        at += int(width[item])
    word[branched] = options.position[branched] // WORD_BITS
    shift[branched] = options.position[branched] % WORD_BITS
    places = shift.astype(np.uint64)
    root = np.zeros(words_for(at), dtype=np.uint64)
    is_open = np.concatenate([branched, roles.barring])
    np.bitwise_or.at(root, word[is_open], np.uint64(1) << places[is_open])
    return StateBits(
        word=word,
        shift=shift,
        mask=((np.uint64(1) << width.astype(np.uint64)) - np.uint64(1)) << places,
        code=code << places[options.item],
        root=root,
    )
