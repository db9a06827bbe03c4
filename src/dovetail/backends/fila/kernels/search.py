"""The fixed image list algorithm (FILA) as a resumable kernel.

Source: Busche 2018, solveFila and getImageListSet, with the ordering heuristics f, e and s. Fits
and attempts are counted by the number of pieces that remain. Differences for speed:

* Lists are tested eight images at a time, including images of used-up shapes. Each shape has a bit
  of the board, after the cells, that is also in the masks of its images. The bit is set when the
  last copy of the shape is placed. An attempt is an image whose shape is left.
* Open neighbours are counted for all cells at once, by adding up shifted boards bit by bit.
* For all fitting images of a block, the search tests whether the next target has a fit before it
  enters any of them. Most images leave a board without a fit.

The board is a tuple of uint64 words, with a bit for each cell and shape. The length of a tuple is
part of its type, so that the source is compiled for each number of words, with the words in
registers. Functions that change a board return a new tuple.
"""

import numpy as np

from dovetail.backends.fila.kernels.layout import (
    ATTEMPTS,
    BEGIN,
    BLOCK,
    CHILD_SIZE,
    CHILDREN,
    END,
    ESTIMATE,
    FIRST,
    FITS,
    FITTING,
    LIVE,
    STACK_SIZE,
)
from dovetail.backends.shared.kernels.guide import END as END_OF_PATH
from dovetail.backends.shared.kernels.guide import RANDOM
from dovetail.backends.shared.kernels.hooks import (
    PARITY,
    PARITY_TRIGGER,
    TRACE,
    TRACED,
    VOLUME_TRIGGER,
    move_sums,
    move_sums_back,
    record,
    volume_fires,
)
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import disjoint_lanes, ones, size, trailing_zeros
from dovetail.kernels.layout import (
    BUFFER_FULL,
    BUFFERED,
    DESCENT,
    EXHAUSTED,
    LEVEL,
    SOLUTIONS,
    WORK_SPENT,
)
from dovetail.kernels.random_stream import below

ZERO, ONE, TWO, THREE, SIX, EIGHT = (np.uint64(number) for number in (0, 1, 2, 3, 6, 8))
LOW_SIX, ALL_LANES = np.uint64(63), np.uint64(255)
FULL_WORD = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
WIDTH = np.uint64(STACK_SIZE)

FITS_SHIFT = np.uint64(40)  # in `fewest_fits`: number of bits for a key, below the number of fits
LOW_KEY = np.uint64((1 << 40) - 1)
LARGEST = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def first_open(board):
    """Return the open cell with the lowest number; the board must have an open cell."""
    offset = ZERO
    for w in range(len(board)):
        if board[w] != FULL_WORD:
            return offset + trailing_zeros(~board[w])
        offset += ONE << SIX
    return offset


@kernel(inline=True)
def is_open(cell, board):
    """Return whether a cell is open."""
    for w in range(len(board)):
        if np.uint64(w) == cell >> SIX:
            return (board[w] >> (cell & LOW_SIX)) & ONE == ZERO
    return False


@kernel(inline=True)
def complement(words):
    """Return a tuple of words with all bits flipped."""
    for w in range(len(words)):
        words = tuple_setitem(words, w, ~words[w])
    return words


@kernel(inline=True)
def toggled(board, masks, at):
    """Return the board with the bits of a mask flipped; words of a mask are 8 entries apart."""
    for w in range(len(board)):
        board = tuple_setitem(board, w, board[w] ^ masks[at + np.uint64(w) * EIGHT])
    return board


@kernel(inline=True)
def toggled_bit(words, bit):
    """Return a tuple of words with bit `bit` flipped."""
    if len(words) == 1:
        return tuple_setitem(words, 0, words[0] ^ ONE << bit)
    for w in range(len(words)):
        if np.uint64(w) == bit >> SIX:
            words = tuple_setitem(words, w, words[w] ^ ONE << (bit & LOW_SIX))
    return words


