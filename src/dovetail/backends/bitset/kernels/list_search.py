"""The search below a node with few items left, by lists of options as words of items.

The tree, its order and the counters are the same as in `search`. A node has a list of the options
that are left, followed by its branches: the options that cover its item. Up to four branches are
tested together, because most of them leave an item without choices and are not entered.
"""

import numpy as np

from dovetail.backends.bitset.kernels.frames import ONE, ZERO
from dovetail.backends.bitset.kernels.item_masks import (
    PAIR,
    PLANES,
    branches_with_choices,
    in_pairs,
    items_left,
    keep_covering,
    keep_disjoint,
    only_option,
)
from dovetail.backends.bitset.kernels.layout import (
    BRANCH_SIZE,
    BRANCHES_AT,
    CHECKED,
    LIST_AT,
    LIST_SIZE,
    LISTED,
    NAME,
    NAMED,
    OPEN,
    PAIRS,
    PLACED,
    TAKEN,
    TRIED,
    VIABLE,
    WIDTH,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    EXHAUSTED,
    LEVEL,
    NODE_LIMIT,
    NODES,
    SOLUTIONS,
    WORK,
    WORK_SPENT,
)
from dovetail.machine_code.layout import LANE_PLANES

NOTHING = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
TWO, THREE, FOUR = np.uint64(2), np.uint64(3), np.uint64(4)
OVERFLOW = np.uint64(PLANES)
LANE_NUMBERS = np.uint64(1 << LANE_PLANES)  # a lane counts up to this − 1
STEPS_PER_TEST = np.uint64(2)
SHORT_LIST = np.uint64(5)  # longest list, in pairs of blocks, in which forced options are sought


@kernel(inline=True)
def scarcest(masks, at, pairs, listed, scratch, planes, open_items):
    """Return the first open item with the fewest listed options, as a bit, and their number.

    For each item, `planes` has the number of the `listed` options that have the item, bit by bit.
    If the number of an item overflowed and may be the least, the options are counted item by item.
    This count writes to `masks` from index `scratch` on.
    """
    items, fewest = open_items & ~planes[OVERFLOW], ZERO
    for plane in range(PLANES - 1, -1, -1):
        without = items & ~planes[plane]
        fewest = fewest << ONE | np.uint64(without == ZERO)
        items = without if without else items
    if items and (fewest < LANE_NUMBERS or open_items & planes[OVERFLOW] == ZERO):
        return items & (~items + ONE), fewest
    filling = pairs * PAIR - listed
    first, fewest, items = ZERO, NOTHING, open_items
    while items:
        item = items & (~items + ONE)
        choices = keep_covering(masks, at, pairs, item, scratch) - filling
        if choices < fewest:
            first, fewest = item, choices
        items ^= item
    return first, fewest


@kernel(inline=True)
def check_branches(masks, levels, record, tried, width):
    """Check the next branches of a node, at most four, and set its `VIABLE` and `CHECKED`."""
    first, pairs, items = levels[record + LIST_AT], levels[record + PAIRS], levels[record + OPEN]
    at = levels[record + BRANCHES_AT] + tried
    checked = min(width - tried, FOUR)
    if checked == ONE:
        branch = (masks[at],)
        viable = branches_with_choices(masks, first, pairs, items, branch)
    elif checked == TWO:
        two = (masks[at], masks[at + ONE])
        viable = branches_with_choices(masks, first, pairs, items, two)
    else:
        four = (masks[at], masks[at + ONE], masks[at + TWO], masks[at + THREE])
        viable = branches_with_choices(masks, first, pairs, items, four)
    levels[record + VIABLE] = viable & ((ONE << checked) - ONE)
    levels[record + CHECKED] = tried + checked


@kernel(inline=True)
def name_taken(level, base, branches, lists):
    """Return the number in the problem of the option taken on a level of lists.

    The option is searched for in the first list. The number is cached, since upper levels seldom
    change.
    """
    levels, record = lists.levels, level * LIST_SIZE
    mask = branches[level * BRANCH_SIZE + TAKEN]
    if levels[record + NAMED] != mask:
        place = ZERO
        for k in range(levels[base * LIST_SIZE + PAIRS] * PAIR):  # vectorised, as it has no break
            place += k if lists.masks[k] == mask else ZERO
        levels[record + NAMED], levels[record + NAME] = mask, np.uint64(lists.names[place])
    return levels[record + NAME]


