"""The fixed image list algorithm (FILA) as the article has it, as one resumable kernel.

Source: Busche 2018, solveFila and getImageListSet, with the ordering heuristics f, e and s.
Every attempt and every fit is counted by the number of pieces that remain.

All lists of a target are tried before the first image that fits is placed, eight images at a
time and without a branch on what is found, so that the processor tries several at once; the
images placed, and their order, are those of the article. Everything is unsigned: numba then
leaves out the code for negative indices. The board and the shapes that are available are
tuples of words, and so in registers; shapes whose lists are empty cost nothing.
"""

import numpy as np

from dovetail.backends.fila.kernels.board import (
    EIGHT,
    ONE,
    SIX,
    ZERO,
    complement,
    first_open,
    is_open,
    state_of,
    toggled,
    toggled_bit,
)
from dovetail.backends.fila.kernels.layout import DESCEND, ESTIMATE, FIRST, RETURN
from dovetail.backends.fila.kernels.reference_layout import Position
from dovetail.backends.shared.kernels.guide import END, RANDOM
from dovetail.backends.shared.kernels.hooks import (
    PARITY,
    PARITY_TRIGGER,
    TRACE,
    TRACED,
    TWO,
    VOLUME_TRIGGER,
    move_sums,
    move_sums_back,
    record,
    volume_fires,
)
from dovetail.backends.shared.kernels.state import BUFFERED, DESCENT, LEVEL, PHASE, SOLUTIONS
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import disjoint_lanes, ones, trailing_zeros
from dovetail.kernels.random_stream import below
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT

# Entries of a row of the stack, by pieces remaining; behind them, for up to eight images of a
# shape at a time, which of them fit and are still to be placed, and where the first of them is
# with the shape above.
AT, SHAPE, NEXT, GROUPS, ATTEMPTS, FITS, FITTING, WHERE = (np.uint64(entry) for entry in range(8))
HEADER_SIZE, GROUP_SIZE = 6, 2
GROUP = np.uint64(GROUP_SIZE)

SHAPE_SHIFT, LOW_AT = np.uint64(32), np.uint64(0xFFFF_FFFF)
LARGEST = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def fitting_images(masks, at, end, stride, board):
    """Which of the up to eight images from `at` to before `end` fit, and how many these are."""
    number = min(end - at, EIGHT)
    return disjoint_lanes(masks, at, stride, board) & ((ONE << number) - ONE), number


@kernel(inline=True)
def first_key(bits, near, board):
    """The key of the first open cell: cell and state."""
    cell = first_open(board)
    return (cell << bits) + state_of(cell, near, board)


@kernel(inline=True)
def open_neighbours(cell, adjacent, board):
    """How many neighbours of `cell` are open."""
    words, count = np.uint64(len(board)), ZERO
    for w in range(len(board)):
        count += ones(adjacent[cell * words + np.uint64(w)] & ~board[w])
    return count


@kernel(inline=True)
def fewest_open(adjacent, board):
    """The open cells that have fewest open neighbours, as a tuple of words."""
    none = board
    for w in range(len(board)):
        none = tuple_setitem(none, w, ZERO)
    chosen, lowest = none, LARGEST
    for w in range(len(board)):
        word = ~board[w]
        while word:
            cell = (np.uint64(w) << SIX) + trailing_zeros(word)
            bit = word & (ZERO - word)
            word ^= bit
            count = open_neighbours(cell, adjacent, board)
            if count < lowest:
                chosen, lowest = none, count
            if count == lowest:
                chosen = tuple_setitem(chosen, w, chosen[w] | bit)
    return chosen


@kernel(inline=True)
def count_fits(key, max_count, full, start, masks, sizes, position):
    """How many images of available shapes in the lists of `key` fit; may stop at `max_count`."""
    board, available, fits = position.board, position.available, ZERO
    shape_words = np.uint64(len(available))
    for w in range(len(available)):
        todo = available[w] & full[key * shape_words + np.uint64(w)]
        while todo:
            number = key * sizes.shapes + (np.uint64(w) << SIX) + trailing_zeros(todo)
            todo &= todo - ONE
            at, end = np.uint64(start[number]), np.uint64(start[number + ONE])
            while at < end:
                fitting, tried = fitting_images(masks, at, end, sizes.stride, board)
                fits += ones(fitting)
                at += tried
            if fits >= max_count:
                return fits
    return fits


