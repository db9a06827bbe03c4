"""The search by sets of options, as one resumable kernel.

Each option has a bit, which is set in `alive` if the option may still be taken. A node branches on
the open item with the fewest choices, the first of these on ties, as Knuth's Algorithm X does.
Taking an option keeps the alive options that are compatible with it. Nothing has to be undone,
because each level has its own set.

* A tried option is not alive for later branches, so that every set of options is found once even
  if items are covered several times.
* If an item needs no more options, its last branch takes no option for it.
* Items that take no further option are closed. They are counted, but not marked, because they have
  no alive option. If more items have no choice than are closed, an open item cannot be covered.
* If few items are left, options are listed as words of items and searched by `list_search`.
* The search begins on a lane without an item; its only branch takes no option. In this way the
  root is a node like any other.
"""

import numpy as np

from dovetail.backends.bitset.kernels.frames import (
    DEAD,
    LANE_BITS,
    LANE_MASK,
    LANES,
    LOW_SIX,
    NO_ITEM,
    ONE,
    SIX,
    ZERO,
    fewest_choices,
    pack,
    words_of,
)
from dovetail.backends.bitset.kernels.layout import (
    BLOCKS,
    BRANCH_SIZE,
    CLOSED,
    FRAME,
    FRAME_SIZE,
    ITEMS_LEFT,
    LANE,
    LISTED,
    NAMES,
    PACKED_AT,
    PACKS,
    PLACED,
    PLANES,
    TABLE,
    TAKEN,
    TRIED,
    WIDTH,
    WORDS,
    Extent,
)
from dovetail.backends.bitset.kernels.list_search import search_lists
from dovetail.backends.bitset.kernels.listing import list_options
from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
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
    WORK,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below as random_below

NOTHING = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
TWO, THREE = np.uint64(2), np.uint64(3)

STEPS_PER_BRANCH = np.uint64(8)


@kernel(inline=True)
def first_option(alive, alive_at, planes, lane_at, stride, words):
    """Return the first alive option that covers the item of a lane, or `NOTHING`."""
    for word in range(words):
        bits = alive[alive_at + word] & planes[lane_at + word * stride]
        if bits:
            return (word << SIX) + trailing_zeros(bits)
    return NOTHING


@kernel(inline=True)
def drop_options(alive, alive_at, planes, lane_at, stride, words):
    """Remove from a set all options that cover the item of a lane."""
    for word in range(words):
        alive[alive_at + word] &= ~planes[lane_at + word * stride]


@kernel(inline=True)
def numbered_option(number, alive, alive_at, planes, lane_at, stride, words):
    """Return option `number`, from 0, of the alive options that cover the item of a lane."""
    option = ZERO
    for word in range(words):
        bits = alive[alive_at + word] & planes[lane_at + word * stride]
        here = ones(bits)
        if number < here:
            for _ in range(number):
                bits &= bits - ONE
            option = (word << SIX) + trailing_zeros(bits)
            break
        number -= here
    return option


@kernel(inline=True)
def is_worth(saved, left, placed, fits, price):
    """Return whether renumbering `left` options costs no more than it saves at the nodes below.

    `saved` is the gain at each of these nodes, and `price` the cost of renumbering an option. The
    unit is the cost of reading a word of a block. The result is False if no option is left or none
    was taken. The number of nodes below is estimated from earlier nodes of the same depth.
    """
    if left * placed == ZERO:
        return False
    expected = ZERO
    for taken in range(placed, np.uint64(len(fits))):
        expected += np.uint64(fits[taken])
    return expected * saved >= np.uint64(fits[placed - ONE]) * left * price


@kernel(inline=True)
def record_solution(level, branches, row):
    """Write the options taken on all levels down to `level` into `row`, padded with −1."""
    filled = ZERO
    for taken in range(level + ONE):
        option = branches[taken * BRANCH_SIZE + TAKEN]
        if option != NOTHING:
            row[filled] = option
            filled += ONE
    row[filled:] = -1


