"""The arrays of a bitset search, and limits on their sizes.

The table has a row for each option, with a bit for each option that is compatible with it. The
table takes about options² / 8 bytes; for many options, all other arrays are small. If at most 64
items are left, options can also be listed as words of items.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import memory_refusal
from dovetail.backends.bitset.kernels import layout
from dovetail.backends.bitset.kernels.item_masks import PAIR_SIZE, PLANES
from dovetail.backends.bitset.kernels.layout import BitsetRows, Frames, OptionLists
from dovetail.kernels.bits import aligned, words_for
from dovetail.kernels.layout import WORD_BITS
from dovetail.models.cover import UNCOLOURED, CoverProblem
from dovetail.random_stream import random_words

MAX_BYTES = 2**30
BYTES_PER_WORD = 8


@dataclass(frozen=True)
class BitsetSizes:
    """Sizes of the arrays of a bitset search."""

    # Largest numbers of options and of words of each frame. A frame has at most half as many words
    # as the frame before it.
    frames: tuple[tuple[int, int], ...]
    # Number of primary items.
    items: int
    # Number of blocks for these items and a further lane.
    blocks: int
    # Largest number of options in a solution.
    max_taken: int
    levels: int

    @property
    def words(self) -> int:
        """Number of words of a set of options."""
        return self.frames[0][1]

    @property
    def lanes(self) -> int:
        return self.blocks * layout.LANES

    @property
    def table_words(self) -> int:
        return sum(options * words for options, words in self.frames)


def sizes_of(cover: CoverProblem, placements_per_solution: int | None) -> BitsetSizes:
    """Return the sizes for a problem; `placements_per_solution` is None if the number varies."""
    items = cover.primary_count
    max_taken = placements_per_solution
    if max_taken is None:
        covering = np.bincount(cover.item, minlength=cover.item_count)[:items]
        max_taken = min(cover.option_count, int(np.minimum(cover.upper, covering).sum()))
    counted = int(np.count_nonzero((cover.lower != 1) | (cover.upper != 1)))
    return BitsetSizes(
        frames=_frames(cover.option_count),
        items=items,
        blocks=items // layout.LANES + 1,
        max_taken=max_taken,
        levels=max_taken + counted + 2,
    )


def too_large(options: int) -> str | None:
    """Return why the table for a number of options would be too large, or None."""
    size = BYTES_PER_WORD * options * words_for(options)
    if size <= MAX_BYTES:
        return None
    return (
        f"its table of compatible options would take {size:,} bytes for {options:,} options; "
        f"the limit is {MAX_BYTES:,}"
    )


def stack_too_large(cover: CoverProblem, placements_per_solution: int | None) -> str | None:
    """Return why the arrays by level and the rows of options together are too large, or None."""
    sizes = sizes_of(cover, placements_per_solution)
    by_level = sizes.words + (0 if cover.unit_bounds else 2 * sizes.lanes)
    coloured = cover.colour != UNCOLOURED
    rows = cover.item_count + int(np.count_nonzero(coloured))
    size = BYTES_PER_WORD * (sizes.levels * by_level + rows * sizes.words)
    return memory_refusal("its stack", size, MAX_BYTES)


def build_rows(cover: CoverProblem) -> BitsetRows:
    """Return the rows of a problem, see `BitsetRows`."""
    items, primary = cover.item_count, cover.primary_count
    once = (cover.lower == 1) & (cover.upper == 1)
    exclusive = np.ones(items, dtype=bool)  # two options may share the item only in one colour
    exclusive[:primary] = once
    coloured = cover.colour != UNCOLOURED
    keys = np.stack([cover.item[coloured], cover.colour[coloured]])
    colours, number = np.unique(keys, axis=1, return_inverse=True)
    own = cover.item.copy()
    own[coloured] = items + number.reshape(-1)

    options = cover.option_count
    of_option = cover.option_of_member
    counted = ~exclusive[cover.item]
    counted_start, counted_items = _by_option(of_option[counted], cover.item[counted], options)
    rival_start, rival = _by_option(of_option[~counted], own[~counted], options)
    mark_start, mark = _by_option(
        np.concatenate([of_option, of_option[coloured]]),
        np.concatenate([cover.item, own[coloured]]),
        options,
    )
    single = (cover.item < primary) & ~counted
    return BitsetRows(
        once=once,
        whole=np.concatenate([np.arange(items), colours[0]]).astype(np.uint32),
        mark_start=mark_start,
        mark=mark,
        rival_start=rival_start,
        rival=rival,
        closes=np.bincount(of_option[single], minlength=options).astype(np.uint32),
        counted_start=counted_start,
        counted=counted_items,
    )


def _by_option(
    of_option: NDArray[np.int32], value: NDArray[np.int32], options: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the index at which the values of each option begin, and the values by option."""
    start = np.zeros(options + 1, dtype=np.uint32)
    start[1:] = np.cumsum(np.bincount(of_option, minlength=options))
    return start, value[np.argsort(of_option, kind="stable")].astype(np.uint32)


