"""Shaving: trying what few candidates a cell has, for what follows at once.

Source: P. Torres and P. Lopez, "On not-first/not-last conditions in disjunctive scheduling", 2000,
as T. Benoist and E. Bourreau use it, section 6.2.
"""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import blame_domain, clear, unite
from dovetail.backends.colorpair.kernels.candidates import candidates_of
from dovetail.backends.colorpair.kernels.choose import is_in
from dovetail.backends.colorpair.kernels.layout import (
    BACKJUMPING,
    CAUSE,
    FORCED,
    OPEN,
    PROBES,
    RECORD_WORDS,
    SHAVEN,
    WHY,
)
from dovetail.backends.colorpair.kernels.pairs import ONE, SIX, SIXTY_THREE, ZERO
from dovetail.backends.colorpair.kernels.propagate import propagate
from dovetail.backends.colorpair.kernels.put import put
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.word_size import WORD_BITS
from dovetail.kernels.words import size


@kernel
def shave(tables, memory, at, level, limit, rules, words):
    """Try each candidate of the cells with at most `limit`, till no more can be put.

    A cell of which one candidate only can be put gets it. False: one has none; `WHY` tells why.
    A trial is a decision of its own at `level`, one more than the last level that has one.
    """
    tiles, cells, domain = words.tiles, words.cells, words.domain
    changed = True
    while changed:
        changed = False
        for word in range(np.uint64(len(cells))):
            rest = memory[at + tables[OPEN] + word]
            while rest:
                cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
                rest ^= bit
                if not is_in(memory, at + tables[OPEN], cell):
                    continue
                candidates = candidates_of(tables, memory, at, cell, domain, tiles)
                if size(candidates) > limit:
                    continue
                survivors, survivor = _try(
                    tables, memory, at, level, cell, candidates, rules, words
                )
                if survivors > ONE:
                    continue
                if survivors == ZERO:
                    if rules & BACKJUMPING:
                        clear(memory, tables[WHY], cells)
                        unite(memory, tables[WHY], tables[SHAVEN], cells)
                    return False
                if rules & BACKJUMPING:
                    cause = tables[CAUSE] + cell * np.uint64(len(cells))
                    clear(memory, cause, cells)
                    unite(memory, cause, tables[SHAVEN], cells)
                put(tables, memory, at, cell, survivor, tiles, words.colours)
                memory[FORCED] += ONE
                changed = True
                if not propagate(tables, memory, at, rules, words):
                    return False
    return True


@kernel
def _try(tables, memory, at, level, cell, candidates, rules, words):
    """How many candidates of a cell can be put, from two on not all are tried, and the last.

    `SHAVEN` tells why there are no others.
    """
    tiles, cells = words.tiles, words.cells
    trial, cause = at + tables[RECORD_WORDS], tables[CAUSE] + cell * np.uint64(len(cells))
    if rules & BACKJUMPING:
        clear(memory, tables[SHAVEN], cells)
        blame_domain(tables, memory, at, cell, tables[SHAVEN], words)
    survivors, survivor = ZERO, ZERO
    for k in range(len(candidates)):
        rest = candidates[k]
        while rest:
            place = np.uint64(WORD_BITS * k) + trailing_zeros(rest)
            rest &= rest - ONE
            for j in range(tables[RECORD_WORDS]):
                memory[trial + j] = memory[at + j]
            clear(memory, cause, cells)
            memory[cause + (level >> SIX)] = ONE << (level & SIXTY_THREE)
            put(tables, memory, trial, cell, place, tiles, words.colours)
            memory[PROBES] += ONE
            if propagate(tables, memory, trial, rules, words):
                survivors += ONE
                survivor = place
                if survivors > ONE:
                    return survivors, survivor
            elif rules & BACKJUMPING:
                memory[tables[WHY] + (level >> SIX)] &= ~(ONE << (level & SIXTY_THREE))
                unite(memory, tables[SHAVEN], tables[WHY], cells)
    return survivors, survivor
