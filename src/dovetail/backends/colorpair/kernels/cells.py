"""Operations on the cells of a record: find pairs and candidates, put a tile, choose a cell.

Sets are tuples of uint64 words. Bit t of plane p of a domain stands for the p-th orientation that
tile t can have in cells with the same sides on the frame. A plane has as many words as a set of the
tiles of a zone. The lengths of the tuples are part of their types, so that loops over them are
unrolled.

Source of the choice of a cell to branch on: T. Benoist and E. Bourreau, "Fast global filtering for
Eternity II", section 5.1: a pattern of known sides, else a cell of the most urgent pair.
"""

import numpy as np

from dovetail.backends.colorpair.kernels import layout
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels import random_stream
from dovetail.kernels.bits import loaded, ones, size, trailing_zeros
from dovetail.kernels.layout import WORK

ZERO, ONE, TWO, THREE, FOUR_SIDES = (np.uint64(number) for number in range(5))
SIX, SIXTY_THREE = np.uint64(6), np.uint64(63)
PLACES = 6  # places of a pair on a tile: four on adjacent sides, two on opposite sides


@kernel(inline=True)
def row_of(tables, cell):
    """Return the offset of the row of a cell."""
    return tables[layout.CELL_ROWS] + cell * layout.CELL_ROW


@kernel(inline=True)
def code_at(codes, side):
    """Return the code of a side: 1 + the number of its colour, 0 if unknown."""
    return (codes >> (side * layout.CODE_BITS)) & layout.CODE_MASK


@kernel(inline=True)
def pair_at(tables, row, codes, place):
    """Return the pair that known sides demand at one of `PLACES`; `tables[PAIRS]` for none."""
    if place < FOUR_SIDES:
        first, second, begin = place, (place + ONE) & THREE, tables[row + layout.SEQUENCE]
    else:
        first, second, begin = place - FOUR_SIDES, place - TWO, tables[row + layout.OPPOSITE]
    stride = tables[layout.COLOURS] + ONE
    return tables[begin + code_at(codes, first) * stride + code_at(codes, second)]


