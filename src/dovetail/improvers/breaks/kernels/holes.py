"""The kernel of `breaks` for tiles: cells are filled in a fixed order, or skipped."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED, WORK_SPENT

# Entries of `state`: the depth, nodes, tiles of the best partial board, and its steps if it is new.
DEPTH, NODES, BEST, IMPROVED = range(4)
STATE_SIZE = 4
# A row of `steps`: the cell, where in `shown` the sides are that face it (north, east, south,
# west), the first of the lists for the cell, and the two sides by whose colours its list is found.
CELL, FACING, LISTS, FIRST, SECOND = 0, 1, 5, 6, 7
STEP_SIZE = 8
# In place of an orientation: the cell stays empty, as on a board; nothing is chosen.
SKIPPED, NOTHING = -1, -2


class HolesLists(NamedTuple):
    """Tables of fitting orientations: n cells, s steps, k colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | `BoardArrays.sides` |
    | `steps` | (s, 8) | int64 | the cells in their order; see above |
    | `begin` | (any,) | int64 | where a list begins: list + colour · k + colour, 0 for any |
    | `entries` | (any,) | int32 | orientations |
    """

    sides: NDArray[np.int32]
    steps: NDArray[np.int64]
    begin: NDArray[np.int64]
    entries: NDArray[np.int32]


class HolesStack(NamedTuple):
    """State of one search, for n cells in s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shown` | (4 n + 1,) | int32 | colours on the board by cell · 4 + side, 0 beside empty cells |
    | `used` | (n,) | uint8 | 1 for a tile on the board |
    | `at` | (s + 1,) | int64 | by depth: the next entry to be tried |
    | `end` | (s + 1,) | int64 | by depth: where the entries end |
    | `holes` | (s + 1,) | int64 | by depth: cells skipped before |
    | `chosen` | (s + 1,) | int32 | by depth: the orientation, `SKIPPED` or `NOTHING` |
    | `record` | (s,) | int32 | the same for the best partial board so far |
    | `visits` | (s + 1,) | int64 | how often each depth was reached |
    | `state` | (4,) | int64 | see above |
    """

    shown: NDArray[np.int32]
    used: NDArray[np.uint8]
    at: NDArray[np.int64]
    end: NDArray[np.int64]
    holes: NDArray[np.int64]
    chosen: NDArray[np.int32]
    record: NDArray[np.int32]
    visits: NDArray[np.int64]
    state: NDArray[np.int64]


@kernel
def search(lists, stack, colours, allowed, max_nodes):
    """Search for `max_nodes` nodes and keep the partial board with most tiles.

    `allowed` (s,), int64, is the number of cells that may have been skipped after each step. All
    tiles are tried before a cell is skipped. Returns why the slice ended. `IMPROVED` in `state` is
    the number of steps of a new best board, 0 for none. When this board cannot be extended, the
    slice ends with `BUFFER_FULL`, and the caller has to set `IMPROVED` to 0.
    """
    steps, depth, nodes = len(allowed), stack.state[DEPTH], 0
    ended = WORK_SPENT
    while nodes < max_nodes:
        row = lists.steps[min(depth, steps - 1)]
        before = stack.chosen[depth]
        if before >= 0:
            stack.used[before >> 2] = 0
            for side in range(4):
                stack.shown[4 * row[CELL] + side] = 0
        orientation = NOTHING
        if depth < steps and before != SKIPPED:
            orientation = _next_fit(lists, stack, row, depth)
            if orientation == NOTHING and stack.holes[depth] < allowed[depth]:
                orientation = SKIPPED
        stack.chosen[depth] = orientation
        if orientation == NOTHING:
            if depth == 0:
                ended = EXHAUSTED
                break
            depth -= 1
            if stack.state[IMPROVED]:
                ended = BUFFER_FULL
                break
            continue
        nodes += 1
        if orientation >= 0:
            stack.used[orientation >> 2] = 1
            for side in range(4):
                stack.shown[4 * row[CELL] + side] = lists.sides[orientation, side]
        skipped = stack.holes[depth] + (orientation == SKIPPED)
        depth += 1
        if depth - skipped > stack.state[BEST]:
            stack.state[BEST] = depth - skipped
            stack.state[IMPROVED] = depth
            for step in range(depth):
                stack.record[step] = stack.chosen[step]
        open_step(lists, stack, colours, depth, skipped)
    if stack.state[IMPROVED] and depth == steps:
        ended = BUFFER_FULL
    stack.state[DEPTH] = depth
    stack.state[NODES] += nodes
    return ended


@kernel(inline=True)
def open_step(lists, stack, colours, depth, skipped):
    """Begin with the first entry of the list for the cell at a depth."""
    stack.visits[depth] += 1
    stack.holes[depth] = skipped
    stack.chosen[depth] = NOTHING
    if depth < len(lists.steps):
        row = lists.steps[depth]
        first = stack.shown[row[FACING + row[FIRST]]]
        second = stack.shown[row[FACING + row[SECOND]]]
        which = row[LISTS] + first * colours + second
        stack.at[depth] = lists.begin[which]
        stack.end[depth] = lists.begin[which + 1]


@kernel(inline=True)
def _next_fit(lists, stack, row, depth):
    """Return the next orientation whose sides match all tiles beside it, `NOTHING` for none."""
    for entry in range(stack.at[depth], stack.end[depth]):
        orientation = lists.entries[entry]
        if stack.used[orientation >> 2]:
            continue
        fits = True
        for side in range(4):
            facing = stack.shown[row[FACING + side]]
            fits &= facing == 0 or facing == lists.sides[orientation, side]
        if fits:
            stack.at[depth] = entry + 1
            return orientation
    stack.at[depth] = stack.end[depth]
    return NOTHING
