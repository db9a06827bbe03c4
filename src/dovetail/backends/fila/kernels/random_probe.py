"""Random descents through the tree of the fixed image list algorithm.

Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
Computation 29, 1975. A descent takes one of the images that fit over every target, each with the
same probability; the images over a target count as often as all numbers of images before them
multiplied. The tree is the one of `reference`, image for image.

That kernel's choice of a key and its passage through the lists are written out here again: with
the choice in a helper of both it takes 1.0 s instead of 0.8 s (6x10, redundancy, stages=e).
"""

import numpy as np

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
from dovetail.backends.fila.kernels.reference_layout import Position
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import ones, trailing_zeros
from dovetail.kernels.random_stream import below


@kernel
def random_probe(lists, any_order, copies, position, begins, row, descents, random):
    """Make random descents from each begin, as many as `descents` has rows for.

    The arguments up to `position` are those of `reference.search`; of `position` only the types
    matter here, and `copies` is scratch. `begins` and `descents` are the `Begins` and `Descents` of
    `reference_layout`. `row`, uint64, has space for the images that fit, as a row of the search's
    stack has. `random` (1,), uint64, is the state of a random stream.
    """
    near, full, start, masks = lists.near, lists.full, lists.start, lists.masks
    images, sizes = lists.images, lists.sizes
    first_bits, shapes, stride = sizes.first_bits, sizes.shapes, sizes.stride
    if any_order is not None:
        adjacent, heuristic = any_order.adjacent, any_order.heuristic
    board, available = position.board, position.available
    boards, copies_left = begins.boards, begins.copies
    remaining, stop = begins.remaining, begins.stop
    estimates, reached, made = descents.estimates, descents.reached, descents.made
    words, shape_words = len(board), np.uint64(len(available))
    for begin in range(len(boards)):
        for number in range(reached.shape[1]):
            for w in range(len(board)):
                board = tuple_setitem(board, w, boards[begin, w])
            for w in range(len(available)):
                available = tuple_setitem(available, w, boards[begin, words + w])
            if copies is not None:
                for w in range(len(copies)):
                    copies[w] = copies_left[begin, w]
            weight, left = 1.0, remaining
            while left > stop:
                lowest = LARGEST
                rule = FIRST if any_order is None else heuristic[left]
                if any_order is None or rule == FIRST:
                    key = first_key(first_bits, near, board)
                else:
                    if rule == ESTIMATE:
                        candidates = fewest_open(adjacent, board)
                    else:
                        candidates = complement(board)
                    key, lowest = fewest_fits(
                        candidates, near, full, start, masks, sizes, Position(board, available)
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
                            row[FITTING + groups] = fitting
                            row[WHERE + groups] = shape << SHAPE_SHIFT | at
                            groups += GROUP if fitting else ZERO
                            fits += ones(fitting)
                            at += passed
                if fits == ZERO:
                    weight = 0.0
                    break
                weight *= np.float64(fits)
                estimates[number, left] += weight

                skipped, groups = below(random, fits), ZERO
                while skipped >= ones(row[FITTING + groups]):
                    skipped -= ones(row[FITTING + groups])
                    groups += GROUP
                fitting, where = row[FITTING + groups], row[WHERE + groups]
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