def build_frames(rows: BitsetRows, sizes: BitsetSizes) -> Frames:
    """Return the arrays of all frames; only the first, of all options and items, is built."""
    from dovetail.backends.bitset.kernels.frames import build_first

    first_options, words = sizes.frames[0]
    names = np.zeros(sum(options for options, _ in sizes.frames), dtype=np.uint32)
    names[:first_options] = np.arange(first_options)
    item_of = np.zeros(len(sizes.frames) * sizes.items, dtype=np.uint32)
    item_of[: sizes.items] = np.arange(sizes.items)
    entries = np.zeros((len(sizes.frames), layout.FRAME_SIZE), dtype=np.uint64)
    entries[0, layout.OPTIONS] = first_options
    entries[0, layout.WORDS] = words
    entries[0, layout.BLOCKS] = sizes.blocks
    plane_words = sum(frame_words * sizes.lanes for _, frame_words in sizes.frames)
    frames = Frames(
        frames=entries.reshape(-1),
        names=names,
        item_of=item_of,
        lane_of=np.zeros_like(item_of),
        planes=aligned(plane_words),
        table=aligned(sizes.table_words),
        scratch=aligned(len(rows.whole) * words),
    )
    build_first(np.uint64(sizes.items), rows, frames)
    return frames


def _frames(options: int) -> tuple[tuple[int, int], ...]:
    """Return the largest numbers of options and words of each frame; the first has all options."""
    words = words_for(options)
    frames = [(options, words)]
    while words > 1:
        words //= 2
        frames.append((words * WORD_BITS, words))
    return tuple(frames)


@dataclass(frozen=True)
class ListPrices:
    """Conditions for listing options; they change the time and nothing else.

    Options are listed if at most `max_items` items are left and listing is expected to save time.
    The unit of `cost` and `price` is the cost of reading a word of a block of items.
    """

    max_items: int = WORD_BITS
    # Cost of a node with lists.
    cost: int = 16
    # Cost of listing an option.
    price: int = 2


DEFAULT_PRICES = ListPrices()


def build_lists(cover: CoverProblem, sizes: BitsetSizes, prices: ListPrices) -> OptionLists | None:
    """Return the arrays for lists; None if an item has other bounds than exactly once.

    Options are never listed if some option has colours or at least 64 items, if two options have
    the same items, or if a node takes no more work without lists than with lists.
    """
    if not cover.unit_bounds:
        return None
    looked_at = sizes.words * sizes.blocks
    listable = (
        looked_at > prices.cost
        and not np.any(cover.colour)
        and np.diff(cover.start).max(initial=0) < WORD_BITS  # words with all bits fill up lists
        and _all_differ(cover)
    )
    # Each level covers an item, and at most 64 items are left, so that few levels have lists. All
    # levels together have at most as many branches as there are options.
    list_words = cover.option_count + 3 * PAIR_SIZE
    lists = min(sizes.levels, WORD_BITS) + 2 if listable else 1
    return OptionLists(
        masks=aligned(lists * list_words),
        names=np.zeros(cover.option_count, dtype=np.uint32),
        bits=np.zeros(cover.item_count, dtype=np.uint64),
        levels=np.zeros(sizes.levels * layout.LIST_SIZE, dtype=np.uint64),
        planes=np.zeros(PLANES + 1, dtype=np.uint64),
        too_many_items=np.uint64(prices.max_items + 1 if listable else 0),
        cost=np.uint64(prices.cost),
        price=np.uint64(prices.price),
    )


def _all_differ(cover: CoverProblem) -> bool:
    """Return whether all options have different sets of items.

    The test compares hashes of these sets, so that in rare cases the result is False by mistake.
    """
    if not cover.option_count:
        return True
    words = random_words(0, 0, cover.item_count)
    sums = np.sort(np.add.reduceat(words[cover.item], cover.start[:-1]))
    return not np.any(sums[1:] == sums[:-1])
