"""Cells of a record: the pairs that they demand, their candidates, and putting a tile into a cell.

Sets are tuples of uint64 words. Bit t of plane p of a domain is the p-th orientation of tile t in
the cells with some frame; a plane has as many words as a set of the tiles of a zone. The lengths of
the tuples are part of their types, so that loops over them are unrolled.
"""

import numpy as np

from dovetail.backends.colorpair.kernels import layout
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import loaded, ones, trailing_zeros
from dovetail.kernels.layout import WORK

ZERO, ONE, TWO, THREE, FOUR_SIDES = (np.uint64(number) for number in range(5))
SIX, SIXTY_THREE = np.uint64(6), np.uint64(63)
PLACES = 6  # where a tile can have a pair: four sequences, two opposites


@kernel(inline=True)
def row_of(tables, cell):
    """Return where the row of a cell begins."""
    return tables[layout.CELL_ROWS] + cell * layout.CELL_ROW


@kernel(inline=True)
def code_at(codes, side):
    """Return the code of a side: 1 + the number of its colour, 0 if unknown."""
    return (codes >> (side * layout.CODE_BITS)) & layout.CODE_MASK


@kernel(inline=True)
def pair_at(tables, row, codes, place):
    """Return the pair that known sides demand at a place of `PLACES`, else `tables[PAIRS]`."""
    if place < FOUR_SIDES:
        first, second, begin = place, (place + ONE) & THREE, tables[row + layout.SEQUENCE]
    else:
        first, second, begin = place - FOUR_SIDES, place - TWO, tables[row + layout.OPPOSITE]
    stride = tables[layout.COLOURS] + ONE
    return tables[begin + code_at(codes, first) * stride + code_at(codes, second)]


@kernel(inline=True)
def pairs_of(tables, row, codes):
    """Return the pairs at all places, `tables[PAIRS]` in place of repeated pairs."""
    stride, none = tables[layout.COLOURS] + ONE, tables[layout.PAIRS]
    sequence, opposite = tables[row + layout.SEQUENCE], tables[row + layout.OPPOSITE]
    north, east = codes & layout.CODE_MASK, (codes >> layout.CODE_BITS) & layout.CODE_MASK
    south = (codes >> (TWO * layout.CODE_BITS)) & layout.CODE_MASK
    west = codes >> (THREE * layout.CODE_BITS)
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
    """Return how many of the tiles left in the record at `at` have a pair."""
    row = tables[layout.PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    free, count = at + tables[row], ZERO
    for w in range(len(tiles)):
        count += ones(tables[row + ONE + np.uint64(w)] & memory[free + np.uint64(w)])
    return count


@kernel(inline=True)
def first_left(tables, memory, left, members, words):
    """Return the first tile that is both in a set of the tables and in a set of a record."""
    for word in range(words):
        both = tables[members + word] & memory[left + word]
        if both:
            return (word << SIX) + trailing_zeros(both)
    return ZERO


@kernel(inline=True)
def matching(tables, memory, at, cell, domain):
    """Return orientations of a cell that match its known sides, used-up tiles included."""
    row, codes = row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]
    words, stride = np.uint64(len(domain)), tables[layout.COLOURS] + ONE
    domain = loaded(domain, tables, tables[row + layout.ALLOWED])
    for side in range(FOUR_SIDES):
        fits = tables[row + layout.FITS] + (side * stride + code_at(codes, side)) * words
        for k in range(len(domain)):
            domain = tuple_setitem(domain, k, domain[k] & tables[fits + np.uint64(k)])
    return domain


@kernel(inline=True)
def candidates_of(tables, memory, at, cell, domain, tiles):
    """Return the matching orientations of tiles left; of twins, only the first."""
    domain, row = matching(tables, memory, at, cell, domain), row_of(tables, cell)
    free = at + tables[row + layout.FREE]
    for k in range(len(domain)):
        left = memory[free + np.uint64(k % len(tiles))]
        domain = tuple_setitem(domain, k, domain[k] & left)
    return without_twins(tables, row, domain, tiles)


@kernel(inline=True)
def without_twins(tables, row, domain, tiles):
    """Return a domain of a cell less the tiles that follow a twin in it."""
    passed_on = ZERO
    for k in range(len(domain)):
        w = np.uint64(k % len(tiles))
        followed = domain[k] & tables[tables[row + layout.TWINS] + w]
        before = passed_on if w else ZERO
        domain = tuple_setitem(domain, k, domain[k] & ~((followed << ONE) | before))
        passed_on = followed >> np.uint64(63)
    return domain


TILE_PAIR_ROW = np.uint64(8)


