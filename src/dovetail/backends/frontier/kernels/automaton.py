"""The automaton of frontier shapes; the automaton does not depend on the pieces used.

Cells are settled, that is filled or left empty for good, in the order of their numbers. A node is
(area, window). The area is the number of settled cells. The window has a bit for each of 64 cells,
from the first unsettled cell on. The bit is set if the cell is settled; so bit 0 is never set. The
first unsettled cell is area − ones(window), and no mask of the whole board is needed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import disjoint_lanes, leading_zeros, ones, trailing_zeros
from dovetail.kernels.layout import EXHAUSTED, WORK_SPENT
from dovetail.machine_code.layout import LANES

NOTHING = -1

# Entries of `progress`, int64: the area being expanded, the numbers of nodes, edges and expanded
# nodes, and the work that is left.
AREA, NODE_COUNT, EDGE_COUNT, EXPANDED, WORK_LEFT = range(5)
PROGRESS_SIZE = 5

# Further reasons for the end of a slice of `expand`.
NODES_FULL, EDGES_FULL = 100, 101

ZERO, ONE, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
LAST_BIT = np.uint64(63)
FACTOR = np.uint64(0x9E37_79B9_7F4A_7C15)
HALF = np.uint64(32)
WORK_PER_NODE, WORK_PER_EDGE = 10, 3


class SweepBoard(NamedTuple):
    """The board that `expand` fills: c cells, in the order of their numbers, by m moves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first_move` | (c + 1,) | int64 | first move with lowest cell v; moves ascend by this cell |
    | `mask` | (m + 8,) | uint64 | the cells of a move, its lowest cell as bit 0; then 8 zeros |
    | `size` | (m,) | int64 | number of cells of a move |
    | `optional` | (c,) | uint8 | 1 if the cell may stay empty |
    | `open_ended` | (c,) | uint8 | 1 if a part with the cell may have any volume |
    | `up` | (c,) | uint64 | later neighbours of cell v: bit k is cell v + k |
    | `down` | (c,) | uint64 | earlier neighbours of cell v: bit 63 − k is cell v − k |
    | `fillable` | (c + 1,) | uint8 | 1 for a volume that some pieces have together |
    """

    first_move: NDArray[np.int64]
    mask: NDArray[np.uint64]
    size: NDArray[np.int64]
    optional: NDArray[np.uint8]
    open_ended: NDArray[np.uint8]
    up: NDArray[np.uint64]
    down: NDArray[np.uint64]
    fillable: NDArray[np.uint8]


class Nodes(NamedTuple):
    """The nodes found so far, with room for n; the board has c cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `area`, `window` | (n,) | int32, uint64 | the nodes, in the order in which they were found |
    | `next_in_area` | (n,) | int32 | next node of the same area to be expanded, −1 for none |
    | `first_in_area` | (c + 1,) | int32 | first node of each area to be expanded, −1 for none |
    | `table` | (2**k,) | int32 | numbers of nodes by hash, −1 for an empty entry |
    """

    area: NDArray[np.int32]
    window: NDArray[np.uint64]
    next_in_area: NDArray[np.int32]
    first_in_area: NDArray[np.int32]
    table: NDArray[np.int32]


class Expanded(NamedTuple):
    """The nodes expanded so far, with room for n, and their edges, with room for e.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `order` | (n,) | int32 | the expanded nodes, in the order of expansion |
    | `first_edge` | (n + 1,) | int64 | the first edge of each node, in this order |
    | `accepting` | (n,) | uint8 | in this order: 1 if all unsettled cells may stay empty |
    | `to`, `move` | (e,) | int32 | the node that each edge reaches, and its move |
    """

    order: NDArray[np.int32]
    first_edge: NDArray[np.int64]
    accepting: NDArray[np.uint8]
    to: NDArray[np.int32]
    move: NDArray[np.int32]


class Trimmed(NamedTuple):
    """The n nodes from which the board can be filled, and the e edges between them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first_edge` | (n + 1,) | int64 | the first edge of each node |
    | `to`, `move` | (e,) | int32 | the node that each edge reaches, and its move |
    | `accepting` | (n,) | uint8 | 1 if all unsettled cells may stay empty |
    | `before` | (n,) | uint64 | piece shapes used on any way to the node, as bits |
    | `behind` | (n,) | uint64 | piece shapes used on any way from the node to the end, as bits |
    """

    first_edge: NDArray[np.int64]
    to: NDArray[np.int32]
    move: NDArray[np.int32]
    accepting: NDArray[np.uint8]
    before: NDArray[np.uint64]
    behind: NDArray[np.uint64]


@kernel(inline=True)
def _hashed(area, window):
    """Return a 64-bit hash of a node."""
    mixed = (window ^ (np.uint64(area) * FACTOR)) * FACTOR
    return (mixed ^ (mixed >> HALF)) * FACTOR


@kernel
def _slot(area, window, nodes_area, nodes_window, table):
    """Return the index of a node's entry in the table, or of the empty entry where it belongs."""
    last = np.uint64(len(table) - 1)
    at = (_hashed(area, window) >> HALF) & last
    node = table[at]
    while node != NOTHING and (nodes_window[node] != window or nodes_area[node] != area):
        at = (at + ONE) & last
        node = table[at]
    return at


