"""The search by colour pairs as a resumable kernel: shaving, branching, backjumping.

Source of shaving: P. Torres and P. Lopez, "On not-first/not-last conditions in disjunctive
scheduling", 2000, as T. Benoist and E. Bourreau use it in section 6.2 of "Fast global filtering for
Eternity II".
"""

import numpy as np

from dovetail.backends.colorpair.kernels import layout
from dovetail.backends.colorpair.kernels.cells import (
    FOUR_SIDES,
    ONE,
    SIX,
    SIXTY_THREE,
    ZERO,
    candidates_of,
    choose,
    is_in,
    learn,
    put,
    row_of,
    without_twins,
)
from dovetail.backends.colorpair.kernels.rules import blame_domain, clear, propagate, unite
from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.jit import kernel
from dovetail.kernels import random_stream
from dovetail.kernels.bits import keep, leading_zeros, loaded, ones, size, trailing_zeros
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    DESCENT,
    EXHAUSTED,
    LEVEL,
    NODE_LIMIT,
    NODES,
    PHASE,
    SOLUTIONS,
    WORD_BITS,
    WORK,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import mixed


@kernel
def shave(tables, memory, at, level, limit, rules, words):
    """Try the candidates of cells with at most `limit` candidates until no more tile can be put.

    A cell gets its tile if a single candidate survives the trials. Returns False if no candidate of
    a cell survives or a rule finds a contradiction, else True. `WHY` has the explanation of a False
    result. A trial is a decision at `level`, the level after the last decision.
    """
    tiles, cells, domain = words.tiles, words.cells, words.domain
    changed = True
    while changed:
        changed = False
        for word in range(np.uint64(len(cells))):
            rest = memory[at + tables[layout.OPEN] + word]
            while rest:
                cell, bit = (word << SIX) + trailing_zeros(rest), rest & (ZERO - rest)
                rest ^= bit
                if not is_in(memory, at + tables[layout.OPEN], cell):
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
                    if rules & layout.BACKJUMPING:
                        clear(memory, tables[layout.WHY], cells)
                        unite(memory, tables[layout.WHY], tables[layout.SHAVEN], cells)
                    return False
                if rules & layout.BACKJUMPING:
                    cause = tables[layout.CAUSE] + cell * np.uint64(len(cells))
                    clear(memory, cause, cells)
                    unite(memory, cause, tables[layout.SHAVEN], cells)
                put(tables, memory, at, cell, survivor, tiles, words.colours)
                memory[layout.FORCED] += ONE
                changed = True
                if not propagate(tables, memory, at, rules, words):
                    return False
    return True


@kernel
def _try(tables, memory, at, level, cell, candidates, rules, words):
    """Return the number of candidates of a cell that survive a trial, and the last survivor.

    The trials end at the second survivor. If fewer survive, `SHAVEN` gets the levels that explain
    why no other orientation can be put into the cell.
    """
    tiles, cells = words.tiles, words.cells
    trial = at + tables[layout.RECORD_WORDS]
    cause = tables[layout.CAUSE] + cell * np.uint64(len(cells))
    if rules & layout.BACKJUMPING:
        clear(memory, tables[layout.SHAVEN], cells)
        blame_domain(tables, memory, at, cell, tables[layout.SHAVEN], words)
    survivors, survivor = ZERO, ZERO
    for k in range(len(candidates)):
        rest = candidates[k]
        while rest:
            place = np.uint64(WORD_BITS * k) + trailing_zeros(rest)
            rest &= rest - ONE
            for j in range(tables[layout.RECORD_WORDS]):
                memory[trial + j] = memory[at + j]
            clear(memory, cause, cells)
            memory[cause + (level >> SIX)] = ONE << (level & SIXTY_THREE)
            put(tables, memory, trial, cell, place, tiles, words.colours)
            memory[layout.PROBES] += ONE
            if propagate(tables, memory, trial, rules, words):
                survivors += ONE
                survivor = place
                if survivors > ONE:
                    return survivors, survivor
            elif rules & layout.BACKJUMPING:
                memory[tables[layout.WHY] + (level >> SIX)] &= ~(ONE << (level & SIXTY_THREE))
                unite(memory, tables[layout.SHAVEN], tables[layout.WHY], cells)
    return survivors, survivor


NO_PLACE = np.uint64(2**64 - 1)


