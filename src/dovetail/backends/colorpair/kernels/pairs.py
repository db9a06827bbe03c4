"""The pairs of colours that a cell demands, and the tiles that offer one."""

import numpy as np

from dovetail.backends.colorpair.kernels.layout import (
    CELL_ROW,
    CELL_ROWS,
    CODE_BITS,
    CODE_MASK,
    COLOURS,
    OPPOSITE,
    PAIR_ROWS,
    PAIRS,
    SEQUENCE,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros

ZERO, ONE, TWO, THREE, FOUR_SIDES = (np.uint64(number) for number in range(5))
SIX, SIXTY_THREE = np.uint64(6), np.uint64(63)
PLACES = 6  # where a tile can have a pair: four sequences, two opposites


@kernel(inline=True)
def row_of(tables, cell):
    """Where the row of a cell begins."""
    return tables[CELL_ROWS] + cell * CELL_ROW


@kernel(inline=True)
def code_at(codes, side):
    """The code of a side: a colour's number plus one, 0 for an unknown one."""
    return (codes >> (side * CODE_BITS)) & CODE_MASK


@kernel(inline=True)
def pair_at(tables, row, codes, place):
    """The pair that known sides demand at one of the `PLACES`, number `tables[PAIRS]` for none."""
    if place < FOUR_SIDES:
        first, second, begin = place, (place + ONE) & THREE, tables[row + SEQUENCE]
    else:
        first, second, begin = place - FOUR_SIDES, place - TWO, tables[row + OPPOSITE]
    stride = tables[COLOURS] + ONE
    return tables[begin + code_at(codes, first) * stride + code_at(codes, second)]


@kernel(inline=True)
def pairs_of(tables, row, codes):
    """The pairs at all places, `tables[PAIRS]` for those that are there already."""
    stride, none = tables[COLOURS] + ONE, tables[PAIRS]
    sequence, opposite = tables[row + SEQUENCE], tables[row + OPPOSITE]
    north, east = codes & CODE_MASK, (codes >> CODE_BITS) & CODE_MASK
    south, west = (codes >> (TWO * CODE_BITS)) & CODE_MASK, codes >> (THREE * CODE_BITS)
    a = tables[sequence + north * stride + east]
    b = tables[sequence + east * stride + south]
    c = tables[sequence + south * stride + west]
    d = tables[sequence + west * stride + north]
    upright = tables[opposite + north * stride + south]
    level = tables[opposite + east * stride + west]
    b = none if b == a else b
    c = none if c in (a, b) else c
    d = none if d in (a, b, c) else d
    level = none if level == upright else level
    return a, b, c, d, upright, level


@kernel(inline=True)
def offered(tables, memory, at, pair, tiles):
    """How many of the tiles left in the record at `at` have a pair."""
    row = tables[PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    free, count = at + tables[row], ZERO
    for w in range(len(tiles)):
        count += ones(tables[row + ONE + np.uint64(w)] & memory[free + np.uint64(w)])
    return count


@kernel(inline=True)
def first_left(tables, memory, left, members, words):
    """The first tile in both a set of the tables and one of a record, of so many words."""
    for word in range(words):
        both = tables[members + word] & memory[left + word]
        if both:
            return (word << SIX) + trailing_zeros(both)
    return ZERO