@kernel
def enter(first, last, nodes):
    """Enter the nodes from `first` to `last` − 1 into the table of `Nodes`."""
    areas, windows, table = nodes.area, nodes.window, nodes.table
    for node in range(first, last):
        table[_slot(areas[node], windows[node], areas, windows, table)] = node


@kernel
def _unfillable(window, first, up, down, open_ended, fillable):
    """Return whether the window closes off a part of the board whose volume no pieces have.

    Only parts below the highest settled cell are tested, since parts above it may be larger than
    the window shows.
    """
    if window == ZERO:
        return False
    below = (ONE << (LAST_BIT - leading_zeros(window))) - ONE
    rest = ~window & below
    while rest != ZERO:
        part = rest & (ZERO - rest)
        todo = part
        is_open = False
        while todo != ZERO:
            bit = trailing_zeros(todo)
            todo &= todo - ONE
            cell = first + np.int64(bit)
            above = up[cell] << bit
            near = (above | (down[cell] >> (LAST_BIT - bit))) & ~window & ~part
            is_open |= (near & ~below) != ZERO or (above >> bit) != up[cell] or open_ended[cell]
            near &= below
            part |= near
            todo |= near
        if not is_open and not fillable[np.int64(ones(part))]:
            return True
        rest &= ~part
    return False


