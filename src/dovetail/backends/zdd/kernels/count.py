"""The memoised search, as one resumable kernel.

A state is the set of open items, with the colours and counts that bar options. Partial solutions
that leave the same state have the same completions, so those of a state are counted once, in the
order of a depth-first search, and kept under the state itself: not under a hash of it, which is
how published programs count wrongly.
"""

import numpy as np

from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, NODES, PHASE, SOLUTIONS, WORK
from dovetail.backends.zdd.kernels.choice import DEAD, choose
from dovetail.backends.zdd.kernels.layout import (
    BEGUN,
    BITS,
    BRANCH_SIZE,
    COUNT_FULL,
    DONE,
    FORGOTTEN,
    HITS,
    ITEM,
    LAST_WORD,
    STATES,
    TABLE_FULL,
    TAKEN,
    TRIED,
    WIDTH,
    WORD,
)
from dovetail.backends.zdd.kernels.table import ONE, ZERO, add, find
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, NODE_LIMIT, WORK_SPENT

SIX = np.uint64(6)
STEPS_PER_NODE = np.uint64(4)


@kernel(inline=True)
def take(problem, option, key, at, below):
    """Write the state that taking an option makes of the one from `at` on; whether it is over."""
    words = problem.words
    first = option * words
    for k in range(words):
        key[below + k] = (key[at + k] & ~problem.clear[first + k]) + problem.put[first + k]
    for t in range(problem.touched_start[option], problem.touched_start[option + ONE]):
        field = problem.touched[t]
        guarded = ZERO
        for k in range(words):
            guarded |= key[below + k] & problem.guard[field * words + k]
        if guarded == ZERO:
            key[below + problem.field_word[field]] &= ~problem.field_mask[field]
    open_items = ZERO
    for k in range(words):
        open_items |= key[below + k] & problem.branching[k]
    return open_items == ZERO


@kernel(inline=True)
def has_enough(problem, key, at):
    """Whether all counted items were covered as often as they have to be."""
    for c in range(np.uint64(len(problem.min_count))):
        taken = key[at + problem.count_word[c]] >> problem.count_shift[c]
        if taken & problem.count_mask[c] < problem.min_count[c]:
            return False
    return True


@kernel(inline=True)
def keep_live(problem, option, key, below, live, live_at, live_below):
    """Write the options that are left when one is taken."""
    live_words = problem.live_words
    first = option * live_words
    for k in range(live_words):
        live[live_below + k] = live[live_at + k] & problem.compatible[first + k]
    for t in range(problem.counted_start[option], problem.counted_start[option + ONE]):
        c = problem.counted[t]
        taken = key[below + problem.count_word[c]] >> problem.count_shift[c]
        if taken & problem.count_mask[c] == problem.max_count[c]:
            for k in range(live_words):
                live[live_below + k] &= ~problem.counted_planes[c * live_words + k]


@kernel(inline=True)
def branch_on(problem, item, level, stack):
    """Make the options of an item the branches of a level, with nothing counted."""
    branches, live = stack.branches, stack.live
    at, live_at, plane = level * BRANCH_SIZE, level * problem.live_words, item * problem.live_words
    word, last = problem.first_word[item], problem.last_word[item]
    width = ZERO
    for w in range(word, last + ONE):
        width += ones(live[live_at + w] & problem.planes[plane + w])
    branches[at + ITEM] = item
    branches[at + WORD], branches[at + LAST_WORD] = word, last
    branches[at + BITS] = live[live_at + word] & problem.planes[plane + word]
    branches[at + WIDTH], branches[at + TRIED] = width, ZERO


@kernel(inline=True)
def record(problem, branches, level, row):
    """Write the options taken, down to `level`, into `row`, −1 behind them."""
    for k in range(level + ONE):
        row[k] = branches[k * BRANCH_SIZE + TAKEN]
    row[level + ONE :] = -1


@kernel(inline=True)
def store(problem, key, at, sums, sum_at, table):
    """Enter the state from `at` on with its count; whether another one was forgotten for it."""
    words, slots = problem.words, table.slots
    known, slot = find(key, at, words, table)
    used = ZERO
    for k in range(words):
        used |= slots[slot + k]
        slots[slot + k] = key[at + k]
    for k in range(table.count_words):
        slots[slot + words + k] = sums[sum_at + k]
    return used != ZERO and not known


