"""The rules on the tiles that remain: edges that they have to share, and cycles on the border.

Both look at sides left: of a colour, or of a colour on the ring of the outer cells, on which every
tile has an outgoing side, clockwise, and an incoming one.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", section 4.2.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import blame_cell, clear
from dovetail.backends.colorpair.kernels.layout import (
    BACKJUMPING,
    CELLS,
    COLOURS,
    EDGES_LEFT,
    FIELD_BITS,
    FIELD_MASK,
    FREE,
    MATE,
    MAX_SHARED,
    ONE_INCOMING,
    ONE_OUTGOING,
    OPEN,
    PLACE,
    RING_CELLS,
    RING_INCOMING,
    RING_LEFT,
    TILE_EDGES,
    TILE_OUTGOING,
    WHY,
    ZONES,
)
from dovetail.backends.colorpair.kernels.pairs import (
    ONE,
    SIX,
    SIXTY_THREE,
    TWO,
    ZERO,
    first_left,
    row_of,
)
from dovetail.jit import kernel

LINK = ONE_OUTGOING + ONE_INCOMING  # one of each is left, and no cell demands either


@kernel
def can_share(tables, memory, at, rules, words):
    """Whether the tiles left can share as many edges of each colour as they have to.

    M squares share at most h(M) edges. The sides of a colour that no cell demands will lie on
    edges between tiles left, each on one with a side of the mate; if the colour is its own mate,
    two of them on one.
    """
    tiles, cells = words.tiles, words.cells
    for colour in range(ONE, tables[COLOURS]):
        left = memory[at + tables[EDGES_LEFT] + colour]
        sides, demanded = left & FIELD_MASK, (left >> FIELD_BITS) & FIELD_MASK
        shareable = tables[tables[MAX_SHARED] + (left >> (TWO * FIELD_BITS))]
        if tables[tables[MATE] + colour] == colour:
            shareable += shareable
        if sides > demanded + shareable:
            if rules & BACKJUMPING:
                clear(memory, tables[WHY], cells)
                _blame_colour(tables, memory, at, colour, tiles, cells)
            return False
    return True


@kernel
def can_close(tables, memory, at, rules, words):
    """Whether no tiles left would have to close a cycle that is shorter than the ring.

    If one tile left has a colour on its outgoing side, one its mate on its incoming side, and no
    cell demands either, then the one will follow the other.
    """
    tiles, cells = words.tiles, words.cells
    ring, none = at + tables[RING_LEFT], tables[COLOURS]
    for first in range(tables[COLOURS]):
        colour, length = first, ZERO
        while colour != none and memory[ring + colour] == LINK:
            tile = _incoming(tables, memory, at, colour, tiles)
            colour = tables[tables[TILE_OUTGOING] + tile]
            length += ONE
            if colour <= first:
                break  # closed, or begun at that one
        if colour == first and ZERO < length < tables[RING_CELLS]:
            if rules & BACKJUMPING:
                clear(memory, tables[WHY], cells)
                for _ in range(length):
                    _blame_colour(tables, memory, at, none + colour, tiles, cells)
                    tile = _incoming(tables, memory, at, colour, tiles)
                    colour = tables[tables[TILE_OUTGOING] + tile]
            return False
    return True


@kernel
def _incoming(tables, memory, at, colour, tiles):
    """The only tile left that can follow a colour."""
    words = tables[ZONES] * np.uint64(len(tiles))
    row = tables[RING_INCOMING] + colour * words
    return first_left(tables, memory, at, row, words)


@kernel
def _blame_colour(tables, memory, at, entry, tiles, cells):
    """Add to `WHY` the cells with tiles that have something at an entry of `TILE_EDGES`.

    The others may be taken away: no more sides of the colour would be left or demanded, since a
    neighbour at such a side has one too.
    """
    for cell in range(tables[CELLS]):
        if (memory[at + tables[OPEN] + (cell >> SIX)] >> (cell & SIXTY_THREE)) & ONE:
            continue
        tile = memory[tables[PLACE] + cell] % np.uint64(64 * len(tiles))
        tile += tables[row_of(tables, cell) + FREE] << SIX
        if tables[tables[TILE_EDGES] + tile * TWO * tables[COLOURS] + entry]:
            blame_cell(tables, memory, cell, tables[WHY], cells)
