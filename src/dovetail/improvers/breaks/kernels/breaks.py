"""The kernel of `breaks`: cells are filled in a fixed order by all tiles that the rules allow."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED, LEVEL, NODES, OWN, WORK_SPENT

# A row of `steps`, by depth: the first list for the cell, where its cell's sides are in `shown`,
# then where in `shown` the sides are that face the cell from its neighbours filled before: two by
# which its list is found, and up to two more (FURTHER of them), each with the cell's own side.
LISTS, SHOWS_AT, FIRST_KNOWN, SECOND_KNOWN, FURTHER, FURTHER_KNOWN = (
    np.uint64(entry) for entry in range(6)
)
STEP_BITS = np.uint64(4)  # a row has 16 entries

# Further entries of `state`: matched edges of the best partial board, and its cells if it is new.
BEST, IMPROVED = OWN, OWN + 1
STATE_SIZE = OWN + 2


class BreaksLists(NamedTuple):
    """Tables of fitting orientations: n cells, s steps, k colours, l lists, e entries.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n · 4,) | uint32 | `BoardArrays.sides` |
    | `steps` | (s · 16,) | uint32 | the cells in their order; see above |
    | `begin` | (l + 1,) | uint32 | where the list begins, by step's list + colour · k + colour |
    | `mismatched` | (l,) | uint32 | where in the list the entries with a mismatch begin |
    | `entries` | (e,) | uint32 | orientations, matching orientations first |
    | `preferred` | (4 n,) | uint32 | sides of an orientation of colours that are used up first |
    """

    sides: NDArray[np.uint32]
    steps: NDArray[np.uint32]
    begin: NDArray[np.uint32]
    mismatched: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    preferred: NDArray[np.uint32]


class BreaksRules(NamedTuple):
    """Limits on a board after each of s steps, and its edges by then.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `allowed` | (s,) | uint64 | mismatches that it may have |
    | `quota` | (s,) | uint64 | sides of preferred colours that it must have |
    | `joined` | (s,) | uint64 | edges between its tiles |
    """

    allowed: NDArray[np.uint64]
    quota: NDArray[np.uint64]
    joined: NDArray[np.uint64]


class Apart(NamedTuple):
    """Cells with mismatches, so that no two mismatches touch; n cells, s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `touched` | (n,) | uint8 | 1 for a cell of which a side does not match |
    | `partner` | (s,) | uint32 | by depth: the cell beyond the side that does not match, if any |
    """

    touched: NDArray[np.uint8]
    partner: NDArray[np.uint32]


class BreaksStack(NamedTuple):
    """State of one search, for n cells in s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shown` | (4 n + 1,) | uint32 | colours of the tiles on the board, by cell · 4 + side |
    | `used` | (n,) | uint8 | 1 for a tile on the board |
    | `at` | (s + 1,) | uint64 | by depth: the next entry to be tried |
    | `mismatch_begin` | (s + 1,) | uint64 | by depth: where the entries with a mismatch begin |
    | `end` | (s + 1,) | uint64 | by depth: where the entries end |
    | `missed` | (s + 1,) | uint64 | by depth: mismatches before |
    | `reached` | (s + 1,) | uint64 | by depth: sides of preferred colours before |
    | `chosen` | (s,) | uint32 | by depth: the orientation on the board |
    | `record` | (s,) | uint32 | the same for the best partial board so far |
    | `state` | (9,) | uint64 | see `dovetail.kernels.layout`, and above |
    """

    shown: NDArray[np.uint32]
    used: NDArray[np.uint8]
    at: NDArray[np.uint64]
    mismatch_begin: NDArray[np.uint64]
    end: NDArray[np.uint64]
    missed: NDArray[np.uint64]
    reached: NDArray[np.uint64]
    chosen: NDArray[np.uint32]
    record: NDArray[np.uint32]
    state: NDArray[np.uint64]


ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
SIDES = (np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3))


@kernel
def begin(lists, rules, stack, colours):
    """Take all tiles off the board that a search has laid, and open the first cell."""
    stack.state[LEVEL] = ZERO
    stack.missed[ZERO] = ZERO
    stack.reached[ZERO] = ZERO
    _open(lists, rules, stack, colours, ZERO)


@kernel
def search(lists, rules, stack, apart, colours, max_nodes):
    """Search for `max_nodes` nodes and keep the partial board with most matched edges.

    `apart` is None where mismatches may touch. `colours` and `max_nodes` are uint64. Returns why
    the slice ended. `IMPROVED` in `state` is the number of cells of a new best board, 0 for none.
    When this board cannot be extended, the slice ends with `BUFFER_FULL`, and the caller has to set
    `IMPROVED` to 0.
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
    depth, best, nodes = stack.state[LEVEL], stack.state[BEST], ZERO
    ended = WORK_SPENT
    while nodes < max_nodes:
        entry = at[depth]
        if entry == end[depth]:
            if stack.state[IMPROVED]:
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
            stack.state[IMPROVED] = depth + ONE
            for number in range(depth + ONE):
                stack.record[number] = chosen[number]
        depth += ONE
        missed[depth] = mismatches
        reached[depth] = reaches
        if depth == steps:
            at[depth] = end[depth]
        else:
            _open(lists, rules, stack, colours, depth)
    if stack.state[IMPROVED] and at[depth] == end[depth]:
        ended = BUFFER_FULL
    stack.state[LEVEL] = depth
    stack.state[BEST] = best
    stack.state[NODES] += nodes
    return ended


@kernel(inline=True)
def _open(lists, rules, stack, colours, depth):
    """Find the list of a cell by the colours of its neighbours."""
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
    """Return how many sides do not match beyond the two by which the list was found."""
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
    """Return the cell beyond the last side of an orientation that does not match."""
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
