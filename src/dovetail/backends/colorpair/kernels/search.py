"""The search by colour pairs as one resumable kernel."""

import numpy as np

from dovetail.backends.colorpair.kernels.blame import blame_domain, clear, unite
from dovetail.backends.colorpair.kernels.candidates import candidates_of, without_twins
from dovetail.backends.colorpair.kernels.choose import choose
from dovetail.backends.colorpair.kernels.layout import (
    ALLOWED,
    BACKJUMPING,
    BRANCH,
    CANDIDATE_COUNT,
    CANDIDATES,
    CAUSE,
    CELLS,
    CONFLICTS,
    FREE,
    JUMPED,
    NEIGHBOURS,
    NO_CELL,
    OPEN,
    PAIRS,
    PLACE,
    RECORD_WORDS,
    RECORDS,
    VALUES,
    WHY,
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
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, NODES, PHASE, SOLUTIONS, WORK
from dovetail.jit import kernel
from dovetail.kernels.bits import leading_zeros, ones, trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, NODE_LIMIT, WORK_SPENT
from dovetail.kernels.word_size import WORD_BITS
from dovetail.kernels.words import keep, loaded, size

NO_PLACE = np.uint64(2**64 - 1)


@kernel
def search(tables, words, stack, solutions, settings, node_limit, work_limit):
    """Search on, until done, so many nodes or so much work has been done, or the buffer is full.

    `tables` is a flat array of uint64, see `layout` and `tables`. `words`, `stack` and `settings`
    are the `Words`, `Stack` and `Settings` of `layout`. `solutions` (rows, n), int32, gets the
    place of each cell; memory[BUFFERED] rows are filled.

    The node on level d is what is known after d decisions; `CANDIDATES` are those of the cell
    branched on there that have not been tried, of `CANDIDATE_COUNT` at first, `CONFLICTS` the
    levels that have made the others fail. The level of a decision is one more than that of its
    node.
    """
    memory, factor, random, fits = stack.memory, stack.factor, stack.random, stack.fits
    rules, choice, shaving = settings.rules, settings.choice, settings.shaving
    cells = words.cells
    record_words, records = tables[RECORD_WORDS], tables[RECORDS]
    depth, put_some = memory[LEVEL], False
    if memory[PHASE] == ZERO:
        memory[PHASE] = ONE
        if not _begin(tables, memory, records, words):
            return EXHAUSTED
        put_some = True
    while True:
        at, holds = records + depth * record_words, True
        if put_some:
            put_some = False
            holds = propagate(tables, memory, at, rules, words)
            if holds and shaving:
                holds = shave(tables, memory, at, depth + ONE, shaving, rules, words)
            if holds and _is_full(tables, memory, at, cells):
                _keep_solution(tables, memory, solutions)
                _blame_all(memory, tables[WHY], depth, cells)
                holds = False
            elif holds:
                if len(words.values) > 0:
                    memory[tables[VALUES]] = ZERO
                cell = choose(tables, memory, at, rules, choice, factor, random, words)
                _branch(tables, memory, at, depth, cell, rules, words)
                if len(words.values) > 0:
                    _order(tables, memory, depth, cell, factor, words)
        place = (
            _first_candidate(tables, memory, depth, words.domain, words.values)
            if holds
            else NO_PLACE
        )
        if place != NO_PLACE:
            if memory[NODES] == node_limit:
                reason = NODE_LIMIT
                break
            if memory[WORK] >= work_limit:
                reason = WORK_SPENT
                break
            _decide(tables, memory, at, depth, place, fits, words)
            depth, put_some = depth + ONE, True
            continue
        if holds:  # all candidates have failed
            clear(memory, tables[WHY], cells)
            conflicts = tables[CONFLICTS] + depth * np.uint64(len(cells))
            unite(memory, tables[WHY], conflicts, cells)
        if not rules & BACKJUMPING:
            _blame_all(memory, tables[WHY], depth, cells)
        last = _last_level(memory, tables[WHY], cells)
        if last == ZERO:
            depth, reason = ZERO, EXHAUSTED
            break
        memory[JUMPED] += depth - last
        depth = last - ONE
        memory[tables[WHY] + (last >> SIX)] &= ~(ONE << (last & SIXTY_THREE))
        unite(memory, tables[CONFLICTS] + depth * np.uint64(len(cells)), tables[WHY], cells)
        if memory[BUFFERED] == np.uint64(len(solutions)):
            reason = BUFFER_FULL
            break
    memory[LEVEL] = depth
    return reason


@kernel
def _is_full(tables, memory, at, cells):
    """Whether no cell is open."""
    left = ZERO
    for word in range(np.uint64(len(cells))):
        left |= memory[at + tables[OPEN] + word]
    return left == ZERO


@kernel
def _keep_solution(tables, memory, solutions):
    """Write down what the cells hold."""
    memory[SOLUTIONS] += ONE
    for cell in range(tables[CELLS]):
        solutions[memory[BUFFERED], cell] = memory[tables[PLACE] + cell]
    memory[BUFFERED] += ONE


@kernel
def _branch(tables, memory, at, depth, cell, rules, words):
    """Branch on a cell in the node on level `depth`."""
    tiles, cells, domain = words.tiles, words.cells, words.domain
    candidates = candidates_of(tables, memory, at, cell, domain, tiles)
    memory[tables[BRANCH] + depth] = cell
    memory[tables[CANDIDATE_COUNT] + depth] = size(candidates)
    keep(candidates, memory, tables[CANDIDATES] + depth * np.uint64(len(domain)))
    if rules & BACKJUMPING:
        conflicts = tables[CONFLICTS] + depth * np.uint64(len(cells))
        clear(memory, conflicts, cells)
        blame_domain(tables, memory, at, cell, conflicts, words)


@kernel
def _order(tables, memory, depth, cell, factor, words):
    """Write the candidates of a node into its `VALUES`, those of the highest probability first.

    `NO_PLACE` comes after them; it comes first where the cell is not one of the most urgent pair.
    """
    tiles, domain = words.tiles, words.domain
    values = tables[VALUES] + ONE + depth * (ONE + np.uint64(WORD_BITS * len(domain)))
    begin = tables[CANDIDATES] + depth * np.uint64(len(domain))
    chances = tables[PAIRS] + ONE + (tables[row_of(tables, cell) + FREE] << SIX)
    zone_bits, count = np.uint64(WORD_BITS * len(tiles)), ZERO
    if memory[tables[VALUES]] == ONE:
        for k in range(np.uint64(len(domain))):
            rest = memory[begin + k]
            while rest:
                place = (k << SIX) + trailing_zeros(rest)
                rest &= rest - ONE
                here, slot = factor[chances + place % zone_bits], values + count
                while slot > values:
                    before = memory[slot - ONE]
                    if factor[chances + before % zone_bits] >= here:
                        break
                    memory[slot] = before
                    slot -= ONE
                memory[slot] = place
                count += ONE
    memory[values + count] = NO_PLACE


@kernel
def _first_candidate(tables, memory, depth, domain, values):
    """The first candidate of a node that has not been tried, `NO_PLACE` if there is none."""
    begin = tables[CANDIDATES] + depth * np.uint64(len(domain))
    if len(values) > 0:
        value = tables[VALUES] + ONE + depth * (ONE + np.uint64(WORD_BITS * len(domain)))
        while memory[value] != NO_PLACE:
            place = memory[value]
            if (memory[begin + (place >> SIX)] >> (place & SIXTY_THREE)) & ONE:
                return place
            value += ONE
    for k in range(np.uint64(len(domain))):
        if memory[begin + k]:
            return (k << SIX) + trailing_zeros(memory[begin + k])
    return NO_PLACE


@kernel
def _decide(tables, memory, at, depth, place, fits, words):
    """Try a candidate of the node on level `depth`: a node of its own, on the next level."""
    tiles, cells, domain = words.tiles, words.cells, words.domain
    memory[tables[CANDIDATES] + depth * np.uint64(len(domain)) + (place >> SIX)] &= ~(
        ONE << (place & SIXTY_THREE)
    )
    memory[NODES] += ONE
    remaining = ZERO
    for word in range(np.uint64(len(cells))):
        remaining += ones(memory[at + tables[OPEN] + word])
    fits[remaining] += ONE
    below = at + tables[RECORD_WORDS]
    for k in range(tables[RECORD_WORDS]):
        memory[below + k] = memory[at + k]
    cell, level = memory[tables[BRANCH] + depth], depth + ONE
    cause = tables[CAUSE] + cell * np.uint64(len(cells))
    clear(memory, cause, cells)
    memory[cause + (level >> SIX)] = ONE << (level & SIXTY_THREE)
    put(tables, memory, below, cell, place, tiles, words.colours)


@kernel
def _begin(tables, memory, at, words):
    """Make known what the frame shows, and put the tiles that hints give; False if they clash."""
    tiles, domain = words.tiles, words.domain
    for cell in range(tables[CELLS]):
        for side in range(FOUR_SIDES):
            if tables[row_of(tables, cell) + NEIGHBOURS + side] == NO_CELL:
                learn(tables, memory, at, cell, side, ONE, words.colours)
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
                put(tables, memory, at, cell, place, tiles, words.colours)
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