@kernel
def put(tables, memory, at, cell, place, tiles, colours):
    """Put a tile into an open cell of the record at `at`.

    Bit `place` of the cell's domain is the tile and its rotation; the tile is left. `tiles` and
    `colours` are fields of `Words`. The pairs that it offered and the pairs of its neighbours
    become `PENDING`.
    """
    row, codes = row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]
    word, bit = cell >> SIX, ONE << (cell & SIXTY_THREE)
    tile = place % np.uint64(64 * len(tiles))
    memory[at + tables[row + layout.FREE] + (tile >> SIX)] &= ~(ONE << (tile & SIXTY_THREE))
    tile += tables[row + layout.FREE] << SIX
    memory[tables[layout.PLACE] + cell] = place
    memory[tables[layout.CELL_OF] + tile] = cell
    memory[WORK] += ONE
    for members in (layout.OPEN, layout.SURROUNDED, layout.THREE_KNOWN, layout.ALL_KNOWN):
        memory[at + tables[members] + word] &= ~bit
    none, demands = tables[layout.PAIRS], at + tables[layout.DEMANDS]
    for pair in pairs_of(tables, row, codes):
        if pair != none:
            memory[demands + pair] = (memory[demands + pair] - layout.ONE_DEMAND) ^ cell
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code:
            memory[at + tables[layout.EDGES_LEFT] + code - ONE] -= layout.ONE_DEMANDED
            _demand_on_ring(tables, memory, at, row, side, code, ZERO - layout.ONE_RING_DEMAND)
    left = at + tables[layout.EDGES_LEFT]
    change = tables[layout.TILE_EDGES] + tile * TWO * tables[layout.COLOURS]
    for k in range(TWO * tables[layout.COLOURS]):
        memory[left + k] -= tables[change + k]
    its_pairs = tables[layout.TILE_PAIRS] + tile * TILE_PAIR_ROW
    for k in range(np.uint64(PLACES)):
        pair = tables[its_pairs + k]
        if memory[demands + pair] >= layout.ONE_DEMAND:
            _queue(tables, memory, pair)
    shown = tables[tables[row + layout.DEMANDED] + place]
    if len(colours) > 0:
        _take_colours(tables, memory, at + tables[row + layout.ZONE_COLOURS], cell, codes, shown)
    for side in range(FOUR_SIDES):
        beyond = tables[row + layout.NEIGHBOURS + side]
        if beyond == layout.NO_CELL:
            continue
        if (memory[at + tables[layout.OPEN] + (beyond >> SIX)] >> (beyond & SIXTY_THREE)) & ONE:
            learn(tables, memory, at, beyond, side ^ TWO, code_at(shown, side), colours)


@kernel
def learn(tables, memory, at, cell, side, code, colours):
    """Record the code that an open cell must show on a side that was unknown."""
    row, here = row_of(tables, cell), at + tables[layout.KNOWN] + cell
    before = memory[here]
    after = before | (code << (side << np.uint64(4)))
    memory[here] = after
    word, bit = cell >> SIX, ONE << (cell & SIXTY_THREE)
    if memory[at + tables[layout.THREE_KNOWN] + word] & bit:
        memory[at + tables[layout.ALL_KNOWN] + word] |= bit
    elif memory[at + tables[layout.SURROUNDED] + word] & bit:
        memory[at + tables[layout.THREE_KNOWN] + word] |= bit
    elif before:
        memory[at + tables[layout.SURROUNDED] + word] |= bit
    memory[at + tables[layout.EDGES_LEFT] + code - ONE] += layout.ONE_DEMANDED
    _demand_on_ring(tables, memory, at, row, side, code, layout.ONE_RING_DEMAND)
    if len(colours) > 0:
        entry = at + tables[row + layout.ZONE_COLOURS] + code - ONE
        memory[entry] = (memory[entry] + layout.ONE_DEMANDED) ^ (cell << layout.COLOUR_CELL_BITS)
    none, demands = tables[layout.PAIRS], at + tables[layout.DEMANDS]
    past, present = pairs_of(tables, row, before), pairs_of(tables, row, after)
    for k in range(PLACES):
        old, new = past[k], present[k]
        if old != new:
            if old != none:
                memory[demands + old] = (memory[demands + old] - layout.ONE_DEMAND) ^ cell
            if new != none:
                memory[demands + new] = (memory[demands + new] + layout.ONE_DEMAND) ^ cell
        if new != none:
            _queue(tables, memory, new)


@kernel
def _take_colours(tables, memory, colours, cell, codes, shown):
    """Subtract the edges of the tile that was put, and the edges that its cell demanded.

    `codes` are the sides that were known, `shown` what the tile demands of the neighbours.
    """
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code:
            entry, mark = colours + code - ONE, cell << layout.COLOUR_CELL_BITS
            memory[entry] = (memory[entry] - layout.ONE_DEMANDED) ^ mark
        colour = tables[tables[layout.MATE] + code_at(shown, side) - ONE]
        memory[colours + colour] -= layout.ONE_SIDE


@kernel(inline=True)
def _demand_on_ring(tables, memory, at, row, side, code, change):
    """Count a side of the ring that becomes known, or unknown again."""
    colour = code - ONE
    if side == tables[row + layout.OUTGOING]:
        memory[at + tables[layout.RING_LEFT] + colour] += change
    elif side == tables[row + layout.INCOMING]:
        memory[at + tables[layout.RING_LEFT] + tables[tables[layout.MATE] + colour]] += change


@kernel(inline=True)
def _queue(tables, memory, pair):
    """Queue a pair whose offer or demand has changed."""
    memory[tables[layout.PENDING] + memory[layout.PENDING_COUNT]] = pair
    memory[layout.PENDING_COUNT] += ONE
