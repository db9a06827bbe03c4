"""States by the pieces used: how many ways lead to each, from one side of the board.

A layer holds all sets of pieces that some number of moves uses. A set has a run of states, each a
node of the automaton, ascending, with the number of ways to it.
"""

import numpy as np

from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros

# Entries of `progress`, int64: the set to be gathered next, how many states there are, and the work
# that is left.
SET, STATES, WORK = range(3)
PROGRESS_SIZE = 3

# Why `gather` returns.
DONE, WORK_SPENT, STATES_FULL = range(3)

ZERO, ONE = np.uint64(0), np.uint64(1)
WORD = 64


@kernel
def count_edges(edges, class_of_move, nodes, start):
    """Count the edges of some nodes, by class of move and by node.

    The nodes are a `NodeRange` of `layout`. `edges` are its `Edges`, by the node that they leave.
    `start`, zeros before, becomes that of its `EdgesByClass`.
    """
    low, high, by_target, reach = nodes.low, nodes.high, nodes.by_target, nodes.reach
    first_edge, to, move = edges.first, edges.end, edges.move
    width = high - low
    first, last = (reach, high) if by_target else (low, high)
    for node in range(first, last):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if low <= near < high:
                start[np.int64(class_of_move[move[edge]]) * width + near - low + 1] += 1
    for entry in range(1, len(start)):
        start[entry] += start[entry - 1]


@kernel
def place_edges(edges, class_of_move, nodes, start, ends):
    """Write the `ends` of the edges that `count_edges` has counted, by its `start`."""
    low, high, by_target, reach = nodes.low, nodes.high, nodes.by_target, nodes.reach
    first_edge, to, move = edges.first, edges.end, edges.move
    width = high - low
    first, last = (reach, high) if by_target else (low, high)
    for node in range(first, last):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if low <= near < high:
                entry = np.int64(class_of_move[move[edge]]) * width + near - low
                ends[start[entry]] = node if by_target else to[edge]
                start[entry] += 1
    for entry in range(len(start) - 1, 0, -1):
        start[entry] = start[entry - 1]
    start[0] = 0


@kernel
def range_of_ends(start, ends, classes, width, first, last):
    """The least and the largest node at the other ends of edges of the nodes in a range.

    Nodes are numbered from the index's first on; 0 and −1 where there is no edge.
    """
    lowest, highest = np.int64(2**62), np.int64(-1)
    for move_class in range(classes):
        for edge in range(start[move_class * width + first], start[move_class * width + last]):
            lowest, highest = min(lowest, np.int64(ends[edge])), max(highest, np.int64(ends[edge]))
    return (lowest, highest) if highest >= 0 else (np.int64(0), highest)


@kernel
def gather(transition, pruning, endings, scratch, gathered, progress, last_set):
    """Gather the states of sets from those of the sets that links lead to.

    The sets are those from progress[SET] to `last_set` − 1. The other arguments are a
    `Transition`, `Pruning`, `Endings` and `Scratch` of `layout`; `gathered` is a `Layer` of it,
    with room for the states of all t sets.
    """
    links, edges, states_of = transition.links, transition.edges, transition.states
    link_first, link_end, link_class = links.first, links.end, links.move_class
    low, width, start, ends = edges.low, edges.width, edges.start, edges.ends
    min_end, max_end = edges.min_end, edges.max_end
    run, nodes, ways, weight = states_of.run, states_of.node, states_of.ways, transition.weight
    modulus = transition.modulus
    wanted, possible = pruning.wanted, pruning.possible
    ending, accepting = endings.complete, endings.accepting
    sums, touched = scratch.sums, scratch.touched
    new_run, new_nodes, new_ways = gathered.run, gathered.node, gathered.ways
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK] <= 0:
            return WORK_SPENT
        for link in range(link_first[here], link_first[here + 1]):
            source, move_class = link_end[link], np.int64(link_class[link])
            times, base = weight[move_class], move_class * width - low
            progress[WORK] -= run[source + 1] - run[source]
            for state in range(run[source], run[source + 1]):
                entry = base + np.int64(nodes[state])
                for edge in range(start[entry], start[entry + 1]):
                    node = np.int64(ends[edge])
                    sums[node] += ways[state] * times
                    touched[node // WORD] |= ONE << np.uint64(node % WORD)
        first_word, last_word = min_end // WORD, max_end // WORD + 1
        if ending[here]:
            for node in accepting:
                word = np.int64(node) // WORD
                sums[node] += ONE
                touched[word] |= ONE << np.uint64(node % WORD)
                first_word, last_word = min(first_word, word), max(last_word, word + 1)
        states = progress[STATES]
        for word in range(first_word, last_word):
            states += np.int64(ones(touched[word]))
        progress[WORK] -= last_word - first_word
        if states > len(new_nodes):  # as if this set had not been looked at
            touched[first_word:last_word] = ZERO
            sums[first_word * WORD : last_word * WORD] = ZERO
            return STATES_FULL
        states = progress[STATES]
        for word in range(first_word, last_word):
            bits = touched[word]
            touched[word] = ZERO
            while bits != ZERO:
                node = word * WORD + np.int64(trailing_zeros(bits))
                bits &= bits - ONE
                if (wanted[here] & ~possible[node]) == ZERO:
                    new_nodes[states] = node
                    new_ways[states] = sums[node] if modulus == ZERO else sums[node] % modulus
                    states += 1
                sums[node] = ZERO
        progress[STATES] = states
        progress[SET] = here + 1
        new_run[here + 1] = states
    return DONE


@kernel
def join(meeting, sums, joined, roughly, progress, last_set):
    """Join the states of one layer with those of the next, which are counted from the other side.

    `meeting` is the `Meeting` of `layout`. For each set of the next layer, `joined`, uint64,
    becomes the number of solutions that go through it, by the modulus, and `roughly`, float64, the
    same in floating point, of ways that are modulo. `sums` are those of `Scratch`.
    """
    links, edges = meeting.transition.links, meeting.transition.edges
    states_of, behind_of = meeting.transition.states, meeting.behind
    link_first, link_end, link_class = links.first, links.end, links.move_class
    low, width, start, ends = edges.low, edges.width, edges.start, edges.ends
    run, nodes, ways = states_of.run, states_of.node, states_of.ways
    behind_run, behind_nodes, behind_ways = behind_of.run, behind_of.node, behind_of.ways
    weight, modulus = meeting.transition.weight, meeting.transition.modulus
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK] <= 0:
            return WORK_SPENT
        for state in range(behind_run[here], behind_run[here + 1]):
            sums[behind_nodes[state]] = behind_ways[state]
        total, about = ZERO, 0.0
        for link in range(link_first[here], link_first[here + 1]):
            source, move_class = link_end[link], np.int64(link_class[link])
            times, base = weight[move_class], move_class * width - low
            progress[WORK] -= run[source + 1] - run[source]
            for state in range(run[source], run[source + 1]):
                entry = base + np.int64(nodes[state])
                for edge in range(start[entry], start[entry + 1]):
                    behind = sums[ends[edge]]
                    if behind != ZERO:
                        through = ways[state] * behind * times
                        total += through if modulus == ZERO else through % modulus
                        about += float(ways[state]) * float(behind) * float(times)
        for state in range(behind_run[here], behind_run[here + 1]):
            sums[behind_nodes[state]] = ZERO
        joined[here] = total if modulus == ZERO else total % modulus
        roughly[here] = about
        progress[SET] = here + 1
    return DONE
