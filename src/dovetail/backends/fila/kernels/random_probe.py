"""Random descents through the tree of the fixed image list algorithm.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
Computation 29, 1975. A descent takes one of the images that fit over every target, each with the
same probability; the images over a target count as often as all numbers of images before them
multiplied. The tree is the one of `reference`, image for image.

That kernel's choice of a key and its passage through the lists are written out here again: with
the choice in a helper of both it takes 1.0 s instead of 0.8 s (6x10, redundancy, stages=e).
"""

import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from dovetail.backends.fila.kernels.board import ONE, SIX, ZERO, complement, toggled, toggled_bit
from dovetail.backends.fila.kernels.layout import ESTIMATE, FIRST
from dovetail.backends.fila.kernels.reference import (
    FITTING,
    GROUP,
    LARGEST,
    LOW_AT,
    SHAPE_SHIFT,
    WHERE,
    fewest_fits,
    fewest_open,
    first_key,
    fitting_images,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.random_stream import below


@kernel
def random_probe(
    near,
    cells,
    adjacent,
    first_bits,
    any_bits,
    any_base,
    full,
    start,
    masks,
    stride,
    images,
    shapes,
    heuristic,
    copies,
    board,
    available,
    remaining,
    stop,
    stack,
    boards,
    copies_left,
    estimates,
    reached,
    made,
    random,
):
    """Make m descents from each begin, with `remaining` pieces to place, down to `stop`.

    The arguments up to `available` are those of `reference.search`; of `board` and `available`
    only the types matter here.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `stack` | (a row of the search's,) | uint64 | room for the images that fit |
    | `boards` | (begins, w + s) | uint64 | where descents begin: the board, and what is available |
    | `copies_left` | (begins, n) | uint64 | and the copies left there |
    | `estimates` | (m, p + 1) | float64 | fits are added, by pieces remaining |
    | `reached` | (begins, m) | float64 | out: how often the end of a descent counts, 0 for a dead
    end |
    | `made` | (begins, m, remaining − stop) | int32 | out: the placements made, where it has room |
    | `random` | (1,) | uint64 | the state of a random stream |
    """
    words, shape_words = len(board), np.uint64(len(available))
    for begin in range(len(boards)):
        for number in range(reached.shape[1]):
            for w in range(len(board)):
                board = tuple_setitem(board, w, boards[begin, w])
            for w in range(len(available)):
                available = tuple_setitem(available, w, boards[begin, words + w])
            if copies is not None:
                copies[:] = copies_left[begin]
            weight, left = 1.0, remaining
            while left > stop:
                lowest = LARGEST
                rule = heuristic[left]
                if adjacent is None or rule == FIRST:
                    key = first_key(first_bits, near, board)
                else:
                    if rule == ESTIMATE:
                        candidates = fewest_open(adjacent, board)
                    else:
                        candidates = complement(board)
                    key, lowest = fewest_fits(
                        candidates,
                        near,
                        cells,
                        any_bits,
                        any_base,
                        full,
                        start,
                        masks,
                        stride,
                        shapes,
                        board,
                        available,
                    )
                groups, fits = ZERO, ZERO
                for w in range(len(available)):
                    todo = available[w] & full[key * shape_words + np.uint64(w)]
                    while todo and lowest != ZERO:
                        shape = (np.uint64(w) << SIX) + trailing_zeros(todo)
                        todo &= todo - ONE
                        at = np.uint64(start[key * shapes + shape])
                        end = np.uint64(start[key * shapes + shape + ONE])
                        while at < end:
                            fitting, passed = fitting_images(masks, at, end, stride, board)
                            stack[FITTING + groups] = fitting
                            stack[WHERE + groups] = shape << SHAPE_SHIFT | at
                            groups += GROUP if fitting else ZERO
                            fits += ones(fitting)
                            at += passed
                if fits == ZERO:
                    weight = 0.0
                    break
                weight *= np.float64(fits)
                estimates[number, left] += weight

                skipped, groups = below(random, fits), ZERO
                while skipped >= ones(stack[FITTING + groups]):
                    skipped -= ones(stack[FITTING + groups])
                    groups += GROUP
                fitting, where = stack[FITTING + groups], stack[WHERE + groups]
                for _ in range(skipped):
                    fitting &= fitting - ONE
                at, shape = (where & LOW_AT) + trailing_zeros(fitting), where >> SHAPE_SHIFT
                if made.shape[2]:
                    made[begin, number, remaining - left] = images[at]
                board = toggled(board, masks, at, stride)
                if copies is None:
                    available = toggled_bit(available, shape)
                else:
                    copies[shape] -= ONE
                    if copies[shape] == ZERO:
                        available = toggled_bit(available, shape)
                left -= ONE
            reached[begin, number] = weight
