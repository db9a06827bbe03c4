"""The rules, and the explanations of their contradictions.

An explanation is a set of levels whose decisions suffice for a conclusion. The cause of a filled
cell is the explanation of its tile: if the cell was branched on, the level of this decision. The
shortage of a pair is explained by the cells that demand the pair and the cells that hold its tiles.
If two neighbours of a filled cell showed the pair before the cell was filled, they explain the
cell, because any tile in the cell has the pair. Without `BACKJUMPING` there are no explanations.

Sources, in T. Benoist and E. Bourreau, "Fast global filtering for Eternity II": single colours,
section 3.2; preemption, 4.1; shared edges and cycles, 4.2; explanations, 5.2.
"""

import numpy as np

from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.kernels.cells import (
    FOUR_SIDES,
    ONE,
    PLACES,
    SIX,
    SIXTY_THREE,
    THREE,
    TWO,
    ZERO,
    code_at,
    first_left,
    matching,
    offered,
    pair_at,
    pairs_of,
    put,
    row_of,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.layout import WORD_BITS


@kernel(inline=True)
def unite(memory, into, levels, cells):
    """Add the levels of a set to another set."""
    for k in range(len(cells)):
        memory[into + np.uint64(k)] |= memory[levels + np.uint64(k)]


@kernel(inline=True)
def clear(memory, levels, cells):
    """Remove all levels from a set."""
    for k in range(len(cells)):
        memory[levels + np.uint64(k)] = ZERO


@kernel
def blame_cell(tables, memory, cell, into, cells):
    """Add the cause of a filled cell to `into`; nothing for `NO_CELL`."""
    if cell != layout.NO_CELL:
        unite(memory, into, tables[layout.CAUSE] + cell * np.uint64(len(cells)), cells)


@kernel
def blame_sides(tables, memory, at, cell, into, cells):
    """Add to `into` the levels that explain the known colours around a cell."""
    row, codes = row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]
    for side in range(FOUR_SIDES):
        if code_at(codes, side):
            blame_cell(tables, memory, tables[row + layout.NEIGHBOURS + side], into, cells)


@kernel
def blame_demand(tables, memory, at, cell, pair, into, cells):
    """Add to `into` the levels that explain why a cell demands a pair; return whether it does."""
    row, codes = row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]
    for place in range(np.uint64(PLACES)):
        if pair_at(tables, row, codes, place) == pair:
            if place < FOUR_SIDES:
                first, second = place, (place + ONE) & THREE
            else:
                first, second = place - FOUR_SIDES, place - TWO
            blame_cell(tables, memory, tables[row + layout.NEIGHBOURS + first], into, cells)
            blame_cell(tables, memory, tables[row + layout.NEIGHBOURS + second], into, cells)
            return True
    return False