@kernel(inline=True)
def occupancy_near(target, near, board):
    """Return the occupancy of eight cells near a target: bit j is set if near cell j is occupied.

    Neighbour occupancy filtering (NOF) selects an image list by this number. `near` has a block of
    eight masks for each target: the first words of all eight, their second words, and so on. A mask
    has a single bit, of a near cell. A mask without a bit counts as an open cell.
    """
    at = (target << THREE) * np.uint64(len(board))
    return disjoint_lanes(near, at, EIGHT, board) ^ ALL_LANES


@kernel(inline=True)
def rotated(words, by):
    """Return a tuple of words rotated as a single number: bit v gets the value of bit v + `by`."""
    count, near = np.uint64(len(words)), by & LOW_SIX
    if count == ONE:
        return tuple_setitem(words, 0, words[0] >> near | words[0] << ONE << (LOW_SIX - near))
    low = by >> SIX
    result = words
    for w in range(len(words)):
        high = low + ONE if low + ONE < count else ZERO
        below, above = words[low], words[high]
        result = tuple_setitem(result, w, below >> near | above << ONE << (LOW_SIX - near))
        low = high
    return result


@kernel(inline=True)
def open_cells(cells_of, board):
    """Return the cells that are open, as a tuple of words."""
    for w in range(len(cells_of)):
        cells_of = tuple_setitem(cells_of, w, ~board[w] & cells_of[w])
    return cells_of


@kernel(inline=True)
def fewest_open(cells_of, steps, sides, many, board):
    """Return the open cells with the fewest open neighbours, as a tuple of words.

    Bit v of row k of `sides` is set if cell v + `steps[k]` is a neighbour of cell v. `many` is None
    if no cell has eight neighbours or more. The numbers of open neighbours are added up in binary;
    each digit is a tuple of words, with a bit for each cell.
    """
    places = open_cells(cells_of, board)
    none = cells_of
    for w in range(len(cells_of)):
        none = tuple_setitem(none, w, ZERO)
    units, twos, fours, eights = none, none, none, none
    words = np.uint64(len(cells_of))
    for k in range(np.uint64(len(steps))):
        moved = rotated(places, steps[k])
        for w in range(len(cells_of)):
            digit = moved[w] & sides[k * words + np.uint64(w)]
            carry = units[w] & digit
            units = tuple_setitem(units, w, units[w] ^ digit)
            digit = twos[w] & carry
            twos = tuple_setitem(twos, w, twos[w] ^ carry)
            if many is not None:
                eights = tuple_setitem(eights, w, eights[w] ^ (fours[w] & digit))
            fours = tuple_setitem(fours, w, fours[w] ^ digit)
    chosen = places
    if many is not None:
        chosen = without_where_possible(chosen, eights)
    chosen = without_where_possible(chosen, fours)
    chosen = without_where_possible(chosen, twos)
    return without_where_possible(chosen, units)


@kernel(inline=True)
def without_where_possible(chosen, digit):
    """Return the bits of `chosen` that are not in `digit`, or `chosen` if there are none."""
    rest, some = chosen, ZERO
    for w in range(len(chosen)):
        rest = tuple_setitem(rest, w, chosen[w] & ~digit[w])
        some |= rest[w]
    return rest if some else chosen


@kernel(inline=True)
def fitting_images(masks, block, board):
    """Return which of the eight images of a block fit, as bits 0 to 7."""
    return disjoint_lanes(masks, (block << THREE) * np.uint64(len(board)), EIGHT, board)


@kernel(inline=True)
def count_fits(first, end, masks, board):
    """Return the number of fitting images in blocks `first` to `end` − 1."""
    fits = ZERO
    for block in range(first, end):
        fits += ones(fitting_images(masks, block, board))
    return fits


@kernel(inline=True)
def list_number(target, near, board):
    """Return the number of the list that neighbour occupancy filtering (NOF) selects for a target.

    The number, also called key, is 256 · `target` + the occupancy of the cells near the target.
    """
    return (target << EIGHT) + occupancy_near(target, near, board)


