"""Solutions by number, and lists of all solutions, along the edges between reached states.

Layers 0 to m, the near side, are counted from the start. Layers m + 1 to l, the far side, are
counted from the end. Sets are numbered through all layers. Solutions are divided into groups: first
a group for each state of the near side in which solutions end, then a group for each set of layer
m + 1. Within a group, solutions are in the order of their crossings from layer m to layer m + 1,
then of their ways on to the end, then of their ways back to the start.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.frontier.kernels.layers import Edges, Layer, Transition, count_ends, nth_end
from dovetail.jit import kernel
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    EXHAUSTED,
    OWN,
    SOLUTIONS,
    WORK,
    WORK_SPENT,
)

NOWHERE = -1

# Entries of `state`, int64, after the common entries: the group, and the link, the state and the
# edge at which the search for the next crossing of the group begins, each counted from 0.
GROUP, LINK, PLACE, NTH = range(OWN, OWN + 4)
# The near set and near state of the crossing, its far state and its move (−1 for solutions that end
# on the near side), and its image: the index among the times that its move counts.
NEAR_SET, NEAR_STATE, FAR_STATE, MOVE, IMAGE = range(OWN + 4, OWN + 9)
# The next way back and the number of ways back; the next way on and the number of ways on; the
# number of filled rows of `links`, of which the first stays empty.
BACK, BACK_WAYS, FORTH, FORTH_WAYS, LINKS = range(OWN + 9, OWN + 14)
STATE_SIZE = OWN + 14

# A link from a state to the next state of a way, a row of int32. Before the links of a state there
# is a row with their number.
LINK_SET, LINK_STATE, LINK_MOVE = range(3)
LINK_SIZE = 3
LINKS_OF_STATE = 0

# A further reason for the end of a slice.
LINKS_FULL = 100


class SideWays(NamedTuple):
    """The x states of all layers of a side, and the edges of their nodes.

    On the near side, edges are followed back to the start, and on the far side on to the end.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (x,) | int32 | the node of each state; ascending within a set |
    | `ways` | (x,) | uint64 | the number of ways in which each state is reached |
    | `known` | (x,) | int32 | row of `links` at which a state's links begin; 0 if unknown |
    | `edges` | | | see `Edges` |
    | `is_far` | () | bool | True for the far side |
    """

    node: NDArray[np.int32]
    ways: NDArray[np.uint64]
    known: NDArray[np.int32]
    edges: Edges
    is_far: bool


class Ways(NamedTuple):
    """The tables for walks along edges: s sets, m moves of k classes, n nodes.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `step` | (s, k) | int32 | set before (near side) or after (far side) a move of a class or −1 |
    | `complete` | (s,) | uint8 | 1 if the set uses each shape often enough |
    | `begin`, `end` | (s,) | int64 | first state of each set on its side; end of its states |
    | `near`, `far` | | | see `SideWays` |
    | `move_class` | (m,) | int32 | the class of each move |
    | `weight` | (k,) | uint64 | how many times a move of each class counts |
    | `accepting` | (n,) | uint8 | 1 if all unsettled cells of the node may stay empty |
    | `max_edges` | () | int64 | the largest number of edges of a node |
    | `links` | (rows, 3) | int32 | links of states that were looked up; see `LINK_SET` |
    """

    step: NDArray[np.int32]
    complete: NDArray[np.uint8]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    near: SideWays
    far: SideWays
    move_class: NDArray[np.int32]
    weight: NDArray[np.uint64]
    accepting: NDArray[np.uint8]
    max_edges: int
    links: NDArray[np.int32]


class Crossings(NamedTuple):
    """States of the near side in which solutions end, and the crossings to the far side.

    `ended`, shape (e, 2), int64, has the set and the state of each such end. `transition` leads
    from the near side's last layer to `behind`, the far side's last layer. `near_base` and
    `far_base` are the numbers of the first sets of these layers. `marked`, shape (nodes,), int64,
    is scratch: 0 before and after.
    """

    ended: NDArray[np.int64]
    transition: Transition
    behind: Layer
    near_base: int
    far_base: int
    marked: NDArray[np.int64]


class Wanted(NamedTuple):
    """Requested solutions: `group`, `number` within the group, and `image`, all (w,), int64.

    `image` is an output, the index among the times that the solution counts.
    """

    group: NDArray[np.int64]
    number: NDArray[np.int64]
    image: NDArray[np.int64]


@kernel
def write(ways, crossings, wanted, rows, state):
    """Write the moves of solutions into `rows`, int32, padded with −1.

    The `wanted` solutions are written, a row for each, with their images in `wanted.image`. If
    `wanted` is empty, all solutions are written, each once regardless of its number of images. Rows
    are filled from row `state[BUFFERED]` on. Returns why the slice ended; the next call continues
    from there.
    """
    ended, behind, marked = crossings.ended, crossings.behind, crossings.marked
    lists, groups = len(wanted.group) == 0, len(ended) + len(behind.run) - 1
    room = (rows.shape[1] + 1) * (1 + ways.max_edges)
    marked_set, column = NOWHERE, 0
    times_back = times_forth = image_forth = 1
    is_same_way_on = False  # True if the way on is that of the row before
    while True:
        row_number = state[BUFFERED]
        reason = WORK_SPENT if state[WORK] <= 0 else EXHAUSTED
        if len(ways.links) - state[LINKS] < room:
            reason = LINKS_FULL
        if row_number == len(rows):
            reason = BUFFER_FULL
        if reason != EXHAUSTED:
            break
        number = 0
        if not lists:
            state[GROUP], number = wanted.group[row_number], wanted.number[row_number]
            state[LINK] = state[PLACE] = state[NTH] = state[FORTH] = state[FORTH_WAYS] = 0
        here = state[GROUP] - len(ended)
        if state[FORTH] == state[FORTH_WAYS]:
            is_same_way_on = False
            if state[GROUP] == groups:
                break
            if here < 0:
                state[NEAR_SET], state[NEAR_STATE] = ended[state[GROUP], 0], ended[state[GROUP], 1]
                state[FAR_STATE], state[MOVE] = NOWHERE, NOWHERE
                state[BACK], state[FORTH], state[FORTH_WAYS], state[IMAGE] = number, 0, 1, 0
                state[BACK_WAYS] = ways.near.ways[state[NEAR_STATE]]
            else:
                if here != marked_set:
                    _mark(marked_set, 0, behind, marked)
                    _mark(here, 1, behind, marked)
                    marked_set = here
                if not _cross(number, here, ways, crossings, state):
                    state[GROUP] += 1
                    state[LINK] = state[PLACE] = state[NTH] = 0
                    continue
        row = rows[row_number]
        if is_same_way_on:
            for k in range(column):
                row[k] = rows[row_number - 1, k]
        else:
            column, image_forth, times_forth = 0, 0, 1
            if here >= 0:
                row[0], far_set = state[MOVE], crossings.far_base + here
                column, image_forth, times_forth = _descend(
                    state[FORTH], far_set, state[FAR_STATE], ways.far, ways, state, row, 1
                )
        end, image_back, times_back = _descend(
            state[BACK], state[NEAR_SET], state[NEAR_STATE], ways.near, ways, state, row, column
        )
        for k in range(end, len(row)):
            row[k] = NOWHERE
        if not lists:
            wanted.image[row_number] = max(image_back, state[IMAGE], image_forth)
        state[BUFFERED] += 1
        state[SOLUTIONS] += 1
        state[WORK] -= 1
        state[BACK] += times_back
        is_same_way_on = state[BACK] < state[BACK_WAYS]
        if not is_same_way_on:
            state[BACK] = 0
            state[FORTH] += times_forth
        if here < 0 and not is_same_way_on:
            state[GROUP] += 1
    _mark(marked_set, 0, behind, marked)
    return reason


@kernel
def _mark(here, is_marked, behind, marked):
    """Mark the nodes of the states of set `here`, or clear the marks if `is_marked` is 0.

    The mark of a node is the number of its state + 1. If `here` is NOWHERE, nothing is done.
    """
    if here != NOWHERE:
        for state in range(behind.run[here], behind.run[here + 1]):
            marked[behind.node[state]] = (state + 1) * is_marked


@kernel
def _cross(number, here, ways, crossings, state):
    """Advance `state` to the crossing into set `here` that contains solution `number`.

    Solutions are counted from the crossing at which `state` stands. Returns False if there are too
    few solutions.
    """
    transition, behind = crossings.transition, crossings.behind
    links, edges, states = transition.links, transition.edges, transition.states
    first_edge, to, move = ways.far.edges.first, ways.far.edges.end, ways.far.edges.move
    while links.first[here] + state[LINK] < links.first[here + 1]:
        link = links.first[here] + state[LINK]
        source, move_class = np.int64(links.end[link]), np.int64(links.move_class[link])
        weight = np.int64(transition.weight[move_class])
        for near_state in range(states.run[source] + state[PLACE], states.run[source + 1]):
            node = np.int64(states.node[near_state])
            for nth in range(state[NTH], count_ends(node, edges, move_class)):
                reached = nth_end(node, edges, move_class, nth)
                far_state = crossings.marked[reached] - 1
                if far_state == NOWHERE:
                    continue
                ways_back = np.int64(states.ways[near_state])
                ways_forth = np.int64(behind.ways[far_state])
                through = ways_back * weight * ways_forth
                # `through` may wrap in a listing, where `number` is 0
                if number > 0 and number >= through:
                    number -= through
                    continue
                edge = first_edge[node]
                while to[edge] != reached or ways.move_class[move[edge]] != move_class:
                    edge += 1
                state[NEAR_SET], state[NEAR_STATE] = crossings.near_base + source, near_state
                state[FAR_STATE], state[MOVE] = far_state, move[edge]
                state[BACK], number = number % ways_back, number // ways_back
                state[IMAGE], state[FORTH] = number % weight, number // weight
                state[BACK_WAYS], state[FORTH_WAYS] = ways_back, ways_forth
                state[PLACE], state[NTH] = near_state - states.run[source], nth + 1
                return True
            state[NTH] = 0
            state[WORK] -= 1
        state[PLACE] = 0
        state[LINK] += 1
    return False


@kernel
def _descend(number, at_set, at_state, side, ways, state, row, column):
    """Write the way with a number from a state to the end of its side, from `column` on.

    Returns the next column, the image, and how many times the moves of the way count. The image is
    an index among these times. Ways that differ only in the image have consecutive numbers.
    """
    complete, accepting, links = ways.complete, ways.accepting, ways.links
    image, times = 0, 1
    while True:
        is_end = at_set == 0
        if side.is_far:
            is_end = complete[at_set] != 0 and accepting[side.node[at_state]] != 0
        if is_end:
            if number == 0:
                return column, image, times
            number -= 1
        if side.known[at_state] == 0:
            _look_up(at_set, at_state, side, ways, state)
        link = np.int64(side.known[at_state]) + 1
        while True:
            before = np.int64(links[link, LINK_STATE])
            weight = np.int64(ways.weight[ways.move_class[links[link, LINK_MOVE]]])
            through = np.int64(side.ways[before]) * weight
            if number < through:
                break
            number -= through
            link += 1
        if weight > 1:
            image, number, times = max(image, number % weight), number // weight, times * weight
        row[column] = links[link, LINK_MOVE]
        column += 1
        at_set, at_state = np.int64(links[link, LINK_SET]), before


@kernel
def _look_up(at_set, at_state, side, ways, state):
    """Append the links of a state to `ways.links`, and note their row in `side.known`."""
    edges, links, node = side.edges, ways.links, side.node[at_state]
    begun = state[LINKS]
    end = begun + 1
    for edge in range(edges.first[node], edges.first[node + 1]):
        reached = np.int64(ways.step[at_set, ways.move_class[edges.move[edge]]])
        if reached == NOWHERE:
            continue
        target, low, last = edges.end[edge], ways.begin[reached], ways.end[reached]
        high = last
        while low < high:
            middle = (low + high) // 2
            if side.node[middle] < target:
                low = middle + 1
            else:
                high = middle
        if low < last and side.node[low] == target:
            links[end, LINK_SET], links[end, LINK_STATE] = reached, low
            links[end, LINK_MOVE] = edges.move[edge]
            end += 1
    links[begun, LINKS_OF_STATE] = end - begun - 1
    state[LINKS] = end
    side.known[at_state] = begun
