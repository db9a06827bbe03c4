"""The solution that has a number: the ways to each state are numbered by those to the ones before.

The arguments are those of `walk`, and besides, for states x and y of the two sides and kinds k:

| array | shape | dtype | meaning |
|---|---|---|---|
| `near_ways`, `far_ways` | (x,), (y,) | uint64 | in how many ways they are reached |
| `weight` | (k,) | uint64 | how many times a move of a kind counts |
| `row` | (moves,) | int32 | out: the moves of the solution, from `column` on |
"""

import numpy as np

from dovetail.backends.frontier.kernels.lookup import NOWHERE, state_of
from dovetail.jit import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)


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
    move_class,
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
            here = move_class[back_move[edge]]
            before = np.int64(step[at_set, here])
            if before == NOWHERE:
                continue
            source = np.int64(back_from[edge])
            state = state_of(source, near_node, begin[before], end[before])
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
    move_class,
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
            here = move_class[move[edge]]
            behind = np.int64(step[at_set, here])
            if behind == NOWHERE:
                continue
            target = np.int64(to[edge])
            state = state_of(target, far_node, begin[behind], end[behind])
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
    link_class,
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
    source, move_class, node, nth, target = NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE
    is_found = False
    left, image, right = ZERO, ZERO, ZERO
    for link in range(link_first[here], link_first[here + 1]):
        source, move_class = np.int64(link_from[link]), np.int64(link_class[link])
        for state in range(run[source], run[source + 1]):
            node = np.int64(nodes[state])
            entry = move_class * width - low + node
            for edge in range(start[entry], start[entry + 1]):
                through = ways[state] * sums[ends[edge]] * weight[move_class]
                if number < through:
                    is_found = True
                    nth, target = edge - start[entry], np.int64(ends[edge])
                    left, number = number % ways[state], number // ways[state]
                    image, right = number % weight[move_class], number // weight[move_class]
                    break
                number -= through
            if is_found:
                break
        if is_found:
            break
    for state in range(behind_run[here], behind_run[here + 1]):
        sums[behind_nodes[state]] = ZERO
    return source, node, move_class, nth, target, left, image, right
