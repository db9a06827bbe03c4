"""From counts back to solutions: along the edges between states that are known to be reached.

The layers counted from the start are 0 to m, the near side; those counted from the end are m + 1
to l, the far side. Sets are numbered through all layers. For n nodes, e edges, s sets, k kinds:

| array | shape | dtype | meaning |
|---|---|---|---|
| `step` | (s, k) | int32 | the set without a move of a kind; on the far side that with it |
| `complete` | (s,) | uint8 | whether a set may be all that is used |
| `begin`, `end` | (s,) | int64 | the states of a set among those of its side |
| `near_node`, `far_node` | (x,), (y,) | int32 | the states of a side: nodes, in a set ascending |
| `near_ways`, `far_ways` | (x,), (y,) | uint64 | in how many ways they are reached |
| `first_edge`, `to`, `move` | (n + 1,), (e,), (e,) | int64, int32 | the automaton's edges |
| `first_back`, `back_from`, `back_move` | (n + 1,), (e,), (e,) | | the same by where they lead |
| `accepting` | (n,) | uint8 | whether the board may be left like this |
| `kind` | (moves,) | int32 | kinds of moves |
"""

import numpy as np

from dovetail.jit import kernel

NOWHERE = -1
ZERO, ONE = np.uint64(0), np.uint64(1)

# A crossing from the near side to the far one, a row of int32: sets and nodes on both sides, and
# the kind of move between. Where there is no far set the solution ends on the near side.
NEAR_SET, NEAR_NODE, FAR_SET, FAR_NODE, KIND = range(5)
CROSSING_SIZE = 5

# Entries of `progress` of `crossings`, int64: the set, link and state to go on with, how many
# crossings there are, the work that is left.
SET, LINK, STATE, CROSSINGS, CROSSING_WORK = range(5)
CROSSING_PROGRESS_SIZE = 5

# Entries of `progress` of `walk`, int64: the crossing being walked, the height of the stack, how
# many rows are filled, the work that is left.
CROSSING, HEIGHT, ROWS, WORK = range(4)
PROGRESS_SIZE = 4

# A frame of the stack, a row of int64: which way it goes, its set, its node, the next edge (−1
# before the first), the move that led to it (−1 for none).
WAY, FRAME_SET, FRAME_NODE, FRAME_EDGE, FRAME_MOVE = range(5)
FRAME_SIZE = 5
ACROSS, FORTH, BACK = range(3)

DONE, WORK_SPENT, FULL = range(3)


@kernel(inner=True)
def _find(node, nodes, low, last):
    """Which of some states, ascending, is a node; −1 if none is."""
    high = last
    while low < high:
        middle = (low + high) // 2
        if nodes[middle] < node:
            low = middle + 1
        else:
            high = middle
    if low < last and nodes[low] == node:
        return low
    return NOWHERE


@kernel(inner=True)
def _push(stack, height, way, at_set, node, move):
    """Another frame on the stack."""
    stack[height, WAY], stack[height, FRAME_SET], stack[height, FRAME_NODE] = way, at_set, node
    stack[height, FRAME_EDGE], stack[height, FRAME_MOVE] = NOWHERE, move
    return height + 1


