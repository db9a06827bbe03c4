"""Contradictions and instantiations: what follows from a single pair."""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import (
    blame_shortage,
    blame_sides,
    blame_taken,
    clear,
    unite,
)
from dovetail.backends.colorpair.kernels.candidates import matching
from dovetail.backends.colorpair.kernels.layout import (
    BACKJUMPING,
    CAUSE,
    CELL_MASK,
    CONTRADICTION,
    DEMAND_BITS,
    DEMANDS,
    FORCED,
    INSTANTIATION,
    PAIR_ROWS,
    PENDING,
    PENDING_COUNT,
    WHY,
)
from dovetail.backends.colorpair.kernels.pairs import ONE, ZERO, first_left, offered
from dovetail.backends.colorpair.kernels.put import put
from dovetail.jit import kernel
from dovetail.kernels.word_size import WORD_BITS

NO_ORIENTATION, ONE_ORIENTATION, SEVERAL_ORIENTATIONS = range(3)


@kernel
def settle(tables, memory, at, rules, words):
    """Look at all pending pairs, and at those that follow; False if one has too few tiles.

    `words` are three tuples, as long as a set of the tiles of a zone, a set of cells or levels and
    a domain. Then the explanation is in `WHY`.
    """
    tiles, cells = words.tiles, words.cells
    while memory[PENDING_COUNT]:
        memory[PENDING_COUNT] -= ONE
        pair = memory[tables[PENDING] + memory[PENDING_COUNT]]
        demand = memory[at + tables[DEMANDS] + pair]
        wanted = demand >> DEMAND_BITS
        if wanted == ZERO:
            continue
        count = offered(tables, memory, at, pair, tiles)
        if count < wanted and rules & CONTRADICTION:
            if rules & BACKJUMPING:
                clear(memory, tables[WHY], cells)
                blame_shortage(tables, memory, at, pair, tables[WHY], tiles, cells)
            return False
        if count == ONE and wanted == ONE and rules & INSTANTIATION:
            cell, row = demand & CELL_MASK, tables[PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
            tile = first_left(tables, memory, at + tables[row], row + ONE, np.uint64(len(tiles)))
            if rules & BACKJUMPING:
                clear(memory, tables[WHY], cells)
                blame_sides(tables, memory, at, cell, tables[WHY], cells)
                blame_taken(tables, memory, at, pair, False, tables[WHY], tiles, cells)
            if force(tables, memory, at, cell, tile, rules, words) == NO_ORIENTATION:
                return False
    return True


@kernel
def force(tables, memory, at, cell, tile, rules, words):
    """Put the only tile that is left for it into a cell, for what is in `WHY`, if it fits one way.

    `SEVERAL_ORIENTATIONS`: it fits more ways than one, and nothing is put.
    """
    tiles, cells, domain = words.tiles, words.cells, words.domain
    domain, orientations, place = matching(tables, memory, at, cell, domain), ZERO, ZERO
    for k in range(len(domain)):
        bit = np.uint64(WORD_BITS * (k % len(tiles)))
        if bit <= tile and tile < bit + np.uint64(WORD_BITS) and (domain[k] >> (tile - bit)) & ONE:
            orientations += ONE
            place = np.uint64(WORD_BITS * k) + tile - bit
    if orientations == ZERO:
        return NO_ORIENTATION
    if orientations > ONE:
        return SEVERAL_ORIENTATIONS
    if rules & BACKJUMPING:
        cause = tables[CAUSE] + cell * np.uint64(len(cells))
        clear(memory, cause, cells)
        unite(memory, cause, tables[WHY], cells)
    put(tables, memory, at, cell, place, tiles, words.colours)
    memory[FORCED] += ONE
    return ONE_ORIENTATION