@kernel(inline=True)
def record_list_solution(level, branches, base, lists, row):
    """Write the options taken on all levels down to `level` into `row`, padded with −1."""
    filled = ZERO
    for taken in range(level + ONE):
        option = branches[taken * BRANCH_SIZE + TAKEN]
        if option != NOTHING:
            if taken >= base:
                option = name_taken(taken, base, branches, lists)
            row[filled] = option
            filled += ONE
    row[filled:] = -1


@kernel
def search_lists(stack, lists, solutions, steps_end, node_limit):
    """Continue the search below the node whose options were listed; return why the slice ended.

    The reason is `EXHAUSTED` if the node has no branch left. `steps_end` and `node_limit` are
    limits on the total steps and nodes. The other arguments are as in `search.search`.
    """
    branches, fits, state = stack.branches, stack.fits, stack.state
    masks, levels, planes = lists.masks, lists.levels, lists.planes
    base, level, placed = state[LISTED], state[LEVEL], state[PLACED]
    nodes, steps = state[NODES], state[WORK]
    reason = EXHAUSTED
    while True:
        at, record = level * BRANCH_SIZE, level * LIST_SIZE
        tried, viable = branches[at + TRIED], levels[record + VIABLE]
        passed = trailing_zeros(viable) + ONE if viable else levels[record + CHECKED] - tried
        if passed == ZERO:
            width = branches[at + WIDTH]
            if tried != width:
                if steps >= steps_end:
                    reason = WORK_SPENT
                    break
                steps += STEPS_PER_TEST + levels[record + PAIRS]
                check_branches(masks, levels, record, tried, width)
                continue
            if level == base:
                break
            level -= ONE
            placed -= ONE
            continue
        if nodes + passed > node_limit:
            passed, reason = max(node_limit, nodes) - nodes, NODE_LIMIT
        nodes += passed
        fits[placed] += np.int64(passed)
        branches[at + TRIED], levels[record + VIABLE] = tried + passed, viable >> passed
        if reason == NODE_LIMIT:
            break
        if viable == ZERO:
            continue
        taken = masks[levels[record + BRANCHES_AT] + tried + passed - ONE]
        branches[at + TAKEN] = taken
        open_items = levels[record + OPEN] & ~taken
        first, pairs = levels[record + LIST_AT], levels[record + PAIRS]
        below = levels[record + BRANCHES_AT] + ((branches[at + WIDTH] + PAIR - ONE) & ~(PAIR - ONE))
        # Take forced options without a new list, as long as the list is short.
        is_dead = False
        while open_items and pairs <= SHORT_LIST and nodes < node_limit:
            either, several = items_left(masks, first, pairs, taken)
            is_dead = open_items & ~either != ZERO
            single = open_items & either & ~several
            if is_dead or single == ZERO:
                break
            forced = only_option(masks, first, pairs, taken, single & (~single + ONE))
            steps += STEPS_PER_TEST + pairs
            level += ONE
            placed += ONE
            at, record = level * BRANCH_SIZE, level * LIST_SIZE
            branches[at + WIDTH] = branches[at + TRIED] = levels[record + CHECKED] = ONE
            branches[at + TAKEN] = forced
            levels[record + OPEN], levels[record + VIABLE] = open_items, ZERO
            nodes += ONE
            fits[placed] += 1
            taken |= forced
            open_items &= ~forced
        if is_dead:
            continue
        if open_items == ZERO:
            record_list_solution(level, branches, base, lists, solutions[state[BUFFERED]])
            state[BUFFERED] += ONE
            state[SOLUTIONS] += ONE
            if state[BUFFERED] == np.uint64(len(solutions)):
                reason = BUFFER_FULL
                break
            continue
        steps += STEPS_PER_TEST + pairs
        listed = keep_disjoint(masks, first, pairs, taken, below, planes)
        pairs = in_pairs(listed)
        children = below + pairs * PAIR
        item, width = scarcest(masks, below, pairs, listed, children, planes, open_items)
        keep_covering(masks, below, pairs, item, children)
        level += ONE
        placed += ONE
        at, record = level * BRANCH_SIZE, level * LIST_SIZE
        branches[at + WIDTH] = width
        branches[at + TRIED] = ZERO
        levels[record + LIST_AT], levels[record + PAIRS] = below, pairs
        levels[record + BRANCHES_AT], levels[record + OPEN] = children, open_items
        levels[record + CHECKED] = levels[record + VIABLE] = ZERO
    state[LEVEL], state[PLACED] = level, placed
    state[NODES], state[WORK] = nodes, steps
    return reason