@kernel
def crossings(
    link_first,
    link_from,
    link_kind,
    run,
    nodes,
    low,
    width,
    start,
    ends,
    behind_run,
    behind_nodes,
    marked,
    near_base,
    far_base,
    most_edges,
    found,
    progress,
):
    """Find the moves between states of one layer and of the next, as `layers.join` does.

    `marked`, uint8 by node and all 0, is scratch; `near_base` and `far_base` are the first sets of
    the two layers, and no node has more than `most_edges`. Rows of `found` are crossings. Returns
    why it ended; it goes on from there.
    """
    while progress[SET] < len(link_first) - 1:
        here = progress[SET]
        for state in range(behind_run[here], behind_run[here + 1]):
            marked[behind_nodes[state]] = 1
        reason = DONE
        for link in range(max(link_first[here], progress[LINK]), link_first[here + 1]):
            source, kind = np.int64(link_from[link]), np.int64(link_kind[link])
            base = kind * width - low
            for state in range(max(run[source], progress[STATE]), run[source + 1]):
                entry = base + np.int64(nodes[state])
                for edge in range(start[entry], start[entry + 1]):
                    if not marked[ends[edge]]:
                        continue
                    twice = False
                    for other in range(start[entry], edge):
                        twice |= ends[other] == ends[edge]
                    if twice:
                        continue
                    row = progress[CROSSINGS]
                    found[row, NEAR_SET], found[row, NEAR_NODE] = near_base + source, nodes[state]
                    found[row, FAR_SET], found[row, FAR_NODE] = far_base + here, ends[edge]
                    found[row, KIND] = kind
                    progress[CROSSINGS] = row + 1
                progress[CROSSING_WORK] -= 1
                room = len(found) - progress[CROSSINGS]
                if progress[CROSSING_WORK] <= 0 or room < most_edges:
                    progress[LINK], progress[STATE] = link, state + 1
                    reason = FULL if room < most_edges else WORK_SPENT
                    break
            if reason != DONE:
                break
            progress[STATE] = 0
        for state in range(behind_run[here], behind_run[here + 1]):
            marked[behind_nodes[state]] = 0
        if reason != DONE:
            return reason
        progress[LINK], progress[STATE] = 0, 0
        progress[SET] = here + 1
    return DONE


@kernel
def walk(
    found,
    count,
    step,
    complete,
    begin,
    end,
    near_node,
    far_node,
    first_edge,
    to,
    move,
    first_back,
    back_from,
    back_move,
    accepting,
    kind,
    stack,
    rows,
    progress,
):
    """List the solutions of the first `count` crossings: all ways on times all ways back.

    `rows`, int32, gets their moves, −1 behind the last. Returns DONE when all are listed,
    WORK_SPENT, or FULL when no row is left; it goes on from there.
    """
    height = progress[HEIGHT]
    while True:
        if height == 0:
            if progress[CROSSING] == count:
                return DONE
            crossing = found[progress[CROSSING]]
            progress[CROSSING] += 1
            way = BACK if crossing[FAR_SET] == NOWHERE else ACROSS
            height = _push(stack, 0, way, crossing[NEAR_SET], crossing[NEAR_NODE], NOWHERE)
        progress[HEIGHT] = height
        if progress[WORK] <= 0:
            return WORK_SPENT
        progress[WORK] -= 1
        crossing = found[progress[CROSSING] - 1]
        top = height - 1
        at_set, node, edge = stack[top, FRAME_SET], stack[top, FRAME_NODE], stack[top, FRAME_EDGE]
        if stack[top, WAY] == BACK:
            if at_set == 0:
                if progress[ROWS] == len(rows):
                    return FULL
                column = 0
                for frame in range(height):
                    if stack[frame, FRAME_MOVE] != NOWHERE:
                        rows[progress[ROWS], column] = stack[frame, FRAME_MOVE]
                        column += 1
                rows[progress[ROWS], column:] = NOWHERE
                progress[ROWS] += 1
                height -= 1
                continue
            edge = max(edge, first_back[node])
            height = top
            while edge < first_back[node + 1]:
                before = np.int64(step[at_set, kind[back_move[edge]]])
                edge += 1
                if before == NOWHERE:
                    continue
                source = np.int64(back_from[edge - 1])
                if _find(source, near_node, begin[before], end[before]) != NOWHERE:
                    stack[top, FRAME_EDGE] = edge
                    height = _push(stack, top + 1, BACK, before, source, back_move[edge - 1])
                    break
            continue
        if edge == NOWHERE:
            stack[top, FRAME_EDGE] = first_edge[node]
            if stack[top, WAY] == FORTH and complete[at_set] and accepting[node]:
                height = _push(
                    stack, height, BACK, crossing[NEAR_SET], crossing[NEAR_NODE], NOWHERE
                )
            continue
        height = top
        while edge < first_edge[node + 1]:
            here, target = np.int64(kind[move[edge]]), np.int64(to[edge])
            edge += 1
            if stack[top, WAY] == ACROSS:
                behind = np.int64(crossing[FAR_SET])
                leads_on = here == crossing[KIND] and target == crossing[FAR_NODE]
            else:
                behind = np.int64(step[at_set, here])
                leads_on = behind != NOWHERE
                if leads_on:
                    state = _find(target, far_node, begin[behind], end[behind])
                    leads_on = state != NOWHERE
            if leads_on:
                stack[top, FRAME_EDGE] = edge
                height = _push(stack, top + 1, FORTH, behind, target, move[edge - 1])
                break


