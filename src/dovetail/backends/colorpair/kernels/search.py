"""The search by colour pairs as one resumable kernel."""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import blame_domain, clear, unite
from dovetail.backends.colorpair.kernels.candidates import candidates_of, without_twins
from dovetail.backends.colorpair.kernels.choose import choose
from dovetail.backends.colorpair.kernels.layout import (
    ALLOWED,
    BACKJUMPING,
    BEGUN,
    BRANCH,
    BUFFERED,
    CANDIDATES,
    CAUSE,
    CELLS,
    CONFLICTS,
    DEPTH,
    FAN,
    JUMPED,
    NEIGHBOURS,
    NO_CELL,
    NODES,
    OPEN,
    PLACE,
    RECORD_WORDS,
    RECORDS,
    SOLUTIONS,
    WHY,
    WORK,
)
from dovetail.backends.colorpair.kernels.pairs import (
    FOUR_SIDES,
    ONE,
    SIX,
    SIXTY_THREE,
    ZERO,
    row_of,
)
from dovetail.backends.colorpair.kernels.propagate import propagate
from dovetail.backends.colorpair.kernels.put import learn, put
from dovetail.backends.colorpair.kernels.shave import shave
from dovetail.jit import kernel
from dovetail.kernels.bits import leading_zeros, ones, trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, NODE_LIMIT, WORK_SPENT
from dovetail.kernels.words import keep, loaded, size

WORD_BITS = 64


@kernel
def search(
    tables,
    memory,
    words,
    factor,
    random,
    fits,
    solutions,
    rules,
    choice,
    shaving,
    node_limit,
    work_limit,
):
    """Search on, until done, so many nodes or so much work has been done, or the buffer is full.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tables`, `memory` | flat | uint64 | see `layout` and `tables` |
    | `factor` | (pairs + 1,) | float64 | 1 throughout, see `choose` |
    | `random` | (1,) | uint64 | the state of a stream of random numbers |
    | `fits` | (n + 1,) | uint64 | placements tried, by cells that were open |
    | `solutions` | (rows, n) | int32 | the place of each cell, filled up to memory[BUFFERED] |

    `words` are three tuples, as long as a set of the tiles of a zone, a set of cells or levels and
    a domain. The node on level d is what is known after d decisions; `CANDIDATES` are those of the
    cell branched on there that have not been tried, of `FAN` at first, `CONFLICTS` the levels that
    have made the others fail. The level of a decision is one more than that of its node.
    """
    tiles, cells, domain = words
    domain_words, set_words = np.uint64(len(domain)), np.uint64(len(cells))
    record_words, records = tables[RECORD_WORDS], tables[RECORDS]
    depth = memory[DEPTH]
    if memory[BEGUN] == ZERO:
        memory[BEGUN] = ONE
        if not _begin(tables, memory, records, words):
            return EXHAUSTED
        put_some = True
    else:
        put_some = False
    consistent = True
    while True:
        at = records + depth * record_words
        if put_some:
            # What follows from it, and where to branch.
            put_some = False
            consistent = propagate(tables, memory, at, rules, words)
            if consistent and shaving:
                consistent = shave(tables, memory, at, depth + ONE, shaving, rules, words)
            left = ZERO
            for word in range(set_words):
                left |= memory[at + tables[OPEN] + word]
            if consistent and left:
                cell = choose(tables, memory, at, rules, choice, factor, random, words)
                memory[tables[BRANCH] + depth] = cell
                candidates = candidates_of(tables, memory, at, cell, domain, tiles)
                memory[tables[FAN] + depth] = size(candidates)
                keep(candidates, memory, tables[CANDIDATES] + depth * domain_words)
                if rules & BACKJUMPING:
                    conflicts = tables[CONFLICTS] + depth * set_words
                    clear(memory, conflicts, cells)
                    blame_domain(tables, memory, at, cell, conflicts, words)
            elif consistent:
                memory[SOLUTIONS] += ONE
                for cell in range(tables[CELLS]):
                    solutions[memory[BUFFERED], cell] = memory[tables[PLACE] + cell]
                memory[BUFFERED] += ONE
                _blame_all(memory, tables[WHY], depth, cells)
                consistent = False
        if not consistent:
            # The levels in `WHY` fail together: back to the last of them.
            consistent = True
            if not rules & BACKJUMPING:
                _blame_all(memory, tables[WHY], depth, cells)
            last = _last_level(memory, tables[WHY], cells)
            if last == ZERO:
                depth = ZERO
                reason = EXHAUSTED
                break
            memory[JUMPED] += depth - last
            depth = last - ONE
            memory[tables[WHY] + (last >> SIX)] &= ~(ONE << (last & SIXTY_THREE))
            unite(memory, tables[CONFLICTS] + depth * set_words, tables[WHY], cells)
            if memory[BUFFERED] == np.uint64(len(solutions)):
                reason = BUFFER_FULL
                break
            continue
        # Try the next candidate.
        k = tables[CANDIDATES] + depth * domain_words
        end = k + domain_words
        while k < end and memory[k] == ZERO:
            k += ONE
        if k == end:
            conflicts = tables[CONFLICTS] + depth * set_words
            clear(memory, tables[WHY], cells)
            unite(memory, tables[WHY], conflicts, cells)
            consistent = False
            continue
        if memory[NODES] == node_limit:
            reason = NODE_LIMIT
            break
        if memory[WORK] >= work_limit:
            reason = WORK_SPENT
            break
        memory[NODES] += ONE
        cell, remaining = memory[tables[BRANCH] + depth], ZERO
        for word in range(set_words):
            remaining += ones(memory[at + tables[OPEN] + word])
        fits[remaining] += ONE
        place = ((k + domain_words - end) << SIX) + trailing_zeros(memory[k])
        memory[k] &= memory[k] - ONE
        for j in range(record_words):
            memory[at + record_words + j] = memory[at + j]
        depth += ONE
        cause = tables[CAUSE] + cell * set_words
        clear(memory, cause, cells)
        memory[cause + (depth >> SIX)] = ONE << (depth & SIXTY_THREE)
        put(tables, memory, at + record_words, cell, place, tiles)
        put_some = True
    memory[DEPTH] = depth
    return reason