@kernel
def blame_taken(tables, memory, at, pair, by_demand, into, tiles, cells):
    """Add to `into` the levels that explain why tiles with a pair are used.

    With `by_demand`, a used tile is explained by the demand of its cell for the pair, if there was
    one. Otherwise it is explained by the cause of its cell.
    """
    row = tables[layout.PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    zone = tables[row]
    for word in range(np.uint64(len(tiles))):
        rest = tables[row + ONE + word] & ~memory[at + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            cell = memory[tables[layout.CELL_OF] + tile]
            if not by_demand or not blame_demand(tables, memory, at, cell, pair, into, cells):
                blame_cell(tables, memory, cell, into, cells)


@kernel
def blame_shortage(tables, memory, at, pair, into, tiles, cells):
    """Add to `into` the levels that explain why more cells demand a pair than tiles offer it."""
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[layout.SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            blame_demand(tables, memory, at, cell, pair, into, cells)
    blame_taken(tables, memory, at, pair, True, into, tiles, cells)


@kernel
def blame_domain(tables, memory, at, cell, into, words):
    """Add to `into` the levels that explain why only the candidates of a cell fit there."""
    tiles, cells, domain = words.tiles, words.cells, words.domain
    blame_sides(tables, memory, at, cell, into, cells)
    zone = tables[row_of(tables, cell) + layout.FREE]
    fitting = matching(tables, memory, at, cell, domain)
    for k in range(len(domain)):
        word = zone + np.uint64(k % len(tiles))
        rest = fitting[k] & ~memory[at + word]
        while rest:
            tile = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            blame_cell(tables, memory, memory[tables[layout.CELL_OF] + tile], into, cells)


NO_ORIENTATION, ONE_ORIENTATION, SEVERAL_ORIENTATIONS = range(3)


@kernel
def settle(tables, memory, at, rules, words):
    """Apply contradiction and instantiation to all pending pairs, and to pairs that become pending.

    Returns False for a contradiction, which `WHY` explains, else True.
    """
    tiles, cells = words.tiles, words.cells
    while memory[layout.PENDING_COUNT]:
        memory[layout.PENDING_COUNT] -= ONE
        pair = memory[tables[layout.PENDING] + memory[layout.PENDING_COUNT]]
        demand = memory[at + tables[layout.DEMANDS] + pair]
        wanted = demand >> layout.DEMAND_BITS
        if wanted == ZERO:
            continue
        count = offered(tables, memory, at, pair, tiles)
        if count < wanted and rules & layout.CONTRADICTION:
            if rules & layout.BACKJUMPING:
                clear(memory, tables[layout.WHY], cells)
                blame_shortage(tables, memory, at, pair, tables[layout.WHY], tiles, cells)
            return False
        if count == ONE and wanted == ONE and rules & layout.INSTANTIATION:
            cell = demand & layout.CELL_MASK
            row = tables[layout.PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
            tile = first_left(tables, memory, at + tables[row], row + ONE, np.uint64(len(tiles)))
            if rules & layout.BACKJUMPING:
                clear(memory, tables[layout.WHY], cells)
                blame_sides(tables, memory, at, cell, tables[layout.WHY], cells)
                blame_taken(tables, memory, at, pair, False, tables[layout.WHY], tiles, cells)
            if force(tables, memory, at, cell, tile, rules, words) == NO_ORIENTATION:
                return False
    return True


@kernel
def force(tables, memory, at, cell, tile, rules, words):
    """Put the only tile left for a cell into the cell if exactly one orientation fits.

    Returns how many orientations fit: `NO_ORIENTATION`, `ONE_ORIENTATION` or
    `SEVERAL_ORIENTATIONS`. The caller has written the cause of the cell into `WHY`.
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
    if rules & layout.BACKJUMPING:
        cause = tables[layout.CAUSE] + cell * np.uint64(len(cells))
        clear(memory, cause, cells)
        unite(memory, cause, tables[layout.WHY], cells)
    put(tables, memory, at, cell, place, tiles, words.colours)
    memory[layout.FORCED] += ONE
    return ONE_ORIENTATION


@kernel
def settle_colours(tables, memory, at, rules, words):
    """Apply contradiction and instantiation once to each colour in each zone.

    Returns `SHORT` if cells demand a colour on more sides than unused tiles show it, or if the only
    tile with a colour does not fit the only cell that demands it; `WHY` has the explanation.
    Otherwise returns `SOME_PUT` or `NOTHING_PUT`.
    """
    tiles, cells = words.tiles, words.cells
    tile_words, outcome = np.uint64(len(tiles)), NOTHING_PUT
    for zone in range(tables[layout.ZONES]):
        for colour in range(tables[layout.COLOURS]):
            entry = zone * tables[layout.COLOURS] + colour
            left = memory[at + tables[layout.COLOURS_LEFT] + entry]
            offered = left & layout.FIELD_MASK
            demanded = (left >> layout.FIELD_BITS) & layout.FIELD_MASK
            if demanded > offered and rules & layout.CONTRADICTION:
                if rules & layout.BACKJUMPING:
                    clear(memory, tables[layout.WHY], cells)
                    _blame_demands(tables, memory, at, entry, cells)
                    _blame_offers(tables, memory, at, entry, True, tiles, cells)
                return SHORT
            if offered == ONE and demanded == ONE and rules & layout.INSTANTIATION:
                cell = left >> layout.COLOUR_CELL_BITS
                has = tables[layout.COLOUR_TILES] + entry * tile_words
                begin = at + tables[layout.TILES_LEFT] + zone * tile_words
                tile = first_left(tables, memory, begin, has, tile_words)
                if rules & layout.BACKJUMPING:
                    clear(memory, tables[layout.WHY], cells)
                    blame_sides(tables, memory, at, cell, tables[layout.WHY], cells)
                    _blame_offers(tables, memory, at, entry, False, tiles, cells)
                orientations = force(tables, memory, at, cell, tile, rules, words)
                if orientations == NO_ORIENTATION:
                    return SHORT
                if orientations == ONE_ORIENTATION:
                    outcome = SOME_PUT
    return outcome


@kernel
def _blame_demands(tables, memory, at, entry, cells):
    """Add to `WHY` the levels that explain why open cells of a zone demand a colour.

    `entry` is the index of the zone and the colour in `COLOURS_LEFT`.
    """
    wanted = tables[layout.COLOURS_LEFT] + entry + ONE
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[layout.OPEN] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            _count_sides(tables, memory, at, cell, wanted, True, cells)


@kernel
def _blame_offers(tables, memory, at, entry, by_demand, tiles, cells):
    """Add to `WHY` the levels that explain why tiles of a zone that have a colour are used.

    `entry` is the index of the zone and the colour in `COLOURS_LEFT`. With `by_demand`, a filled
    cell is explained by its neighbours if they demanded the colour on as many sides as the tile in
    the cell shows it. Otherwise the cell is explained by its cause.
    """
    tile_words = np.uint64(len(tiles))
    has = tables[layout.COLOUR_TILES] + entry * tile_words
    zone = entry // tables[layout.COLOURS] * tile_words
    wanted = tables[layout.COLOURS_LEFT] + entry + ONE
    for word in range(tile_words):
        rest = tables[has + word] & ~memory[at + tables[layout.TILES_LEFT] + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            cell = memory[tables[layout.CELL_OF] + tile]
            demanded = _count_sides(tables, memory, at, cell, wanted, False, cells)
            if by_demand and demanded == _shown_sides(tables, memory, cell, wanted):
                _count_sides(tables, memory, at, cell, wanted, True, cells)
            else:
                blame_cell(tables, memory, cell, tables[layout.WHY], cells)


@kernel
def _count_sides(tables, memory, at, cell, wanted, blame, cells):
    """Return the number of known sides of a cell that demand a colour.

    For a filled cell, the sides that were known before it was filled count. With `blame`, the
    causes of the neighbours on these sides are added to `WHY`. `wanted` stands for a zone and a
    colour: it is 1 + the offset of their entry of `COLOURS_LEFT` in a record.
    """
    row, codes, count = row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell], ZERO
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code and tables[row + layout.ZONE_COLOURS] + code == wanted:
            count += ONE
            if blame:
                neighbour = tables[row + layout.NEIGHBOURS + side]
                blame_cell(tables, memory, neighbour, tables[layout.WHY], cells)
    return count


@kernel
def _shown_sides(tables, memory, cell, wanted):
    """Return the number of sides on which the tile in a filled cell shows a colour.

    `wanted` stands for a zone and the colour, as in `_count_sides`.
    """
    row, count = row_of(tables, cell), ZERO
    demanded = tables[tables[row + layout.DEMANDED] + memory[tables[layout.PLACE] + cell]]
    for side in range(FOUR_SIDES):
        colour = tables[tables[layout.MATE] + code_at(demanded, side) - ONE]
        if tables[row + layout.ZONE_COLOURS] + colour + ONE == wanted:
            count += ONE
    return count


# An entry of `RING_LEFT` with one outgoing side, one incoming side and no demand.
LINK = layout.ONE_OUTGOING + layout.ONE_INCOMING


@kernel
def can_share(tables, memory, at, rules, words):
    """Return whether the unused tiles can share as many edges of each colour as they have to.

    The sides of a colour that no cell demands will lie on edges between unused tiles. Such an edge
    has a side with the colour and a side with its mate, thus two sides with the colour if it is its
    own mate. `MAX_SHARED` bounds the number of edges that the tiles with the colour or its mate
    share. `WHY` has the explanation of a False result.
    """
    tiles, cells = words.tiles, words.cells
    for colour in range(ONE, tables[layout.COLOURS]):
        left = memory[at + tables[layout.EDGES_LEFT] + colour]
        sides, demanded = left & layout.FIELD_MASK, (left >> layout.FIELD_BITS) & layout.FIELD_MASK
        shareable = tables[tables[layout.MAX_SHARED] + (left >> (TWO * layout.FIELD_BITS))]
        if tables[tables[layout.MATE] + colour] == colour:
            shareable += shareable
        if sides > demanded + shareable:
            if rules & layout.BACKJUMPING:
                clear(memory, tables[layout.WHY], cells)
                _blame_colour(tables, memory, at, colour, tiles, cells)
            return False
    return True


@kernel
def can_close(tables, memory, at, rules, words):
    """Return False if unused tiles would have to close a cycle shorter than the ring, else True.

    If a single unused tile has a colour on its outgoing side, a single unused tile has the mate on
    its incoming side, and no cell demands either, the second tile will follow the first. `WHY` has
    the explanation of a False result.
    """
    tiles, cells = words.tiles, words.cells
    ring, none = at + tables[layout.RING_LEFT], tables[layout.COLOURS]
    for first in range(tables[layout.COLOURS]):
        colour, length = first, ZERO
        while colour != none and memory[ring + colour] == LINK:
            tile = _incoming(tables, memory, at, colour, tiles)
            colour = tables[tables[layout.TILE_OUTGOING] + tile]
            length += ONE
            if colour <= first:
                break  # the cycle is closed, or was followed from a lower colour before
        if colour == first and ZERO < length < tables[layout.RING_CELLS]:
            if rules & layout.BACKJUMPING:
                clear(memory, tables[layout.WHY], cells)
                for _ in range(length):
                    _blame_colour(tables, memory, at, none + colour, tiles, cells)
                    tile = _incoming(tables, memory, at, colour, tiles)
                    colour = tables[tables[layout.TILE_OUTGOING] + tile]
            return False
    return True


@kernel
def _incoming(tables, memory, at, colour, tiles):
    """Return the only unused tile that can follow a colour on the ring."""
    words = tables[layout.ZONES] * np.uint64(len(tiles))
    row = tables[layout.RING_INCOMING] + colour * words
    return first_left(tables, memory, at, row, words)


@kernel
def _blame_colour(tables, memory, at, entry, tiles, cells):
    """Add to `WHY` the causes of the cells whose tiles count in an entry of `TILE_EDGES`.

    `entry` is a colour, or the number of colours plus a colour for the entry of `RING_LEFT`. Other
    filled cells need no explanation, because the entry counts no side of their tiles.
    """
    for cell in range(tables[layout.CELLS]):
        if (memory[at + tables[layout.OPEN] + (cell >> SIX)] >> (cell & SIXTY_THREE)) & ONE:
            continue
        tile = memory[tables[layout.PLACE] + cell] % np.uint64(64 * len(tiles))
        tile += tables[row_of(tables, cell) + layout.FREE] << SIX
        if tables[tables[layout.TILE_EDGES] + tile * TWO * tables[layout.COLOURS] + entry]:
            blame_cell(tables, memory, cell, tables[layout.WHY], cells)


SHORT, NOTHING_PUT, SOME_PUT = range(3)


@kernel
def preempt(tables, memory, at, rules, words):
    """Seize tiles for tight pairs until nothing changes, then put tiles seized for a single cell.

    A pair is tight if as many cells demand the pair as tiles that are not seized offer it. A tight
    pair seizes these tiles, so that other pairs cannot use them. Returns `SHORT` if a pair has too
    few tiles or a seized tile does not fit; `WHY` has the explanation. Otherwise returns `SOME_PUT`
    or `NOTHING_PUT`. No open cell of the record at `at` may have more than two known sides.
    """
    tight, is_short = _seize(tables, memory, at, rules, words)
    outcome = SHORT if is_short else NOTHING_PUT
    if tight and not is_short and rules & layout.INSTANTIATION:
        outcome = _put_singles(tables, memory, at, rules, words)
    row = np.uint64(1 + len(words[0]))
    for number in range(tight):
        memory[tables[layout.TIGHT_NUMBER] + memory[tables[layout.TIGHT] + number * row]] = ZERO
    return outcome


@kernel
def _seize(tables, memory, at, rules, words):
    """Return the number of tight pairs, and whether a pair is short of tiles.

    Row n of `TIGHT` has the n-th tight pair, from 0, and the tiles that it has seized.
    `TIGHT_NUMBER` of this pair is n + 1; of a pair that is not tight it is 0.
    """
    tiles, cells = words.tiles, words.cells
    zone_words, row_words = np.uint64(len(tiles)), np.uint64(1 + len(tiles))
    for k in range(tables[layout.ZONES] * zone_words):
        memory[tables[layout.SEIZED] + k] = ZERO
    tight, changed = ZERO, True
    while changed:
        changed = False
        for word in range(np.uint64(len(cells))):
            rest = memory[at + tables[layout.SURROUNDED] + word]
            while rest:
                cell = (word << SIX) + trailing_zeros(rest)
                rest &= rest - ONE
                pair = only_pair(tables, memory, at, cell)
                if pair == tables[layout.PAIRS] or memory[tables[layout.TIGHT_NUMBER] + pair]:
                    continue
                row = tables[layout.PAIR_ROWS] + pair * row_words
                zone, entry, count = tables[row], tables[layout.TIGHT] + tight * row_words, ZERO
                for w in range(zone_words):
                    left = tables[row + ONE + w] & memory[at + zone + w]
                    left &= ~memory[tables[layout.SEIZED] + zone + w]
                    memory[entry + ONE + w] = left
                    count += ones(left)
                wanted = memory[at + tables[layout.DEMANDS] + pair] >> layout.DEMAND_BITS
                if count > wanted:
                    continue
                if count < wanted:
                    if not rules & layout.CONTRADICTION:
                        continue
                    if rules & layout.BACKJUMPING:
                        clear(memory, tables[layout.WHY], cells)
                        blame_shortage(tables, memory, at, pair, tables[layout.WHY], tiles, cells)
                        blame_seized(tables, memory, at, pair, entry, tight, tiles, cells)
                    return tight, True
                memory[entry] = pair
                for w in range(zone_words):
                    memory[tables[layout.SEIZED] + zone + w] |= memory[entry + ONE + w]
                tight += ONE
                memory[tables[layout.TIGHT_NUMBER] + pair] = tight
                changed = True
    return tight, False


@kernel
def _put_singles(tables, memory, at, rules, words):
    """Put, for each tight pair that only one cell demands, the seized tile into this cell.

    Returns `SHORT`, `SOME_PUT` or `NOTHING_PUT` as `preempt` does.
    """
    tiles, cells = words.tiles, words.cells
    row_words = np.uint64(1 + len(tiles))
    some = False
    for word in range(np.uint64(len(cells))):
        rest, single = memory[at + tables[layout.SURROUNDED] + word], ZERO
        while rest:
            cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
            rest ^= bit
            pair = only_pair(tables, memory, at, cell)
            number = memory[tables[layout.TIGHT_NUMBER] + pair]
            if number and memory[at + tables[layout.DEMANDS] + pair] >> layout.DEMAND_BITS == ONE:
                single |= bit
                memory[tables[layout.SINGLE] + np.uint64(len(cells)) + cell] = number - ONE
                some = True
        memory[tables[layout.SINGLE] + word] = single
    outcome = NOTHING_PUT
    if not some:
        return outcome
    for word in range(np.uint64(len(cells))):
        rest = memory[tables[layout.SINGLE] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            if not (memory[at + tables[layout.OPEN] + word] >> (cell & SIXTY_THREE)) & ONE:
                continue
            number = memory[tables[layout.SINGLE] + np.uint64(len(cells)) + cell]
            entry = tables[layout.TIGHT] + number * row_words
            tile = ZERO
            for w in range(np.uint64(len(tiles))):
                if memory[entry + ONE + w]:
                    tile = (w << SIX) + trailing_zeros(memory[entry + ONE + w])
            if rules & layout.BACKJUMPING:
                pair = memory[entry]
                clear(memory, tables[layout.WHY], cells)
                blame_sides(tables, memory, at, cell, tables[layout.WHY], cells)
                blame_taken(tables, memory, at, pair, False, tables[layout.WHY], tiles, cells)
                blame_seized(tables, memory, at, pair, entry, number, tiles, cells)
            orientations = force(tables, memory, at, cell, tile, rules, words)
            if orientations == NO_ORIENTATION:
                return SHORT
            if orientations == ONE_ORIENTATION:
                outcome = SOME_PUT
    return outcome


@kernel
def blame_seized(tables, memory, at, pair, entry, tight, tiles, cells):
    """Add to `WHY` the levels that explain why a pair cannot use some of the unused tiles.

    The row of `TIGHT` at `entry` has the tiles that the pair can use. Pairs in the first `tight`
    rows have seized the other tiles. Some of these pairs are tight only because pairs in earlier
    rows have seized tiles.
    """
    zone_words, row_words = np.uint64(len(tiles)), np.uint64(1 + len(tiles))
    row = tables[layout.PAIR_ROWS] + pair * row_words
    zone = tables[row]
    for w in range(zone_words):
        left = tables[row + ONE + w] & memory[at + zone + w]
        memory[tables[layout.NEEDED] + w] = left & ~memory[entry + ONE + w]
    for later in range(tight):
        other = tables[layout.TIGHT] + (tight - ONE - later) * row_words
        its_row = tables[layout.PAIR_ROWS] + memory[other] * row_words
        meets = ZERO
        if tables[its_row] == zone:
            for w in range(zone_words):
                meets |= memory[tables[layout.NEEDED] + w] & memory[other + ONE + w]
        if meets == ZERO:
            continue
        blame_shortage(tables, memory, at, memory[other], tables[layout.WHY], tiles, cells)
        for w in range(zone_words):
            left = tables[its_row + ONE + w] & memory[at + zone + w]
            memory[tables[layout.NEEDED] + w] |= left & ~memory[other + ONE + w]


@kernel(inline=True)
def only_pair(tables, memory, at, cell):
    """Return the pair that a cell with two known sides demands; `tables[PAIRS]` for none."""
    pair = tables[layout.PAIRS]
    for each in pairs_of(tables, row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]):
        pair = min(pair, each)
    return pair


@kernel
def propagate(tables, memory, at, rules, words):
    """Apply the rules that are switched on to the record at `at` until nothing changes.

    Returns False if the rules prove that the record has no completion; `WHY` has the explanation.
    """
    while True:
        holds = settle(tables, memory, at, rules, words)
        if holds and len(words.colours) > 0:
            outcome = settle_colours(tables, memory, at, rules, words)
            if outcome == SOME_PUT:
                continue
            holds = outcome != SHORT
        if holds and rules & layout.SHARED_EDGES:
            holds = can_share(tables, memory, at, rules, words)
        if holds and rules & layout.CYCLES:
            holds = can_close(tables, memory, at, rules, words)
        several = ZERO  # cells with more than two known sides
        for word in range(np.uint64(len(words[1]))):
            several |= memory[at + tables[layout.THREE_KNOWN] + word]
        outcome = NOTHING_PUT
        if holds and rules & layout.PREEMPTION and several == ZERO:
            outcome = preempt(tables, memory, at, rules, words)
        if not holds or outcome == SHORT:
            memory[layout.PENDING_COUNT] = ZERO
            return False
        if outcome == NOTHING_PUT:
            return True