@kernel
def search(tables, words, stack, solutions, settings, guide, node_limit, work_limit):
    """Search on until a limit is reached, the buffer is full, or the search is done.

    `tables` is a flat array of uint64, see `layout` and `colorpair.tables`. `words`, `stack` and
    `settings` are the `ColorPairWords`, `ColorPairStack` and `Settings` of `layout`. `solutions`,
    shape (rows, cells), int32, gets the entry of `PLACE` of each cell; memory[BUFFERED] rows are
    filled. `node_limit` and `work_limit` are limits on the totals of all slices. Returns why the
    slice ended.

    The node on level d is the record after d decisions. `CANDIDATES` of the level are the untried
    candidates of the cell branched on, and `CANDIDATE_COUNT` is their number at the beginning.
    `CONFLICTS` are the levels of the decisions that explain why the other orientations are excluded
    or have failed. The level of a decision is 1 + the level of its node.

    `guide` is a `Guide` of `shared.kernels.guide`. Descents explain no contradictions. In descents
    the random choice of a cell depends only on the branches that lead to the node, so that a path
    of branches leads to the same node every time.
    """
    memory, factor, random, fits = stack.memory, stack.factor, stack.random, stack.fits
    rules, choice, shaving = settings.rules, settings.choice, settings.shaving
    cells, seed = words.cells, random[0]
    paths, descents = guide.paths, np.uint64(len(guide.paths))
    if descents:
        rules &= ~layout.BACKJUMPING
    record_words, records = tables[layout.RECORD_WORDS], tables[layout.RECORDS]
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
                if descents:
                    guide.solved[memory[DESCENT]] = ONE
                    if depth == ZERO:
                        guide.solved[:] = ONE
                _keep_solution(tables, memory, solutions)
                _blame_all(memory, tables[layout.WHY], depth, cells)
                holds = False
            elif holds:
                if len(words.values) > 0:
                    memory[tables[layout.VALUES]] = ZERO
                if descents:
                    random[0] = seed
                    for level in range(depth):
                        random[0] = mixed(random[0] + paths[memory[DESCENT], level] + ONE)
                cell = choose(tables, memory, at, rules, choice, factor, random, words)
                _branch(tables, memory, at, depth, cell, rules, words)
                if len(words.values) > 0:
                    _order(tables, memory, depth, cell, factor, words)
        if descents:
            place = _guided(tables, memory, at, depth, guide, words) if holds else NO_PLACE
            if place != NO_PLACE:
                _decide(tables, memory, at, depth, place, fits, words)
                candidates = tables[layout.CANDIDATES] + depth * np.uint64(len(words.domain))
                memory[candidates + (place >> SIX)] |= ONE << (place & SIXTY_THREE)
                depth, put_some = depth + ONE, True
                continue
            # The next descent begins at the level where it differs from this descent.
            memory[DESCENT] += ONE
            if memory[DESCENT] == descents or (depth == ZERO and not holds):
                depth, reason = ZERO, EXHAUSTED
                break
            depth = min(depth if holds else depth - ONE, guide.begins[memory[DESCENT]])
            if memory[BUFFERED] == np.uint64(len(solutions)):
                reason = BUFFER_FULL
                break
            continue
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
            clear(memory, tables[layout.WHY], cells)
            conflicts = tables[layout.CONFLICTS] + depth * np.uint64(len(cells))
            unite(memory, tables[layout.WHY], conflicts, cells)
        if not rules & layout.BACKJUMPING:
            _blame_all(memory, tables[layout.WHY], depth, cells)
        last = _last_level(memory, tables[layout.WHY], cells)
        if last == ZERO:
            depth, reason = ZERO, EXHAUSTED
            break
        memory[layout.JUMPED] += depth - last
        depth = last - ONE
        memory[tables[layout.WHY] + (last >> SIX)] &= ~(ONE << (last & SIXTY_THREE))
        conflicts = tables[layout.CONFLICTS] + depth * np.uint64(len(cells))
        unite(memory, conflicts, tables[layout.WHY], cells)
        if memory[BUFFERED] == np.uint64(len(solutions)):
            reason = BUFFER_FULL
            break
    memory[LEVEL] = depth
    return reason


@kernel
def _is_full(tables, memory, at, cells):
    """Return whether no cell is open."""
    left = ZERO
    for word in range(np.uint64(len(cells))):
        left |= memory[at + tables[layout.OPEN] + word]
    return left == ZERO


@kernel
def _keep_solution(tables, memory, solutions):
    """Append the placements of all cells to the solutions."""
    memory[SOLUTIONS] += ONE
    for cell in range(tables[layout.CELLS]):
        solutions[memory[BUFFERED], cell] = memory[tables[layout.PLACE] + cell]
    memory[BUFFERED] += ONE


@kernel
def _branch(tables, memory, at, depth, cell, rules, words):
    """Write the cell to branch on, its candidates and its conflicts for level `depth`."""
    tiles, cells, domain = words.tiles, words.cells, words.domain
    candidates = candidates_of(tables, memory, at, cell, domain, tiles)
    memory[tables[layout.BRANCH] + depth] = cell
    memory[tables[layout.CANDIDATE_COUNT] + depth] = size(candidates)
    keep(candidates, memory, tables[layout.CANDIDATES] + depth * np.uint64(len(domain)))
    if rules & layout.BACKJUMPING:
        conflicts = tables[layout.CONFLICTS] + depth * np.uint64(len(cells))
        clear(memory, conflicts, cells)
        blame_domain(tables, memory, at, cell, conflicts, words)