@kernel(inner=True)
def _begin(tables, memory, at, words):
    """Make known what the frame shows, and put the tiles that hints give; False if they clash."""
    tiles, _, domain = words
    for cell in range(tables[CELLS]):
        for side in range(FOUR_SIDES):
            if tables[row_of(tables, cell) + NEIGHBOURS + side] == NO_CELL:
                learn(tables, memory, at, cell, side, ONE)
    for cell in range(tables[CELLS]):
        row = row_of(tables, cell)
        allowed = loaded(domain, tables, tables[row + ALLOWED])
        if size(without_twins(tables, row, allowed, tiles)) != ONE:
            continue
        candidates = candidates_of(tables, memory, at, cell, domain, tiles)
        if size(candidates) == ZERO:
            return False
        for k in range(len(candidates)):
            if candidates[k]:
                place = np.uint64(WORD_BITS * k) + trailing_zeros(candidates[k])
                put(tables, memory, at, cell, place, tiles)
    return True


@kernel(inline=True)
def _blame_all(memory, why, depth, cells):
    """All levels of the decisions that lead to a node."""
    for word in range(np.uint64(len(cells))):
        memory[why + word] = ZERO
    for level in range(ONE, depth + ONE):
        memory[why + (level >> SIX)] |= ONE << (level & SIXTY_THREE)


@kernel(inline=True)
def _last_level(memory, why, cells):
    """The last level of a set, 0 if there is none."""
    last = ZERO
    for word in range(np.uint64(len(cells))):
        if memory[why + word]:
            last = (word << SIX) + SIXTY_THREE - leading_zeros(memory[why + word])
    return last
