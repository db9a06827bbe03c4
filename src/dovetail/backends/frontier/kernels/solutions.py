"""Solutions by their numbers, and all solutions in turn, along edges between reached states.

The layers counted from the start are 0 to m, the near side; those counted from the end are m + 1
to l, the far side. Sets are numbered through all layers. Solutions are grouped: each state of the
near side in which solutions end is a group, then each set of layer m + 1, which solutions cross
into. Within a group they are numbered by the crossing, then by the way on, then by the way back.
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

# Entries of `state`, int64, beside the common ones: the group, and the link, the state and the edge
# where its next crossing is looked for, each from 0 on.
GROUP, LINK, PLACE, NTH = range(OWN, OWN + 4)
# The near set and state of the crossing, its far state and its move (−1 for solutions that end on
# the near side), and which of the times that its move counts is meant.
NEAR_SET, NEAR_STATE, FAR_STATE, MOVE, IMAGE = range(OWN + 4, OWN + 9)
# The ways back and on that come next, and their numbers; the entries of `links` that are filled, of
# which the first stays empty.
BACK, BACK_WAYS, FORTH, FORTH_WAYS, LINKS = range(OWN + 9, OWN + 14)
STATE_SIZE = OWN + 14

# A link from a state to the next state of a way, a row of int32. Before the links of a state there
# is a row with their number.
LINK_SET, LINK_STATE, LINK_MOVE = range(3)
LINK_SIZE = 3
LINKS_OF_STATE = 0

# Why a slice ended, beside the common reasons.
LINKS_FULL = 100


class SideWays(NamedTuple):
    """The states of all layers of a side, and the edges that lead on from their nodes.

    On the near side edges are followed back to the start, on the far side on to the end.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (x,) | int32 | the node of a state; in a set ascending |
    | `ways` | (x,) | uint64 | in how many ways the state is reached |
    | `known` | (x,) | int32 | the row of `links` where a state's links begin; 0 if unknown |
    | `edges` | | | see `Edges` |
    | `is_far` | () | bool | which side it is |
    """

    node: NDArray[np.int32]
    ways: NDArray[np.uint64]
    known: NDArray[np.int32]
    edges: Edges
    is_far: bool


class Ways(NamedTuple):
    """The tables for walks along the edges between reached states; s sets, k classes of moves.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `step` | (s, k) | int32 | the set without a move of a class; on the far side that with it |
    | `complete` | (s,) | uint8 | whether a set may be all pieces used |
    | `begin`, `end` | (s,) | int64 | the states of a set among those of its side |
    | `near`, `far` | | | see `SideWays` |
    | `move_class`, `weight` | (m,), (k,) | int32, uint64 | class of a move; how often it counts |
    | `accepting` | (n,) | uint8 | whether the board may be left like this |
    | `max_edges` | () | int64 | the most edges of a node |
    | `links` | (l, 3) | int32 | links of states that were looked up; see above |
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
    """The ends of the groups: `ended`, (e, 2), int64, has the sets and states of the near side.

    `transition` leads from the near side's last layer to the far side's, `behind` it; `near_base`
    and `far_base` are the first sets of the two layers. `marked`, (n,), int64, is scratch: 0 before
    and after.
    """

    ended: NDArray[np.int64]
    transition: Transition
    behind: Layer
    near_base: int
    far_base: int
    marked: NDArray[np.int64]


class Wanted(NamedTuple):
    """Solutions by number: `group`, `number` within it, and `image`, all (w,), int64.

    `image` gets which of the times that a solution counts is meant.
    """

    group: NDArray[np.int64]
    number: NDArray[np.int64]
    image: NDArray[np.int64]


@kernel
def write(ways, crossings, wanted, rows, state):
    """Write the moves of solutions into `rows`, int32, −1 behind the last move of each.

    The solutions are the `wanted` solutions, a row for each; without any, all solutions, each once
    whatever its number of images. Rows are filled from state[BUFFERED] on. Returns why it ended; it
    goes on from there.
    """
    ended, behind, marked = crossings.ended, crossings.behind, crossings.marked
    lists, groups = len(wanted.group) == 0, len(ended) + len(behind.run) - 1
    room = (rows.shape[1] + 1) * (1 + ways.max_edges)
    marked_set, column = NOWHERE, 0
    times_back = times_forth = image_forth = 1
    is_same_way_on = False  # as in the row before
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
    """Mark the nodes of a set's states by the states, counted from 1, or clear them."""
    if here != NOWHERE:
        for state in range(behind.run[here], behind.run[here + 1]):
            marked[behind.node[state]] = (state + 1) * is_marked


@kernel
def _cross(number, here, ways, crossings, state):
    """Go on to the crossing into set `here` that has the solution with a number.

    The number counts from the crossing where the search in `state` is. Returns whether there is
    such a crossing.
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
                if number >= through:
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

    Returns the column behind it, the image among the times that its moves count, and how many
    times they count; ways that differ in the image alone have consecutive numbers.
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
    """Write the links of a state behind the other links."""
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
