"""Choosing the cell to branch on: a pattern of known sides, else a cell of the most urgent pair.

Source: T. Benoist and E. Bourreau, "Fast global filtering for Eternity II", section 5.1.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.candidates import candidates_of
from dovetail.backends.colorpair.kernels.layout import (
    ALL_KNOWN,
    DEMAND_BITS,
    DEMANDS,
    FOUR_PATTERN,
    KNOWN,
    MAX_EXPECTED_FILTERING,
    MET,
    MIN_EXPECTED_GAP,
    MIN_EXPECTED_RATIO,
    MIN_OFFER,
    NEIGHBOURS,
    NO_CELL,
    OPEN,
    PAIR_ROWS,
    PAIRS,
    SURROUNDED,
    SURROUNDED_PATTERN,
    THREE_KNOWN,
    THREE_PATTERN,
    TILE_PAIRS,
    TWO_SURROUNDED_PATTERN,
    VALUES,
)
from dovetail.backends.colorpair.kernels.pairs import (
    FOUR_SIDES,
    ONE,
    PLACES,
    SIX,
    SIXTY_THREE,
    ZERO,
    offered,
    pairs_of,
    row_of,
)
from dovetail.backends.colorpair.kernels.put import TILE_PAIR_ROW
from dovetail.jit import kernel
from dovetail.kernels import random_stream
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.words import size

NO_CANDIDATES = np.uint64(2**64 - 1)


@kernel
def choose(tables, memory, at, rules, choice, factor, random, words):
    """The cell to branch on in the record at `at`, of which no pair is short of tiles.

    If candidates are ordered and the cell is one of the most urgent pair, the first word of
    `VALUES` is set to 1, and `factor` gets, behind the pairs, for each tile left with this pair the
    estimated probability that no other pair needs it.
    """
    tiles, cells, domain = words.tiles, words.cells, words.domain
    for pattern, members in ((FOUR_PATTERN, ALL_KNOWN), (THREE_PATTERN, THREE_KNOWN)):
        if rules & pattern:
            cell = _fewest_of(tables, memory, at, tables[members], tiles, cells, domain)
            if cell != NO_CELL:
                return cell
    if rules & (SURROUNDED_PATTERN | TWO_SURROUNDED_PATTERN):
        cell = _beside_surrounded(tables, memory, at, rules, tiles, cells, domain)
        if cell != NO_CELL:
            return cell
    pair = _urgent_pair(tables, memory, at, choice, factor, tiles, cells, words.values)
    if len(words.values) > 0:
        memory[tables[VALUES]] = ONE
    return _one_of(tables, memory, at, pair, random, cells)


@kernel
def _fewest_of(tables, memory, at, members, tiles, cells, domain):
    """The cell with the fewest candidates in a set of a record, the first of these."""
    chosen, fewest = NO_CELL, NO_CANDIDATES
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
    """The cell with the fewest candidates that a pattern of surrounded cells has.

    Those with two known sides and a surrounded neighbour come before those with a neighbour of
    which one side is known, and which has another surrounded neighbour.
    """
    first, fewest_first = NO_CELL, NO_CANDIDATES
    second, fewest_second = NO_CELL, NO_CANDIDATES
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[SURROUNDED] + word]
        while rest:
            cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
            rest ^= bit
            row, beside, between = row_of(tables, cell), False, False
            for side in range(FOUR_SIDES):
                beyond = tables[row + NEIGHBOURS + side]
                if beyond == NO_CELL or not is_in(memory, at + tables[OPEN], beyond):
                    continue
                if is_in(memory, at + tables[SURROUNDED], beyond):
                    beside = True
                elif first == NO_CELL and memory[at + tables[KNOWN] + beyond]:
                    between |= _is_between(tables, memory, at, beyond, cell)
            if memory[at + tables[THREE_KNOWN] + word] & bit:
                beside = False
            if beside and rules & SURROUNDED_PATTERN:
                count = size(candidates_of(tables, memory, at, cell, domain, tiles))
                if count < fewest_first:
                    first, fewest_first = cell, count
            elif between and rules & TWO_SURROUNDED_PATTERN:
                count = size(candidates_of(tables, memory, at, cell, domain, tiles))
                if count < fewest_second:
                    second, fewest_second = cell, count
    return second if first == NO_CELL else first


@kernel
def _is_between(tables, memory, at, cell, one):
    """Whether an open cell has a surrounded neighbour besides `one`."""
    row = row_of(tables, cell)
    for side in range(FOUR_SIDES):
        beyond = tables[row + NEIGHBOURS + side]
        if beyond not in (NO_CELL, one) and is_in(memory, at + tables[SURROUNDED], beyond):
            return True
    return False


@kernel(inline=True)
def is_in(memory, members, cell):
    """Whether a cell is in the set that begins there."""
    return (memory[members + (cell >> SIX)] >> (cell & SIXTY_THREE)) & ONE != ZERO


@kernel
def _urgent_pair(tables, memory, at, choice, factor, tiles, cells, values):
    """The demanded pair with the least score, the one that is met first of these.

    `factor` has for each pair the share of its tiles that will not be taken for it, 1 while it is
    not demanded. A tile is expected to remain for a pair with the product of those of its others.
    """
    met, none = ZERO, tables[PAIRS]
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            codes = memory[at + tables[KNOWN] + cell]
            for pair in pairs_of(tables, row_of(tables, cell), codes):
                if pair == none or factor[pair] != 1.0:
                    continue
                wanted = memory[at + tables[DEMANDS] + pair] >> DEMAND_BITS
                count = offered(tables, memory, at, pair, tiles)
                share = float(wanted) / float(count) if count > wanted else 1.0
                factor[pair] = 1.0 - share
                memory[tables[MET] + met] = pair
                met += ONE
    urgent, lowest = none, np.inf
    for number in range(met):
        pair = memory[tables[MET] + number]
        wanted = float(memory[at + tables[DEMANDS] + pair] >> DEMAND_BITS)
        count = float(offered(tables, memory, at, pair, tiles))
        score = count
        if choice != MIN_OFFER:
            score = _expected(tables, memory, at, pair, factor, tiles)
        if choice == MIN_EXPECTED_GAP:
            score -= wanted
        elif choice == MIN_EXPECTED_RATIO:
            score /= wanted
        elif choice == MAX_EXPECTED_FILTERING:
            score -= count
        if score < lowest:
            urgent, lowest = pair, score
    if len(values) > 0:
        _estimate(tables, memory, at, urgent, factor, tiles)
    for number in range(met):
        factor[memory[tables[MET] + number]] = 1.0
    return urgent


@kernel
def _expected(tables, memory, at, pair, factor, tiles):
    """How many tiles are expected to remain for a pair."""
    row, expected = tables[PAIR_ROWS] + pair * np.uint64(1 + len(tiles)), 0.0
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
    """The estimated probability that no pair but one needs a tile."""
    chance, its_pairs = 1.0, tables[TILE_PAIRS] + tile * TILE_PAIR_ROW
    for k in range(np.uint64(PLACES)):
        other = tables[its_pairs + k]
        chance *= 1.0 if other == pair else factor[other]
    return chance


@kernel
def _estimate(tables, memory, at, pair, factor, tiles):
    """Write the probabilities of tiles left that have a pair into `factor`, behind the pairs."""
    row = tables[PAIR_ROWS] + pair * np.uint64(1 + len(tiles))
    zone = tables[row]
    for word in range(np.uint64(len(tiles))):
        rest = tables[row + ONE + word] & memory[at + zone + word]
        while rest:
            tile = ((zone + word) << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            factor[tables[PAIRS] + ONE + tile] = _probability(tables, tile, pair, factor)


@kernel
def _one_of(tables, memory, at, pair, random, cells):
    """A random one of the cells that demand a pair."""
    count = memory[at + tables[DEMANDS] + pair] >> DEMAND_BITS
    skipped = random_stream.below(random, count) if count > ONE else ZERO
    for word in range(np.uint64(len(cells))):
        rest = memory[at + tables[SURROUNDED] + word]
        while rest:
            cell = (word << SIX) + trailing_zeros(rest)
            rest &= rest - ONE
            for each in pairs_of(tables, row_of(tables, cell), memory[at + tables[KNOWN] + cell]):
                if each == pair:
                    if skipped == ZERO:
                        return cell
                    skipped -= ONE
    return NO_CELL