@kernel(inline=True)
def fewest_fits(candidates, lists, board):
    """Return fits · 2**40 + key of the candidate with the fewest fits, the lowest key on ties."""
    best = LARGEST
    for w in range(len(candidates)):
        word = candidates[w]
        while word:
            cell = lists.cells + (np.uint64(w) << SIX) + trailing_zeros(word)
            word &= word - ONE
            key = list_number(cell, lists.near, board)
            first, end = np.uint64(lists.start[key]), np.uint64(lists.start[key + ONE])
            fits = count_fits(first, end, lists.masks, board)
            best = min(best, (fits << FITS_SHIFT) + key)  # keys ascend with cells
            if fits == ZERO:
                break
    return best


@kernel(inline=True)
def fewest_key(candidates, lists, attempts, board):
    """Return the key of the candidate with the fewest fits, or of the empty list if it has no fit.

    If attempts are not counted, the key of a single candidate is returned even if it has no fit.
    """
    if attempts is None and size(candidates) == ONE:
        key = list_number(lists.cells + first_open(complement(candidates)), lists.near, board)
    else:
        best = fewest_fits(candidates, lists, board)
        key = best & LOW_KEY if best > LOW_KEY else lists.cells << EIGHT << ONE
    return key


@kernel(inline=True)
def count_attempts(key, attempts, entry, board, rows):
    """Add the attempts at a target to an entry of the stack, if attempts are counted."""
    if attempts is not None:
        neighbours = attempts.neighbours
        row = (key >> EIGHT << neighbours) + (key & ((ONE << neighbours) - ONE))
        at = row * attempts.length * (np.uint64(len(board)) - attempts.first_word)
        tried = ZERO
        for digit in range(attempts.length):
            for w in range(len(board)):
                if np.uint64(w) >= attempts.first_word:
                    tried += ones(~board[w] & attempts.digits[at]) << digit
                    at += ONE
        rows[entry] += tried


@kernel(inline=True)
def note_child(key, lane, row, lists, board, rows, live):
    """Write the list of a child's target, and the fits of its first block, to the stack.

    Returns `live`, with the child's lane added if some image of the list may fit.
    """
    first, last = np.uint64(lists.start[key]), np.uint64(lists.start[key + ONE])
    fits = fitting_images(lists.masks, first, board)
    fits = fits if first < last else ZERO
    child = row + CHILDREN + CHILD_SIZE * lane
    rows[child], rows[child + END], rows[child + FITTING] = first, last, fits
    return live | (ONE if (fits != ZERO) | (first + ONE < last) else ZERO) << lane


@kernel(inline=True)
def placed(board, masks, block, lane, images, repeats):
    """Return the board with an image placed, or with a placed image removed.

    An image is removed after its copy has been counted as left again. The bit of its shape, which
    is part of the image, stays clear while other copies are left.
    """
    board = toggled(board, masks, (block << THREE) * np.uint64(len(board)) + lane)
    if repeats is not None:
        shape = np.uint64(repeats.shape_of[images[block * EIGHT + lane]])
        if repeats.copies[shape] > ONE:
            board = toggled_bit(board, repeats.shape_bit[shape])
    return board


@kernel(inline=True)
def add_copies(number, image, repeats):
    """Add `number` to the copies left of an image's shape; 2**64 − 1 stands for −1."""
    if repeats is not None:
        repeats.copies[repeats.shape_of[image]] += number


@kernel(inline=True)
def volume_trigger(hooks, remaining, board):
    """Find the open cells and return whether the volume trigger fires; see `volume_fires`."""
    for cell in range(len(hooks.open_cell)):
        hooks.open_cell[cell] = np.uint8(1) if is_open(np.uint64(cell), board) else np.uint8(0)
    return volume_fires(hooks, remaining)


@kernel(inline=True)
def branch_taken(guide, descent, depth, first, end, masks, board):
    """Return the block and the lane, as a bit, of the branch that a descent takes.

    The lane is 0 if the descent ends here. The number of branches of the node, and the number of
    placements before it, are written to `guide`.
    """
    paths, fits = guide.paths, count_fits(first, end, masks, board)
    guide.widths[descent, depth] = np.float64(fits)
    guide.placed[descent, depth] = np.int64(depth)
    if fits > ZERO and paths[descent, depth] == RANDOM:
        paths[descent, depth] = below(guide.random, fits)
    skipped, block, fitting = paths[descent, depth], first, ZERO
    if fits > ZERO and skipped != END_OF_PATH:
        fitting = fitting_images(masks, block, board)
        while skipped >= ones(fitting):
            skipped -= ones(fitting)
            block += ONE
            fitting = fitting_images(masks, block, board)
        for _ in range(skipped):
            fitting &= fitting - ONE
        fitting &= ZERO - fitting
    return block, fitting


