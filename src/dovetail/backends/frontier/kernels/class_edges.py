"""Edges by class of move: which nodes have any, and where these are.

Most nodes have no edge of a given class. A bit for each node and class says which have one, so
that looking up a node without any reads a table that stays in the cache.
"""

import numpy as np

from dovetail.jit import kernel
from dovetail.kernels.bits import ones

ZERO, ONE = np.uint64(0), np.uint64(1)
WORD, WORD_SHIFT, LAST_BIT = 64, np.uint64(6), np.uint64(63)


@kernel(inline=True)
def pairs_in_block(nodes, first, last, edges, move_class):
    """Which of at most 64 nodes have edges of a class: `nodes[first + i]` is bit i."""
    low, base, present = np.uint64(edges.low), np.uint64(move_class * edges.words), edges.present
    begin, found = np.uint64(first), ZERO
    for place in range(np.uint64(last - first)):
        node = np.uint64(nodes[begin + place]) - low
        bit = (present[base + (node >> WORD_SHIFT)] >> (node & LAST_BIT)) & ONE
        found |= bit << place
    return found


@kernel(inline=True)
def pair_of(node, edges, move_class):
    """The number of the pair of a class and a node that has edges of it."""
    number = np.uint64(node) - np.uint64(edges.low)
    word = np.uint64(move_class * edges.words) + (number >> WORD_SHIFT)
    below = (ONE << (number & LAST_BIT)) - ONE
    return np.uint64(edges.before[word]) + ones(edges.present[word] & below)


@kernel(inline=True)
def count_ends(node, edges, move_class):
    """How many edges of a class a node has."""
    if pairs_in_block((node,), 0, 1, edges, move_class) == ZERO:
        return np.int64(0)
    only = np.int64(edges.only[pair_of(node, edges, move_class)])
    return np.int64(1) if only >= 0 else np.int64(edges.several[~only])


@kernel(inline=True)
def nth_end(node, edges, move_class, nth):
    """The node at the other end of an edge of a node, the first of its class being number 0."""
    only = np.int64(edges.only[pair_of(node, edges, move_class)])
    return only if only >= 0 else np.int64(edges.several[~only + 1 + nth])


@kernel
def mark_pairs(edges, class_of_move, nodes, words, present):
    """Mark the pairs of a class of move and a node that have edges.

    The nodes are a `NodeRange` of `layout`, whose `low` is a multiple of 64. `edges` are its
    `Edges`, by the node that they leave. `present`, zeros before, becomes that of its
    `EdgesByClass`.
    """
    low, high, by_target, reach = nodes.low, nodes.high, nodes.by_target, nodes.reach
    first_edge, to, move = edges.first, edges.end, edges.move
    first, last = (reach, high) if by_target else (low, high)
    for node in range(first, last):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if low <= near < high:
                word = np.int64(class_of_move[move[edge]]) * words + (near - low) // WORD
                present[word] |= ONE << np.uint64((near - low) % WORD)


@kernel
def count_pairs(present, before):
    """How many pairs there are; `before`, int64, becomes how many lie before each word."""
    pairs = np.int64(0)
    for word in range(len(present)):
        before[word] = pairs
        pairs += np.int64(ones(present[word]))
    return pairs


@kernel
def count_edges(edges, class_of_move, nodes, found):
    """Count the edges of the pairs that `mark_pairs` has marked: `found.only`, zeros before."""
    low, high, by_target, reach = nodes.low, nodes.high, nodes.by_target, nodes.reach
    first_edge, to, move, only = edges.first, edges.end, edges.move, found.only
    first, last = (reach, high) if by_target else (low, high)
    for node in range(first, last):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if low <= near < high:
                only[pair_of(near, found, np.int64(class_of_move[move[edge]]))] += 1


@kernel
def lay_out(only):
    """Make room for the ends of pairs that have several; `only` has how many each has at first.

    Returns how many entries that takes: before the ends there is one with their number.
    """
    entries = np.int64(0)
    for pair in range(len(only)):
        count = np.int64(only[pair])
        only[pair] = 0 if count == 1 else ~entries
        entries += 0 if count == 1 else count + 1
    return entries


@kernel
def place_edges(edges, class_of_move, nodes, found):
    """Write the ends of the edges that `count_edges` has counted.

    `found.only` is what `lay_out` has left, and `found.several` zeros before.
    """
    low, high, by_target, reach = nodes.low, nodes.high, nodes.by_target, nodes.reach
    first_edge, to, move = edges.first, edges.end, edges.move
    only, several = found.only, found.several
    first, last = (reach, high) if by_target else (low, high)
    for node in range(first, last):
        for edge in range(first_edge[node], first_edge[node + 1]):
            near = np.int64(to[edge]) if by_target else node
            if low <= near < high:
                end = node if by_target else np.int64(to[edge])
                pair = pair_of(near, found, np.int64(class_of_move[move[edge]]))
                if only[pair] >= 0:
                    only[pair] = end
                else:
                    count = ~np.int64(only[pair])
                    several[count] += 1
                    several[count + several[count]] = end


@kernel
def range_of_ends(edges, classes, first_node, last_node):
    """The least and the largest node at the other ends of edges of nodes in a range.

    The range ends before `last_node`; nodes are numbered from `edges.low` on, and pairs of words
    that lie in it in part are looked at whole. 0 and −1 where there is no edge.
    """
    present, before, only, several = edges.present, edges.before, edges.only, edges.several
    lowest, highest = np.int64(2**62), np.int64(-1)
    first_word, last_word = first_node // WORD, (last_node + WORD - 1) // WORD
    for move_class in range(classes):
        base = move_class * edges.words
        if first_word == last_word:
            continue
        last = base + last_word - 1
        last_pair = before[last] + np.int64(ones(present[last]))
        for pair in range(before[base + first_word], last_pair):
            end = np.int64(only[pair])
            if end >= 0:
                lowest, highest = min(lowest, end), max(highest, end)
                continue
            for place in range(~end + 1, ~end + 1 + several[~end]):
                lowest = min(lowest, np.int64(several[place]))
                highest = max(highest, np.int64(several[place]))
    return (lowest, highest) if highest >= 0 else (np.int64(0), highest)