@kernel(inline=True)
def pairs_of(tables, row, codes):
    """Return the pair demanded at each of `PLACES`; `tables[PAIRS]` for none or a repeated pair."""
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
    """Return the number of unused tiles with a pair in the record at `at`."""
    row = tables[layout.PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    free, count = at + tables[row], ZERO
    for w in range(len(tiles)):
        count += ones(tables[row + ONE + np.uint64(w)] & memory[free + np.uint64(w)])
    return count


@kernel(inline=True)
def first_left(tables, memory, left, members, words):
    """Return the first tile that is in a set of the tables and in a set of a record; 0 for none."""
    for word in range(words):
        both = tables[members + word] & memory[left + word]
        if both:
            return (word << SIX) + trailing_zeros(both)
    return ZERO


@kernel(inline=True)
def matching(tables, memory, at, cell, domain):
    """Return the allowed orientations that match a cell's known sides, also those of used tiles."""
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
    """Return the matching orientations of unused tiles; of unused twins, only the first."""
    domain, row = matching(tables, memory, at, cell, domain), row_of(tables, cell)
    free = at + tables[row + layout.FREE]
    for k in range(len(domain)):
        left = memory[free + np.uint64(k % len(tiles))]
        domain = tuple_setitem(domain, k, domain[k] & left)
    return without_twins(tables, row, domain, tiles)


@kernel(inline=True)
def without_twins(tables, row, domain, tiles):
    """Return a domain of a cell without tiles that follow a twin in the domain."""
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

    Bit `place` of the cell's domain stands for the tile and its rotation. The tile must be unused.
    `tiles` and `colours` are fields of `ColorPairWords`. Pairs that the tile offered, if they are
    demanded, and pairs that the cell's neighbours demand become `PENDING`.
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
    demanded = tables[tables[row + layout.DEMANDED] + place]
    if len(colours) > 0:
        _take_colours(tables, memory, at + tables[row + layout.ZONE_COLOURS], cell, codes, demanded)
    for side in range(FOUR_SIDES):
        beyond = tables[row + layout.NEIGHBOURS + side]
        if beyond == layout.NO_CELL:
            continue
        if (memory[at + tables[layout.OPEN] + (beyond >> SIX)] >> (beyond & SIXTY_THREE)) & ONE:
            learn(tables, memory, at, beyond, side ^ TWO, code_at(demanded, side), colours)


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
def _take_colours(tables, memory, colours, cell, codes, demanded):
    """Subtract the sides of a tile that is put, and the demands of its cell, from `COLOURS_LEFT`.

    `codes` are the codes of the sides that were known before. `demanded` are the codes that the
    tile demands of the neighbours. `colours` is the offset of the zone's part of `COLOURS_LEFT`.
    """
    for side in range(FOUR_SIDES):
        code = code_at(codes, side)
        if code:
            entry, mark = colours + code - ONE, cell << layout.COLOUR_CELL_BITS
            memory[entry] = (memory[entry] - layout.ONE_DEMANDED) ^ mark
        colour = tables[tables[layout.MATE] + code_at(demanded, side) - ONE]
        memory[colours + colour] -= layout.ONE_SIDE


@kernel(inline=True)
def _demand_on_ring(tables, memory, at, row, side, code, change):
    """Add `change` to an entry of `RING_LEFT` if the side leads to another cell of the ring."""
    colour = code - ONE
    if side == tables[row + layout.OUTGOING]:
        memory[at + tables[layout.RING_LEFT] + colour] += change
    elif side == tables[row + layout.INCOMING]:
        memory[at + tables[layout.RING_LEFT] + tables[tables[layout.MATE] + colour]] += change


@kernel(inline=True)
def _queue(tables, memory, pair):
    """Put a pair on the stack of pairs to check."""
    memory[tables[layout.PENDING] + memory[layout.PENDING_COUNT]] = pair
    memory[layout.PENDING_COUNT] += ONE


NO_CANDIDATES = np.uint64(2**64 - 1)


@kernel
def choose(tables, memory, at, rules, choice, factor, random, words):
    """Return the cell to branch on in the record at `at`, which has an open cell.

    If no pattern applies, the cell is a random cell that demands the most urgent pair. In this
    case, if candidates are ordered, the first word of `VALUES` is set to 1. For each unused tile
    with this pair, `factor` then gets the estimated probability that no other pair needs the tile,
    at index p + 1 + tile for p pairs.
    """
    tiles, cells, domain = words.tiles, words.cells, words.domain
    for pattern, members in (
        (layout.FOUR_PATTERN, layout.ALL_KNOWN),
        (layout.THREE_PATTERN, layout.THREE_KNOWN),
    ):
        if rules & pattern:
            cell = _fewest_of(tables, memory, at, tables[members], tiles, cells, domain)
            if cell != layout.NO_CELL:
                return cell
    if rules & (layout.SURROUNDED_PATTERN | layout.TWO_SURROUNDED_PATTERN):
        cell = _beside_surrounded(tables, memory, at, rules, tiles, cells, domain)
        if cell != layout.NO_CELL:
            return cell
    pair = _urgent_pair(tables, memory, at, choice, factor, tiles, cells, words.values)
    if len(words.values) > 0:
        memory[tables[layout.VALUES]] = ONE
    return _one_of(tables, memory, at, pair, random, cells)


@kernel
def _fewest_of(tables, memory, at, members, tiles, cells, domain):
    """Return the first of the cells in a record's set with the fewest candidates, or `NO_CELL`."""
    chosen, fewest = layout.NO_CELL, NO_CANDIDATES
    for word in range(np.uint64(len(cells))):
        rest = memory[at + members + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            count = size(candidates_of(tables, memory, at, cell, domain, tiles))
            if count < fewest:
                chosen, fewest = cell, count
    return chosen


@kernel
def _beside_surrounded(tables, memory, at, rules, tiles, cells, domain):
    """Return the cell with the fewest candidates among the cells of a pattern, or `NO_CELL`.

    An open cell is surrounded if it has at least two known sides. Cells with two known sides and a
    surrounded neighbour take precedence. The cells of the second pattern are surrounded, and have
    an open neighbour with a single known side and another surrounded neighbour. Patterns that are
    not in `rules` are left out.
    """
    first, fewest_first = layout.NO_CELL, NO_CANDIDATES
    second, fewest_second = layout.NO_CELL, NO_CANDIDATES
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[layout.SURROUNDED] + word]
        while rest:
            cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
            rest ^= bit
            row, beside, between = row_of(tables, cell), False, False
            for side in range(FOUR_SIDES):
                beyond = tables[row + layout.NEIGHBOURS + side]
                if beyond == layout.NO_CELL or not is_in(memory, at + tables[layout.OPEN], beyond):
                    continue
                if is_in(memory, at + tables[layout.SURROUNDED], beyond):
                    beside = True
                elif first == layout.NO_CELL and memory[at + tables[layout.KNOWN] + beyond]:
                    between |= _is_between(tables, memory, at, beyond, cell)
            if memory[at + tables[layout.THREE_KNOWN] + word] & bit:
                beside = False
            if beside and rules & layout.SURROUNDED_PATTERN:
                count = size(candidates_of(tables, memory, at, cell, domain, tiles))
                if count < fewest_first:
                    first, fewest_first = cell, count
            elif between and rules & layout.TWO_SURROUNDED_PATTERN:
                count = size(candidates_of(tables, memory, at, cell, domain, tiles))
                if count < fewest_second:
                    second, fewest_second = cell, count
    return second if first == layout.NO_CELL else first


@kernel
def _is_between(tables, memory, at, cell, known):
    """Return whether an open cell has a surrounded neighbour other than the cell `known`."""
    row = row_of(tables, cell)
    for side in range(FOUR_SIDES):
        beyond = tables[row + layout.NEIGHBOURS + side]
        if beyond in (layout.NO_CELL, known):
            continue
        if is_in(memory, at + tables[layout.SURROUNDED], beyond):
            return True
    return False


@kernel(inline=True)
def is_in(memory, members, cell):
    """Return whether a cell is in the set that begins at `members`."""
    return (memory[members + (cell >> SIX)] >> (cell & SIXTY_THREE)) & ONE != ZERO


@kernel
def _urgent_pair(tables, memory, at, choice, factor, tiles, cells, values):
    """Return the demanded pair with the least score by the measure `choice`, the first on ties.

    While the function runs, `factor` has for each demanded pair the share of its tiles that the
    demanding cells do not take, and 1 for each other pair. The probability that a tile remains for
    a pair is the product of the shares of the tile's other pairs.
    """
    met, none = ZERO, tables[layout.PAIRS]
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[layout.SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            codes = memory[at + tables[layout.KNOWN] + cell]
            for pair in pairs_of(tables, row_of(tables, cell), codes):
                if pair == none or factor[pair] != 1.0:
                    continue
                wanted = memory[at + tables[layout.DEMANDS] + pair] >> layout.DEMAND_BITS
                count = offered(tables, memory, at, pair, tiles)
                share = float(wanted) / float(count) if count > wanted else 1.0
                factor[pair] = 1.0 - share
                memory[tables[layout.MET] + met] = pair
                met += ONE
    urgent, lowest = none, np.inf
    for number in range(met):
        pair = memory[tables[layout.MET] + number]
        wanted = float(memory[at + tables[layout.DEMANDS] + pair] >> layout.DEMAND_BITS)
        count = float(offered(tables, memory, at, pair, tiles))
        score = count
        if choice != layout.MIN_OFFER:
            score = _expected(tables, memory, at, pair, factor, tiles)
        if choice == layout.MIN_EXPECTED_GAP:
            score -= wanted
        elif choice == layout.MIN_EXPECTED_RATIO:
            score /= wanted
        elif choice == layout.MAX_EXPECTED_FILTERING:
            score -= count
        if score < lowest:
            urgent, lowest = pair, score
    if len(values) > 0:
        _estimate(tables, memory, at, urgent, factor, tiles)
    for number in range(met):
        factor[memory[tables[layout.MET] + number]] = 1.0
    return urgent


@kernel
def _expected(tables, memory, at, pair, factor, tiles):
    """Return the expected number of tiles that remain for a pair."""
    row, expected = tables[layout.PAIR_ROWS] + pair * np.uint64(1 + len(tiles)), 0.0
    zone = tables[row]
    for word in range(np.uint64(len(tiles))):
        rest = tables[row + ONE + word] & memory[at + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            expected += _probability(tables, tile, pair, factor)
    return expected


@kernel(inline=True)
def _probability(tables, tile, pair, factor):
    """Return the estimated probability that no pair but `pair` needs a tile."""
    chance, its_pairs = 1.0, tables[layout.TILE_PAIRS] + tile * TILE_PAIR_ROW
    for k in range(np.uint64(PLACES)):
        other = tables[its_pairs + k]
        chance *= 1.0 if other == pair else factor[other]
    return chance


@kernel
def _estimate(tables, memory, at, pair, factor, tiles):
    """Write the `_probability` of each unused tile with a pair into `factor`, after the pairs."""
    row = tables[layout.PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    zone = tables[row]
    for word in range(np.uint64(len(tiles))):
        rest = tables[row + ONE + word] & memory[at + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            factor[tables[layout.PAIRS] + ONE + tile] = _probability(tables, tile, pair, factor)


@kernel
def _one_of(tables, memory, at, pair, random, cells):
    """Return a random cell among the cells that demand a pair."""
    count = memory[at + tables[layout.DEMANDS] + pair] >> layout.DEMAND_BITS
    skipped = random_stream.below(random, count) if count > ONE else ZERO
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[layout.SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            codes = memory[at + tables[layout.KNOWN] + cell]
            for each in pairs_of(tables, row_of(tables, cell), codes):
                if each == pair:
                    if skipped == ZERO:
                        return cell
                    skipped -= ONE
    return layout.NO_CELL