@kernel
def search(lists, any_order, attempts, begun, solutions, hooks, guide, nodes):
    """Continue the search for at most `nodes` more fits; return why the slice ended.

    The slice also ends at the end of the search, and when `solutions` or the trace is full.

    `lists`, `any_order`, `attempts` and `begun` are the `ImageLists`, `AnyOrder`, `Attempts` and
    `Begun` of `layout`. The compiler leaves out the code for an argument that is None: `any_order`
    if all cells are filled in order, `attempts` if they are not counted, `hooks` (see
    `shared.kernels.hooks`) if nothing is triggered or recorded, `guide` (see
    `shared.kernels.guide`) if no descents are made.

    `solutions` has shape (rows, k) and dtype int32. A row has the k placements of a solution; rows
    before `state[BUFFERED]` are filled. Of p pieces, p − k remain.

    The search begins in row p + 1 of the stack, with an empty image of the last block. This image
    counts towards `nodes`, but is no node. With hooks, images are placed one at a time and the
    search enters each of them, so that placements are recorded in the order of the search.
    """
    masks, images, repeats = lists.masks, lists.images, lists.repeats
    if any_order is not None:
        cells_of, steps, sides = any_order.cells_of, any_order.steps, any_order.sides
        many, heuristic = any_order.many, any_order.heuristic
    board, rows, pieces = begun.board, begun.rows, begun.pieces
    state, saved = begun.state, begun.saved
    stop = pieces - np.uint64(solutions.shape[1])
    row = state[LEVEL] * WIDTH
    top, bottom = (pieces + ONE) * WIDTH, (stop + ONE) * WIDTH
    block, end = rows[row + BLOCK], rows[row + END]
    fitting, live = rows[row + FITTING], rows[row + LIVE]
    left = nodes
    reason = WORK_SPENT
    if hooks is not None:
        actions, tally, trace = hooks.post_placement_actions, hooks.state, hooks.trace
        backtracks, parity_reachable = hooks.backtracks, hooks.parity_reachable
        parity_step, volume_step = hooks.parity_step, hooks.volume_step
        trace_capacity = np.uint64(len(trace)) if len(trace) else LARGEST
    while left:
        if hooks is not None and tally[TRACED] + TWO > trace_capacity:
            reason = BUFFER_FULL
            break
        if live:
            lane = trailing_zeros(live)
            rows[row + BLOCK], rows[row + END] = block, end
            rows[row + FITTING], rows[row + LIVE] = fitting, live
            board = placed(board, masks, block, lane, images, repeats)
            add_copies(LARGEST, images[block * EIGHT + lane], repeats)
            child = row + CHILDREN + CHILD_SIZE * lane
            block, end, fitting = rows[child], rows[child + END], rows[child + FITTING]
            live = ZERO
            row -= WIDTH
            rows[row + BEGIN] = block
            if guide is not None:
                depth = pieces - row // WIDTH
                block, fitting = branch_taken(
                    guide, state[DESCENT], depth, block, end, masks, board
                )
        elif fitting == ZERO:
            if guide is None:
                block += ONE
                while block < end:
                    fitting = fitting_images(masks, block, board)
                    if fitting:
                        break
                    block += ONE
            elif row != top:
                descent, depth = state[DESCENT] + ONE, pieces - row // WIDTH
                if descent < np.uint64(len(guide.paths)) and depth <= guide.begins[descent]:
                    state[DESCENT] = descent
                    block, fitting = branch_taken(
                        guide, descent, depth, rows[row + BEGIN], end, masks, board
                    )
                    if fitting == ZERO:
                        continue
            if fitting == ZERO:
                if row == top:
                    reason = EXHAUSTED
                    break
                row += WIDTH
                block, end = rows[row + BLOCK], rows[row + END]
                fitting, live = rows[row + FITTING], rows[row + LIVE]
                lane = trailing_zeros(live)
                add_copies(ONE, images[block * EIGHT + lane], repeats)
                board = placed(board, masks, block, lane, images, repeats)
                live &= live - ONE
                if hooks is not None and row != top:
                    image, remaining = images[block * EIGHT + lane], row // WIDTH - ONE
                    move_sums_back(image, tally, parity_step, volume_step)
                    if actions[remaining] & TRACE:
                        record(~np.int64(image), remaining + ONE, trace, tally)
        else:
            if hooks is not None and row != top:
                lane = trailing_zeros(fitting)
                image, remaining = images[block * EIGHT + lane], row // WIDTH - ONE
                move_sums(image, tally, parity_step, volume_step)
                if actions[remaining] & TRACE:
                    record(image, remaining, trace, tally)
                fires = False
                if actions[remaining] & PARITY_TRIGGER and not parity_reachable[tally[PARITY]]:
                    backtracks[0, remaining] += ONE
                    fires = True
                elif actions[remaining] & VOLUME_TRIGGER:
                    after = placed(board, masks, block, lane, images, repeats)
                    fires = volume_trigger(hooks, remaining, after)
                live = ONE << lane
                child = row + CHILDREN + CHILD_SIZE * lane
                rows[child], rows[child + END], rows[child + FITTING] = ZERO, ZERO, ZERO
                if fires:
                    fitting &= fitting - ONE
                    rows[row + FITS] += ONE
                    left -= ONE
                    continue
            if row == bottom:
                lane = trailing_zeros(fitting)
                fitting &= fitting - ONE
                rows[row + FITS] += ONE
                left -= ONE
                if guide is not None:
                    guide.solved[state[DESCENT]] = ONE
                for k in range(pieces - stop - ONE):
                    at = (pieces - k) * WIDTH
                    image = rows[at + BLOCK] * EIGHT + trailing_zeros(rows[at + LIVE])
                    solutions[state[BUFFERED], k] = images[image]
                solutions[state[BUFFERED], pieces - stop - ONE] = images[block * EIGHT + lane]
                state[BUFFERED] += ONE
                state[SOLUTIONS] += ONE
                if state[BUFFERED] == np.uint64(len(solutions)):
                    reason = BUFFER_FULL
                    break
            else:
                # Separate loops for `f` and for other rules: a single loop is 40 % slower for `e`.
                rule = FIRST if any_order is None else heuristic[row // WIDTH - ONE]
                if True if any_order is None else rule == FIRST:
                    while fitting and left:
                        lane = trailing_zeros(fitting)
                        fitting &= fitting - ONE
                        rows[row + FITS] += ONE
                        left -= ONE
                        after = placed(board, masks, block, lane, images, repeats)
                        key = list_number(first_open(after), lists.near, after)
                        live = note_child(key, lane, row, lists, after, rows, live)
                        tried = row - WIDTH + ATTEMPTS
                        count_attempts(key, attempts, tried, after, rows)
                        if hooks is not None:
                            break
                else:
                    while fitting and left:
                        lane = trailing_zeros(fitting)
                        fitting &= fitting - ONE
                        rows[row + FITS] += ONE
                        left -= ONE
                        after = placed(board, masks, block, lane, images, repeats)
                        if rule == ESTIMATE:
                            candidates = fewest_open(cells_of, steps, sides, many, after)
                        else:
                            candidates = open_cells(cells_of, after)
                        key = fewest_key(candidates, lists, attempts, after)
                        live = note_child(key, lane, row, lists, after, rows, live)
                        tried = row - WIDTH + ATTEMPTS
                        count_attempts(key, attempts, tried, after, rows)
                        if hooks is not None:
                            break
    rows[row + BLOCK], rows[row + END] = block, end
    rows[row + FITTING], rows[row + LIVE] = fitting, live
    state[LEVEL] = row // WIDTH
    for w in range(len(board)):
        saved[w] = board[w]
    return reason
