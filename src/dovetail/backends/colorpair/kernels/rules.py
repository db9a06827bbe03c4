"""The rules, and the explanations of their contradictions.

An explanation is a set of levels whose decisions are enough for a conclusion. The cause of a filled
cell is the set of the levels that it follows from: its own, where it was branched on. A shortage of
a pair is explained by the causes of the cells that demand the pair and of the cells that hold its
tiles. A cell whose two neighbours showed the pair before it was filled is explained by these
neighbours: any tile in the cell has the pair.

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
    """Add the cause of a filled cell; beyond the frame there is none."""
    if cell != layout.NO_CELL:
        unite(memory, into, tables[layout.CAUSE] + cell * np.uint64(len(cells)), cells)


@kernel
def blame_sides(tables, memory, at, cell, into, cells):
    """Add to `into` why the known sides of a cell have their colours."""
    row, codes = row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]
    for side in range(FOUR_SIDES):
        if code_at(codes, side):
            blame_cell(tables, memory, tables[row + layout.NEIGHBOURS + side], into, cells)


@kernel
def blame_demand(tables, memory, at, cell, pair, into, cells):
    """Add to `into` why a cell must take a tile of a pair; False if it need not."""
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
    """Add to `into` why tiles of a pair are used up; `by_demand`: by their cells' demands."""
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
    """Add to `into` why more cells demand a pair than tiles offer it."""
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[layout.SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            blame_demand(tables, memory, at, cell, pair, into, cells)
    blame_taken(tables, memory, at, pair, True, into, tiles, cells)


@kernel
def blame_domain(tables, memory, at, cell, into, words):
    """Add to `into` why only the candidates of a cell can be put into it."""
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
    """Check all pending pairs, and pairs that follow; False if a pair has too few tiles.

    `words` are `ColorPairWords`. For False, the explanation is in `WHY`.
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
    """Put the only tile left for a cell into it, with the cause in `WHY`, if it fits one way.

    Returns `SEVERAL_ORIENTATIONS` if it fits in several ways: then nothing is put.
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

    Returns `SHORT` if cells demand more edges of a colour than tiles left offer, or the only tile
    with it does not fit; `WHY` has the explanation.
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
    """Add to `WHY` why open cells of a zone demand a colour.

    `entry` is the place of the colour among the colours of all zones.
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
    """Add to `WHY` why tiles of a zone with a colour are not left.

    `by_demand`: a cell that had to show the colour on as many sides as its tile does, as it was
    filled, is explained by the neighbours on these sides.
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
    """Count the known sides of a cell that demand a colour; if `blame`, add causes to `WHY`.

    In a filled cell the sides known before count. `wanted` is 1 + the offset in a record of the
    colour's remaining count, so that cells of other zones demand none of it.
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
    """Return how many sides of the tile in a filled cell have a colour."""
    row, count = row_of(tables, cell), ZERO
    demanded = tables[tables[row + layout.DEMANDED] + memory[tables[layout.PLACE] + cell]]
    for side in range(FOUR_SIDES):
        colour = tables[tables[layout.MATE] + code_at(demanded, side) - ONE]
        if tables[row + layout.ZONE_COLOURS] + colour + ONE == wanted:
            count += ONE
    return count


LINK = layout.ONE_OUTGOING + layout.ONE_INCOMING  # one of each is left, and no cell demands either


@kernel
def can_share(tables, memory, at, rules, words):
    """Return whether the tiles left can share as many edges of each colour as they have to.

    M squares share at most h(M) edges. The sides of a colour that no cell demands will lie on
    edges between tiles left, each paired with a side of the mate; if the colour is its own mate,
    each edge has two of them.
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
    """Return whether no tiles left would have to close a cycle that is shorter than the ring.

    If a single tile left has a colour on its outgoing side, a single tile its mate on its incoming
    side, and no cell demands either, the second tile will follow the first.
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
                break  # closed, or begun at that one
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
    """Return the only tile left that can follow a colour."""
    words = tables[layout.ZONES] * np.uint64(len(tiles))
    row = tables[layout.RING_INCOMING] + colour * words
    return first_left(tables, memory, at, row, words)


@kernel
def _blame_colour(tables, memory, at, entry, tiles, cells):
    """Add to `WHY` the cells with tiles that have something at an entry of `TILE_EDGES`.

    The explanation need not contain other cells: without their tiles, no more sides of the colour
    would be left or demanded, since each neighbour at such a side has a tile too.
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
    """Seize tiles until nothing changes, then put those that are seized for a single cell.

    Returns `SHORT` if a pair is left with too few tiles, or such a tile does not fit; `WHY` has the
    explanation. No cell of the record at `at` may have more than two known sides.
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
    """Return how many pairs have become tight, and whether one is short of tiles.

    Row n of `TIGHT` holds the n-th pair and the tiles that it has seized, `TIGHT_NUMBER` of a pair
    n + 1, or 0.
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
    """Put the tiles that pairs have seized which a single cell demands."""
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
    """Add to `WHY` why tiles of a pair that are left are not the tiles at `entry`.

    They have been seized by rows among the first `tight`, some of which depend on earlier rows.
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
    """Return the pair that a cell with two known sides demands, `tables[PAIRS]` for none."""
    pair = tables[layout.PAIRS]
    for each in pairs_of(tables, row_of(tables, cell), memory[at + tables[layout.KNOWN] + cell]):
        pair = min(pair, each)
    return pair


@kernel
def propagate(tables, memory, at, rules, words):
    """Draw all conclusions from the tiles put into the record at `at`.

    Returns False if the record has no completion; the explanation is in `WHY`.
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
