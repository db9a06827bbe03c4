"""The solution that has a number: the ways to each state are numbered by those to the ones before.

`ways` and `meeting` are the `Ways` and the `Meeting` of `layout`. A `row`, int32, gets the moves of
a solution.
"""

import numpy as np

from dovetail.backends.frontier.kernels.class_edges import count_ends, nth_end
from dovetail.backends.frontier.kernels.lookup import NOWHERE, state_of
from dovetail.jit import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def through(unranked, near_base, far_base, ways, meeting, sums):
    """Write those solutions of `Unranked` that are ways through a set.

    `near_base` and `far_base` are the first sets of the two layers that meet; `sums` are those of
    `Scratch`. All solutions are written by one call: reading its arguments takes as long as a
    solution.
    """
    for place in range(len(unranked.number)):
        here, row = unranked.through[place], unranked.rows[place]
        if here == NOWHERE:
            continue
        source, node, edge, left, image, right = _across(
            unranked.number[place], here, ways, meeting, sums
        )
        row[0] = ways.far.edges.move[edge]
        column, image_back = _back(left, near_base + source, node, ways, row, 1)
        image_forth = _forth(
            right, far_base + here, np.int64(ways.far.edges.end[edge]), ways, row, column
        )
        unranked.image[place] = max(image, image_back, image_forth)


@kernel
def ended(number, at_set, node, ways, row):
    """Write the solution that has a number among those that end in a state of the near side."""
    _, image = _back(number, at_set, node, ways, row, 0)
    return image


@kernel
def _back(number, at_set, node, ways, row, column):
    """Write the way back from a state of the near side that has a number, from 0 on.

    Its moves are in `row` from `column` on. Returns the column behind them, and which of the times
    that a move counts is meant.
    """
    step, begin, end = ways.sets.step, ways.sets.begin, ways.sets.end
    near_node, near_ways = ways.near.node, ways.near.ways
    first_back, back_from = ways.near.edges.first, ways.near.edges.end
    back_move = ways.near.edges.move
    move_class, weight = ways.moves.of_move, ways.moves.weight
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
            through_state = near_ways[state] * weight[here]
            if number < through_state:
                row[column] = back_move[edge]
                column += 1
                image = max(image, number % weight[here])
                number = number // weight[here]
                at_set, node = before, source
                break
            number -= through_state
    return column, image


@kernel
def _forth(number, at_set, node, ways, row, column):
    """Write the way on from a state of the far side that has a number; its image, as in `_back`."""
    step, complete = ways.sets.step, ways.sets.complete
    begin, end = ways.sets.begin, ways.sets.end
    far_node, far_ways, accepting = ways.far.node, ways.far.ways, ways.accepting
    first_edge, to, move = ways.far.edges.first, ways.far.edges.end, ways.far.edges.move
    move_class, weight = ways.moves.of_move, ways.moves.weight
    image = ZERO
    while True:
        if complete[at_set] and accepting[node]:
            if number == ZERO:
                return image
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
            through_state = far_ways[state] * weight[here]
            if number < through_state:
                row[column] = move[edge]
                column += 1
                image = max(image, number % weight[here])
                number = number // weight[here]
                at_set, node = behind, target
                break
            number -= through_state


@kernel
def _across(number, here, ways, meeting, sums):
    """Find the crossing of the solution that has a number among those through set `here`.

    Returns the set and the node that it leaves, its edge, and the number that is left of the ways
    back, of the times that the move counts, and of the ways on.
    """
    links, edges, states = (
        meeting.transition.links,
        meeting.transition.edges,
        meeting.transition.states,
    )
    link_first, link_from, link_class = links.first, links.end, links.move_class
    run, nodes, ways_to, weight = states.run, states.node, states.ways, meeting.transition.weight
    behind_run, behind_nodes = meeting.behind.run, meeting.behind.node
    behind_ways = meeting.behind.ways
    for state in range(behind_run[here], behind_run[here + 1]):
        sums[behind_nodes[state]] = behind_ways[state]
    source, move_class, node, nth = NOWHERE, NOWHERE, NOWHERE, NOWHERE
    is_found = False
    left, image, right = ZERO, ZERO, ZERO
    for link in range(link_first[here], link_first[here + 1]):
        source, move_class = np.int64(link_from[link]), np.int64(link_class[link])
        for state in range(run[source], run[source + 1]):
            node = np.int64(nodes[state])
            for place in range(count_ends(node, edges, move_class)):
                end = nth_end(node, edges, move_class, place)
                crossing = ways_to[state] * sums[end] * weight[move_class]
                if number < crossing:
                    is_found = True
                    nth = place
                    left, number = number % ways_to[state], number // ways_to[state]
                    image, right = number % weight[move_class], number // weight[move_class]
                    break
                number -= crossing
            if is_found:
                break
        if is_found:
            break
    for state in range(behind_run[here], behind_run[here + 1]):
        sums[behind_nodes[state]] = ZERO
    first_edge, move, of_move = ways.far.edges.first, ways.far.edges.move, ways.moves.of_move
    edge = first_edge[node]
    while of_move[move[edge]] != move_class or nth > 0:
        nth -= of_move[move[edge]] == move_class
        edge += 1
    return source, node, edge, left, image, right
