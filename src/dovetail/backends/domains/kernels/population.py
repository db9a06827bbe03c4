"""Random samples of each level of the tree, grown from one level to the next.

A level is made of the nodes with as many branchings before. Source: R. Rubinstein, "Stochastic
enumeration method for counting NP-hard problems", Methodology and Computing in Applied Probability
15, 2013.
"""

import numpy as np

from dovetail.backends.domains.kernels.domain import ONE, ZERO
from dovetail.backends.domains.kernels.search import search
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, NODES, PHASE
from dovetail.jit import kernel
from dovetail.kernels.bits import ones
from dovetail.kernels.random_stream import reservoir_place

TWO, ENDLESS = np.uint64(2), np.uint64(2**63)


@kernel
def grow(tables, words, stack, scratch, rules, population, random, sizes):
    """Write an estimate of the nodes into each row of `sizes`.

    Returns the nodes made, and how many of them were drawn because a level had more.

    `tables`, `words`, `stack`, `scratch`, `rules` and `population` are those of `layout`, `random`
    is the state of a random stream. `sizes` (estimates, n + 1), float64, holds zeros: column k gets
    the nodes that are made when n − k cells have several candidates left, the last column the
    solutions.

    The children of a level's sample are counted. The sample of the next level is all of them that
    nothing contradicts, or as many as the capacity allows, each as likely as any other: a reservoir
    (J. Vitter 1985). Failures are counted for the choice of cells, as a search counts them.
    """
    domains_at, records, branch = tables.domains_at, population.records, population.branch
    record_words, domain_words = words.record, np.uint64(len(words.domain))
    parents, places, bits = population.chosen
    cells, capacity = np.uint64(len(stack.weight)), np.uint64(len(parents))
    state = stack.state
    made, drawn = ZERO, ZERO
    for estimate in range(len(sizes)):
        for cell in range(cells):
            stack.weight[cell] = ZERO
        state[PHASE], state[LEVEL], state[NODES], state[BUFFERED] = ZERO, ZERO, ZERO, ZERO
        copy(population.root, ZERO, stack.records, ZERO, record_words)
        share, here, there = 1.0, ZERO, capacity
        living = advance(tables, words, stack, scratch, rules, population, ZERO, here)
        sizes[estimate, cells] += np.float64(state[BUFFERED])
        while living:
            born = ZERO
            for node in range(living):
                at = (here + node) * record_words
                several, candidates = ZERO, ZERO
                for word in range(words.cells):
                    several += ones(records[at + word])
                at += domains_at + branch[here + node] * domain_words
                for word in range(domain_words):
                    rest = records[at + word]
                    while rest:
                        candidates += ONE
                        place = reservoir_place(random, born, capacity)
                        born += ONE
                        if place < capacity:
                            parents[place], places[place] = node, word
                            bits[place] = rest & (ZERO - rest)
                        rest &= rest - ONE
                sizes[estimate, cells - several] += share * np.float64(candidates)
            if born > capacity:
                share *= np.float64(born) / np.float64(capacity)
                drawn += capacity
            living = ZERO
            for child in range(min(born, capacity)):
                parent = here + parents[child]
                copy(records, parent * record_words, stack.records, ZERO, record_words)
                at = domains_at + branch[parent] * domain_words
                for word in range(domain_words):
                    stack.records[at + word] = ZERO
                stack.records[at + places[child]] = bits[child]
                stack.branch[0] = branch[parent]
                state[LEVEL], state[NODES], state[BUFFERED] = ONE, ZERO, ZERO
                living += advance(
                    tables, words, stack, scratch, rules, population, ONE, there + living
                )
                made += ONE
                sizes[estimate, cells] += share * np.float64(state[BUFFERED])
            here, there = there, here
    return made, drawn


@kernel
def advance(tables, words, stack, scratch, rules, population, depth, place):
    """Make the node that is to be made at a depth of 0 or 1, and keep it at a place of the sample.

    Returns 1 if it branches: else nothing is kept, and `state` has what became of it.
    """
    state = stack.state
    search(tables, words, stack, scratch, population.solution, rules, depth, ENDLESS)
    if state[BUFFERED] or state[LEVEL] != depth + ONE:
        return ZERO
    size = words.record
    copy(stack.records, depth * size, population.records, place * size, size)
    population.branch[place] = stack.branch[depth]
    return ONE


@kernel
def copy(source, begin, target, to, count):
    """Copy so many words."""
    for word in range(count):
        target[to + word] = source[begin + word]
