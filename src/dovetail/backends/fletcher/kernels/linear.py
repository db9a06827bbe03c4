"""De Bruijn's search: one orientation after another, as one resumable kernel.

Source: N. G. de Bruijn 1971, as Busche 2018 shows it. Whether a copy of a piece is left is
asked first, here once for all its orientations; then their cells are tested one after another,
here all at once, and counted up to the first that is not open. As in `tree`, the whole list is
gone through before anything is placed.
"""

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
from dovetail.kernels.bits import ones
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT


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


@kernel
def search(
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

    p pieces to place, n shapes, o orientations, w words of the window.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (n + 1,) | uint64 | the first orientation of each shape, and behind the last |
    | `shape` | (o,) | uint64 | which shape an orientation has |
    | `masks` | (o · w,) | uint64 | the cells of each orientation and the target |
    | `copies` | (n + 1,) | uint64 | copies left of each shape |
    | `at_first` | (`places` · w,) | uint64 | see `window.at_first_open` |
    | `window` | w words | uint64 | tells how many; the words are in `stack` |
    | `stack` | ((p + 1) · width,) | uint64 | by pieces remaining; see `layout` |
    | `solutions` | (rows, p) | uint64 | orientation · `places` + place of its target, filled up
    to progress[BUFFERED] |
    | `progress` | (5,) | uint64 | see `layout` |
    """
    found = WINDOW + np.uint64(len(window))
    shapes = np.uint64(len(begin)) - ONE
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
            waiting, tried = ZERO, ZERO
            for s in range(shapes):
                if copies[s] == ZERO:
                    continue
                tried += begin[s + ONE] - begin[s]
                for one in range(begin[s], begin[s + ONE]):
                    tests += tests_made(window, masks, one)
                    stack[row + found + waiting] = one  # to be overwritten if it does not fit
                    waiting += ONE if is_free(window, masks, one) else ZERO
            stack[row + ATTEMPTS] += tried
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
