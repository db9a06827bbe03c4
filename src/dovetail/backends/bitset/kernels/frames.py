"""Frames, which number the alive options and the open items anew, and the choice of an item.

A search begins in a frame of all options. Deep in its tree few options are alive, spread over all
words. Packed into a new frame, a set of these options takes only a few words. Options and items
keep their order, so that the search tree does not depend on the frames.

The sets of options that cover the items are stored in planes: word 0 of all items, then word 1 of
all items, and so on. Adjacent items are lanes of a vector. A word of `alive` is the same for all
lanes, so that lanes are combined only at the very end.
"""

from typing import Any

import numpy as np

from dovetail.backends.bitset.kernels import layout
from dovetail.backends.bitset.kernels.layout import (
    BLOCKS,
    FRAME_SIZE,
    NAMES,
    OPTIONS,
    PACKED_AT,
    PLANES,
    TABLE,
    WORDS,
    BitsetRows,
    Frames,
)
from dovetail.jit import Deferred, kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.machine_code import LANES as LANE_CODE
from dovetail.machine_code import layout as sizes

LANES = np.uint64(layout.LANES)
ZERO, ONE = np.uint64(0), np.uint64(1)
SIX, LOW_SIX = np.uint64(6), np.uint64(63)  # 1 << 6 bits make a word
NO_ITEM, DEAD = np.int64(sizes.NO_ITEM), np.int64(sizes.DEAD)
LANE_BITS, LANE_MASK = np.int64(sizes.LANE_BITS), np.int64((1 << sizes.LANE_BITS) - 1)


@kernel(inline=True)
def words_of(bits):
    """Return the number of words that hold `bits` bits."""
    return (bits + LOW_SIX) >> SIX


@kernel
def build_first(count: np.uint64, rows: BitsetRows, frames: Frames) -> None:
    """Build the planes and the table of the first frame, of all options and `count` items."""
    build(ZERO, count, rows, frames)


@kernel
def pack(frame, level, left, rows, frames, stack, counts):
    """Pack the `left` options that are alive on a level into a new frame after `frame`.

    The alive options and the counts of the level are renumbered as in the new frame. Returns the
    number of items of the new frame. `rows`, `frames`, `stack` and `counts` are as in
    `search.search`.
    """
    alive, alive_at = stack.alive, level * stack.words
    old, entries = frame * FRAME_SIZE, frames.frames
    new = old + FRAME_SIZE
    options, words, blocks = entries[old + OPTIONS], entries[old + WORDS], entries[old + BLOCKS]
    entries[new + NAMES] = entries[old + NAMES] + options
    entries[new + PLANES] = entries[old + PLANES] + words * blocks * LANES
    entries[new + TABLE] = entries[old + TABLE] + words * options
    entries[new + PACKED_AT] = level
    name_options(old, new, alive, alive_at, frames)
    count = keep_open_items(frame, level, rows, frames, stack, counts)
    entries[new + OPTIONS], entries[new + WORDS] = left, words_of(left)
    entries[new + BLOCKS] = (count + LANES - ONE) // LANES
    build(frame + ONE, count, rows, frames)
    for word in range(left >> SIX):
        alive[alive_at + word] = ~ZERO
    if left & LOW_SIX:
        alive[alive_at + (left >> SIX)] = (ONE << (left & LOW_SIX)) - ONE
    if counts is not None:
        need, need_at = counts.need, level * counts.lanes
        for lane in range(count, entries[new + BLOCKS] * LANES):
            need[need_at + lane] = 1
    return count


@kernel(inline=True)
def name_options(old, new, alive, alive_at, frames):
    """Write the names of the alive options of the frame at `old` into the frame at `new`."""
    entries, names = frames.frames, frames.names
    first, number = entries[old + NAMES], entries[new + NAMES]
    for word in range(entries[old + WORDS]):
        bits = alive[alive_at + word]
        while bits:
            names[number] = names[first + (word << SIX) + trailing_zeros(bits)]
            number += ONE
            bits &= bits - ONE


@kernel(inline=True)
def keep_open_items(frame, level, rows, frames, stack, counts):
    """Assign lanes of the next frame to the open items of a frame; return the number of items."""
    this, planes, item_of = frame * FRAME_SIZE, frames.planes, frames.item_of
    words, stride = frames.frames[this + WORDS], frames.frames[this + BLOCKS] * LANES
    items = np.uint64(len(rows.once))
    first, base, count = frames.frames[this + PLANES], frame * items, ZERO
    alive, alive_at = stack.alive, level * stack.words
    if counts is not None:
        need, capacity, need_at = counts.need, counts.capacity, level * counts.lanes
    for lane in range(min(items, stride)):
        covering = ZERO
        for word in range(words):
            covering |= planes[first + word * stride + lane] & alive[alive_at + word]
        is_open = covering != ZERO
        if counts is not None:
            is_open |= need[need_at + lane] <= 0
        if is_open:
            item_of[base + items + count] = item_of[base + lane]
            if counts is not None:
                need[need_at + count] = need[need_at + lane]
                capacity[need_at + count] = capacity[need_at + lane]
            count += ONE
    return count