@kernel
def search(rows, frames, stack, counts, lists, solutions, guide, limits):
    """Continue the search within `limits`, the `SliceLimits`; return why the slice ended.

    `rows`, `frames`, `stack`, `counts` and `lists` are the `BitsetRows`, `Frames`, `BitsetStack`,
    `Counts` and `OptionLists` of `layout`. If all items have to be covered exactly once, `counts`
    is None, else `lists` is None. `solutions` has shape (rows, width) and dtype int32. The options
    of each solution are written to row `state[BUFFERED]`, padded with −1. The slice also ends when
    `solutions` is full.

    `guide` is a `Guide` of `shared.kernels.guide`; with descents nothing is packed or listed.
    Options are packed only if they take at most half as many words and `is_worth` is true.
    """
    entries, names, planes, table = frames.frames, frames.names, frames.planes, frames.table
    item_of, lane_of, items = frames.item_of, frames.lane_of, np.uint64(len(rows.once))
    mark_start = rows.mark_start
    closes, counted_start, counted = rows.closes, rows.counted_start, rows.counted
    alive, alive_size, branches = stack.alive, stack.words, stack.branches
    fits, state = stack.fits, stack.state
    if counts is not None:
        need, capacity, lane_count = counts.need, counts.capacity, counts.lanes
    paths, begins, widths, random = guide.paths, guide.begins, guide.widths, guide.random
    descents = np.uint64(len(paths))
    level, frame, placed = state[LEVEL], state[FRAME], state[PLACED]
    nodes, steps = state[NODES], state[WORK]
    steps_end, node_limit, price = steps + limits.work, limits.nodes, stack.price
    this = frame * FRAME_SIZE
    words, blocks = entries[this + WORDS], entries[this + BLOCKS]
    reason = EXHAUSTED
    while state[PHASE] == ZERO:
        if steps >= steps_end:
            reason = WORK_SPENT
            break
        if lists is not None and state[LISTED] != ZERO:
            state[LEVEL], state[PLACED] = level, placed
            state[NODES], state[WORK] = nodes, steps
            reason = search_lists(stack, lists, solutions, steps_end, node_limit)
            level, placed = state[LEVEL], state[PLACED]
            nodes, steps = state[NODES], state[WORK]
            if reason != EXHAUSTED:
                break
            state[LISTED] = ZERO
        at = level * BRANCH_SIZE
        is_over = branches[at + TRIED] == branches[at + WIDTH]
        if descents > ZERO and level > ZERO and branches[at + TRIED] > ZERO:
            following = state[DESCENT] + ONE
            is_over = following == descents or level - ONE > begins[following]
            state[DESCENT] += ZERO if is_over else ONE
        if is_over:
            steps += ONE
            if level == ZERO:
                if descents > ZERO:
                    branches[at + TRIED] = ZERO
                    state[DESCENT] += ONE
                    if state[DESCENT] < descents:
                        continue
                else:
                    state[PHASE] = ONE
                break
            if frame != ZERO and entries[this + PACKED_AT] == level:
                frame -= ONE
                this = frame * FRAME_SIZE
                words, blocks = entries[this + WORDS], entries[this + BLOCKS]
            level -= ONE
            if branches[level * BRANCH_SIZE + TAKEN] != NOTHING:
                placed -= ONE
            continue

        here, below = level * alive_size, (level + ONE) * alive_size
        stride, lane, first = blocks * LANES, branches[at + LANE], entries[this + PLANES]
        taken, closed = (
            first_option(alive, here, planes, first + lane, stride, words),
            branches[at + CLOSED],
        )
        items_left = branches[at + ITEMS_LEFT]
        if descents > ZERO and level > ZERO:
            descent, depth = state[DESCENT], level - ONE
            widths[descent, depth] = np.float64(branches[at + WIDTH])
            guide.placed[descent, depth] = np.int64(placed)
            if paths[descent, depth] == RANDOM:
                paths[descent, depth] = random_below(random, branches[at + WIDTH])
            if paths[descent, depth] == END:
                branches[at + TRIED] = ONE
                continue
            taken = numbered_option(
                paths[descent, depth], alive, here, planes, first + lane, stride, words
            )
        if taken != NOTHING and nodes >= node_limit:
            reason = NODE_LIMIT
            break
        steps += STEPS_PER_BRANCH + (words * blocks >> TWO)
        branches[at + TRIED] += ONE
        if counts is not None:
            lanes_here, lanes_below = level * lane_count, (level + ONE) * lane_count
            for k in range(stride):
                need[lanes_below + k] = need[lanes_here + k]
                capacity[lanes_below + k] = capacity[lanes_here + k]
        if taken != NOTHING:
            nodes += ONE
            fits[placed] += 1
            option = np.uint64(names[entries[this + NAMES] + taken])
            branches[at + TAKEN] = option
            if descents == ZERO:
                alive[here + (taken >> SIX)] ^= ONE << (taken & LOW_SIX)
            compatible = entries[this + TABLE] + taken * words
            for word in range(words):
                alive[below + word] = alive[here + word] & table[compatible + word]
            closed += np.uint64(closes[option])
            items_left -= np.uint64(mark_start[option + ONE]) - np.uint64(mark_start[option])
            if counts is not None:
                begin, end = counted_start[option], counted_start[option + ONE]
                for m in range(np.uint64(begin), np.uint64(end)):
                    k = np.uint64(lane_of[frame * items + np.uint64(counted[m])])
                    need[lanes_below + k] -= 1
                    capacity[lanes_below + k] -= 1
                    if capacity[lanes_below + k] == 0:
                        drop_options(alive, below, planes, first + k, stride, words)
                        need[lanes_below + k] = 1
                        closed += ONE
        else:
            branches[at + TAKEN] = NOTHING
            for word in range(words):
                alive[below + word] = alive[here + word]
            drop_options(alive, below, planes, first + lane, stride, words)
            closed += ONE
            if counts is not None:
                need[lanes_below + lane] = 1

        extent = Extent(first, words, blocks)
        if counts is None:
            key = fewest_choices(planes, extent, alive, below, None, ZERO, closed)
        else:
            key = fewest_choices(planes, extent, alive, below, need, lanes_below, closed)
        if key == DEAD:
            continue
        if key == NO_ITEM:
            if descents > ZERO:
                guide.solved[state[DESCENT]] = ONE
            record_solution(level, branches, solutions[state[BUFFERED]])
            state[BUFFERED] += ONE
            state[SOLUTIONS] += ONE
            if state[BUFFERED] == np.uint64(len(solutions)):
                reason = BUFFER_FULL
                break
            continue
        level += ONE
        placed += ONE if taken != NOTHING else ZERO
        at, lane = level * BRANCH_SIZE, np.uint64(key & LANE_MASK)
        branches[at + LANE], branches[at + WIDTH] = lane, np.uint64(key >> LANE_BITS)
        branches[at + TRIED], branches[at + CLOSED] = ZERO, closed
        branches[at + ITEMS_LEFT] = items_left
        if descents > ZERO:
            continue
        listable = False
        if lists is not None:
            listable = items_left < lists.too_many_items and words * blocks > lists.cost
        if words == ONE and not listable:
            continue
        left = ZERO
        for word in range(words):
            left += ones(alive[below + word])
        packed = words_of(left)
        if lists is not None:
            saved = max(packed * blocks, lists.cost) - lists.cost
            if listable and is_worth(saved, left, placed, fits, lists.price):
                steps += left << TWO
                list_options(level, lane, frame, rows, frames, stack, lists)
                continue
        saved = (words - packed) * blocks
        if packed * TWO <= words and is_worth(saved, left, placed, fits, price):
            item = np.uint64(item_of[frame * items + lane])
            steps += left << THREE
            state[PACKS] += ONE
            count = pack(frame, level, left, rows, frames, stack, counts)
            frame += ONE
            this = frame * FRAME_SIZE
            words, blocks = entries[this + WORDS], entries[this + BLOCKS]
            branches[at + LANE] = np.uint64(lane_of[frame * items + item])
            branches[at + CLOSED] = blocks * LANES - count

    state[LEVEL], state[FRAME], state[PLACED] = level, frame, placed
    state[NODES], state[WORK] = nodes, steps
    return reason
