"""The search of both programs as one resumable kernel: they differ in the sift alone."""

import numpy as np

from dovetail.backends.fletcher.kernels.layout import (
    ATTEMPTS,
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
from dovetail.backends.fletcher.kernels.sift import sift_by_list, sift_by_tree
from dovetail.backends.fletcher.kernels.window import (
    ONE,
    ZERO,
    at_first_open,
    covered,
)
from dovetail.jit import kernel
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT
from dovetail.kernels.words import keep, loaded


@kernel
def search(
    tested,
    skip,
    leaf,
    shape_at,
    begin,
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

    p pieces to place, n shapes, o orientations, m steps, w words of the window. The first four
    arrays are those of the tree. They are None to sift by the list, and then the kernel has no
    code for the tree; the other way round likewise. As one tuple they cost 5 % of the time.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tested` | (m · w,) | uint64 | the cell that a step tests, as a mask |
    | `skip` | (m,) | uint64 | the step behind all that is below this one |
    | `leaf` | (m,) | uint64 | the orientation whose leaf a step is; any for none |
    | `shape_at` | (m,) | uint64 | the shape of that orientation; n for none |
    | `begin` | (n + 1,) | uint64 | the first orientation of each shape, and behind the last |
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
            if skip is None:
                waiting, made, tried = sift_by_list(
                    window, begin, masks, copies, stack, row + found
                )
                stack[row + ATTEMPTS] += tried
            else:
                waiting, made = sift_by_tree(
                    window, tested, skip, leaf, shape_at, copies, stack, row + found
                )
            tests += made
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
