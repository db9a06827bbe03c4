"""Sets of options, as bits: those of an item, and those that one may be taken with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.shared.bit_sets import bits_of, words_for
from dovetail.backends.zdd.ordered_options import OrderedOptions
from dovetail.kernels.word_size import WORD_BITS
from dovetail.models.cover import UNCOLOURED

BYTES_PER_WORD = 8
BLOCK_BYTES = 2**20


def options_of_items(options: OrderedOptions) -> NDArray[np.uint64]:
    """Return the set of options of each item, shape (items, live words)."""
    sets = np.zeros((len(options.position), words_for(options.count)), dtype=np.uint64)
    _insert(sets, options.item, options.option)
    return sets


def compatible_options(
    options: OrderedOptions, of_item: NDArray[np.uint64], barring: NDArray[np.bool_]
) -> NDArray[np.uint64]:
    """Return the options that may be taken with each option, shape (n, live words).

    `of_item` are the sets of `options_of_items`. Of two options with a `barring` member (m,) in
    common only one may be taken, unless both give it the same colour.
    """
    live_words = of_item.shape[1]
    sets = np.zeros((options.count, live_words), dtype=np.uint64)  # at first of what may not be
    coloured = options.colour != UNCOLOURED
    plain = np.flatnonzero(barring & ~coloured)
    # Few at a time: the sets of all members would take many times the memory of the result.
    step = max(1, BLOCK_BYTES // (BYTES_PER_WORD * live_words))
    plain = plain[np.argsort(options.item[plain], kind="stable")]
    items, begin = np.unique(options.item[plain], return_index=True)
    of_each = np.split(options.option[plain], begin[1:])
    for item, own in zip(items.tolist(), of_each, strict=False):  # no items make one empty part
        for first in range(0, len(own), step):
            sets[own[first : first + step]] |= of_item[item]
    members = np.flatnonzero(barring & coloured)
    pairs = np.stack([options.item[members], options.colour[members]], axis=1)
    found, group = np.unique(pairs, axis=0, return_inverse=True)
    alike = np.zeros((len(found), live_words), dtype=np.uint64)
    _insert(alike, group, options.option[members])
    unlike = of_item[found[:, 0]] & ~alike
    for option, number in zip(options.option[members].tolist(), group.tolist(), strict=True):
        sets[option] |= unlike[number]
    np.invert(sets, out=sets)
    sets &= bits_of(np.ones(options.count, dtype=bool), live_words)
    return sets


def _insert(
    sets: NDArray[np.uint64], rows: NDArray[np.integer], options: NDArray[np.int64]
) -> None:
    """Put option `options[k]` into the set `sets[rows[k]]`, for all k."""
    bit = np.uint64(1) << (options % WORD_BITS).astype(np.uint64)
    np.bitwise_or.at(sets, (rows, options // WORD_BITS), bit)
