"""States by the pieces used: how many ways lead to each, from one side of the board.

A layer holds all sets of pieces that some number of moves uses. A set has a run of states, each a
node of the automaton, ascending, with the number of ways to it.
"""

import numpy as np

from dovetail.backends.frontier.kernels.class_edges import pair_of, pairs_in_block
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros

# Entries of `progress`, int64: the set to be gathered next, how many states there are, and the work
# that is left.
SET, STATES, WORK = range(3)
PROGRESS_SIZE = 3

# Why `gather` returns.
DONE, WORK_SPENT, STATES_FULL = range(3)

ZERO, ONE = np.uint64(0), np.uint64(1)
WORD, WORD_SHIFT, LAST_BIT = 64, np.uint64(6), np.uint64(63)
GROUP = WORD * WORD


@kernel
def gather(transition, pruning, endings, scratch, gathered, progress, last_set):
    """Gather the states of sets from those of the sets that links lead to.

    The sets are those from progress[SET] to `last_set` − 1. The other arguments are a
    `Transition`, `Pruning`, `Endings` and `Scratch` of `layout`; `gathered` is a `Layer` of it,
    with room for the states of all t sets.
    """
    min_end, max_end = transition.edges.min_end, transition.edges.max_end
    modulus = transition.modulus
    wanted, possible = pruning.wanted, pruning.possible
    ending, accepting = endings.complete, endings.accepting
    sums, touched, groups = scratch.sums, scratch.touched, scratch.groups
    new_run, new_nodes, new_ways = gathered.run, gathered.node, gathered.ways
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK] <= 0:
            return WORK_SPENT
        progress[WORK] -= _scatter(here, transition, scratch)
        first_group, last_group = min_end // GROUP, max_end // GROUP + 1
        if ending[here]:
            for accepted in accepting:
                _add(np.uint64(accepted), ONE, scratch)
                group = np.int64(accepted) // GROUP
                first_group, last_group = min(first_group, group), max(last_group, group + 1)
        states = progress[STATES]
        for group in range(first_group, last_group):
            words = groups[group]
            while words != ZERO:
                states += np.int64(ones(touched[np.uint64(group * WORD) + trailing_zeros(words)]))
                words &= words - ONE
        progress[WORK] -= last_group - first_group
        is_full = states > len(new_nodes)  # then as if this set had not been looked at
        states = progress[STATES]
        for group in range(first_group, last_group):
            words = groups[group]
            groups[group] = ZERO
            while words != ZERO:
                word = np.uint64(group * WORD) + trailing_zeros(words)
                words &= words - ONE
                bits = touched[word]
                touched[word] = ZERO
                while bits != ZERO:
                    node = (word << WORD_SHIFT) + trailing_zeros(bits)
                    bits &= bits - ONE
                    if not is_full:
                        ways = sums[node] if modulus == ZERO else sums[node] % modulus
                        new_nodes[np.uint64(states)], new_ways[np.uint64(states)] = node, ways
                        states += np.int64((wanted[here] & ~possible[node]) == ZERO)
                    sums[node] = ZERO
        if is_full:
            return STATES_FULL
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
    transition, behind = meeting.transition, meeting.behind
    behind_run, behind_nodes, behind_ways = behind.run, behind.node, behind.ways
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK] <= 0:
            return WORK_SPENT
        for state in range(behind_run[here], behind_run[here + 1]):
            sums[behind_nodes[state]] = behind_ways[state]
        joined[here], roughly[here], lookups = _through(here, transition, sums)
        progress[WORK] -= lookups
        for state in range(behind_run[here], behind_run[here + 1]):
            sums[behind_nodes[state]] = ZERO
        progress[SET] = here + 1
    return DONE


@kernel
def join_between(nearby, beyond, pruning, endings, scratch, joined, progress, last_set):
    """Join the states of two layers that have one between them, of which no state is kept.

    For each set of that layer the ways to its nodes are summed, as `gather` does, and looked up
    from the other layer. `nearby` and `beyond` are the `Transition`s from either layer to the one
    between, `pruning` and `endings` are of its sets, `joined` gets the ways through each, and the
    others are those of `gather` and `join`. The sums of sets that may be all that is used are
    solutions in accepting nodes.
    """
    min_end, max_end = nearby.edges.min_end, nearby.edges.max_end
    modulus = nearby.modulus
    sums, touched, groups = scratch.sums, scratch.touched, scratch.groups
    wanted, possible = pruning.wanted, pruning.possible
    complete, accepting = endings.complete, endings.accepting
    first_group, last_group = min_end // GROUP, max_end // GROUP + 1
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK] <= 0:
            return WORK_SPENT
        progress[WORK] -= _scatter(here, nearby, scratch) + last_group - first_group
        if modulus != ZERO:
            _reduce(first_group, last_group, modulus, scratch)
        total, about, lookups = _through(here, beyond, sums)
        progress[WORK] -= lookups
        if complete[here]:
            for node in accepting:
                total += sums[np.uint64(node)]
                about += float(sums[np.uint64(node)])
        joined.ways[here], joined.roughly[here] = total, about
        states = progress[STATES]
        for group in range(first_group, last_group):
            words = groups[group]
            groups[group] = ZERO
            while words != ZERO:
                word = np.uint64(group * WORD) + trailing_zeros(words)
                words &= words - ONE
                bits = touched[word]
                touched[word] = ZERO
                while bits != ZERO:
                    node = (word << WORD_SHIFT) + trailing_zeros(bits)
                    bits &= bits - ONE
                    states += np.int64((wanted[here] & ~possible[node]) == ZERO)
                    sums[node] = ZERO
        progress[STATES] = states
        progress[SET] = here + 1
    return DONE


