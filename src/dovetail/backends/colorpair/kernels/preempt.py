"""Preemption: what follows from pairs that have just as many tiles as cells.

The cells that demand such a pair will take all its tiles, which are seized: no other pair has
them. That holds while no cell demands two pairs, as one does of which three sides are known.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", section 4.1.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import (
    blame_shortage,
    blame_sides,
    blame_taken,
    clear,
)
from dovetail.backends.colorpair.kernels.layout import (
    BACKJUMPING,
    CONTRADICTION,
    DEMAND_BITS,
    DEMANDS,
    INSTANTIATION,
    KNOWN,
    NEEDED,
    OPEN,
    PAIR_ROWS,
    PAIRS,
    SEIZED,
    SINGLE,
    SURROUNDED,
    TIGHT,
    TIGHT_NUMBER,
    WHY,
    ZONES,
)
from dovetail.backends.colorpair.kernels.pairs import (
    ONE,
    SIX,
    SIXTY_THREE,
    ZERO,
    pairs_of,
    row_of,
)
from dovetail.backends.colorpair.kernels.settle import NO_ORIENTATION, ONE_ORIENTATION, force
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros

SHORT, NOTHING_PUT, SOME_PUT = range(3)


@kernel
def preempt(tables, memory, at, rules, words):
    """Seize tiles until nothing changes, then put those that are seized for a single cell.

    `SHORT`: a pair is left with too few tiles, or such a tile does not fit; `WHY` tells why. No
    cell of the record at `at` may have more than two known sides.
    """
    tight, is_short = _seize(tables, memory, at, rules, words)
    outcome = SHORT if is_short else NOTHING_PUT
    if tight and not is_short and rules & INSTANTIATION:
        outcome = _put_singles(tables, memory, at, rules, words)
    row = np.uint64(1 + len(words[0]))
    for number in range(tight):
        memory[tables[TIGHT_NUMBER] + memory[tables[TIGHT] + number * row]] = ZERO
    return outcome


@kernel
def _seize(tables, memory, at, rules, words):
    """How many pairs have become tight, and whether one is short of tiles.

    Row n of `TIGHT` holds the n-th pair and the tiles that it has seized, `TIGHT_NUMBER` of a pair
    n + 1, or 0.
    """
    tiles, cells = words.tiles, words.cells
    zone_words, row_words = np.uint64(len(tiles)), np.uint64(1 + len(tiles))
    for k in range(tables[ZONES] * zone_words):
        memory[tables[SEIZED] + k] = ZERO
    tight, changed = ZERO, True
    while changed:
        changed = False
        for word in range(np.uint64(len(cells))):
            rest = memory[at + tables[SURROUNDED] + word]
            while rest:
                cell = (word << SIX) + trailing_zeros(rest)
                rest &= rest - ONE
                pair = only_pair(tables, memory, at, cell)
                if pair == tables[PAIRS] or memory[tables[TIGHT_NUMBER] + pair]:
                    continue
                row = tables[PAIR_ROWS] + pair * row_words
                zone, entry, count = tables[row], tables[TIGHT] + tight * row_words, ZERO
                for w in range(zone_words):
                    left = tables[row + ONE + w] & memory[at + zone + w]
                    left &= ~memory[tables[SEIZED] + zone + w]
                    memory[entry + ONE + w] = left
                    count += ones(left)
                wanted = memory[at + tables[DEMANDS] + pair] >> DEMAND_BITS
                if count > wanted:
                    continue
                if count < wanted:
                    if not rules & CONTRADICTION:
                        continue
                    if rules & BACKJUMPING:
                        clear(memory, tables[WHY], cells)
                        blame_shortage(tables, memory, at, pair, tables[WHY], tiles, cells)
                        blame_seized(tables, memory, at, pair, entry, tight, tiles, cells)
                    return tight, True
                memory[entry] = pair
                for w in range(zone_words):
                    memory[tables[SEIZED] + zone + w] |= memory[entry + ONE + w]
                tight += ONE
                memory[tables[TIGHT_NUMBER] + pair] = tight
                changed = True
    return tight, False


@kernel
def _put_singles(tables, memory, at, rules, words):
    """Put the tiles that pairs have seized which a single cell demands."""
    tiles, cells = words.tiles, words.cells
    row_words = np.uint64(1 + len(tiles))
    some = False
    for word in range(np.uint64(len(cells))):
        rest, single = memory[at + tables[SURROUNDED] + word], ZERO
        while rest:
            cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
            rest ^= bit
            pair = only_pair(tables, memory, at, cell)
            number = memory[tables[TIGHT_NUMBER] + pair]
            if number and memory[at + tables[DEMANDS] + pair] >> DEMAND_BITS == ONE:
                single |= bit
                memory[tables[SINGLE] + np.uint64(len(cells)) + cell] = number - ONE
                some = True
        memory[tables[SINGLE] + word] = single
    outcome = NOTHING_PUT
    if not some:
        return outcome
    for word in range(np.uint64(len(cells))):
        rest = memory[tables[SINGLE] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            if not (memory[at + tables[OPEN] + word] >> (cell & SIXTY_THREE)) & ONE:
                continue
            number = memory[tables[SINGLE] + np.uint64(len(cells)) + cell]
            entry = tables[TIGHT] + number * row_words
            tile = ZERO
            for w in range(np.uint64(len(tiles))):
                if memory[entry + ONE + w]:
                    tile = (w << SIX) + trailing_zeros(memory[entry + ONE + w])
            if rules & BACKJUMPING:
                pair = memory[entry]
                clear(memory, tables[WHY], cells)
                blame_sides(tables, memory, at, cell, tables[WHY], cells)
                blame_taken(tables, memory, at, pair, False, tables[WHY], tiles, cells)
                blame_seized(tables, memory, at, pair, entry, number, tiles, cells)
            orientations = force(tables, memory, at, cell, tile, rules, words)
            if orientations == NO_ORIENTATION:
                return SHORT
            if orientations == ONE_ORIENTATION:
                outcome = SOME_PUT
    return outcome


@kernel
def blame_seized(tables, memory, at, pair, entry, tight, tiles, cells):
    """Add to `WHY` why tiles of a pair that are left are not those at `entry`.

    They have been seized by some of the first `tight` rows, which had others seized before them.
    """
    zone_words, row_words = np.uint64(len(tiles)), np.uint64(1 + len(tiles))
    row = tables[PAIR_ROWS] + pair * row_words
    zone = tables[row]
    for w in range(zone_words):
        left = tables[row + ONE + w] & memory[at + zone + w]
        memory[tables[NEEDED] + w] = left & ~memory[entry + ONE + w]
    for later in range(tight):
        other = tables[TIGHT] + (tight - ONE - later) * row_words
        its_row = tables[PAIR_ROWS] + memory[other] * row_words
        meets = ZERO
        if tables[its_row] == zone:
            for w in range(zone_words):
                meets |= memory[tables[NEEDED] + w] & memory[other + ONE + w]
        if meets == ZERO:
            continue
        blame_shortage(tables, memory, at, memory[other], tables[WHY], tiles, cells)
        for w in range(zone_words):
            left = tables[its_row + ONE + w] & memory[at + zone + w]
            memory[tables[NEEDED] + w] |= left & ~memory[other + ONE + w]


@kernel(inline=True)
def only_pair(tables, memory, at, cell):
    """The pair that a cell with two known sides demands, `tables[PAIRS]` for none."""
    pair = tables[PAIRS]
    for each in pairs_of(tables, row_of(tables, cell), memory[at + tables[KNOWN] + cell]):
        pair = min(pair, each)
    return pair
