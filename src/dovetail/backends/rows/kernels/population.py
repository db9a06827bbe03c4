"""Random samples of each level of the tree, grown from one level to the next.

Source: R. Rubinstein, "Stochastic enumeration method for counting NP-hard problems", Methodology
and Computing in Applied Probability 15, 2013; R. Vaisman and D. Kroese, "Stochastic enumeration
method for counting trees", the same 19, 2017. Descents that go on alone mostly end before the
levels where a board has most of its nodes; in a population others take their places.
"""

import numpy as np

from dovetail.backends.rows.kernels.layout import (
    COLOUR_MASK,
    EARLIER,
    FRAME_BITS,
    MASK,
    NEIGHBOURS,
    PLAN_BITS,
    SHIFT,
    SLOT_BITS,
    START,
    WORD,
    WORDS,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.random_stream import reservoir_place

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def grow(tables, others, population, start, row, random, sizes):
    """Write an estimate of the nodes of each level into each row of `sizes`; returns nodes made.

    `tables`, `others` (or None) and `population` are the `Tables`, `OtherWords` and `Population` of
    `layout`. `start` (w + 1,), uint64, has the slots that can be taken when nothing lies on the
    board, and `row` is that of `masks` for the first cell. `random` is the state of a random
    stream; `sizes` (estimates, n), float64, holds zeros.

    The children of a level's sample are counted. The sample of the next level is all of them, or
    as many as the capacity allows, each as likely as any other: a reservoir (J. Vitter 1985).
    """
    plan, step, masks, shows = tables.plan, tables.step, tables.masks, tables.shows
    taken, free, demands = tables.taken, population.free, population.demands
    before, entries, slots = population.chosen
    words, capacity = np.uint64(len(start)), np.uint64(len(before))
    cells = np.uint64(sizes.shape[1])
    made = ZERO
    for estimate in range(len(sizes)):
        for word in range(words):
            free[word] = start[word]
        weight, living, here, there = 1.0, ONE, ZERO, capacity
        for depth in range(cells):
            first = plan[(depth << PLAN_BITS) + WORD]
            count = plan[(depth << PLAN_BITS) + WORDS]
            born = ZERO
            for node in range(living):
                fitting = row
                if depth > ZERO:
                    fitting = row_of(plan, step, demands, (here + node) * cells, depth)
                at = (here + node) * words + first
                for word in range(count):
                    left = masks[fitting + word] & free[at + word]
                    while left != ZERO:
                        bit = trailing_zeros(left)
                        left &= left - ONE
                        place = reservoir_place(random, born, capacity)
                        born += ONE
                        if place < capacity:
                            before[place] = node
                            entries[place] = (fitting + word) << SLOT_BITS | bit
                            slots[place] = (first + word) << SLOT_BITS | bit
            if born == ZERO:
                break
            made += born
            sizes[estimate, depth] = weight * np.float64(born)
            if born > capacity:
                weight *= np.float64(born) / np.float64(capacity)
            living = min(born, capacity)
            for node in range(living):
                old, new = here + before[node], there + node
                for word in range(words):
                    free[new * words + word] = free[old * words + word]
                for earlier in range(depth):
                    demands[new * cells + earlier] = demands[old * cells + earlier]
                demands[new * cells + depth] = shows[entries[node]]
                slot = slots[node]
                free[new * words + (slot >> SLOT_BITS)] ^= taken[slot]
                if others is not None:
                    free[new * words + others.word[slot]] ^= others.change[slot]
            here, there = there, here
    return made


@kernel(inline=True)
def row_of(plan, step, demands, at, depth):
    """The row of `masks` for the next cell of a node, whose demands begin at `at`."""
    here = (depth - ONE) << PLAN_BITS
    state = plan[here + START]
    for k in range(plan[here + EARLIER]):
        one = here + NEIGHBOURS + (k << ONE)
        seen = demands[at + (plan[one] >> FRAME_BITS)]
        state = np.uint64(step[state + (seen >> plan[one + ONE] & COLOUR_MASK)])
    last = demands[at + depth - ONE]
    return np.uint64(step[state + (last >> plan[here + SHIFT] & plan[here + MASK])])