@kernel
def back(
    number,
    at_set,
    node,
    step,
    begin,
    end,
    near_node,
    near_ways,
    first_back,
    back_from,
    back_move,
    kind,
    weight,
    row,
    column,
):
    """The way back from a state of the near side that has a number, from 0 on.

    Writes its moves into `row` from `column` on. Returns the column behind them, and which of the
    times that a move counts is meant.
    """
    image = ZERO
    while at_set != 0:
        for edge in range(first_back[node], first_back[node + 1]):
            here = kind[back_move[edge]]
            before = np.int64(step[at_set, here])
            if before == NOWHERE:
                continue
            source = np.int64(back_from[edge])
            state = _find(source, near_node, begin[before], end[before])
            if state == NOWHERE:
                continue
            ways = near_ways[state] * weight[here]
            if number < ways:
                row[column] = back_move[edge]
                column += 1
                image = max(image, number % weight[here])
                number = number // weight[here]
                at_set, node = before, source
                break
            number -= ways
    return column, image


@kernel
def forth(
    number,
    at_set,
    node,
    step,
    complete,
    begin,
    end,
    far_node,
    far_ways,
    first_edge,
    to,
    move,
    accepting,
    kind,
    weight,
    row,
    column,
):
    """The way on from a state of the far side that has a number; see `back`."""
    image = ZERO
    while True:
        if complete[at_set] and accepting[node]:
            if number == ZERO:
                return column, image
            number -= ONE
        for edge in range(first_edge[node], first_edge[node + 1]):
            here = kind[move[edge]]
            behind = np.int64(step[at_set, here])
            if behind == NOWHERE:
                continue
            target = np.int64(to[edge])
            state = _find(target, far_node, begin[behind], end[behind])
            if state == NOWHERE:
                continue
            ways = far_ways[state] * weight[here]
            if number < ways:
                row[column] = move[edge]
                column += 1
                image = max(image, number % weight[here])
                number = number // weight[here]
                at_set, node = behind, target
                break
            number -= ways


@kernel
def across(
    number,
    here,
    link_first,
    link_from,
    link_kind,
    weight,
    run,
    nodes,
    ways,
    low,
    width,
    start,
    ends,
    behind_run,
    behind_nodes,
    behind_ways,
    sums,
):
    """The crossing of the solution that has a number among those through set `here`.

    The arguments are those of `layers.join`. Returns the set and the node that it leaves, the kind
    of move, which of the node's edges of this kind it is, the node it reaches, and the number that
    is left of the ways back, of the times that the move counts, and of the ways on.
    """
    for state in range(behind_run[here], behind_run[here + 1]):
        sums[behind_nodes[state]] = behind_ways[state]
    source, kind, node, nth, target = NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE
    is_found = False
    left, image, right = ZERO, ZERO, ZERO
    for link in range(link_first[here], link_first[here + 1]):
        source, kind = np.int64(link_from[link]), np.int64(link_kind[link])
        for state in range(run[source], run[source + 1]):
            node = np.int64(nodes[state])
            entry = kind * width - low + node
            for edge in range(start[entry], start[entry + 1]):
                through = ways[state] * sums[ends[edge]] * weight[kind]
                if number < through:
                    is_found = True
                    nth, target = edge - start[entry], np.int64(ends[edge])
                    left, number = number % ways[state], number // ways[state]
                    image, right = number % weight[kind], number // weight[kind]
                    break
                number -= through
            if is_found:
                break
        if is_found:
            break
    for state in range(behind_run[here], behind_run[here + 1]):
        sums[behind_nodes[state]] = ZERO
    return source, node, kind, nth, target, left, image, right
