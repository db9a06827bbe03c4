"""The memoised search as a resumable kernel, its hash table, and the solution with a number.

A state is the set of open items, with the colours and counts that bar options. Partial solutions
that leave the same state have the same completions. So the completions of a state are counted once,
in the order of a depth-first search, and the count is stored under the state itself. Published
programs store counts under a hash of the state and may count wrongly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    EXHAUSTED,
    LEVEL,
    NODE_LIMIT,
    NODES,
    OWN,
    PHASE,
    SOLUTIONS,
    WORK,
    WORK_SPENT,
)

ZERO, ONE = np.uint64(0), np.uint64(1)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
HALF = np.uint64(32)
WINDOW = np.uint64(8)


class StateTable(NamedTuple):
    """A hash table of states and their counts, with open addressing.

    A slot has w words of a state and v = `count_words` words of its count, lowest word first. An
    empty slot has the state 0. The search for a state begins at the slot given by the bits of its
    hash from bit `shift` on. `mask` is the number of slots − 1. If `may_grow` is not 0, a slice
    ends when `limit` slots are in use. Otherwise a new state is stored in the first empty slot of
    `WINDOW` slots or, if no slot is empty, replaces the state in the first of these slots. `one` is
    a count of 1.
    """

    slots: NDArray[np.uint64]
    one: NDArray[np.uint64]
    count_words: np.uint64
    shift: np.uint64
    mask: np.uint64
    limit: np.uint64
    may_grow: np.uint64


@kernel(inline=True)
def slot_of(key, at, words, shift):
    """Return the slot at which the search for the state from `key[at]` on begins."""
    mixed = ZERO
    for k in range(words):
        mixed = (mixed ^ key[at + k]) * FIRST_FACTOR
        mixed ^= mixed >> HALF
    return (mixed * SECOND_FACTOR) >> shift


@kernel(inline=True)
def find(key, at, words, table):
    """Return whether the table has a state, and where in `slots` its slot begins.

    For a state that the table does not have, the slot is the slot in which to store the state.
    """
    slots, mask = table.slots, table.mask
    stride = words + table.count_words
    slot = slot_of(key, at, words, table.shift)
    tries = ZERO
    while True:
        begin = slot * stride
        differs = used = ZERO
        for k in range(words):
            stored = slots[begin + k]
            differs |= stored ^ key[at + k]
            used |= stored
        if differs == ZERO:
            return True, begin
        if used == ZERO:
            return False, begin
        tries += ONE
        if table.may_grow == ZERO and tries == WINDOW:
            return False, slot_of(key, at, words, table.shift) * stride
        slot = (slot + ONE) & mask


@kernel(inline=True)
def store(problem, key, at, sums, sum_at, table):
    """Store the state from `key[at]` on with its count; return whether a state was replaced."""
    words, slots = problem.words, table.slots
    known, slot = find(key, at, words, table)
    used = ZERO
    for k in range(words):
        used |= slots[slot + k]
        slots[slot + k] = key[at + k]
    for k in range(table.count_words):
        slots[slot + words + k] = sums[sum_at + k]
    return used != ZERO and not known


@kernel(inline=True)
def add(sums, at, counts, begin, words, weight):
    """Add a count of `words` words, `weight` times, to a sum of `words` + 1 words."""
    for _ in range(weight):
        carry = ZERO
        for k in range(words):
            more = sums[at + k] + carry
            carry = ONE if more < carry else ZERO
            total = more + counts[begin + k]
            if total < more:
                carry = ONE
            sums[at + k] = total
        sums[at + words] += carry


@kernel(inline=True)
def subtract(number, counts, begin, words):
    """Subtract a count from a number of `words` words; return True.

    If the number is smaller than the count, the number is not changed, and the result is False.
    """
    for step in range(words):
        k = words - ONE - step
        if number[k] != counts[begin + k]:
            if number[k] < counts[begin + k]:
                return False
            break
    borrow = ZERO
    for k in range(words):
        less = number[k] - borrow
        borrow = ONE if less > number[k] else ZERO
        rest = less - counts[begin + k]
        if rest > less:
            borrow = ONE
        number[k] = rest
    return True


@kernel
def move_slots(first, last, old, new, words):
    """Copy the states of the slots from `first` to `last` − 1 of a table to another table.

    The new table has at least as many words of a count. If the new table may not grow, states may
    be lost.
    """
    count_words, more_words = old.count_words, new.count_words
    stride = words + count_words
    for slot in range(first, last):
        begin = slot * stride
        used = ZERO
        for k in range(words):
            used |= old.slots[begin + k]
        if used != ZERO:
            _, to = find(old.slots, begin, words, new)
            for k in range(stride):
                new.slots[to + k] = old.slots[begin + k]
            for k in range(stride, words + more_words):
                new.slots[to + k] = ZERO


TWO, SIX = np.uint64(2), np.uint64(6)
DEAD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

# Rules for the item to branch on. FIXED: the first open item. FORCED: the first item with a single
# option, else the first open item. FEWEST: the first item with the fewest options.
FIXED, FORCED, FEWEST = (np.uint64(choice) for choice in range(3))

# Entries of a row of `branches`: the item branched on, the current word of its options and the
# untried bits of this word, the last word, the number of branches, the number of branches begun,
# the option taken last.
ITEM, WORD, BITS, LAST_WORD, WIDTH, TRIED, TAKEN = (np.uint64(entry) for entry in range(7))
BRANCH_SIZE = np.uint64(7)

# Entries of `state` after the common entries: how often a known state was reached, the number of
# states stored, and the number of states replaced by others.
HITS, STATES, FORGOTTEN = range(OWN, OWN + 3)
STATE_SIZE = OWN + 3


STEPS_PER_NODE = np.uint64(4)
NOT_FOUND = -1

# Values of `state[PHASE]`, which is 0 before the search begins.
BEGUN, DONE = (np.uint64(phase) for phase in (1, 2))

# Further reasons for the end of a slice: the table needs more slots, or its counts need another
# word.
TABLE_FULL, COUNT_FULL = 100, 101


class StateTables(NamedTuple):
    """Tables for n options and for states of w words; a set of options has l words.

    A state has a bit for each item, set while the item is open. The b items that may be branched on
    have the lowest bits. An item with colours has a field instead, which is 1 while the item is
    open and 2 or more for its colours. Each of the k counted items has a field for the number of
    its options taken. Option o leads from a state to `(state & ~clear[o]) + put[o]`. Then each of f
    guarded fields is cleared if no item of its guard is open, because no option is left that the
    field could bar.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `clear`, `put` | (n · w,) | uint64 | changes of the state by each option |
    | `weight` | (n,) | uint64 | how many solutions a solution with the option stands for |
    | `affected` | (n · w,) | uint64 | items that may have fewer options once the option is taken |
    | `compatible` | (n · l,) | uint64 | the options that are compatible with each option |
    | `planes` | (b · l,) | uint64 | the options of each item that may be branched on |
    | `first_word`, `last_word` | (b,) | uint64 | first and last word of each item's options |
    | `branching` | (w,) | uint64 | the items that may be branched on |
    | `touched_start` | (n + 1,) | uint64 | index in `touched` at which each option begins |
    | `touched` | (entries,) | uint64 | fields with an item of the option in their guard |
    | `field_word`, `field_mask` | (f,) | uint64 | word and bits of each guarded field |
    | `guard` | (f · w,) | uint64 | items of the guard of each field |
    | `counted_start` | (n + 1,) | uint64 | index in `counted` at which each option begins |
    | `counted` | (entries,) | uint64 | counted items of the option |
    | `count_word`, `count_shift`, `count_mask` | (k,) | uint64 | the field of each counted item |
    | `min_count`, `max_count` | (k,) | uint64 | bounds on the item's options in a solution |
    | `counted_planes` | (k · l,) | uint64 | the options of each counted item |
    | `words`, `live_words` | () | uint64 | w and l |
    """

    clear: NDArray[np.uint64]
    put: NDArray[np.uint64]
    weight: NDArray[np.uint64]
    affected: NDArray[np.uint64]
    compatible: NDArray[np.uint64]
    planes: NDArray[np.uint64]
    first_word: NDArray[np.uint64]
    last_word: NDArray[np.uint64]
    branching: NDArray[np.uint64]
    touched_start: NDArray[np.uint64]
    touched: NDArray[np.uint64]
    field_word: NDArray[np.uint64]
    field_mask: NDArray[np.uint64]
    guard: NDArray[np.uint64]
    counted_start: NDArray[np.uint64]
    counted: NDArray[np.uint64]
    count_word: NDArray[np.uint64]
    count_shift: NDArray[np.uint64]
    count_mask: NDArray[np.uint64]
    min_count: NDArray[np.uint64]
    max_count: NDArray[np.uint64]
    counted_planes: NDArray[np.uint64]
    words: np.uint64
    live_words: np.uint64


class ZddStack(NamedTuple):
    """State of a search, by level; there are b + 1 levels.

    For w, l and b see `StateTables`. v is the number of words of a count.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `key` | (levels · w,) | uint64 | the state of each level |
    | `live` | (levels · l,) | uint64 | the options that may still be taken |
    | `single` | (levels · w,) | uint64 | items with 1 option left that FORCED has found |
    | `sums` | (levels · (v + 1),) | uint64 | solutions so far, as v words and a carry word |
    | `branches` | (levels · 7,) | uint64 | a row for each level: the entries ITEM to TAKEN |
    | `state` | (STATE_SIZE,) | uint64 | the common entries, HITS, STATES and FORGOTTEN |
    """

    key: NDArray[np.uint64]
    live: NDArray[np.uint64]
    single: NDArray[np.uint64]
    sums: NDArray[np.uint64]
    branches: NDArray[np.uint64]
    state: NDArray[np.uint64]


@kernel(inline=True)
def options_left(problem, live, live_at, item, limit):
    """Return the number of live options of an item; counting stops once it reaches `limit`."""
    planes, plane = problem.planes, item * problem.live_words
    count = ZERO
    for word in range(problem.first_word[item], problem.last_word[item] + ONE):
        count += ones(live[live_at + word] & planes[plane + word])
        if count >= limit:
            break
    return count


@kernel
def choose(problem, choice, stack, level, affected, affected_at):
    """Return the item to branch on, or DEAD, and the work done.

    The item is DEAD if no item is open, or if the rule finds an open item without options. FIXED
    tests no items. FORCED tests only the items in `affected`, from index `affected_at` on; other
    items with a single option are known from `stack.single`. FEWEST tests all open items.
    """
    words, branching = problem.words, problem.branching
    key, live, single = stack.key, stack.live, stack.single
    at, live_at = level * words, level * problem.live_words
    best, fewest, work = DEAD, DEAD, ZERO
    for k in range(words):
        looked_at = key[at + k] & branching[k]
        if best == DEAD and looked_at != ZERO:
            best = (k << SIX) + trailing_zeros(looked_at)
        if choice == FIXED:
            continue
        if choice == FORCED:
            single[at + k] &= looked_at
            looked_at &= affected[affected_at + k]
        while looked_at:
            item = (k << SIX) + trailing_zeros(looked_at)
            bit = looked_at & (~looked_at + ONE)
            looked_at ^= bit
            work += ONE
            limit = TWO if choice == FORCED else fewest
            count = options_left(problem, live, live_at, item, limit)
            if count == ZERO:
                return DEAD, work
            if choice == FORCED:
                if count == ONE:
                    single[at + k] |= bit
            elif count < fewest:
                best, fewest = item, count
    if choice == FORCED:
        for k in range(words):
            if single[at + k]:
                return (k << SIX) + trailing_zeros(single[at + k]), work
    return best, work


@kernel(inline=True)
def take(problem, option, key, at, below):
    """Write the state after `option` is taken; return whether no item to branch on is open."""
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
    """Return whether all counted items are covered often enough."""
    for c in range(np.uint64(len(problem.min_count))):
        taken = key[at + problem.count_word[c]] >> problem.count_shift[c]
        if taken & problem.count_mask[c] < problem.min_count[c]:
            return False
    return True


@kernel(inline=True)
def go_below(problem, choice, stack, level, option):
    """Write the options that are left after `option` is taken; return the result of `choose`.

    The state of the level below must have been written by `take`.
    """
    key, live, single = stack.key, stack.live, stack.single
    words, live_words = problem.words, problem.live_words
    live_at, live_below = level * live_words, (level + ONE) * live_words
    at, below, first = level * words, (level + ONE) * words, option * live_words
    for k in range(live_words):
        live[live_below + k] = live[live_at + k] & problem.compatible[first + k]
    for t in range(problem.counted_start[option], problem.counted_start[option + ONE]):
        c = problem.counted[t]
        taken = key[below + problem.count_word[c]] >> problem.count_shift[c]
        if taken & problem.count_mask[c] == problem.max_count[c]:
            for k in range(live_words):
                live[live_below + k] &= ~problem.counted_planes[c * live_words + k]
    for k in range(words):
        single[below + k] = single[at + k]
    return choose(problem, choice, stack, level + ONE, problem.affected, option * words)


@kernel(inline=True)
def branch_on(problem, item, level, stack):
    """Make the options of an item the branches of a level."""
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
def next_option(problem, stack, level):
    """Return the next option of the item that a level branches on, or DEAD if none is left."""
    branches, branch = stack.branches, level * BRANCH_SIZE
    live_at, plane = level * problem.live_words, branches[branch + ITEM] * problem.live_words
    word, bits, last = (
        branches[branch + WORD],
        branches[branch + BITS],
        branches[branch + LAST_WORD],
    )
    while bits == ZERO and word < last:
        word += ONE
        bits = stack.live[live_at + word] & problem.planes[plane + word]
    branches[branch + WORD], branches[branch + BITS] = word, bits
    return (word << SIX) + trailing_zeros(bits) if bits != ZERO else DEAD


@kernel(inline=True)
def begin_branch(stack, level, option):
    """Remove the next option from the branches of a level, and note the option as taken."""
    branches, branch = stack.branches, level * BRANCH_SIZE
    branches[branch + BITS] &= branches[branch + BITS] - ONE
    branches[branch + TAKEN] = option
    branches[branch + TRIED] += ONE


@kernel(inline=True)
def record(stack, level, row):
    """Write the options taken on all levels down to `level` into `row`, padded with −1."""
    for k in range(level + ONE):
        row[k] = stack.branches[k * BRANCH_SIZE + TAKEN]
    row[level + ONE :] = -1


@kernel
def count(problem, choice, stack, table, solutions, listing, work, node_limit):
    """Count for about `work` steps of ten nanoseconds; return why the slice ended.

    `choice` is FIXED, FORCED or FEWEST. At the end, the sum of level 0 is the number of solutions.
    If `listing` is not 0, only states without solutions are stored, and the options of each
    solution are written to `solutions`, shape (rows, width), int32, from row `state[BUFFERED]` on,
    padded with −1. The slice also ends at `node_limit` nodes in total, when `solutions` is full, or
    when the table needs more slots or wider counts.
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
        at, sum_at = level * words, level * sum_words
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
        begin_branch(stack, level, option)
        nodes += ONE
        steps += STEPS_PER_NODE
        below = at + words
        if take(problem, option, key, at, below):
            if has_enough(problem, key, below):
                state[SOLUTIONS] += ONE
                add(sums, sum_at, table.one, ZERO, count_words, problem.weight[option])
                if listing:
                    record(stack, level, solutions[state[BUFFERED]])
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
    """Write the options of the solution with a number into `row`; return the index of its image.

    `number`, shape (v,), uint64, has its lowest word first, is less than the number of solutions,
    and is overwritten. Solutions are numbered in the order of the search. Below an option with
    several images, all solutions are numbered once for each image. Returns NOT_FOUND if a state on
    the way was forgotten. `stack` is scratch, with the state and the live options of the root.
    """
    key, words = stack.key, problem.words
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
            begin_branch(stack, level, option)
            over = take(problem, option, key, at, below)
            counts, begin, weight, this_image = table.one, ZERO, ZERO, ZERO
            if over:
                if not has_enough(problem, key, below):
                    continue
            else:
                known, slot = find(key, below, words, table)
                if not known:
                    continue  # an item has no option left: such states are not stored
                counts, begin = table.slots, slot + words
            weight = problem.weight[option]
            while this_image < weight and subtract(number, counts, begin, table.count_words):
                this_image += ONE
        if weight > ONE:
            image = this_image
        if over:
            record(stack, level, row)
            return np.int64(image)
        item, _ = go_below(problem, choice, stack, level, option)
        level += ONE
    return np.int64(NOT_FOUND)
