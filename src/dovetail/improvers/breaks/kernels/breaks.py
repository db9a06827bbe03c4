"""The kernel of `breaks`: cells are filled in a fixed order by all tiles that the rules allow."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED, LEVEL, NODES, OWN, WORK_SPENT

# Entries of a row of `steps`; there is a row for each depth. A place is an index in `shown`.
# LISTS, SHOWS_AT: the first of the lists for the cell; the place of its first side.
# FIRST_KNOWN, SECOND_KNOWN: for two neighbours that were filled earlier, the places of their sides
# that face the cell; the last place of `shown` if there is no such neighbour. The colours at these
# places select the list.
# FURTHER: number of further neighbours that were filled earlier, at most 2.
# FURTHER_KNOWN: the first of the pairs (place, side), a pair for each further neighbour: the place
# of the neighbour's side that faces the cell, and the side of the cell.
LISTS, SHOWS_AT, FIRST_KNOWN, SECOND_KNOWN, FURTHER, FURTHER_KNOWN = (
    np.uint64(entry) for entry in range(6)
)
STEP_BITS = np.uint64(4)  # a row has 16 entries

# Entries of `state` after the common entries: number of matched edges of the best partial board;
# number of cells of this board if it is new, else 0.
BEST, IMPROVED = OWN, OWN + 1
STATE_SIZE = OWN + 2


class BreaksLists(NamedTuple):
    """Tables of fitting orientations: n cells, s steps, k colours, l lists, e entries.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n · 4,) | uint32 | `BoardArrays.sides` |
    | `steps` | (s · 16,) | uint32 | a row for each cell in the order; see above |
    | `begin` | (l + 1,) | uint32 | the first entry of each list; then e |
    | `mismatched` | (l,) | uint32 | the first entry with a mismatch of each list |
    | `entries` | (e,) | uint32 | orientations |
    | `preferred` | (4 n,) | uint32 | by orientation: number of sides with preferred colours |

    The list of a cell for two colours a and b has the number LISTS + a · k + b.
    """

    sides: NDArray[np.uint32]
    steps: NDArray[np.uint32]
    begin: NDArray[np.uint32]
    mismatched: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    preferred: NDArray[np.uint32]


class BreaksRules(NamedTuple):
    """Limits on a partial board after each of s steps, and its number of edges.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `allowed` | (s,) | uint64 | the largest number of mismatches |
    | `quota` | (s,) | uint64 | the least number of sides with preferred colours |
    | `joined` | (s,) | uint64 | number of edges between tiles |
    """

    allowed: NDArray[np.uint64]
    quota: NDArray[np.uint64]
    joined: NDArray[np.uint64]


class Apart(NamedTuple):
    """Cells with mismatches, for the rule that no two mismatches touch; n cells, s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `touched` | (n,) | uint8 | 1 for a cell with a mismatch |
    | `partner` | (s,) | uint32 | by depth: the neighbour that mismatches the cell, if any |
    """

    touched: NDArray[np.uint8]
    partner: NDArray[np.uint32]


class BreaksStack(NamedTuple):
    """State of a search, for n cells and s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shown` | (4 n + 1,) | uint32 | colours of tiles on the board, by cell · 4 + side; last 0 |
    | `used` | (n,) | uint8 | 1 for a tile on the board |
    | `at` | (s + 1,) | uint64 | by depth: the next entry to try |
    | `mismatch_begin` | (s + 1,) | uint64 | by depth: the first entry with a mismatch |
    | `end` | (s + 1,) | uint64 | by depth: the end of the entries to try |
    | `missed` | (s + 1,) | uint64 | by depth: number of mismatches before |
    | `reached` | (s + 1,) | uint64 | by depth: number of sides with preferred colours before |
    | `chosen` | (s,) | uint32 | by depth: the orientation on the board |
    | `record` | (s,) | uint32 | `chosen` for the best partial board so far |
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
    """Begin a search at the first cell; `used` must be 0 for all tiles."""
    stack.state[LEVEL] = ZERO
    stack.missed[ZERO] = ZERO
    stack.reached[ZERO] = ZERO
    _open(lists, rules, stack, colours, ZERO)


@kernel
def search(lists, rules, stack, apart, colours, max_nodes):
    """Search for at most `max_nodes` nodes; record the partial board with the most matched edges.

    `apart` is None if mismatches may touch. `colours`, the number of colours, and `max_nodes` are
    uint64. Returns why the slice ended. When a new best board cannot be extended, the slice ends
    with `BUFFER_FULL`, and the caller has to set `IMPROVED` to 0.
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
    """Select the list of the cell at a depth by the colours of its neighbours."""
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
    """Return the number of mismatches at the further sides, which do not select the list."""
    mismatches = ZERO
    for number in range(further):
        place = row + FURTHER_KNOWN + TWO * number
        facing = shown[np.uint64(lists.steps[place])]
        side = np.uint64(lists.steps[place + ONE])
        if lists.sides[(orientation << TWO) + side] != facing:
            mismatches += ONE
    return mismatches


@kernel(inline=True)
def _partner(lists, shown, row, orientation):
    """Return the neighbour that an orientation mismatches; of several, the last."""
    nothing = np.uint64(len(shown)) - ONE
    partner = ZERO
    for known in range(TWO + np.uint64(lists.steps[row + FURTHER])):
        entry = FIRST_KNOWN + known if known < TWO else FURTHER_KNOWN + TWO * (known - TWO)
        place = np.uint64(lists.steps[row + entry])
        side = (place & THREE) ^ TWO
        if place != nothing and lists.sides[(orientation << TWO) + side] != shown[place]:
            partner = place >> TWO
    return partner


@kernel(inline=True)
def _touch(lists, apart, depth, mark):
    """Set `touched` of the two cells of the mismatch at a depth to `mark`."""
    cell = np.uint64(lists.steps[(depth << STEP_BITS) + SHOWS_AT]) >> TWO
    apart.touched[cell] = mark
    apart.touched[np.uint64(apart.partner[depth])] = mark
