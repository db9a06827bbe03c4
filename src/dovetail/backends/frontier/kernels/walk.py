"""All solutions, along the edges between states that are known to be reached.

The layers counted from the start are 0 to m, the near side; those counted from the end are m + 1
to l, the far side. Sets are numbered through all layers.
"""

import numpy as np

from dovetail.backends.frontier.kernels.class_edges import count_ends, nth_end
from dovetail.backends.frontier.kernels.lookup import NOWHERE, state_of
from dovetail.jit import kernel

# A crossing from the near side to the far one, a row of int64: sets and states on both sides, and
# the class of move between. Where there is no far set the solution ends on the near side.
NEAR_SET, NEAR_STATE, FAR_SET, FAR_STATE, MOVE_CLASS = range(5)
CROSSING_SIZE = 5

# Entries of `progress` of `crossings`, int64: the set, link and state to go on with, how many
# crossings there are, the work that is left.
SET, LINK, STATE, CROSSINGS, CROSSING_WORK = range(5)
CROSSING_PROGRESS_SIZE = 5

# Entries of `progress` of `walk`, int64: the crossing being walked, the height of the stack, how
# many rows are filled, how many links are known, the work that is left.
CROSSING, HEIGHT, ROWS, LINKS, WORK = range(5)
PROGRESS_SIZE = 5

# A frame of the stack, a row of int64: which way it goes, its set and state, the next link (−1
# before the first; an edge where it goes across), the end of the links, how many moves led to it.
WAY, FRAME_SET, FRAME_STATE, FRAME_NEXT, FRAME_END, FRAME_MOVES = range(6)
FRAME_SIZE = 6
ACROSS, FORTH, BACK = range(3)

# A link from a state to the next one of a way, a row of int32. Before the links of a state there is
# a row that says how many they are.
LINK_SET, LINK_STATE, LINK_MOVE = range(3)
LINK_SIZE = 3
LINKS_OF_STATE = 0

DONE, WORK_SPENT, FULL, LINKS_FULL = range(4)


@kernel
def _push(stack, height, way, at_set, state, moves):
    """Another frame on the stack."""
    stack[height, WAY], stack[height, FRAME_SET], stack[height, FRAME_STATE] = way, at_set, state
    stack[height, FRAME_NEXT], stack[height, FRAME_MOVES] = NOWHERE, moves
    return height + 1


@kernel
def crossings(meeting, marked, near_base, far_base, max_edges, found, progress):
    """Find the moves between states of one layer and of the next, as `layers.join` does.

    `meeting` is the `Meeting` of `layout`. `marked`, int64 by node and all −1, is scratch;
    `near_base` and `far_base` are the first sets of the two layers, and no node has more than
    `max_edges`. Rows of `found` are crossings. Returns why it ended; it goes on from there.
    """
    links, edges = meeting.transition.links, meeting.transition.edges
    states_of, behind_of = meeting.transition.states, meeting.behind
    link_first, link_from, link_class = links.first, links.end, links.move_class
    run, nodes = states_of.run, states_of.node
    behind_run, behind_nodes = behind_of.run, behind_of.node
    while progress[SET] < len(link_first) - 1:
        here = progress[SET]
        for state in range(behind_run[here], behind_run[here + 1]):
            marked[behind_nodes[state]] = state
        reason = DONE
        for link in range(max(link_first[here], progress[LINK]), link_first[here + 1]):
            source, move_class = np.int64(link_from[link]), np.int64(link_class[link])
            for state in range(max(run[source], progress[STATE]), run[source + 1]):
                for nth in range(count_ends(nodes[state], edges, move_class)):
                    far_state = marked[nth_end(nodes[state], edges, move_class, nth)]
                    if far_state == NOWHERE:
                        continue
                    row = progress[CROSSINGS]
                    found[row, NEAR_SET], found[row, NEAR_STATE] = near_base + source, state
                    found[row, FAR_SET], found[row, FAR_STATE] = far_base + here, far_state
                    found[row, MOVE_CLASS] = move_class
                    progress[CROSSINGS] = row + 1
                progress[CROSSING_WORK] -= 1
                capacity = len(found) - progress[CROSSINGS]
                if progress[CROSSING_WORK] <= 0 or capacity < max_edges:
                    progress[LINK], progress[STATE] = link, state + 1
                    reason = FULL if capacity < max_edges else WORK_SPENT
                    break
            if reason != DONE:
                break
            progress[STATE] = 0
        for state in range(behind_run[here], behind_run[here + 1]):
            marked[behind_nodes[state]] = NOWHERE
        if reason != DONE:
            return reason
        progress[LINK], progress[STATE] = 0, 0
        progress[SET] = here + 1
    return DONE