@kernel(inline=True)
def fewest_fits(candidates, near, full, start, masks, sizes, position):
    """The lists of the candidate with the fewest fits, and how many fits they have.

    0 where some candidate has none. The lists are those of cells filled in any order.
    """
    chosen, lowest = ZERO, LARGEST
    for w in range(len(candidates)):
        word = candidates[w]
        while word:
            cell = (np.uint64(w) << SIX) + trailing_zeros(word)
            word &= word - ONE
            state = state_of(sizes.cells + cell, near, position.board)
            key = sizes.any_base + (cell << sizes.any_bits) + state
            fits = count_fits(key, lowest, full, start, masks, sizes, position)
            if fits < lowest:
                chosen, lowest = key, fits
                if fits == ZERO:
                    return chosen, lowest
    return chosen, lowest


@kernel(inline=True)
def volume_trigger(hooks, remaining, board):
    """Whether the open cells have a part that the pieces that remain cannot fill."""
    for cell in range(len(hooks.open_cell)):
        hooks.open_cell[cell] = np.uint8(1) if is_open(np.uint64(cell), board) else np.uint8(0)
    return volume_fires(hooks, remaining)


@kernel
def search(lists, any_order, copies, begun, solutions, hooks, guide, nodes):
    """Search on, until done, `nodes` more fits are made, or the buffer is full.

    `lists`, `any_order` and `begun` are the `Lists`, `AnyOrder` and `Begun` of `reference_layout`;
    the stack has p + 1 rows. What is None is left out of the compiled kernel: `any_order` where all
    cells are filled in order, `copies` where no shape has several, `hooks` (see
    `shared.kernels.hooks`) where nothing is triggered or recorded, `guide` (see
    `shared.kernels.guide`) where no descents are made: with an empty one a search took 1.1 of the
    time. The search ends with p − k pieces remaining.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `copies` | (n,) or None | uint64 | copies left of each shape |
    | `solutions` | (rows, k) | int32 | k placements each, filled up to state[BUFFERED] |
    """
    stack, position = begun.stack, begun.position
    near, full, start, masks = lists.near, lists.full, lists.start, lists.masks
    images, sizes = lists.images, lists.sizes
    first_bits, shapes, stride = sizes.first_bits, sizes.shapes, sizes.stride
    if any_order is not None:
        adjacent, heuristic = any_order.adjacent, any_order.heuristic
    board, available = position.board, position.available
    rows, pieces, state, saved = stack.rows, stack.pieces, stack.state, stack.saved
    width = np.uint64(len(rows)) // (pieces + ONE)
    stop = pieces - np.uint64(solutions.shape[1])
    shape_words = np.uint64(len(available))
    phase, row = state[PHASE], state[LEVEL] * width
    top, bottom = pieces * width, stop * width
    left = nodes
    if guide is not None:
        paths, begins, widths, random = guide.paths, guide.begins, guide.widths, guide.random
        descents = np.uint64(len(paths))
    reason = EXHAUSTED
    if hooks is not None:
        post_placement_actions, tally, backtracks, trace = (
            hooks.post_placement_actions,
            hooks.state,
            hooks.backtracks,
            hooks.trace,
        )
        parity_step, volume_step = hooks.parity_step, hooks.volume_step
        parity_reachable = hooks.parity_reachable
        trace_capacity = np.uint64(len(trace)) if len(trace) else LARGEST
    while True:
        if hooks is not None and tally[TRACED] + TWO > trace_capacity:
            reason = BUFFER_FULL
            break
        if phase == DESCEND:
            if row == bottom:
                for k in range(pieces - stop):
                    image = images[rows[(pieces - k) * width + AT]]
                    solutions[state[BUFFERED], k] = image
                if guide is not None:
                    guide.solved[state[DESCENT]] = ONE
                state[BUFFERED] += ONE
                state[SOLUTIONS] += ONE
                phase = RETURN
                if state[BUFFERED] == np.uint64(len(solutions)):
                    reason = BUFFER_FULL
                    break
            if left == ZERO:
                reason = WORK_SPENT
                break
            if phase == RETURN:
                continue
            if any_order is None:
                key = first_key(first_bits, near, board)
            else:
                rule = heuristic[row // width]
                if rule == FIRST:
                    key = first_key(first_bits, near, board)
                else:
                    if rule == ESTIMATE:
                        candidates = fewest_open(adjacent, board)
                    else:
                        candidates = complement(board)
                    key, lowest = fewest_fits(
                        candidates, near, full, start, masks, sizes, Position(board, available)
                    )
                    if lowest == ZERO:
                        phase = RETURN
                        continue
            following, end_of_groups, tried = ZERO, ZERO, ZERO
            for w in range(len(available)):
                todo = available[w] & full[key * shape_words + np.uint64(w)]
                while todo:
                    shape = (np.uint64(w) << SIX) + trailing_zeros(todo)
                    todo &= todo - ONE
                    number = key * shapes + shape
                    at, end = np.uint64(start[number]), np.uint64(start[number + ONE])
                    tried += end - at
                    while at < end:
                        fitting, passed = fitting_images(masks, at, end, stride, board)
                        rows[row + FITTING + end_of_groups] = fitting
                        rows[row + WHERE + end_of_groups] = shape << SHAPE_SHIFT | at
                        end_of_groups += GROUP if fitting else ZERO
                        at += passed
            rows[row + ATTEMPTS] += tried
            if guide is not None:
                fits = ZERO
                for group in range(ZERO, end_of_groups, GROUP):
                    fits += ones(rows[row + FITTING + group])
                descent, depth = state[DESCENT], (top - row) // width
                widths[descent, depth] = np.float64(fits)
                guide.placed[descent, depth] = np.int64(depth)
                if fits > ZERO and paths[descent, depth] == RANDOM:
                    paths[descent, depth] = below(random, fits)
                skipped = paths[descent, depth]
                if fits == ZERO or skipped == END:
                    end_of_groups = following
                else:
                    while skipped >= ones(rows[row + FITTING + following]):
                        skipped -= ones(rows[row + FITTING + following])
                        following += GROUP
                    fitting = rows[row + FITTING + following]
                    for _ in range(skipped):
                        fitting &= fitting - ONE
                    rows[row + FITTING + following] = fitting & (ZERO - fitting)
                    end_of_groups = following + GROUP
        else:
            if guide is not None and row == top:
                state[DESCENT] += ONE
                phase = DESCEND
                if state[DESCENT] < descents:
                    continue
            if row == top:
                break
            row += width
            if hooks is not None:
                image, remaining = images[rows[row + AT]], row // width
                move_sums_back(image, tally, parity_step, volume_step)
                if post_placement_actions[remaining - ONE] & TRACE:
                    record(~np.int64(image), remaining, trace, tally)
            board = toggled(board, masks, rows[row + AT], stride)
            shape = rows[row + SHAPE]
            if copies is None:
                available = toggled_bit(available, shape)
            else:
                if copies[shape] == ZERO:
                    available = toggled_bit(available, shape)
                copies[shape] += ONE
            following, end_of_groups = rows[row + NEXT], rows[row + GROUPS]
            if guide is not None:
                another = state[DESCENT] + ONE
                if another < descents and (top - row) // width <= begins[another]:
                    state[DESCENT] = another
                    phase = DESCEND
                    continue

        if following == end_of_groups:
            phase = RETURN
            continue
        fitting, where = rows[row + FITTING + following], rows[row + WHERE + following]
        at, shape = (where & LOW_AT) + trailing_zeros(fitting), where >> SHAPE_SHIFT
        fitting &= fitting - ONE
        rows[row + FITTING + following] = fitting
        rows[row + NEXT] = following if fitting else following + GROUP
        rows[row + GROUPS] = end_of_groups
        rows[row + AT], rows[row + SHAPE] = at, shape
        rows[row + FITS] += ONE
        left -= ONE
        board = toggled(board, masks, at, stride)
        if copies is None:
            available = toggled_bit(available, shape)
        else:
            copies[shape] -= ONE
            if copies[shape] == ZERO:
                available = toggled_bit(available, shape)
        row -= width
        phase = DESCEND
        if hooks is not None:
            remaining = row // width
            move_sums(images[at], tally, parity_step, volume_step)
            action = post_placement_actions[remaining]
            if action & TRACE:
                record(images[at], remaining, trace, tally)
            if action & PARITY_TRIGGER and not parity_reachable[tally[PARITY]]:
                backtracks[0, remaining] += ONE
                phase = RETURN
            elif action & VOLUME_TRIGGER and volume_trigger(hooks, remaining, board):
                phase = RETURN
            if phase == RETURN and left == ZERO:
                reason = WORK_SPENT
                break
    state[LEVEL], state[PHASE] = row // width, phase
    for w in range(len(board)):
        saved[w] = board[w]
    for w in range(len(available)):
        saved[len(board) + w] = available[w]
    return reason