@kernel
def build(frame, count, rows, frames):
    """Build the planes and the table of a frame whose options and `count` items are numbered."""
    this = frame * FRAME_SIZE
    options, words = frames.frames[this + OPTIONS], frames.frames[this + WORDS]
    first = frames.frames[this + NAMES]
    fill_rows(options, words, first, rows, frames)
    fill_planes(this, frame * np.uint64(len(rows.once)), count, rows, frames)
    fill_table(options, words, first, frames.frames[this + TABLE], rows, frames)


@kernel(inline=True)
def fill_rows(options, words, first, rows, frames):
    """Fill `scratch` with the rows of a frame; plane w has word w of each row."""
    names, scratch, mark_start, mark = frames.names, frames.scratch, rows.mark_start, rows.mark
    count = np.uint64(len(rows.whole))
    for k in range(count * words):
        scratch[k] = ZERO
    for k in range(options):
        option = np.uint64(names[first + k])
        plane, bit = (k >> SIX) * count, ONE << (k & LOW_SIX)
        for m in range(np.uint64(mark_start[option]), np.uint64(mark_start[option + ONE])):
            scratch[plane + np.uint64(mark[m])] |= bit
    for row in range(count):
        whole = np.uint64(rows.whole[row])
        if whole != row:
            for word in range(words):
                plane = word * count
                scratch[plane + row] = scratch[plane + whole] & ~scratch[plane + row]


@kernel(inline=True)
def fill_planes(this, base, count, rows, frames):
    """Copy the rows of a frame's items from `scratch` into its planes, and fill `lane_of`."""
    scratch, planes, item_of = frames.scratch, frames.planes, frames.item_of
    row_count, stride = np.uint64(len(rows.whole)), frames.frames[this + BLOCKS] * LANES
    for lane in range(count):
        frames.lane_of[base + np.uint64(item_of[base + lane])] = lane
    plane = frames.frames[this + PLANES]
    for word in range(frames.frames[this + WORDS]):
        for lane in range(count):
            planes[plane + lane] = scratch[word * row_count + np.uint64(item_of[base + lane])]
        for lane in range(count, stride):
            planes[plane + lane] = ZERO
        plane += stride


@kernel(inline=True)
def fill_table(options, words, first, entry, rows, frames):
    """Fill a frame's table: an option is compatible with all options outside its rival rows."""
    names, scratch, table = frames.names, frames.scratch, frames.table
    rival_start, rival, row_count = rows.rival_start, rows.rival, np.uint64(len(rows.whole))
    for k in range(options):
        option = np.uint64(names[first + k])
        begin, end = np.uint64(rival_start[option]), np.uint64(rival_start[option + ONE])
        for word in range(words):
            rivals, plane = ZERO, word * row_count
            for m in range(begin, end):
                rivals |= scratch[plane + np.uint64(rival[m])]
            table[entry] = ~rivals
            entry += ONE


@kernel(inline=True)
def fewest_of_lanes(planes, extent, alive, alive_at, need, need_at, closed):
    """Return the key of the open item with the fewest choices: see `fewest_choices`."""
    stride = extent.blocks * LANES
    lowest, without = NO_ITEM, ZERO
    for lane in range(stride):
        options = ZERO
        for word in range(extent.words):
            covering = planes[extent.first + word * stride + lane]
            options += ones(covering & alive[alive_at + word])
        choices = np.int64(options)
        if need is not None:
            choices += 1 - max(np.int64(0), need[need_at + lane])
        if choices <= 0:
            without += ONE
        else:
            lowest = min(lowest, choices << LANE_BITS | np.int64(lane))
    return DEAD if without > closed else lowest


fewest_of_blocks: Any = Deferred(
    "dovetail.machine_code.vectors", "fewest_of_blocks", LANE_CODE, fewest_of_lanes
)


@kernel(inline=True)
def fewest_choices(planes, extent, alive, alive_at, need, need_at, closed):
    """Return the key of the first open item with the fewest choices, as an int64.

    The key is choices · 2**32 + lane, or `NO_ITEM` if no item is open. The key is `DEAD` if more
    than `closed` lanes have no choice, because then one of these lanes belongs to an open item.

    `extent` is the `Extent` of a frame. `planes[first + (w · blocks + b) · LANES + l]` is word w of
    the options that cover the item in lane b · LANES + l. `alive[alive_at + w]` is word w of the
    alive options. If all items are covered exactly once, `need` is None, and an item has as many
    choices as alive options. Otherwise `need[need_at + lane]`, int64, is the number of options that
    an item still needs. The item has options + 1 − max(0, need) choices. A choice is the first of
    the alive options that is taken for the item, or no further option if the item needs none. All
    arrays but `need` are uint64.
    """
    planes[extent.first + extent.words * extent.blocks * LANES - ONE]  # checks bounds
    alive[alive_at + extent.words - ONE]
    return fewest_of_blocks(planes, extent, alive, alive_at, need, need_at, closed)
