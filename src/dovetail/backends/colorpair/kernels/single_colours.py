"""Offers and demands of single colours: edges that tiles left have and open cells ask for.

The two rules on pairs, for one colour in one zone. An edge is a side of a tile: a tile with a
colour twice offers two, and a cell that has to show it twice demands two.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", section 3.2.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import blame_cell, blame_sides, clear
from dovetail.backends.colorpair.kernels.layout import (
    BACKJUMPING,
    CELL_OF,
    COLOUR_CELL_BITS,
    COLOUR_TILES,
    COLOURS,
    COLOURS_LEFT,
    CONTRADICTION,
    DEMANDED,
    FIELD_BITS,
    FIELD_MASK,
    INSTANTIATION,
    KNOWN,
    MATE,
    NEIGHBOURS,
    OPEN,
    PLACE,
    TILES_LEFT,
    WHY,
    ZONE_COLOURS,
    ZONES,
)
from dovetail.backends.colorpair.kernels.pairs import (
    FOUR_SIDES,
    ONE,
    SIX,
    ZERO,
    code_at,
    first_left,
    row_of,
)
from dovetail.backends.colorpair.kernels.preempt import NOTHING_PUT, SHORT, SOME_PUT
from dovetail.backends.colorpair.kernels.settle import NO_ORIENTATION, ONE_ORIENTATION, force
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros


@kernel
def settle_colours(tables, memory, at, rules, words):
    """Look once at each colour in each zone.

    `SHORT`: cells demand more edges of a colour than tiles left offer, or the only tile with it
    does not fit; `WHY` has the explanation.
    """
    tiles, cells = words.tiles, words.cells
    tile_words, outcome = np.uint64(len(tiles)), NOTHING_PUT
    for zone in range(tables[ZONES]):
        for colour in range(tables[COLOURS]):
            entry = zone * tables[COLOURS] + colour
            left = memory[at + tables[COLOURS_LEFT] + entry]
            offered, demanded = left & FIELD_MASK, (left >> FIELD_BITS) & FIELD_MASK
            if demanded > offered and rules & CONTRADICTION:
                if rules & BACKJUMPING:
                    clear(memory, tables[WHY], cells)
                    _blame_demands(tables, memory, at, entry, cells)
                    _blame_offers(tables, memory, at, entry, True, tiles, cells)
                return SHORT
            if offered == ONE and demanded == ONE and rules & INSTANTIATION:
                cell, has = left >> COLOUR_CELL_BITS, tables[COLOUR_TILES] + entry * tile_words
                begin = at + tables[TILES_LEFT] + zone * tile_words
                tile = first_left(tables, memory, begin, has, tile_words)
                if rules & BACKJUMPING:
                    clear(memory, tables[WHY], cells)
                    blame_sides(tables, memory, at, cell, tables[WHY], cells)
                    _blame_offers(tables, memory, at, entry, False, tiles, cells)
                orientations = force(tables, memory, at, cell, tile, rules, words)
                if orientations == NO_ORIENTATION:
                    return SHORT
                if orientations == ONE_ORIENTATION:
                    outcome = SOME_PUT
    return outcome


@kernel
def _blame_demands(tables, memory, at, entry, cells):
    """Add to `WHY` why open cells of a zone demand a colour.

    `entry` is the place of the colour among those of all zones.
    """
    wanted = tables[COLOURS_LEFT] + entry + ONE
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[OPEN] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            _count_sides(tables, memory, at, cell, wanted, True, cells)


@kernel
def _blame_offers(tables, memory, at, entry, by_demand, tiles, cells):
    """Add to `WHY` why tiles of a zone with a colour are not left.

    `by_demand`: a cell that had to show the colour on as many sides as its tile does, as it was
    filled, is explained by the neighbours on these sides.
    """
    tile_words = np.uint64(len(tiles))
    has, zone = tables[COLOUR_TILES] + entry * tile_words, entry // tables[COLOURS] * tile_words
    wanted = tables[COLOURS_LEFT] + entry + ONE
    for word in range(tile_words):
        rest = tables[has + word] & ~memory[at + tables[TILES_LEFT] + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            cell = memory[tables[CELL_OF] + tile]
            demanded = _count_sides(tables, memory, at, cell, wanted, False, cells)
            if by_demand and demanded == _shown_sides(tables, memory, cell, wanted):
                _count_sides(tables, memory, at, cell, wanted, True, cells)
            else:
                blame_cell(tables, memory, cell, tables[WHY], cells)


@kernel
def _count_sides(tables, memory, at, cell, wanted, blame, cells):
    """How many known sides of a cell demand a colour, and if `blame`, add their causes to `WHY`.

    Of a filled cell, those that were known before. `wanted` is one more than where in a record
    what is left of the colour lies, so that cells of other zones demand none of it.
    """
    row, codes, count = row_of(tables, cell), memory[at + tables[KNOWN] + cell], ZERO
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code and tables[row + ZONE_COLOURS] + code == wanted:
            count += ONE
            if blame:
                blame_cell(tables, memory, tables[row + NEIGHBOURS + side], tables[WHY], cells)
    return count


@kernel
def _shown_sides(tables, memory, cell, wanted):
    """How many sides of the tile in a filled cell have a colour."""
    row, count = row_of(tables, cell), ZERO
    demanded = tables[tables[row + DEMANDED] + memory[tables[PLACE] + cell]]
    for side in range(FOUR_SIDES):
        colour = tables[tables[MATE] + code_at(demanded, side) - ONE]
        if tables[row + ZONE_COLOURS] + colour + ONE == wanted:
            count += ONE
    return count
