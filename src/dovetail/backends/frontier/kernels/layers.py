"""States by the pieces used, and the number of ways to each state from a side of the board.

A layer has all s sets of pieces that a certain number of moves uses. A set has a run of states. A
state is a node of the automaton with the number of ways to it. The states of a run ascend by node.

Most nodes have no edge of a given class. A bit for each class and node says whether there is an
edge, so that looking up a node without edges reads a table that stays in the cache.

A set of pieces is packed into a number: some bits for each shape say how often the shape is used.

| argument | shape | dtype | meaning |
|---|---|---|---|
| `packed` | (s,) | uint64 | the sets of a layer |
| `volume` | (s,) | int64 | the least number of cells that each set fills |
| `classes`, `shapes` | | | `ClassUses`, `ShapeBits` |
| `place` | (2**bits,) | int32 | the number of each packed set in its layer, −1 for none |
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.layout import EXHAUSTED, WORD_BITS, WORK_SPENT

NOWHERE = -1
HERE, MADE = range(2)
ZERO, ONE = np.uint64(0), np.uint64(1)


class ClassUses(NamedTuple):
    """The shapes that k classes of moves use, u uses in total, and the cells that they fill.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (k + 1,) | int64 | the first use of each class |
    | `shape`, `times` | (u,) | int64, uint64 | the shape of each use, and how often it is used |
    | `packed` | (k,) | uint64 | the number that each class adds to a packed set |
    | `bars` | (k,) | uint64 | bits in a set for the class's shapes that may be used only once |
    | `many` | (k,) | uint8 | 1 if the class uses a shape that may be used several times |
    | `volume` | (k,) | int64 | the least number of cells that a move of the class fills |
    """

    first: NDArray[np.int64]
    shape: NDArray[np.int64]
    times: NDArray[np.uint64]
    packed: NDArray[np.uint64]
    bars: NDArray[np.uint64]
    many: NDArray[np.uint8]
    volume: NDArray[np.int64]


class ShapeBits(NamedTuple):
    """The place of each shape in a packed set, and the bounds on its uses.

    All arrays have shape (shapes,) and dtype uint64.

    | array | meaning |
    |---|---|
    | `shift`, `digit` | place of the lowest bit of a shape; mask of its bits after a right shift |
    | `min_count`, `max_count` | how often the shape must, and may, be used |
    """

    shift: NDArray[np.uint64]
    digit: NDArray[np.uint64]
    min_count: NDArray[np.uint64]
    max_count: NDArray[np.uint64]


class MadeSets(NamedTuple):
    """Sets as `next_sets` makes them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `packed`, `volume` | (room,) | uint64, int64 | the sets made so far, and their volumes |
    | `progress` | (2,) | int64 | the next set to start from, and the number of sets made |
    """

    packed: NDArray[np.uint64]
    volume: NDArray[np.int64]
    progress: NDArray[np.int64]


class AboutSets(NamedTuple):
    """Properties of the sets of a layer.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `complete` | (s,) | uint8 | 1 if the set uses each shape often enough |
    | `lacking`, `present` | (s,) | uint64 | shapes used too rarely, and shapes used, as bits |
    """

    complete: NDArray[np.uint8]
    lacking: NDArray[np.uint64]
    present: NDArray[np.uint64]


class SetLinks(NamedTuple):
    """The links between the sets of two layers, grouped by the sets of one layer.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (s + 1,) | int64 | the first link of each set |
    | `end`, `move_class` | (links,) | int32 | the set at the other end, and the class of the move |
    """

    first: NDArray[np.int64]
    end: NDArray[np.int32]
    move_class: NDArray[np.int32]


@kernel(inline=True)
def _fitting(packed, class_bars, first, by_end):
    """Return which of up to 64 classes, from `first` on, can be added to a set, as bits.

    If `by_end`, the result has the classes that can be taken from the set instead. Only shapes that
    may be used at most once are tested. The result is a mask, since half of the branches would be
    mispredicted.
    """
    fitting = ZERO
    for place in range(np.uint64(min(WORD_BITS, len(class_bars) - first))):
        bars = class_bars[np.uint64(first) + place]
        fitting |= np.uint64((packed & bars) == (bars if by_end else ZERO)) << place
    return fitting


@kernel
def _fits_many(here, move_class, classes, shapes):
    """Return whether a set leaves enough copies of the shapes that a class of moves uses."""
    for use in range(classes.first[move_class], classes.first[move_class + ONE]):
        shape = classes.shape[use]
        used = (here >> shapes.shift[shape]) & shapes.digit[shape]
        if used + classes.times[use] > shapes.max_count[shape]:
            return False
    return True


@kernel
def next_sets(packed, volume, cells, classes, shapes, place, made_sets):
    """Make the sets that follow from the sets `packed` by a further move, and their volumes.

    Sets that fill at most `cells` cells are added to `made_sets`, a `MadeSets`. Returns False if
    `made_sets` has no room for the sets from the next set of `packed`, else True. All entries of
    `place` are −1 before the first set and after the last.
    """
    made, made_volume, progress = made_sets.packed, made_sets.volume, made_sets.progress
    sets = progress[MADE]
    for here in range(progress[HERE], len(packed)):
        if sets + len(classes.packed) > len(made):
            progress[HERE], progress[MADE] = here, sets
            return False
        for block in range(0, len(classes.bars), WORD_BITS):
            fitting = _fitting(packed[here], classes.bars, block, False)
            while fitting != ZERO:
                move_class = np.uint64(block) + trailing_zeros(fitting)
                fitting &= fitting - ONE
                filled = volume[here] + classes.volume[move_class]
                if filled > cells:
                    continue
                if classes.many[move_class] and not _fits_many(
                    packed[here], move_class, classes, shapes
                ):
                    continue
                after = packed[here] + classes.packed[move_class]
                to = np.int64(place[after])
                if to != NOWHERE:
                    made_volume[to] = min(made_volume[to], filled)
                    continue
                place[after] = sets
                made[sets], made_volume[sets] = after, filled
                sets += 1
    for number in range(sets):
        place[made[number]] = NOWHERE
    progress[HERE], progress[MADE] = len(packed), sets
    return True


@kernel
def link(packed, others, classes, shapes, place, by_end, links):
    """Write the links between the sets `packed` and the sets `others`; return their number.

    The links leave the sets `packed`, or lead to these sets if `by_end`. Links are grouped by the
    sets `packed`. `links` has room for a link of each class for each set. All entries of `place`
    are −1 before and after.
    """
    for number in range(len(others)):
        place[others[number]] = number
    first, end, link_class = links.first, links.end, links.move_class
    count = np.uint64(0)
    for here in range(len(packed)):
        for block in range(0, len(classes.bars), WORD_BITS):
            fitting = _fitting(packed[here], classes.bars, block, by_end)
            while fitting != ZERO:
                move_class = np.uint64(block) + trailing_zeros(fitting)
                fitting &= fitting - ONE
                added = classes.packed[move_class]
                other = packed[here] - added if by_end else packed[here] + added
                if classes.many[move_class] and not _fits_many(
                    other if by_end else packed[here], move_class, classes, shapes
                ):
                    continue
                end[count], link_class[count] = place[other], move_class
                count += np.uint64(place[other] != NOWHERE)
        first[here + 1] = count
    for number in range(len(others)):
        place[others[number]] = NOWHERE
    return np.int64(count)


@kernel
def about(packed, shapes, found):
    """Write the properties of the sets `packed` to `found`, an `AboutSets`.

    Shapes beyond the 64th are left out of `lacking` and `present`.
    """
    shift, digit, min_count = shapes.shift, shapes.digit, shapes.min_count
    complete, lacking, present = found.complete, found.lacking, found.present
    for here in range(len(packed)):
        used_up, lacks, has = True, ZERO, ZERO
        for shape in range(len(shift)):
            used = (packed[here] >> shift[shape]) & digit[shape]
            bit = ONE << np.uint64(shape) if shape < 64 else ZERO
            is_enough = used >= min_count[shape]
            used_up &= is_enough
            lacks |= ZERO if is_enough else bit
            has |= bit if used > ZERO else ZERO
        complete[here], lacking[here], present[here] = used_up, lacks, has


# Steps of `index_edges`.
MARK, COUNT, PLACE = range(3)

# Entries of `progress`, int64: the set to be gathered next, the number of states, and the work
# that is left.
SET, STATES, WORK_LEFT = range(3)
PROGRESS_SIZE = 3

# A further reason for the end of a slice.
STATES_FULL = 100

WORD, WORD_SHIFT, LAST_BIT = 64, np.uint64(6), np.uint64(63)
GROUP = WORD * WORD


class Edges(NamedTuple):
    """The e edges of the automaton, grouped by the node at one end; there are n nodes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `first` | (n + 1,) | int64 | the first edge of each node |
    | `end`, `move` | (e,) | int32 | the node at the other end, and the move of the edge |
    """

    first: NDArray[np.int64]
    end: NDArray[np.int32]
    move: NDArray[np.int32]


class EdgesByClass(NamedTuple):
    """Edges grouped by the class of the move, of k classes, and by the node at one end.

    There are p pairs of a class and a node with edges. Node v is bit (v − `low`) % 64 of word (v −
    `low`) // 64 of a class. The entry of `only` for a pair with a single edge is the node at the
    other end. For a pair with several edges the entry is ~i, entry i of `several` is the number of
    these edges, and the nodes at the other ends follow.

    | field | shape | dtype | meaning |
    |---|---|---|---|
    | `low`, `words` | () | int64 | the first node, and the number of words of a class |
    | `present` | (k · `words`,) | uint64 | the nodes that have edges of each class, as bits |
    | `before` | (k · `words`,) | int64 | number of pairs before the pairs of each word |
    | `only` | (p,) | int32 | the node at the other end, or ~i, for each pair |
    | `several` | (entries,) | int32 | ends of pairs with several edges, after their number |
    | `min_end`, `max_end` | () | int64 | bounds, inclusive, of the nodes at the other ends |
    """

    low: int
    words: int
    present: NDArray[np.uint64]
    before: NDArray[np.int64]
    only: NDArray[np.int32]
    several: NDArray[np.int32]
    min_end: int = 0
    max_end: int = -1


class Layer(NamedTuple):
    """The x states of s sets: set i has states `run[i]` to `run[i + 1]` − 1, ascending by node.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `run` | (s + 1,) | int64 | the first state of each set |
    | `node` | (x,) | int32 | the node of each state |
    | `ways` | (x,) | uint64 | the number of ways to each state |
    """

    run: NDArray[np.int64]
    node: NDArray[np.int32]
    ways: NDArray[np.uint64]


class Transition(NamedTuple):
    """The transition from the states of a layer to the next layer.

    `links` are grouped by the sets of the next layer. `edges` are the edges of the nodes of
    `states`. `weight`, shape (k,), uint64, is how many times a move of each class counts. Ways are
    counted modulo `modulus`, or modulo 2**64 if `modulus` is 0.
    """

    links: SetLinks
    edges: EdgesByClass
    states: Layer
    weight: NDArray[np.uint64]
    modulus: np.uint64


class Kept(NamedTuple):
    """Conditions for states of t sets to be kept, and states that begin in these sets.

    A state is kept if all shapes that its set wants are possible at its node. In a complete set,
    each of the a accepting nodes gets 1 further way, without a link. n is the number of nodes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `wanted` | (t,) | uint64 | shapes that each set wants, as bits |
    | `possible` | (n,) | uint64 | shapes that are possible at each node, as bits |
    | `complete` | (t,) | uint8 | 1 if the set uses each shape often enough |
    | `accepting` | (a,) | int32 | the accepting nodes |
    """

    wanted: NDArray[np.uint64]
    possible: NDArray[np.uint64]
    complete: NDArray[np.uint8]
    accepting: NDArray[np.int32]


class Joined(NamedTuple):
    """The number of ways through each set of a layer: modulo the modulus, and roughly.

    | array | shape | dtype |
    |---|---|---|
    | `ways` | (sets,) | uint64 |
    | `roughly` | (sets,) | float64 |
    """

    ways: NDArray[np.uint64]
    roughly: NDArray[np.float64]


class GatherScratch(NamedTuple):
    """Room for the sums of a set, for n nodes; all 0 before and after.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sums` | (n,) | uint64 | number of ways to each node |
    | `touched` | (w = ceil(n / 64),) | uint64 | the nodes that have a sum, as bits |
    | `groups` | (ceil(w / 64),) | uint64 | the words of `touched` that are not 0, as bits |
    """

    sums: NDArray[np.uint64]
    touched: NDArray[np.uint64]
    groups: NDArray[np.uint64]


@kernel(inline=True)
def pairs_in_block(nodes, first, last, edges, move_class):
    """Return which of at most 64 nodes have edges of a class: `nodes[first + i]` is bit i."""
    low, base, present = np.uint64(edges.low), np.uint64(move_class * edges.words), edges.present
    begin, found = np.uint64(first), ZERO
    for place in range(np.uint64(last - first)):
        node = np.uint64(nodes[begin + place]) - low
        bit = (present[base + (node >> WORD_SHIFT)] >> (node & LAST_BIT)) & ONE
        found |= bit << place
    return found


@kernel(inline=True)
def pair_of(node, edges, move_class):
    """Return the number of the pair of a class and a node, which must have edges of this class."""
    number = np.uint64(node) - np.uint64(edges.low)
    word = np.uint64(move_class * edges.words) + (number >> WORD_SHIFT)
    below = (ONE << (number & LAST_BIT)) - ONE
    return np.uint64(edges.before[word]) + ones(edges.present[word] & below)


@kernel(inline=True)
def count_ends(node, edges, move_class):
    """Return the number of edges of a class that a node has; the result may be 0."""
    if pairs_in_block((node,), 0, 1, edges, move_class) == ZERO:
        return np.int64(0)
    only = np.int64(edges.only[pair_of(node, edges, move_class)])
    return np.int64(1) if only >= 0 else np.int64(edges.several[~only])


@kernel(inline=True)
def nth_end(node, edges, move_class, nth):
    """Return the node at the other end of edge `nth`, from 0, of a node's edges of a class."""
    only = np.int64(edges.only[pair_of(node, edges, move_class)])
    return only if only >= 0 else np.int64(edges.several[~only + 1 + nth])


@kernel
def index_edges(step, edges, class_of_move, by_target, first, high, found):
    """Do a step of building `EdgesByClass` for the nodes from `found.low` to `high` − 1.

    The nodes are sources of edges, or targets if `by_target`. Edges that leave nodes below `first`
    are left out. Step MARK writes `present`. COUNT writes the number of edges of each pair to
    `only`. After `lay_out`, PLACE writes the ends. An array must be 0 before the step that writes
    it.
    """
    low, words, present = found.low, found.words, found.present
    only, several = found.only, found.several
    first_edge, to, move = edges.first, edges.end, edges.move
    for node in range(first, high):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if not low <= near < high:
                continue
            move_class = np.int64(class_of_move[move[edge]])
            if step == MARK:
                word = move_class * words + (near - low) // WORD
                present[word] |= ONE << np.uint64((near - low) % WORD)
                continue
            pair = pair_of(near, found, move_class)
            end = node if by_target else np.int64(to[edge])
            if step == COUNT:
                only[pair] += 1
            elif only[pair] >= 0:
                only[pair] = end
            else:
                count = ~np.int64(only[pair])
                several[count] += 1
                several[count + several[count]] = end


@kernel
def lay_out(only):
    """Replace the numbers of edges in `only` by the positions of their ends in `several`.

    A pair with several edges gets ~i, where entry i of `several` is for the number of these edges
    and the next entries are for their ends. A pair with a single edge gets 0 and has no entries.
    Returns the number of entries of `several`.
    """
    entries = np.int64(0)
    for pair in range(len(only)):
        count = np.int64(only[pair])
        only[pair] = 0 if count == 1 else ~entries
        entries += 0 if count == 1 else count + 1
    return entries


@kernel
def gather(transition, kept, scratch, gathered, progress, last_set):
    """Gather the states of the sets from `progress[SET]` to `last_set` − 1.

    The states of a set follow from the states of the sets at the other ends of the set's links,
    which are in `transition`. The states are appended to `gathered`, a `Layer`. Returns why the
    slice ended.
    """
    edges, touched, groups = transition.edges, scratch.touched, scratch.groups
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK_LEFT] <= 0:
            return WORK_SPENT
        _, _, lookups = _follow(here, transition, scratch, True)
        first_group, last_group = edges.min_end // GROUP, edges.max_end // GROUP + 1
        if kept.complete[here]:
            for accepted in kept.accepting:
                _add(np.uint64(accepted), ONE, scratch)
                group = np.int64(accepted) // GROUP
                first_group, last_group = min(first_group, group), max(last_group, group + 1)
        states = progress[STATES]
        for group in range(first_group, last_group):
            words = groups[group]
            while words != ZERO:
                states += np.int64(ones(touched[np.uint64(group * WORD) + trailing_zeros(words)]))
                words &= words - ONE
        progress[WORK_LEFT] -= lookups + last_group - first_group
        is_full = states > len(gathered.node)  # then the set is gathered again by the next call
        states, modulus = progress[STATES], transition.modulus
        for group in range(first_group, last_group):
            states = _drain(here, group, kept, scratch, gathered, states, modulus, not is_full)
        if is_full:
            return STATES_FULL
        progress[STATES] = states
        progress[SET] = here + 1
        gathered.run[here + 1] = states
    return EXHAUSTED


@kernel
def join(transition, behind, scratch, joined, progress, last_set):
    """Join the states of a layer with `behind`, the next layer, whose ways count from the far side.

    For each set of the next layer, `joined` gets the number of solutions through the set. Returns
    why the slice ended.
    """
    run, nodes, ways, sums = behind.run, behind.node, behind.ways, scratch.sums
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK_LEFT] <= 0:
            return WORK_SPENT
        for state in range(run[here], run[here + 1]):
            sums[nodes[state]] = ways[state]
        total, about, lookups = _follow(here, transition, scratch, False)
        joined.ways[here], joined.roughly[here] = total, about
        progress[WORK_LEFT] -= lookups
        for state in range(run[here], run[here + 1]):
            sums[nodes[state]] = ZERO
        progress[SET] = here + 1
    return EXHAUSTED


@kernel
def join_between(nearby, beyond, kept, scratch, joined, progress, last_set):
    """Join the states of two layers by a layer between them, whose states are not kept.

    For each set of this layer, the ways to its nodes are summed, as `gather` does, and looked up
    from the other layer. `nearby` and `beyond` are the `Transition`s from either layer to the layer
    between. In a complete set, the sums at accepting nodes are solutions. Returns why the slice
    ended.
    """
    first_group, last_group = nearby.edges.min_end // GROUP, nearby.edges.max_end // GROUP + 1
    modulus, sums = nearby.modulus, scratch.sums
    while progress[SET] < last_set:
        here = progress[SET]
        if progress[WORK_LEFT] <= 0:
            return WORK_SPENT
        _, _, lookups = _follow(here, nearby, scratch, True)
        total, about, more_lookups = _follow(here, beyond, scratch, False)
        progress[WORK_LEFT] -= lookups + more_lookups + last_group - first_group
        if kept.complete[here]:
            for node in kept.accepting:
                total += _reduced(sums[np.uint64(node)], modulus)
                about += float(sums[np.uint64(node)])
        joined.ways[here], joined.roughly[here] = total, about
        states = progress[STATES]
        for group in range(first_group, last_group):
            states = _drain(here, group, kept, scratch, nearby.states, states, modulus, False)
        progress[STATES] = states
        progress[SET] = here + 1
    return EXHAUSTED


@kernel(inline=True)
def _drain(here, group, kept, scratch, gathered, states, modulus, writes):
    """Clear the sums of a group of nodes; return the number of states kept so far.

    If `writes` is True, the states are added to `gathered`.
    """
    sums, touched, groups = scratch.sums, scratch.touched, scratch.groups
    wanted, possible = kept.wanted, kept.possible
    new_nodes, new_ways = gathered.node, gathered.ways
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
            if writes:
                new_nodes[np.uint64(states)] = node
                new_ways[np.uint64(states)] = _reduced(sums[node], modulus)
            states += np.int64((wanted[here] & ~possible[node]) == ZERO)
            sums[node] = ZERO
    return states


@kernel(inline=True)
def _follow(here, transition, scratch, gathers):
    """Follow the links of a set; return the number of solutions, exact and rough, and the lookups.

    If `gathers` is True, the ways to the nodes at the ends of edges are added to the sums of
    `scratch`, and the numbers of solutions are 0. Otherwise the sums are the ways beyond these
    nodes. The exact number is modulo the modulus; the rough number is in floating point.
    """
    links, edges, states_of = transition.links, transition.edges, transition.states
    only, several, modulus = edges.only, edges.several, transition.modulus
    run, nodes, ways, sums = states_of.run, states_of.node, states_of.ways, scratch.sums
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
                through, behind = ways[state] * times, ZERO
                end = np.int64(only[pair])
                if end >= 0:
                    if gathers:
                        _add(np.uint64(end), through, scratch)
                    else:
                        behind = sums[np.uint64(end)]
                else:
                    begin = np.uint64(~end) + ONE
                    for place in range(begin, begin + np.uint64(several[begin - ONE])):
                        end_node = np.uint64(several[place])
                        if gathers:
                            _add(end_node, through, scratch)
                        else:
                            behind += _reduced(sums[end_node], modulus)
                if not gathers:
                    behind = _reduced(behind, modulus)
                    total += _reduced(ways[state] * behind * times, modulus)
                    about += float(ways[state]) * float(behind) * float(times)
    return _reduced(total, modulus), about, lookups


@kernel(inline=True)
def _reduced(ways, modulus):
    """Return a number of ways modulo the modulus, or unchanged if the modulus is 0."""
    return ways if modulus == ZERO else ways % modulus


@kernel(inline=True)
def _add(node, ways, scratch):
    """Add `ways` to the sum of a node."""
    sums, touched, groups = scratch.sums, scratch.touched, scratch.groups
    word = node >> WORD_SHIFT
    sums[node] += ways
    touched[word] |= ONE << (node & LAST_BIT)
    groups[word >> WORD_SHIFT] |= ONE << (word & LAST_BIT)