@kernel
def count(problem, choice, stack, table, solutions, listing, work, node_limit):
    """Go on counting for about `work` steps of ten nanoseconds; returns why the slice ended.

    `problem`, `stack` and `table` are those of `layout`, `choice` is FIXED, FORCED or FEWEST. At
    the end the sum of level 0 is the number of solutions. With `listing` not 0, `solutions` (n, k),
    int32, gets the options taken, from row state[BUFFERED] on, padded with −1; the slice ends when
    it is full, and only states without solutions are kept.
    """
    key, live, single, sums, branches, state = stack
    words, live_words, count_words = problem.words, problem.live_words, table.count_words
    sum_words = count_words + ONE
    level, nodes, steps, hits = state[LEVEL], state[NODES], state[WORK], state[HITS]
    steps_end = steps + work
    reason = EXHAUSTED
    if state[PHASE] < BEGUN:
        state[PHASE] = BEGUN
        item, _ = choose(problem, choice, stack, ZERO, problem.branching, ZERO)
        if item == DEAD:
            state[PHASE] = DONE
            if len(problem.first_word) == 0 and has_enough(problem, key, ZERO):
                state[SOLUTIONS] = ONE
                state[BUFFERED] = ONE if listing else ZERO
                add(sums, ZERO, table.one, ZERO, count_words, ONE)
        else:
            branch_on(problem, item, ZERO, stack)
    while state[PHASE] != DONE:
        if steps >= steps_end:
            reason = WORK_SPENT
            break
        at, live_at, sum_at = level * words, level * live_words, level * sum_words
        branch = level * BRANCH_SIZE
        word, bits = branches[branch + WORD], branches[branch + BITS]
        last, plane = branches[branch + LAST_WORD], branches[branch + ITEM] * live_words
        while bits == ZERO and word < last:
            word += ONE
            bits = live[live_at + word] & problem.planes[plane + word]
        branches[branch + WORD], branches[branch + BITS] = word, bits
        if bits == ZERO:
            if sums[sum_at + count_words]:
                reason = COUNT_FULL
                break
            if level == ZERO:
                state[PHASE] = DONE
                break
            if listing == ZERO or sums[sum_at] == ZERO:
                if table.may_grow and state[STATES] >= table.limit:
                    reason = TABLE_FULL
                    break
                if store(problem, key, at, sums, sum_at, table):
                    state[FORGOTTEN] += ONE
                state[STATES] += ONE
            level -= ONE
            weight = problem.weight[branches[level * BRANCH_SIZE + TAKEN]]
            add(sums, level * sum_words, sums, sum_at, count_words, weight)
            steps += STEPS_PER_NODE
            continue
        if nodes == node_limit:
            reason = NODE_LIMIT
            break
        if listing and state[BUFFERED] == np.uint64(len(solutions)):
            reason = BUFFER_FULL
            break
        option = (word << SIX) + trailing_zeros(bits)
        branches[branch + BITS] = bits & (bits - ONE)
        branches[branch + TAKEN] = option
        branches[branch + TRIED] += ONE
        nodes += ONE
        steps += STEPS_PER_NODE
        below = at + words
        if take(problem, option, key, at, below):
            if has_enough(problem, key, below):
                state[SOLUTIONS] += ONE
                add(sums, sum_at, table.one, ZERO, count_words, problem.weight[option])
                if listing:
                    record(problem, branches, level, solutions[state[BUFFERED]])
                    state[BUFFERED] += ONE
            continue
        known, slot = find(key, below, words, table)
        if known:
            hits += ONE
            add(sums, sum_at, table.slots, slot + words, count_words, problem.weight[option])
            continue
        live_below = live_at + live_words
        keep_live(problem, option, key, below, live, live_at, live_below)
        for k in range(words):
            single[below + k] = single[at + k]
        item, looked_at = choose(
            problem, choice, stack, level + ONE, problem.affected, option * words
        )
        steps += looked_at + live_words // STEPS_PER_NODE + STEPS_PER_NODE
        if item == DEAD:
            continue
        level += ONE
        branch_on(problem, item, level, stack)
        for k in range(sum_words):
            sums[level * sum_words + k] = ZERO
    state[LEVEL], state[WORK], state[NODES], state[HITS] = level, steps, nodes, hits
    return reason
