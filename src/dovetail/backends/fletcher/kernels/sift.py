"""What fits at a target, by Fletcher's tree or by de Bruijn's list.

Sources: Fletcher 1965 and N. G. de Bruijn 1971, as Busche 2018 describes them. All of the tree
or list is gone through before anything is placed, which spares coming back into its middle;
tests, placements made and their number are those of the article.
"""

import numpy as np

from dovetail.backends.fletcher.kernels.window import ONE, ZERO, is_free
from dovetail.jit import kernel
from dovetail.kernels.bits import ones


@kernel(inline=True)
def sift_by_tree(window, tested, skip, leaf, shape_at, copies, stack, at):
    """Write the orientations that fit into `stack` from `at` on; how many, and the tests made.

    The tree is a program in preorder: when a cell is not open it goes on behind all that is
    below, and at a leaf it asks whether a copy of the piece is left.
    """
    steps = np.uint64(len(skip))
    waiting, tests, step = ZERO, ZERO, ZERO
    while step < steps:
        tests += ONE
        if is_free(window, tested, step):
            stack[at + waiting] = leaf[step]  # to be overwritten if none is left
            waiting += ONE if copies[shape_at[step]] else ZERO
            step += ONE
        else:
            step = skip[step]
    return waiting, tests


@kernel(inline=True)
def sift_by_list(window, begin, masks, copies, stack, at):
    """The same by one orientation after another, and how many have been tried.

    Whether a copy of a piece is left is asked first, here once for all its orientations; then
    their cells are tested one after another, here all at once, and counted up to the first that
    is not open.
    """
    shapes = np.uint64(len(begin)) - ONE
    waiting, tests, tried = ZERO, ZERO, ZERO
    for s in range(shapes):
        if copies[s] == ZERO:
            continue
        tried += begin[s + ONE] - begin[s]
        for one in range(begin[s], begin[s + ONE]):
            tests += tests_made(window, masks, one)
            stack[at + waiting] = one  # to be overwritten if it does not fit
            waiting += ONE if is_free(window, masks, one) else ZERO
    return waiting, tests, tried


@kernel(inline=True)
def tests_made(window, masks, number):
    """How many cells of mask `number` are tested, in their order, up to one that is not open.

    The target is open and is not tested.
    """
    at = number * np.uint64(len(window))
    tests = ZERO
    for w in range(len(window)):
        mask = masks[at + np.uint64(w)]
        taken = window[w] & mask
        if taken:
            return tests + ones(mask & ((taken & (ZERO - taken)) - ONE))
        tests += ones(mask)
    return tests - ONE
