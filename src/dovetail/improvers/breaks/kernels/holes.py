"""The kernel of `breaks` for the objective `tiles`: cells are filled in an order, or skipped."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.layout import BUFFER_FULL, EXHAUSTED, WORK_SPENT

# Entries of `state`: the depth; number of nodes; number of tiles of the best partial board; number
# of steps of this board if it is new, else 0.
DEPTH, NODES, BEST, IMPROVED = range(4)
STATE_SIZE = 4
# Entries of a row of `steps`. CELL: the cell. FACING: four indices in `shown`, of the sides that
# face it from the north, east, south and west. LISTS: the first of the lists for the cell. FIRST,
# SECOND: the two sides whose colours select the list.
CELL, FACING, LISTS, FIRST, SECOND = 0, 1, 5, 6, 7
STEP_SIZE = 8
# Values in place of an orientation: the cell is left empty; nothing is chosen yet.
SKIPPED, NOTHING = -1, -2


class HolesLists(NamedTuple):
    """Tables of fitting orientations: n cells, s steps, k colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | `BoardArrays.sides` |
    | `steps` | (s, 8) | int64 | a row for each cell in the order; see above |
    | `begin` | (any,) | int64 | the first entry of each list; then the end |
    | `entries` | (any,) | int32 | orientations |

    The list of a cell for two colours a and b has the number LISTS + a · k + b; a colour 0 stands
    for any colour.
    """

    sides: NDArray[np.int32]
    steps: NDArray[np.int64]
    begin: NDArray[np.int64]
    entries: NDArray[np.int32]


class HolesStack(NamedTuple):
    """State of a search, for n cells and s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shown` | (4 n + 1,) | int32 | colours by cell · 4 + side, 0 in empty cells; last 0 |
    | `used` | (n,) | uint8 | 1 for a tile on the board |
    | `at` | (s + 1,) | int64 | by depth: the next entry to try |
    | `end` | (s + 1,) | int64 | by depth: the end of the entries to try |
    | `holes` | (s + 1,) | int64 | by depth: number of cells skipped before |
    | `chosen` | (s + 1,) | int32 | by depth: the orientation, `SKIPPED` or `NOTHING` |
    | `record` | (s,) | int32 | `chosen` for the best partial board so far |
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
    """Search for at most `max_nodes` nodes; record the partial board with the most tiles.

    `colours` is the number of colours. `allowed`, shape (s,), int64, is the largest number of cells
    that may be skipped up to each step. All tiles are tried before a cell is skipped. Returns why
    the slice ended. When a new best board cannot be extended, the slice ends with `BUFFER_FULL`,
    and the caller has to set `IMPROVED` to 0.
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
    """Begin with the first entry of the list at a depth; `skipped` cells before it are empty."""
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
    """Return the next orientation that matches all tiles beside the cell, `NOTHING` for none."""
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
