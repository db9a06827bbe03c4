"""Explanations: sets of levels whose decisions are enough for what has been concluded.

The cause of a filled cell is the set of the levels that it follows from: its own, where it was
branched on. What a pair is short of is explained by the cells that demand it and by those that
hold its tiles, each by its cause. A cell that holds a tile of the pair and had to, as the two
neighbours that showed the pair lay there before, is explained by these: whatever is put there
takes a tile of the pair.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", section 5.2.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.candidates import matching
from dovetail.backends.colorpair.kernels.layout import (
    CAUSE,
    CELL_OF,
    FREE,
    KNOWN,
    NEIGHBOURS,
    NO_CELL,
    PAIR_ROWS,
    SURROUNDED,
)
from dovetail.backends.colorpair.kernels.pairs import (
    FOUR_SIDES,
    ONE,
    PLACES,
    SIX,
    THREE,
    TWO,
    ZERO,
    code_at,
    pair_at,
    row_of,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros


@kernel(inline=True)
def unite(memory, into, levels, cells):
    """Add the levels of one set to another."""
    for k in range(len(cells)):
        memory[into + np.uint64(k)] |= memory[levels + np.uint64(k)]


@kernel(inline=True)
def clear(memory, levels, cells):
    """Take all levels out of a set."""
    for k in range(len(cells)):
        memory[levels + np.uint64(k)] = ZERO


@kernel
def blame_cell(tables, memory, cell, into, cells):
    """Add the cause of a filled cell; beyond the frame there is none."""
    if cell != NO_CELL:
        unite(memory, into, tables[CAUSE] + cell * np.uint64(len(cells)), cells)


@kernel
def blame_sides(tables, memory, at, cell, into, cells):
    """Why the sides of a cell that are known have to show what they do."""
    row, codes = row_of(tables, cell), memory[at + tables[KNOWN] + cell]
    for side in range(FOUR_SIDES):
        if code_at(codes, side):
            blame_cell(tables, memory, tables[row + NEIGHBOURS + side], into, cells)


@kernel
def blame_demand(tables, memory, at, cell, pair, into, cells):
    """Why a cell has to take a tile of a pair; False where it has not, or had not when filled."""
    row, codes = row_of(tables, cell), memory[at + tables[KNOWN] + cell]
    for place in range(np.uint64(PLACES)):
        if pair_at(tables, row, codes, place) == pair:
            if place < FOUR_SIDES:
                first, second = place, (place + ONE) & THREE
            else:
                first, second = place - FOUR_SIDES, place - TWO
            blame_cell(tables, memory, tables[row + NEIGHBOURS + first], into, cells)
            blame_cell(tables, memory, tables[row + NEIGHBOURS + second], into, cells)
            return True
    return False


@kernel
def blame_taken(tables, memory, at, pair, by_demand, into, tiles, cells):
    """Why tiles of a pair are not left; `by_demand`, by the demands of where they are, if any."""
    row = tables[PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    zone = tables[row]
    for word in range(np.uint64(len(tiles))):
        rest = tables[row + ONE + word] & ~memory[at + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            cell = memory[tables[CELL_OF] + tile]
            if not by_demand or not blame_demand(tables, memory, at, cell, pair, into, cells):
                blame_cell(tables, memory, cell, into, cells)


@kernel
def blame_shortage(tables, memory, at, pair, into, tiles, cells):
    """Why so many cells demand a pair, and why so few tiles offer it."""
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            blame_demand(tables, memory, at, cell, pair, into, cells)
    blame_taken(tables, memory, at, pair, True, into, tiles, cells)


@kernel
def blame_domain(tables, memory, at, cell, into, words):
    """Why nothing but its candidates can be put into a cell."""
    tiles, cells, domain = words.tiles, words.cells, words.domain
    blame_sides(tables, memory, at, cell, into, cells)
    zone = tables[row_of(tables, cell) + FREE]
    fitting = matching(tables, memory, at, cell, domain)
    for k in range(len(domain)):
        word = zone + np.uint64(k % len(tiles))
        rest = fitting[k] & ~memory[at + word]
        while rest:
            tile = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            blame_cell(tables, memory, memory[tables[CELL_OF] + tile], into, cells)
