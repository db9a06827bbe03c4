"""Putting a tile into a cell: what its neighbours know then, what is offered and demanded."""

import numpy as np

from dovetail.backends.colorpair.kernels.layout import (
    ALL_KNOWN,
    CELL_OF,
    COLOUR_CELL_BITS,
    COLOURS,
    DEMANDED,
    DEMANDS,
    EDGES_LEFT,
    FREE,
    INCOMING,
    KNOWN,
    MATE,
    NEIGHBOURS,
    NO_CELL,
    ONE_DEMAND,
    ONE_DEMANDED,
    ONE_RING_DEMAND,
    ONE_SIDE,
    OPEN,
    OUTGOING,
    PAIRS,
    PENDING,
    PENDING_COUNT,
    PLACE,
    RING_LEFT,
    SURROUNDED,
    THREE_KNOWN,
    TILE_EDGES,
    TILE_PAIRS,
    ZONE_COLOURS,
)
from dovetail.backends.colorpair.kernels.pairs import (
    FOUR_SIDES,
    ONE,
    PLACES,
    SIX,
    SIXTY_THREE,
    TWO,
    ZERO,
    code_at,
    pairs_of,
    row_of,
)
from dovetail.backends.shared.kernels.state import WORK
from dovetail.jit import kernel

TILE_PAIR_ROW = np.uint64(8)


@kernel
def put(tables, memory, at, cell, place, tiles, colours):
    """Put a tile into an open cell of the record at `at`.

    `place` says which one, and how it is turned: bit `place` of the cell's domain, which is that
    of a tile left. `tiles` and `colours` are those of `Words`. The pairs that it offered, and
    those of its neighbours, are `PENDING` then.
    """
    row, codes = row_of(tables, cell), memory[at + tables[KNOWN] + cell]
    word, bit = cell >> SIX, ONE << (cell & SIXTY_THREE)
    tile = place % np.uint64(64 * len(tiles))
    memory[at + tables[row + FREE] + (tile >> SIX)] &= ~(ONE << (tile & SIXTY_THREE))
    tile += tables[row + FREE] << SIX
    memory[tables[PLACE] + cell] = place
    memory[tables[CELL_OF] + tile] = cell
    memory[WORK] += ONE
    for members in (OPEN, SURROUNDED, THREE_KNOWN, ALL_KNOWN):
        memory[at + tables[members] + word] &= ~bit
    none, demands = tables[PAIRS], at + tables[DEMANDS]
    for pair in pairs_of(tables, row, codes):
        if pair != none:
            memory[demands + pair] = (memory[demands + pair] - ONE_DEMAND) ^ cell
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code:
            memory[at + tables[EDGES_LEFT] + code - ONE] -= ONE_DEMANDED
            _demand_on_ring(tables, memory, at, row, side, code, ZERO - ONE_RING_DEMAND)
    left, change = at + tables[EDGES_LEFT], tables[TILE_EDGES] + tile * TWO * tables[COLOURS]
    for k in range(TWO * tables[COLOURS]):
        memory[left + k] -= tables[change + k]
    its_pairs = tables[TILE_PAIRS] + tile * TILE_PAIR_ROW
    for k in range(np.uint64(PLACES)):
        pair = tables[its_pairs + k]
        if memory[demands + pair] >= ONE_DEMAND:
            _queue(tables, memory, pair)
    shown = tables[tables[row + DEMANDED] + place]
    if len(colours) > 0:
        _take_colours(tables, memory, at + tables[row + ZONE_COLOURS], cell, codes, shown)
    for side in range(FOUR_SIDES):
        beyond = tables[row + NEIGHBOURS + side]
        if beyond == NO_CELL:
            continue
        if (memory[at + tables[OPEN] + (beyond >> SIX)] >> (beyond & SIXTY_THREE)) & ONE:
            learn(tables, memory, at, beyond, side ^ TWO, code_at(shown, side), colours)


@kernel
def learn(tables, memory, at, cell, side, code, colours):
    """What an open cell has to show on a side, of which nothing was known, is known now."""
    row, here = row_of(tables, cell), at + tables[KNOWN] + cell
    before = memory[here]
    after = before | (code << (side << np.uint64(4)))
    memory[here] = after
    word, bit = cell >> SIX, ONE << (cell & SIXTY_THREE)
    if memory[at + tables[THREE_KNOWN] + word] & bit:
        memory[at + tables[ALL_KNOWN] + word] |= bit
    elif memory[at + tables[SURROUNDED] + word] & bit:
        memory[at + tables[THREE_KNOWN] + word] |= bit
    elif before:
        memory[at + tables[SURROUNDED] + word] |= bit
    memory[at + tables[EDGES_LEFT] + code - ONE] += ONE_DEMANDED
    _demand_on_ring(tables, memory, at, row, side, code, ONE_RING_DEMAND)
    if len(colours) > 0:
        entry = at + tables[row + ZONE_COLOURS] + code - ONE
        memory[entry] = (memory[entry] + ONE_DEMANDED) ^ (cell << COLOUR_CELL_BITS)
    none, demands = tables[PAIRS], at + tables[DEMANDS]
    past, present = pairs_of(tables, row, before), pairs_of(tables, row, after)
    for k in range(PLACES):
        old, new = past[k], present[k]
        if old != new:
            if old != none:
                memory[demands + old] = (memory[demands + old] - ONE_DEMAND) ^ cell
            if new != none:
                memory[demands + new] = (memory[demands + new] + ONE_DEMAND) ^ cell
        if new != none:
            _queue(tables, memory, new)


@kernel
def _take_colours(tables, memory, colours, cell, codes, shown):
    """Take away the edges of the tile that was put, and those that its cell demanded.

    `codes` are the sides that were known, `shown` what the tile demands of the neighbours.
    """
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code:
            entry = colours + code - ONE
            memory[entry] = (memory[entry] - ONE_DEMANDED) ^ (cell << COLOUR_CELL_BITS)
        memory[colours + tables[tables[MATE] + code_at(shown, side) - ONE]] -= ONE_SIDE


@kernel(inline=True)
def _demand_on_ring(tables, memory, at, row, side, code, change):
    """Count a side that is known, or is no more, if it is one of the ring."""
    colour = code - ONE
    if side == tables[row + OUTGOING]:
        memory[at + tables[RING_LEFT] + colour] += change
    elif side == tables[row + INCOMING]:
        memory[at + tables[RING_LEFT] + tables[tables[MATE] + colour]] += change


@kernel(inline=True)
def _queue(tables, memory, pair):
    """Queue a pair whose offer or demand has changed."""
    memory[tables[PENDING] + memory[PENDING_COUNT]] = pair
    memory[PENDING_COUNT] += ONE
