"""The memoised search, as one resumable kernel, and the solution that has a number.

A state is the set of open items, with the colours and counts that bar options. Partial solutions
that leave the same state have the same completions, so those of a state are counted once, in the
order of a depth-first search, and kept under the state itself: not under a hash of it, which is
how published programs count wrongly.
"""

import numpy as np

from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, NODES, PHASE, SOLUTIONS, WORK
from dovetail.backends.zdd.kernels.states import (
    BITS,
    BRANCH_SIZE,
    DEAD,
    FORGOTTEN,
    HITS,
    ONE,
    STATES,
    TAKEN,
    TRIED,
    ZERO,
    branch_on,
    choose,
    go_below,
    has_enough,
    next_option,
    take,
)
from dovetail.backends.zdd.kernels.table import add, find, store, subtract
from dovetail.jit import kernel
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, NODE_LIMIT, WORK_SPENT

STEPS_PER_NODE = np.uint64(4)
NOT_FOUND = -1

# The phase of `state`; 0 before the search begins.
BEGUN, DONE = (np.uint64(phase) for phase in (1, 2))

# Why a slice ended, beside the reasons of `kernels.slices`: the table needs more slots, or its
# counts more words.
TABLE_FULL, COUNT_FULL = 100, 101


@kernel(inline=True)
def record(branches, level, row):
    """Write the options taken, down to `level`, into `row`, −1 behind them."""
    for k in range(level + ONE):
        row[k] = branches[k * BRANCH_SIZE + TAKEN]
    row[level + ONE :] = -1


@kernel
def count(problem, choice, stack, table, solutions, listing, work, node_limit):
    """Go on counting for about `work` steps of ten nanoseconds; returns why the slice ended.

    `choice` is FIXED, FORCED or FEWEST. At the end the sum of level 0 is the number of solutions.
    With `listing` not 0, `solutions` (n, k), int32, gets the options taken, from row
    state[BUFFERED] on, padded with −1; the slice ends when it is full, and only states without
    solutions are kept.
    """
    key, branches, sums, state = stack.key, stack.branches, stack.sums, stack.state
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
        at, sum_at, branch = level * words, level * sum_words, level * BRANCH_SIZE
        option = next_option(problem, stack, level)
        if option == DEAD:
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
        branches[branch + BITS] &= branches[branch + BITS] - ONE
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
                    record(branches, level, solutions[state[BUFFERED]])
                    state[BUFFERED] += ONE
            continue
        known, slot = find(key, below, words, table)
        if known:
            hits += ONE
            add(sums, sum_at, table.slots, slot + words, count_words, problem.weight[option])
            continue
        item, looked_at = go_below(problem, choice, stack, level, option)
        steps += looked_at + live_words // STEPS_PER_NODE + STEPS_PER_NODE
        if item == DEAD:
            continue
        level += ONE
        branch_on(problem, item, level, stack)
        for k in range(sum_words):
            sums[level * sum_words + k] = ZERO
    state[LEVEL], state[WORK], state[NODES], state[HITS] = level, steps, nodes, hits
    return reason


@kernel
def unrank(problem, choice, stack, table, number, row):
    """Write the options of the solution with a number into `row`; returns which image is meant.

    `number`, (v,), uint64, lowest word first, is less than the number of solutions, and is used up.
    Solutions are numbered in the order of the search, those of an option that stands for several
    one image after another. NOT_FOUND where a state on the way was forgotten. `stack` is that of a
    search that has not begun.
    """
    key, branches, words = stack.key, stack.branches, problem.words
    image = level = ZERO
    if len(problem.first_word) == 0:
        return np.int64(image)
    item, _ = choose(problem, choice, stack, ZERO, problem.branching, ZERO)
    while item != DEAD:
        branch_on(problem, item, level, stack)
        at, below = level * words, (level + ONE) * words
        over = False
        option, weight, this_image = DEAD, ZERO, ZERO
        while this_image == weight:
            option = next_option(problem, stack, level)
            if option == DEAD:
                return np.int64(NOT_FOUND)
            branches[level * BRANCH_SIZE + BITS] &= branches[level * BRANCH_SIZE + BITS] - ONE
            over = take(problem, option, key, at, below)
            counts, begin, weight, this_image = table.one, ZERO, ZERO, ZERO
            if over:
                if not has_enough(problem, key, below):
                    continue
            else:
                known, slot = find(key, below, words, table)
                if not known:
                    continue  # no option is left for some item: such states are not kept
                counts, begin = table.slots, slot + words
            weight = problem.weight[option]
            while this_image < weight and subtract(number, counts, begin, table.count_words):
                this_image += ONE
        if weight > ONE:
            image = this_image
        row[level] = option
        if over:
            row[level + ONE :] = -1
            return np.int64(image)
        item, _ = go_below(problem, choice, stack, level, option)
        level += ONE
    return np.int64(NOT_FOUND)
