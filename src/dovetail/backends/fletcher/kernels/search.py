"""The search of both programs as a resumable kernel; the programs differ only in the sifting.

The kernel has a window on the board, a tuple of uint64 words. Bit 0 is the target, and bit k is the
cell k places after the target in the row. A bit is set if the cell is not open. The window is as
long as the pieces reach from a target, so that all cells after the window are as before the search.
These cells are read from a table when the window reaches them.

The whole tree or list is sifted before a piece is placed, so that the kernel never has to resume in
the middle of a sifting. The tests and the placements made are those of Busche's article.

Sources: Fletcher 1965 and N. G. de Bruijn 1971, as Busche 2018 describes them.
"""

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
from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import keep, loaded, ones, trailing_zeros
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    DESCENT,
    EXHAUSTED,
    LEVEL,
    PHASE,
    SOLUTIONS,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below

ZERO, ONE = np.uint64(0), np.uint64(1)
WORD_BITS, LAST_BIT = np.uint64(64), np.uint64(63)
FULL_WORD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def covered(window, masks, number):
    """Return the window with the cells of mask `number` filled."""
    at = number * np.uint64(len(window))
    for w in range(len(window)):
        window = tuple_setitem(window, w, window[w] | masks[at + np.uint64(w)])
    return window


@kernel(inline=True)
def is_free(window, masks, number):
    """Return whether all cells of mask `number` are open."""
    at = number * np.uint64(len(window))
    taken = ZERO
    for w in range(len(window)):
        taken |= window[w] & masks[at + np.uint64(w)]
    return taken == ZERO


@kernel(inline=True)
def at_first_open(window, position, at_first):
    """Return the window moved on to the first open cell, and the place of this cell.

    `at_first` has the words of the window at every place of the board before the search, shape
    (places · words,). There must be an open cell.
    """
    words = np.uint64(len(window))
    while window[0] == FULL_WORD:
        position += WORD_BITS
        for w in range(len(window)):
            word = window[w + 1] if w + 1 < len(window) else ZERO
            word |= at_first[position * words + np.uint64(w)]
            window = tuple_setitem(window, w, word)
    passed = trailing_zeros(~window[0])
    position += passed
    for w in range(len(window)):
        later = window[w + 1] if w + 1 < len(window) else ZERO
        word = window[w] >> passed | later << ONE << (LAST_BIT - passed)
        word |= at_first[position * words + np.uint64(w)]
        window = tuple_setitem(window, w, word)
    return window, position


@kernel(inline=True)
def sift_by_tree(window, tested, skip, leaf, shape_at, copies, stack, at):
    """Write the orientations that fit into `stack` from `at` on.

    The steps of the tree are in preorder: if a cell is not open, the steps below it are skipped. An
    orientation is kept at its leaf if a copy of its piece is left. Returns the numbers of
    orientations kept and of tests made.
    """
    steps = np.uint64(len(skip))
    waiting, tests, step = ZERO, ZERO, ZERO
    while step < steps:
        tests += ONE
        if is_free(window, tested, step):
            stack[at + waiting] = leaf[step]  # overwritten if no copy is left
            waiting += ONE if copies[shape_at[step]] else ZERO
            step += ONE
        else:
            step = skip[step]
    return waiting, tests


@kernel(inline=True)
def sift_by_list(window, begin, masks, copies, stack, at):
    """Write the orientations that fit into `stack` from `at` on, by a list of orientations.

    De Bruijn's program skips an orientation if no copy of its piece is left, and else tests its
    cells up to the first that is not open. Here copies are tested once for each piece, and all
    cells at once, but the tests are counted as in his program. Returns the numbers of orientations
    that fit, of tests, and of orientations tried.
    """
    shapes = np.uint64(len(begin)) - ONE
    waiting, tests, tried = ZERO, ZERO, ZERO
    for s in range(shapes):
        if copies[s] == ZERO:
            continue
        tried += begin[s + ONE] - begin[s]
        for orientation in range(begin[s], begin[s + ONE]):
            tests += tests_made(window, masks, orientation)
            stack[at + waiting] = orientation  # overwritten if the orientation does not fit
            waiting += ONE if is_free(window, masks, orientation) else ZERO
    return waiting, tests, tried


@kernel(inline=True)
def tests_made(window, masks, number):
    """Return the number of cells of mask `number` tested until a cell is not open.

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


@kernel(inline=True)
def branch_taken(guide, descent, depth, rows, at, waiting):
    """Write to `rows[at]` the orientation that a descent takes next.

    Returns 1, or 0 if the descent ends here. The number of branches and the number of placements
    are written to `guide`.
    """
    paths, left = guide.paths, ZERO
    guide.widths[descent, depth] = np.float64(waiting)
    guide.placed[descent, depth] = np.int64(depth)
    if waiting > ZERO:
        if paths[descent, depth] == RANDOM:
            paths[descent, depth] = below(guide.random, waiting)
        if paths[descent, depth] != END:
            rows[at] = rows[at + waiting - ONE - paths[descent, depth]]
            left = ONE
    return left


@kernel
def search(tree, tables, at_first, stack, window, solutions, guide, nodes):
    """Continue the search for at most `nodes` more placements; return why the slice ended.

    The slice also ends at the end of the search and when `solutions` is full.

    `tree`, `tables` and `stack` are the `Tree`, `FletcherTables` and `FletcherStack` of `layout`.
    `tree` is None to sift by the list; the kernel is compiled with the code for one of the two.
    `guide` (see `shared.kernels.guide`) is None if no descents are made. `window` is a tuple of w
    words, of which only the length is used. p is the number of pieces to place.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `at_first` | (`places` · w,) | uint64 | see `at_first_open` |
    | `solutions` | (rows, p) | uint64 | orientation · `places` + place of its target |

    The first `state[BUFFERED]` rows of `solutions` are filled.
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
                if guide is not None:
                    guide.solved[state[DESCENT]] = ONE
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
            if guide is not None:
                depth = (top - row) // width
                waiting = branch_taken(guide, state[DESCENT], depth, rows, row + found, waiting)
        else:
            if row == top:
                break
            row += width
            window, position = loaded(window, rows, row + WINDOW), rows[row + POSITION]
            waiting = rows[row + WAITING]
            copies[shape[rows[row + found + waiting]]] += ONE
            if guide is not None:
                following, depth = state[DESCENT] + ONE, (top - row) // width
                if following < np.uint64(len(guide.paths)) and depth <= guide.begins[following]:
                    state[DESCENT] = following
                    phase = DESCEND
                    continue
        if waiting == ZERO:
            phase = RETURN
            continue
        waiting -= ONE
        rows[row + WAITING] = waiting
        orientation = rows[row + found + waiting]
        window = covered(window, masks, orientation)
        copies[shape[orientation]] -= ONE
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
    """Write the placements made into `solution`, from the first on.

    This function is not inlined, so that its variables take no registers from the search.
    """
    for k in range(pieces):
        at = (pieces - k) * width
        orientation = rows[at + found + rows[at + WAITING]]
        solution[k] = orientation * places + rows[at + POSITION]
