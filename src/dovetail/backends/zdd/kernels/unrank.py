"""The solution that has a number, found by going down a finished table."""

import numpy as np

from dovetail.backends.zdd.kernels.choice import DEAD, choose
from dovetail.backends.zdd.kernels.count import SIX, branch_on, has_enough, keep_live, take
from dovetail.backends.zdd.kernels.layout import BITS, BRANCH_SIZE, ITEM, LAST_WORD, WORD
from dovetail.backends.zdd.kernels.table import ONE, ZERO, find
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros

FORGOTTEN = -1


@kernel(inline=True)
def subtract(number, counts, begin, words):
    """Take a count off a number of so many words unless it is larger; whether it was taken off."""
    for step in range(words):
        k = words - ONE - step
        if number[k] != counts[begin + k]:
            if number[k] < counts[begin + k]:
                return False
            break
    borrow = ZERO
    for k in range(words):
        less = number[k] - borrow
        borrow = ONE if less > number[k] else ZERO
        rest = less - counts[begin + k]
        if rest > less:
            borrow = ONE
        number[k] = rest
    return True


@kernel
def unrank(problem, choice, stack, table, number, row):
    """Write the options of the solution with a number into `row`; returns which image is meant.

    `number`, (v,), uint64, lowest word first, is less than the number of solutions, and is used up.
    Solutions are numbered in the order of the search, those of an option that stands for several
    one image after another. −1 where a state on the way was forgotten. `stack` is that of a search
    that has not begun.
    """
    key, live, single, _, branches, _ = stack
    words, live_words, count_words = problem.words, problem.live_words, table.count_words
    image = level = ZERO
    if len(problem.first_word) == 0:
        return np.int64(image)
    item, _ = choose(problem, choice, stack, ZERO, problem.branching, ZERO)
    branch_on(problem, item, ZERO, stack)
    while True:
        at, live_at, branch = level * words, level * live_words, level * BRANCH_SIZE
        word, bits = branches[branch + WORD], branches[branch + BITS]
        last, plane = branches[branch + LAST_WORD], branches[branch + ITEM] * live_words
        below = at + words
        chosen = over = False
        option = ZERO
        while not chosen:
            while bits == ZERO:
                if word == last:
                    return FORGOTTEN
                word += ONE
                bits = live[live_at + word] & problem.planes[plane + word]
            option = (word << SIX) + trailing_zeros(bits)
            bits &= bits - ONE
            over = take(problem, option, key, at, below)
            counts, begin = table.one, ZERO
            if over:
                if not has_enough(problem, key, below):
                    continue
            else:
                known, slot = find(key, below, words, table)
                if not known:
                    continue  # no option is left for some item: such states are not kept
                counts, begin = table.slots, slot + words
            this_image = ZERO
            while this_image < problem.weight[option] and subtract(
                number, counts, begin, count_words
            ):
                this_image += ONE
            if this_image < problem.weight[option]:
                chosen = True
                if problem.weight[option] > ONE:
                    image = this_image
        row[level] = option
        if over:
            row[level + ONE :] = -1
            return np.int64(image)
        live_below = live_at + live_words
        keep_live(problem, option, key, below, live, live_at, live_below)
        for k in range(words):
            single[below + k] = single[at + k]
        item, _ = choose(problem, choice, stack, level + ONE, problem.affected, option * words)
        if item == DEAD:
            return FORGOTTEN
        level += ONE
        branch_on(problem, item, level, stack)