@kernel(inline=True)
def _scatter(here, transition, scratch):
    """Add up the ways to the nodes that links of a set lead to; how many states were looked up."""
    links, edges, states_of = transition.links, transition.edges, transition.states
    only, several = edges.only, edges.several
    run, nodes, ways = states_of.run, states_of.node, states_of.ways
    lookups = np.int64(0)
    for link in range(links.first[here], links.first[here + 1]):
        source, move_class = links.end[link], np.int64(links.move_class[link])
        times, last = transition.weight[move_class], run[source + 1]
        lookups += last - run[source]
        for first in range(run[source], last, WORD):
            pending = pairs_in_block(nodes, first, min(last, first + WORD), edges, move_class)
            while pending != ZERO:
                state = np.uint64(first) + trailing_zeros(pending)
                pending &= pending - ONE
                pair = pair_of(nodes[state], edges, move_class)
                through = ways[state] * times
                end = np.int64(only[pair])
                if end >= 0:
                    _add(np.uint64(end), through, scratch)
                else:
                    begin = np.uint64(~end) + ONE
                    for place in range(begin, begin + np.uint64(several[begin - ONE])):
                        _add(np.uint64(several[place]), through, scratch)
    return lookups


@kernel(inline=True)
def _add(node, ways, scratch):
    """Add to the ways to a node."""
    sums, touched, groups = scratch.sums, scratch.touched, scratch.groups
    word = node >> WORD_SHIFT
    sums[node] += ways
    touched[word] |= ONE << (node & LAST_BIT)
    groups[word >> WORD_SHIFT] |= ONE << (word & LAST_BIT)


@kernel(inline=True)
def _reduce(first_group, last_group, modulus, scratch):
    """Take the ways to the nodes of some groups by the modulus."""
    sums, touched, groups = scratch.sums, scratch.touched, scratch.groups
    for group in range(first_group, last_group):
        words = groups[group]
        while words != ZERO:
            word = np.uint64(group * WORD) + trailing_zeros(words)
            words &= words - ONE
            bits = touched[word]
            while bits != ZERO:
                sums[(word << WORD_SHIFT) + trailing_zeros(bits)] %= modulus
                bits &= bits - ONE


@kernel(inline=True)
def _through(here, transition, sums):
    """How many solutions the links of a set lead to, where `sums` are the ways beyond its nodes.

    By the modulus, and roughly, in floating point; and how many states were looked up.
    """
    links, edges, states_of = transition.links, transition.edges, transition.states
    only, several, modulus = edges.only, edges.several, transition.modulus
    run, nodes, ways = states_of.run, states_of.node, states_of.ways
    total, about, lookups = ZERO, 0.0, np.int64(0)
    for link in range(links.first[here], links.first[here + 1]):
        source, move_class = links.end[link], np.int64(links.move_class[link])
        times, last = transition.weight[move_class], run[source + 1]
        lookups += last - run[source]
        for first in range(run[source], last, WORD):
            pending = pairs_in_block(nodes, first, min(last, first + WORD), edges, move_class)
            while pending != ZERO:
                state = np.uint64(first) + trailing_zeros(pending)
                pending &= pending - ONE
                pair = pair_of(nodes[state], edges, move_class)
                end, behind = np.int64(only[pair]), ZERO
                if end >= 0:
                    behind = sums[np.uint64(end)]
                else:
                    begin = np.uint64(~end) + ONE
                    for place in range(begin, begin + np.uint64(several[begin - ONE])):
                        behind += sums[np.uint64(several[place])]
                if modulus != ZERO:
                    behind %= modulus
                through = ways[state] * behind * times
                total += through if modulus == ZERO else through % modulus
                about += float(ways[state]) * float(behind) * float(times)
    return total if modulus == ZERO else total % modulus, about, lookups
