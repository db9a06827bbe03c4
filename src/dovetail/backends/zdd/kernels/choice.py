"""Which item a state branches on."""

import numpy as np

from dovetail.backends.zdd.kernels import layout
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros

ZERO, ONE, TWO, SIX, LOW_SIX = (np.uint64(value) for value in (0, 1, 2, 6, 63))
FIXED, FORCED, FEWEST = (np.uint64(v) for v in (layout.FIXED, layout.FORCED, layout.FEWEST))
DEAD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def options_left(problem, live, live_at, item, limit):
    """How many live options an item has, counted until there are `limit`."""
    planes, plane = problem.planes, item * problem.live_words
    count = ZERO
    for word in range(problem.first_word[item], problem.last_word[item] + ONE):
        count += ones(live[live_at + word] & planes[plane + word])
        if count >= limit:
            break
    return count


@kernel
def choose(problem, choice, stack, level, affected, affected_at):
    """The item to branch on, DEAD where one that is open has no option; and the work it took.

    The items with a single option are those of the level in `stack.single`, and those that are
    found among the `affected`.
    """
    words, branching = problem.words, problem.branching
    key, live, single = stack.key, stack.live, stack.single
    at, live_at = level * words, level * problem.live_words
    best, fewest, work = DEAD, DEAD, ZERO
    for k in range(words):
        looked_at = key[at + k] & branching[k]
        if best == DEAD and looked_at != ZERO:
            best = (k << SIX) + trailing_zeros(looked_at)
        if choice == FIXED:
            continue
        if choice == FORCED:
            single[at + k] &= looked_at
            looked_at &= affected[affected_at + k]
        while looked_at:
            item = (k << SIX) + trailing_zeros(looked_at)
            bit = looked_at & (~looked_at + ONE)
            looked_at ^= bit
            work += ONE
            limit = TWO if choice == FORCED else fewest
            count = options_left(problem, live, live_at, item, limit)
            if count == ZERO:
                return DEAD, work
            if choice == FORCED:
                if count == ONE:
                    single[at + k] |= bit
            elif count < fewest:
                best, fewest = item, count
    if choice == FORCED:
        for k in range(words):
            if single[at + k]:
                return (k << SIX) + trailing_zeros(single[at + k]), work
    return best, work