@kernel
def expand(board, nodes, expanded, progress):
    """Expand nodes by ascending area until none is left, the work is spent or an array is full.

    `board`, `nodes` and `expanded` are a `SweepBoard`, `Nodes` and `Expanded`. A move fills the
    first unsettled cell, or a later cell if the unsettled cells before it may stay empty. Returns
    why the slice ended.
    """
    first_move, mask, size, optional = board.first_move, board.mask, board.size, board.optional
    open_ended, up, down, fillable = board.open_ended, board.up, board.down, board.fillable
    nodes_area, nodes_window, table = nodes.area, nodes.window, nodes.table
    next_in_area, first_in_area = nodes.next_in_area, nodes.first_in_area
    order, first_edge, accepting = expanded.order, expanded.first_edge, expanded.accepting
    edge_to, edge_move = expanded.to, expanded.move
    cells, moves = len(optional), len(size)
    while progress[AREA] <= cells:
        node = first_in_area[progress[AREA]]
        if node == NOTHING:
            progress[AREA] += 1
            continue
        if progress[WORK_LEFT] <= 0:
            return WORK_SPENT
        if progress[NODE_COUNT] + moves > min(len(nodes_area), len(table) // 2):
            return NODES_FULL
        if progress[EDGE_COUNT] + moves > len(edge_to):
            return EDGES_FULL
        first_in_area[progress[AREA]] = next_in_area[node]
        place = progress[EXPANDED]
        order[place] = node
        progress[EXPANDED] = place + 1
        area, window = np.int64(nodes_area[node]), nodes_window[node]
        first = area - np.int64(ones(window))
        accepting[place] = 0
        if not _unfillable(window, first, up, down, open_ended, fillable):
            while True:
                if first == cells:
                    accepting[place] = 1
                    break
                last = first_move[first + 1]
                for block in range(first_move[first], last, LANES):
                    progress[WORK_LEFT] -= 1
                    fitting = disjoint_lanes(mask, np.uint64(block), ONE, (window,))
                    if block + LANES > last:
                        fitting &= (ONE << np.uint64(last - block)) - ONE
                    while fitting != ZERO:
                        move = block + np.int64(trailing_zeros(fitting))
                        fitting &= fitting - ONE
                        taken = mask[move] | window
                        after = ZERO
                        if taken != ALL:
                            after = taken >> trailing_zeros(~taken)
                        after_area = area + size[move]
                        at = _slot(after_area, after, nodes_area, nodes_window, table)
                        to = np.int64(table[at])
                        if to == NOTHING:
                            to = progress[NODE_COUNT]
                            progress[NODE_COUNT] = to + 1
                            table[at] = to
                            nodes_area[to], nodes_window[to] = after_area, after
                            next_in_area[to] = first_in_area[after_area]
                            first_in_area[after_area] = to
                        edge = progress[EDGE_COUNT]
                        progress[EDGE_COUNT] = edge + 1
                        edge_to[edge], edge_move[edge] = to, move
                        progress[WORK_LEFT] -= WORK_PER_EDGE
                if not optional[first]:
                    break
                window |= ONE
                step = np.int64(trailing_zeros(~window)) if window != ALL else np.int64(64)
                window = window >> np.uint64(step) if step < 64 else ZERO
                area, first = area + 1, first + step
        first_edge[place + 1] = progress[EDGE_COUNT]
        progress[WORK_LEFT] -= WORK_PER_NODE
    return EXHAUSTED


@kernel
def number_useful(first, last, expanded, number, totals):
    """Assign numbers to the expanded nodes of a range that reach an accepting node.

    The range is `first` to `last` − 1 of `expanded.order`. Later ranges have to be numbered before
    earlier ranges, and the last such node gets number 0. `number`, int32 by node, is −1 at first.
    `totals`, int64, counts the nodes numbered and the edges between them.
    """
    order, first_edge, accepting = expanded.order, expanded.first_edge, expanded.accepting
    edge_to = expanded.to
    nodes, edges = totals[0], totals[1]
    for at in range(last - 1, first - 1, -1):
        leading_on = 0
        for edge in range(first_edge[at], first_edge[at + 1]):
            leading_on += number[edge_to[edge]] != NOTHING
        if leading_on > 0 or accepting[at] != 0:
            number[order[at]] = nodes
            nodes += 1
            edges += leading_on
    totals[0], totals[1] = nodes, edges


@kernel
def compress(first, last, expanded, number, shape_bits, trimmed, totals):
    """Copy the numbered nodes of a range to `trimmed`, in their order, and the edges between them.

    Ranges have to be copied in order, from 0 on. `totals`, int64, counts the nodes and the edges
    copied; its last entry is the largest difference between the numbers of an edge's nodes.
    `trimmed.before`, 0 at first, gets the shapes used by any edge on the ways to each node.
    `shape_bits`, uint64, has the shapes of each move as bits.
    """
    order, first_edge, accepting = expanded.order, expanded.first_edge, expanded.accepting
    edge_to, edge_move = expanded.to, expanded.move
    new_first_edge, new_to, new_move = trimmed.first_edge, trimmed.to, trimmed.move
    new_accepting, before = trimmed.accepting, trimmed.before
    last_node = len(new_accepting) - 1
    node, edge = totals[0], totals[1]
    for at in range(first, last):
        if number[order[at]] == NOTHING:
            continue
        for old in range(first_edge[at], first_edge[at + 1]):
            from_end = number[edge_to[old]]
            if from_end != NOTHING:
                to = last_node - from_end
                new_to[edge], new_move[edge] = to, edge_move[old]
                before[to] |= before[node] | shape_bits[edge_move[old]]
                totals[2] = max(totals[2], to - node)
                edge += 1
        new_accepting[node] = accepting[at]
        node += 1
        new_first_edge[node] = edge
    totals[0], totals[1] = node, edge


@kernel
def behind_by_node(first, last, trimmed, shape_bits):
    """Write to `trimmed.behind` the shapes used by any edge on the ways from a node to the end.

    The nodes are `first` to `last` − 1. Later ranges have to be processed before earlier ranges.
    `trimmed.behind` is 0 at first. `shape_bits` is as in `compress`.
    """
    first_edge, edge_to, edge_move = trimmed.first_edge, trimmed.to, trimmed.move
    behind = trimmed.behind
    for node in range(last - 1, first - 1, -1):
        for edge in range(first_edge[node], first_edge[node + 1]):
            behind[node] |= behind[edge_to[edge]] | shape_bits[edge_move[edge]]
