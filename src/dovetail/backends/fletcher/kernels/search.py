"""The search of both programs as one resumable kernel: they differ in the sift alone."""

import numpy as np

from dovetail.backends.fletcher.kernels.layout import (
    ATTEMPTS,
    CELL_TESTS,
    DESCEND,
    FITS,
    FITTING,
    POSITION,
    RETURN,
    WAITING,
    WINDOW,
)
from dovetail.backends.fletcher.kernels.sift import sift_by_list, sift_by_tree
from dovetail.backends.fletcher.kernels.window import (
    ONE,
    ZERO,
    at_first_open,
    covered,
)
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, PHASE, SOLUTIONS
from dovetail.jit import kernel
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT
from dovetail.kernels.words import keep, loaded


@kernel
def search(tree, tables, at_first, stack, window, solutions, nodes):
    """Search on, until done, `nodes` more fits are made, or the buffer is full.

    `tree`, `tables` and `stack` are the `Tree`, `Tables` and `Stack` of `layout`. The tree is
    None to sift by the list, and then the kernel has no code for the tree; the other way round
    likewise. `window` is a tuple of w words, which tells how many there are.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `at_first` | (`places` · w,) | uint64 | see `window.at_first_open` |
    | `solutions` | (rows, p) | uint64 | orientation · `places` + place of its target |

    state[BUFFERED] rows of `solutions` are filled.
    """
    if tree is not None:
        tested, skip, leaf, shape_at = tree.tested, tree.skip, tree.leaf, tree.shape_at
    begin, shape, masks, places = tables.begin, tables.shape, tables.masks, tables.places
    rows, pieces, width = stack.rows, stack.pieces, stack.width
    copies, state = stack.copies, stack.state
    found = WINDOW + np.uint64(len(window))
    phase, row, top = state[PHASE], state[LEVEL] * width, pieces * width
    window, position = loaded(window, rows, row + WINDOW), rows[row + POSITION]
    left, tests = nodes, ZERO
    reason = EXHAUSTED
    while True:
        if phase == DESCEND:
            if row == ZERO:
                record(rows, pieces, width, found, places, solutions[state[BUFFERED]])
                state[BUFFERED] += ONE
                state[SOLUTIONS] += ONE
                phase = RETURN
                if state[BUFFERED] == np.uint64(len(solutions)):
                    reason = BUFFER_FULL
                    break
                if left == ZERO:
                    reason = WORK_SPENT
                    break
                continue
            if left == ZERO:
                reason = WORK_SPENT
                break
            window, position = at_first_open(window, position, at_first)
            if tree is None:
                waiting, made, tried = sift_by_list(window, begin, masks, copies, rows, row + found)
                rows[row + ATTEMPTS] += tried
            else:
                waiting, made = sift_by_tree(
                    window, tested, skip, leaf, shape_at, copies, rows, row + found
                )
            tests += made
            keep(window, rows, row + WINDOW)
            rows[row + POSITION], rows[row + FITTING] = position, waiting
        else:
            if row == top:
                break
            row += width
            window, position = loaded(window, rows, row + WINDOW), rows[row + POSITION]
            waiting = rows[row + WAITING]
            copies[shape[rows[row + found + waiting]]] += ONE
        if waiting == ZERO:
            phase = RETURN
            continue
        waiting -= ONE
        rows[row + WAITING] = waiting
        one = rows[row + found + waiting]
        window = covered(window, masks, one)
        copies[shape[one]] -= ONE
        rows[row + FITS] += ONE
        left -= ONE
        row -= width
        phase = DESCEND
    if phase == DESCEND:
        keep(window, rows, row + WINDOW)
        rows[row + POSITION] = position
    state[LEVEL], state[PHASE] = row // width, phase
    state[CELL_TESTS] += tests
    return reason


@kernel
def record(rows, pieces, width, found, places, solution):
    """Write down what has been placed, from the first on.

    Not inline: its registers are of more use to the search, which gains 15 % of its time by it.
    """
    for k in range(pieces):
        at = (pieces - k) * width
        one = rows[at + found + rows[at + WAITING]]
        solution[k] = one * places + rows[at + POSITION]