@kernel
def _order(tables, memory, depth, cell, factor, words):
    """Write the candidates of a node into its part of `VALUES`, the highest probability first.

    `NO_PLACE` follows the candidates. If a pattern has selected the cell, only `NO_PLACE` is
    written.
    """
    tiles, domain = words.tiles, words.domain
    values = tables[layout.VALUES] + ONE + depth * (ONE + np.uint64(WORD_BITS * len(domain)))
    begin = tables[layout.CANDIDATES] + depth * np.uint64(len(domain))
    chances = tables[layout.PAIRS] + ONE + (tables[row_of(tables, cell) + layout.FREE] << SIX)
    zone_bits, count = np.uint64(WORD_BITS * len(tiles)), ZERO
    if memory[tables[layout.VALUES]] == ONE:
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
    """Return the next candidate to try at a node, or `NO_PLACE`."""
    begin = tables[layout.CANDIDATES] + depth * np.uint64(len(domain))
    if len(values) > 0:
        value = tables[layout.VALUES] + ONE + depth * (ONE + np.uint64(WORD_BITS * len(domain)))
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
def _guided(tables, memory, at, depth, guide, words):
    """Record a node of a descent; return the candidate to try, or `NO_PLACE` for none."""
    row, open_cells = memory[DESCENT], ZERO
    for word in range(np.uint64(len(words.cells))):
        open_cells += ones(memory[at + tables[layout.OPEN] + word])
    count = memory[tables[layout.CANDIDATE_COUNT] + depth]
    guide.widths[row, depth] = np.float64(count)
    guide.placed[row, depth] = np.int64(tables[layout.CELLS] - open_cells)
    if count == ZERO:
        return NO_PLACE
    if guide.paths[row, depth] == RANDOM:
        guide.paths[row, depth] = random_stream.below(guide.random, count)
    skipped = guide.paths[row, depth]
    if skipped == END:
        return NO_PLACE
    begin = tables[layout.CANDIDATES] + depth * np.uint64(len(words.domain))
    word = ZERO
    while ones(memory[begin + word]) <= skipped:
        skipped -= ones(memory[begin + word])
        word += ONE
    candidates = memory[begin + word]
    for _ in range(skipped):
        candidates &= candidates - ONE
    return (word << SIX) + trailing_zeros(candidates)


@kernel
def _decide(tables, memory, at, depth, place, fits, words):
    """Make a node on the next level: put the candidate `place` of the node on level `depth`."""
    tiles, cells, domain = words.tiles, words.cells, words.domain
    memory[tables[layout.CANDIDATES] + depth * np.uint64(len(domain)) + (place >> SIX)] &= ~(
        ONE << (place & SIXTY_THREE)
    )
    memory[NODES] += ONE
    remaining = ZERO
    for word in range(np.uint64(len(cells))):
        remaining += ones(memory[at + tables[layout.OPEN] + word])
    fits[remaining] += ONE
    below = at + tables[layout.RECORD_WORDS]
    for k in range(tables[layout.RECORD_WORDS]):
        memory[below + k] = memory[at + k]
    cell, level = memory[tables[layout.BRANCH] + depth], depth + ONE
    cause = tables[layout.CAUSE] + cell * np.uint64(len(cells))
    clear(memory, cause, cells)
    memory[cause + (level >> SIX)] = ONE << (level & SIXTY_THREE)
    put(tables, memory, below, cell, place, tiles, words.colours)


@kernel
def _begin(tables, memory, at, words):
    """Learn the sides on the frame, and put tiles into cells with a single option, such as hints.

    Returns False if such a cell has no candidate left, else True.
    """
    tiles, domain = words.tiles, words.domain
    for cell in range(tables[layout.CELLS]):
        for side in range(FOUR_SIDES):
            if tables[row_of(tables, cell) + layout.NEIGHBOURS + side] == layout.NO_CELL:
                learn(tables, memory, at, cell, side, ONE, words.colours)
    for cell in range(tables[layout.CELLS]):
        row = row_of(tables, cell)
        allowed = loaded(domain, tables, tables[row + layout.ALLOWED])
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
    """Set `why` to the levels of all decisions that lead to the node on level `depth`."""
    for word in range(np.uint64(len(cells))):
        memory[why + word] = ZERO
    for level in range(ONE, depth + ONE):
        memory[why + (level >> SIX)] |= ONE << (level & SIXTY_THREE)


@kernel(inline=True)
def _last_level(memory, why, cells):
    """Return the last level of a set; 0 for an empty set."""
    last = ZERO
    for word in range(np.uint64(len(cells))):
        if memory[why + word]:
            last = (word << SIX) + SIXTY_THREE - leading_zeros(memory[why + word])
    return last