@kernel
def _link(at_set, node, sets, side, move_class, rows, count):
    """Write the links of a state, along edges one way or the other; how many there are then.

    `sets` and `side` are the `AllSets` and `SideWays` of `layout`.
    """
    step, begin, end, nodes_of = sets.step, sets.begin, sets.end, side.node
    first_edge, other_end, move = side.edges.first, side.edges.end, side.edges.move
    for edge in range(first_edge[node], first_edge[node + 1]):
        reached = np.int64(step[at_set, move_class[move[edge]]])
        if reached == NOWHERE:
            continue
        state = state_of(np.int64(other_end[edge]), nodes_of, begin[reached], end[reached])
        if state != NOWHERE:
            rows[count, LINK_SET], rows[count, LINK_STATE] = reached, state
            rows[count, LINK_MOVE] = move[edge]
            count += 1
    return count


@kernel
def walk(found, ways, known, stack_of, rows):
    """List the solutions of crossings: all ways on times all ways back.

    `ways`, `known` and `stack_of` are the `Ways`, `KnownLinks` and `Stack` of `layout`. States
    are looked up once. `rows`, int32, gets the moves of each solution, −1 behind the last. Returns
    DONE when all are listed, WORK_SPENT, FULL when no row is left, or LINKS_FULL; it goes on from
    there.
    """
    sets, near, far, max_edges = ways.sets, ways.near, ways.far, ways.max_edges
    complete, near_node, far_node = sets.complete, near.node, far.node
    first_edge, to, move = far.edges.first, far.edges.end, far.edges.move
    move_class, accepting = ways.moves.of_move, ways.accepting
    near_links, far_links, links = known.near, known.far, known.rows
    stack, path, progress = stack_of.frames, stack_of.path, stack_of.progress
    height = progress[HEIGHT]
    while True:
        if height == 0:
            if progress[CROSSING] == len(found):
                return DONE
            crossing = progress[CROSSING]
            progress[CROSSING] += 1
            way = BACK if found[crossing, FAR_SET] == NOWHERE else ACROSS
            height = _push(stack, 0, way, found[crossing, NEAR_SET], found[crossing, NEAR_STATE], 0)
        progress[HEIGHT] = height
        if progress[WORK] <= 0:
            return WORK_SPENT
        progress[WORK] -= 1
        crossing = progress[CROSSING] - 1
        top = height - 1
        way, at_set, state = stack[top, WAY], stack[top, FRAME_SET], stack[top, FRAME_STATE]
        moves = stack[top, FRAME_MOVES]
        if way == BACK and at_set == 0:
            if progress[ROWS] == len(rows):
                return FULL
            row = progress[ROWS]
            for column in range(rows.shape[1]):
                rows[row, column] = path[column] if column < moves else NOWHERE
            progress[ROWS] += 1
            height = top
            continue
        if stack[top, FRAME_NEXT] == NOWHERE and way == ACROSS:
            node = np.int64(near_node[state])
            stack[top, FRAME_NEXT], stack[top, FRAME_END] = first_edge[node], first_edge[node + 1]
        if stack[top, FRAME_NEXT] == NOWHERE:
            of_side = near_links if way == BACK else far_links
            node = np.int64(near_node[state] if way == BACK else far_node[state])
            if of_side[state] == NOWHERE:
                begun = progress[LINKS]
                if begun + 1 + max_edges > len(links):
                    return LINKS_FULL
                if way == BACK:
                    progress[LINKS] = _link(at_set, node, sets, near, move_class, links, begun + 1)
                else:
                    progress[LINKS] = _link(at_set, node, sets, far, move_class, links, begun + 1)
                links[begun, LINKS_OF_STATE] = progress[LINKS] - begun - 1
                of_side[state] = begun
            first = np.int64(of_side[state])
            stack[top, FRAME_NEXT] = first + 1
            stack[top, FRAME_END] = first + 1 + links[first, LINKS_OF_STATE]
            if way == FORTH and complete[at_set] and accepting[node]:
                height = _push(
                    stack,
                    height,
                    BACK,
                    found[crossing, NEAR_SET],
                    found[crossing, NEAR_STATE],
                    moves,
                )
                continue
        following = stack[top, FRAME_NEXT]
        if following == stack[top, FRAME_END]:
            height = top
            continue
        stack[top, FRAME_NEXT] = following + 1
        if way == ACROSS:
            target = far_node[found[crossing, FAR_STATE]]
            if (
                move_class[move[following]] == found[crossing, MOVE_CLASS]
                and to[following] == target
            ):
                path[moves] = move[following]
                height = _push(
                    stack,
                    height,
                    FORTH,
                    found[crossing, FAR_SET],
                    found[crossing, FAR_STATE],
                    moves + 1,
                )
            continue
        path[moves] = links[following, LINK_MOVE]
        if following + 1 == stack[top, FRAME_END]:
            height = top  # there is nothing to come back to
        height = _push(
            stack,
            height,
            way,
            links[following, LINK_SET],
            links[following, LINK_STATE],
            moves + 1,
        )
