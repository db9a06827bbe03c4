"""The search of `breaks`: the cells in their order, each with every tile that the rules allow."""

import numpy as np

from dovetail.improvers.breaks.kernels.layout import (
    BEST,
    DEPTH,
    FIRST_KNOWN,
    FURTHER,
    FURTHER_KNOWN,
    IMPROVED,
    LISTS,
    NODES,
    SECOND_KNOWN,
    SHOWS_AT,
    STEP_BITS,
)
from dovetail.jit import kernel
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
SIDES = (np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3))


@kernel
def begin(lists, rules, stack, colours):
    """Take all tiles off the board that a search has laid, and open the first cell."""
    stack.progress[DEPTH] = ZERO
    stack.missed[ZERO] = ZERO
    stack.reached[ZERO] = ZERO
    _open(lists, rules, stack, colours, ZERO)


@kernel
def search(lists, rules, stack, apart, colours, max_nodes):
    """Search on for so many nodes; a board with more matched edges than any before is kept.

    `apart` is None where mismatches may touch. `colours` and `max_nodes` are uint64. Returns why it
    ended. `IMPROVED` in `progress` is the number of cells of a new record, 0 for none; once nothing
    can be added to that the search ends (`BUFFER_FULL`), and it goes on when `IMPROVED` is 0 again.
    """
    sides, entries, preferred = lists.sides, lists.entries, lists.preferred
    allowed, quota, joined = rules.allowed, rules.quota, rules.joined
    shown, used, at, mismatch_begin, end = (
        stack.shown,
        stack.used,
        stack.at,
        stack.mismatch_begin,
        stack.end,
    )
    missed, reached, chosen = stack.missed, stack.reached, stack.chosen
    steps = np.uint64(len(chosen))
    depth, best, nodes = stack.progress[DEPTH], stack.progress[BEST], ZERO
    ended = WORK_SPENT
    while nodes < max_nodes:
        entry = at[depth]
        if entry == end[depth]:
            if stack.progress[IMPROVED]:
                break
            if depth == ZERO:
                ended = EXHAUSTED
                break
            depth -= ONE
            used[np.uint64(chosen[depth]) >> TWO] = 0
            if apart is not None and missed[depth + ONE] != missed[depth]:
                _touch(lists, apart, depth, 0)
            continue
        at[depth] = entry + ONE
        orientation = np.uint64(entries[entry])
        if used[orientation >> TWO]:
            continue
        row = depth << STEP_BITS
        mismatches = missed[depth]
        if entry >= mismatch_begin[depth]:
            mismatches += ONE
        further = np.uint64(lists.steps[row + FURTHER])
        if further:
            mismatches += _further_mismatches(lists, shown, row, further, orientation)
            if mismatches > allowed[depth]:
                continue
        reaches = reached[depth] + np.uint64(preferred[orientation])
        if reaches < quota[depth]:
            continue
        if apart is not None and mismatches != missed[depth]:
            partner = _partner(lists, shown, row, orientation)
            if mismatches != missed[depth] + ONE or apart.touched[partner]:
                continue
            apart.partner[depth] = np.uint32(partner)
            _touch(lists, apart, depth, 1)
        nodes += ONE
        used[orientation >> TWO] = 1
        chosen[depth] = np.uint32(orientation)
        here = np.uint64(lists.steps[row + SHOWS_AT])
        for side in SIDES:
            shown[here + side] = sides[(orientation << TWO) + side]
        if joined[depth] > best + mismatches:
            best = joined[depth] - mismatches
            stack.progress[IMPROVED] = depth + ONE
            for number in range(depth + ONE):
                stack.record[number] = chosen[number]
        depth += ONE
        missed[depth] = mismatches
        reached[depth] = reaches
        if depth == steps:
            at[depth] = end[depth]
        else:
            _open(lists, rules, stack, colours, depth)
    if stack.progress[IMPROVED] and at[depth] == end[depth]:
        ended = BUFFER_FULL
    stack.progress[DEPTH] = depth
    stack.progress[BEST] = best
    stack.progress[NODES] += nodes
    return ended


@kernel(inline=True)
def _open(lists, rules, stack, colours, depth):
    """Find the list of a cell by what its neighbours show."""
    row = depth << STEP_BITS
    first = np.uint64(stack.shown[np.uint64(lists.steps[row + FIRST_KNOWN])])
    second = np.uint64(stack.shown[np.uint64(lists.steps[row + SECOND_KNOWN])])
    which = np.uint64(lists.steps[row + LISTS]) + first * colours + second
    stack.at[depth] = np.uint64(lists.begin[which])
    middle = np.uint64(lists.mismatched[which])
    stack.mismatch_begin[depth] = middle
    may_miss = stack.missed[depth] < rules.allowed[depth]
    stack.end[depth] = np.uint64(lists.begin[which + ONE]) if may_miss else middle


@kernel(inline=True)
def _further_mismatches(lists, shown, row, further, orientation):
    """How many sides do not match beyond the two by which the list was found."""
    mismatches = ZERO
    for number in range(further):
        place = row + FURTHER_KNOWN + TWO * number
        facing = shown[np.uint64(lists.steps[place])]
        own = np.uint64(lists.steps[place + ONE])
        if lists.sides[(orientation << TWO) + own] != facing:
            mismatches += ONE
    return mismatches


@kernel(inline=True)
def _partner(lists, shown, row, orientation):
    """The cell beyond the side of an orientation that does not match; the last of several."""
    nothing = np.uint64(len(shown)) - ONE
    partner = ZERO
    for known in range(TWO + np.uint64(lists.steps[row + FURTHER])):
        entry = FIRST_KNOWN + known if known < TWO else FURTHER_KNOWN + TWO * (known - TWO)
        place = np.uint64(lists.steps[row + entry])
        own = (place & THREE) ^ TWO
        if place != nothing and lists.sides[(orientation << TWO) + own] != shown[place]:
            partner = place >> TWO
    return partner


@kernel(inline=True)
def _touch(lists, apart, depth, mark):
    """Mark the two cells of a mismatch at a depth."""
    own = np.uint64(lists.steps[(depth << STEP_BITS) + SHOWS_AT]) >> TWO
    apart.touched[own] = mark
    apart.touched[np.uint64(apart.partner[depth])] = mark
