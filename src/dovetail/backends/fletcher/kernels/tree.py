"""Fletcher's search: one tree of cell tests for all orientations, as one resumable kernel.

Source: Fletcher 1965, as Busche 2018 describes it. The tree is a program in preorder: when a
cell is not open it goes on behind all that is below, and at a leaf it asks whether a copy of the
piece is left. All of the tree is gone through before anything is placed, which spares coming
back into its middle; tests, placements made and their number are those of the article.
"""

import numpy as np

from dovetail.backends.fletcher.kernels.layout import (
    BUFFERED,
    CELL_TESTS,
    DESCEND,
    FITS,
    FITTING,
    PHASE,
    POSITION,
    REMAINING,
    RETURN,
    SOLUTIONS,
    WAITING,
    WINDOW,
)
from dovetail.backends.fletcher.kernels.window import (
    ONE,
    ZERO,
    at_first_open,
    covered,
    is_free,
    keep,
    loaded,
)
from dovetail.jit import kernel
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT


@kernel
def search(
    tested,
    skip,
    leaf,
    shape_at,
    shape,
    masks,
    copies,
    at_first,
    places,
    window,
    pieces,
    stack,
    width,
    solutions,
    progress,
    nodes,
):
    """Search on, until done, `nodes` more fits are made, or the buffer is full.

    p pieces to place, n shapes, o orientations, m steps, w words of the window.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tested` | (m · w,) | uint64 | the cell that a step tests, as a mask |
    | `skip` | (m,) | uint64 | the step behind all that is below this one |
    | `leaf` | (m,) | uint64 | the orientation whose leaf a step is; any for none |
    | `shape_at` | (m,) | uint64 | the shape of that orientation; n for none |
    | `shape` | (o,) | uint64 | which shape an orientation has |
    | `masks` | (o · w,) | uint64 | the cells of each orientation and the target |
    | `copies` | (n + 1,) | uint64 | copies left of each shape; then 0 |
    | `at_first` | (`places` · w,) | uint64 | see `window.at_first_open` |
    | `window` | w words | uint64 | tells how many; the words are in `stack` |
    | `stack` | ((p + 1) · width,) | uint64 | by pieces remaining; see `layout` |
    | `solutions` | (rows, p) | uint64 | orientation · `places` + place of its target, filled up
    to progress[BUFFERED] |
    | `progress` | (5,) | uint64 | see `layout` |
    """
    found = WINDOW + np.uint64(len(window))
    steps = np.uint64(len(skip))
    phase, row, top = progress[PHASE], progress[REMAINING] * width, pieces * width
    window, position = loaded(window, stack, row + WINDOW), stack[row + POSITION]
    left, tests = nodes, ZERO
    reason = EXHAUSTED
    while True:
        if phase == DESCEND:
            if row == ZERO:
                for k in range(pieces):
                    at = top - k * width
                    one = stack[at + found + stack[at + WAITING]]
                    solutions[progress[BUFFERED], k] = one * places + stack[at + POSITION]
                progress[BUFFERED] += ONE
                progress[SOLUTIONS] += ONE
                phase = RETURN
                if progress[BUFFERED] == np.uint64(len(solutions)):
                    reason = BUFFER_FULL
                    break
                continue
            if left == ZERO:
                reason = WORK_SPENT
                break
            window, position = at_first_open(window, position, at_first)
            waiting, step = ZERO, ZERO
            while step < steps:
                tests += ONE
                if is_free(window, tested, step):
                    stack[row + found + waiting] = leaf[step]  # overwritten if none is left
                    waiting += ONE if copies[shape_at[step]] else ZERO
                    step += ONE
                else:
                    step = skip[step]
            keep(window, stack, row + WINDOW)
            stack[row + POSITION], stack[row + FITTING] = position, waiting
        else:
            if row == top:
                break
            row += width
            window, position = loaded(window, stack, row + WINDOW), stack[row + POSITION]
            waiting = stack[row + WAITING]
            copies[shape[stack[row + found + waiting]]] += ONE
        if waiting == ZERO:
            phase = RETURN
            continue
        waiting -= ONE
        stack[row + WAITING] = waiting
        one = stack[row + found + waiting]
        window = covered(window, masks, one)
        copies[shape[one]] -= ONE
        stack[row + FITS] += ONE
        left -= ONE
        row -= width
        phase = DESCEND
    if phase == DESCEND:
        keep(window, stack, row + WINDOW)
        stack[row + POSITION] = position
    progress[REMAINING], progress[PHASE] = row // width, phase
    progress[CELL_TESTS] += tests
    return reason
