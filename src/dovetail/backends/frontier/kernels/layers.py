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
def index_edges(first_edge, to, move, class_of_move, classes, low, high, by_target, reach):
    """The edges of some nodes, by class of move and by node.

    The nodes are those from `low` to `high` − 1 that edges leave, or, `by_target`, that they reach;
    then edges of nodes from `reach` on are looked at. Returns `start`, int64: the edges of kind k
    at node v begin at `start[k * (high − low) + v − low]`; and, int32, the nodes at their other
    ends.
    """
    width = high - low
    start = np.zeros(classes * width + 1, dtype=np.int64)
    first, last = (reach, high) if by_target else (low, high)
    for node in range(first, last):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if low <= near < high:
                start[np.int64(class_of_move[move[edge]]) * width + near - low + 1] += 1
    for entry in range(1, len(start)):
        start[entry] += start[entry - 1]
    ends = np.empty(start[-1], dtype=np.int32)
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
    return start, ends


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
def gather(
    link_first,
    link_end,
    link_class,
    weight,
    run,
    nodes,
    ways,
    low,
    width,
    start,
    ends,
    min_end,
    max_end,
    wanted,
    possible,
    ending,
    accepting,
    sums,
    touched,
    new_run,
    new_nodes,
    new_ways,
    progress,
    last_set,
):
    """Gather the states of sets from those of the sets that links lead to.

    For t sets to be gathered, s sets with states, k kinds, n nodes:

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `link_first` | (t + 1,) | int64 | where the links of each set begin |
    | `link_end`, `link_class` | (l,) | int32 | the set with states, and the class of move between |
    | `weight` | (k,) | uint64 | how many times a move of a kind counts |
    | `run`, `nodes`, `ways` | (s + 1,), (x,), (x,) | int64, int32, uint64 | their states |
    | `start`, `ends` | | int64, int32 | edges of `width` nodes from `low` on: `index_edges` |
    | `wanted` | (t,) | uint64 | the shapes that every state of a set must have possible |
    | `possible` | (n,) | uint64 | the shapes that are possible at a node |
    | `ending` | (t,) | uint8 | whether a set may be all that is used |
    | `accepting` | (a,) | int32 | nodes that are a way of their own in such a set |
    | `sums`, `touched` | (n,), (ceil(n / 64),) | uint64 | scratch, all 0 |
    | `new_run`, `new_nodes`, `new_ways` | (t + 1,), (y,), (y,) | | out: the states gathered |

    `min_end` and `max_end` are the least and the largest of `ends`, or 0 and −1.
    """
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
                    new_nodes[states], new_ways[states] = node, sums[node]
                    states += 1
                sums[node] = ZERO
        progress[STATES] = states
        progress[SET] = here + 1
        new_run[here + 1] = states
    return DONE


@kernel
def join(
    link_first,
    link_end,
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
    joined,
    roughly,
    progress,
    last_set,
):
    """Join the states of one layer with those of the next, which are counted from the other side.

    The arguments are those of `gather`, and of each set of the next layer its states from the
    other side; `joined`, uint64, becomes the number of solutions that go through it, modulo 2**64,
    and `roughly`, float64, the same in floating point.
    """
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
                        total += ways[state] * behind * times
                        about += float(ways[state]) * float(behind) * float(times)
        for state in range(behind_run[here], behind_run[here + 1]):
            sums[behind_nodes[state]] = ZERO
        joined[here], roughly[here] = total, about
        progress[SET] = here + 1
    return DONE
