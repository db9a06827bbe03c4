"""FILA for speed: the same tree and the same fits as `reference`, attempts are not counted.

Source: Busche 2018, and what this project found to be quicker:

* Lists are tested eight images at a time, those of shapes that are used up too: a shape is a
  bit of the board behind the cells, set when its last copy is placed, and part of its images.
* Lists are distinguished by the occupancy of the eight cells that the target's images cover most
  often, not only of its neighbours (extended NOF).
* Open neighbours are counted for all cells at once, by adding up shifted boards bit by bit.
* All images of a block that fit are looked behind before one is gone into: whether the next
  target has a fit is found for several boards at once, and most have none.
"""

import numpy as np

from dovetail.backends.fila.kernels.board import (
    EIGHT,
    LOW_SIX,
    ONE,
    SIX,
    THREE,
    ZERO,
    complement,
    first_open,
    state_of,
    toggled,
    toggled_bit,
)
from dovetail.backends.fila.kernels.layout import ESTIMATE, FIRST
from dovetail.backends.shared.kernels.state import BUFFERED, LEVEL, SOLUTIONS
from dovetail.jit import kernel, tuple_setitem
from dovetail.kernels.bits import disjoint_lanes, ones, trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, WORK_SPENT
from dovetail.kernels.words import size

# Entries of a row of the stack; behind them, for each lane of the block, the FIRST_BLOCK, its END
# and what is FITTING there for the target of the board with that image placed.
BLOCK, END, FITTING, LIVE, FITS, BEGIN = (np.uint64(entry) for entry in range(6))
CHILDREN, CHILD_SIZE = np.uint64(8), np.uint64(3)
STACK_SIZE = 32
WIDTH = np.uint64(STACK_SIZE)

FITS_SHIFT = np.uint64(40)  # in `fewest_fits`: a number of fits above a key
LOW_KEY = np.uint64((1 << 40) - 1)
LARGEST = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def rotated(words, by):
    """A tuple of words as one number, rotated down by so many bits: bit v is bit v + `by`."""
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
    """The cells that are open, as a tuple of words."""
    for w in range(len(cells_of)):
        cells_of = tuple_setitem(cells_of, w, ~board[w] & cells_of[w])
    return cells_of


@kernel(inline=True)
def fewest_open(cells_of, steps, sides, many, board):
    """The open cells that have fewest open neighbours, as a tuple of words.

    Bit v of a row of `sides` is set when the cell that a step leads to, `steps` numbers on, is
    a neighbour of cell v. Neighbours are added up as binary digits, each a tuple of words.
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
    """The bits of `chosen` that are not in `digit`; all of them where that leaves none."""
    rest, some = chosen, ZERO
    for w in range(len(chosen)):
        rest = tuple_setitem(rest, w, chosen[w] & ~digit[w])
        some |= rest[w]
    return rest if some else chosen


@kernel(inline=True)
def fitting_images(masks, block, board):
    """Which of the eight images of a block fit, as bits 0 to 7."""
    return disjoint_lanes(masks, (block << THREE) * np.uint64(len(board)), EIGHT, board)


@kernel(inline=True)
def first_key(near, board):
    """The key of the first open cell: cell and state."""
    cell = first_open(board)
    return (cell << EIGHT) + state_of(cell, near, board)


@kernel(inline=True)
def fewest_fits(candidates, cells, near, start, masks, board):
    """The least key of a candidate with the fewest fits, below how many it has."""
    best = LARGEST
    for w in range(len(candidates)):
        word = candidates[w]
        while word:
            cell = cells + (np.uint64(w) << SIX) + trailing_zeros(word)
            word &= word - ONE
            key = (cell << EIGHT) + state_of(cell, near, board)
            fits = ZERO
            for block in range(np.uint64(start[key]), np.uint64(start[key + ONE])):
                fits += ones(fitting_images(masks, block, board))
            best = min(best, (fits << FITS_SHIFT) + key)  # keys ascend with cells
            if fits == ZERO:
                break
    return best


@kernel(inline=True)
def fewest_key(candidates, near, cells, start, masks, board):
    """The key of the candidate with the fewest fits; that of no cell where one has none."""
    if size(candidates) == ONE:
        cell = cells + first_open(complement(candidates))
        key = (cell << EIGHT) + state_of(cell, near, board)
    else:
        best = fewest_fits(candidates, cells, near, start, masks, board)
        key = best & LOW_KEY if best > LOW_KEY else cells << EIGHT << ONE
    return key


@kernel(inline=True)
def note_child(key, lane, row, start, masks, board, rows, live):
    """Note what fits at a child's target; `live` with the child's lane if something may."""
    first, last = np.uint64(start[key]), np.uint64(start[key + ONE])
    fits = fitting_images(masks, first, board)
    fits = fits if first < last else ZERO
    child = row + CHILDREN + CHILD_SIZE * lane
    rows[child], rows[child + END], rows[child + FITTING] = first, last, fits
    return live | (ONE if (fits != ZERO) | (first + ONE < last) else ZERO) << lane


@kernel(inline=True)
def placed(board, masks, block, lane, images, repeats):
    """The board with an image placed, or taken back when its copy counts as left again.

    The shape's bit, which is part of the image, stays clear while other copies are left.
    """
    board = toggled(board, masks, (block << THREE) * np.uint64(len(board)) + lane, EIGHT)
    if repeats is not None:
        shape = np.uint64(repeats.shape_of[images[block * EIGHT + lane]])
        if repeats.copies[shape] > ONE:
            board = toggled_bit(board, repeats.shape_bit[shape])
    return board


@kernel
def search(lists, any_order, many, repeats, board, stack, solutions, nodes):
    """Search on, until done, `nodes` more fits are made, or the buffer is full.

    `lists`, `any_order` and `repeats` are the `Lists`, `AnyOrder` and `Repeats` of `fast_layout`,
    `stack` is the `Stack` of `layout`, which has p + 2 rows of 32 entries. What is None is left out
    of the compiled kernel: `any_order` where all cells are filled in order, `many` where no cell
    has more than seven neighbours, `repeats` where no shape has several copies.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `board` | b words | uint64 | bits of cells that are not open are set |
    | `solutions` | (rows, k) | int32 | k placements each, filled up to state[BUFFERED] |

    A level's block has images that are FITTING but not yet looked behind, and LIVE ones, behind
    which the search may go on. It begins in row p + 1, where the empty board of the last block
    is placed, which is no node. It ends with p − k pieces remaining.
    """
    near, cells, start, masks, images = (
        lists.near,
        lists.cells,
        lists.start,
        lists.masks,
        lists.images,
    )
    if any_order is not None:
        cells_of, steps, sides = any_order.cells_of, any_order.steps, any_order.sides
        heuristic = any_order.heuristic
    if repeats is not None:
        shape_of, copies = repeats.shape_of, repeats.copies
    rows, pieces, state, saved = stack.rows, stack.pieces, stack.state, stack.saved
    stop = pieces - np.uint64(solutions.shape[1])
    row = state[LEVEL] * WIDTH
    top, bottom = (pieces + ONE) * WIDTH, (stop + ONE) * WIDTH
    block, end = rows[row + BLOCK], rows[row + END]
    fitting, live = rows[row + FITTING], rows[row + LIVE]
    left = nodes
    reason = WORK_SPENT
    while left:
        if live:
            lane = trailing_zeros(live)
            rows[row + BLOCK], rows[row + END] = block, end
            rows[row + FITTING], rows[row + LIVE] = fitting, live
            board = placed(board, masks, block, lane, images, repeats)
            if repeats is not None:
                copies[shape_of[images[block * EIGHT + lane]]] -= ONE
            child = row + CHILDREN + CHILD_SIZE * lane
            block, end, fitting = rows[child], rows[child + END], rows[child + FITTING]
            live = ZERO
            row -= WIDTH
            rows[row + BEGIN] = block
        elif fitting == ZERO:
            block += ONE
            while block < end:
                fitting = fitting_images(masks, block, board)
                if fitting:
                    break
                block += ONE
            if fitting == ZERO:
                if row == top:
                    reason = EXHAUSTED
                    break
                row += WIDTH
                block, end = rows[row + BLOCK], rows[row + END]
                fitting, live = rows[row + FITTING], rows[row + LIVE]
                lane = trailing_zeros(live)
                if repeats is not None:
                    copies[shape_of[images[block * EIGHT + lane]]] += ONE
                board = placed(board, masks, block, lane, images, repeats)
                live &= live - ONE
        elif row == bottom:
            lane = trailing_zeros(fitting)
            fitting &= fitting - ONE
            rows[row + FITS] += ONE
            left -= ONE
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
            # Two loops that differ in a line: in one, e took 0.35 s instead of 0.25 s.
            rule = FIRST if any_order is None else heuristic[row // WIDTH - ONE]
            if True if any_order is None else rule == FIRST:
                while fitting and left:
                    lane = trailing_zeros(fitting)
                    fitting &= fitting - ONE
                    rows[row + FITS] += ONE
                    left -= ONE
                    after = placed(board, masks, block, lane, images, repeats)
                    key = first_key(near, after)
                    live = note_child(key, lane, row, start, masks, after, rows, live)
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
                    key = fewest_key(candidates, near, cells, start, masks, after)
                    live = note_child(key, lane, row, start, masks, after, rows, live)
    rows[row + BLOCK], rows[row + END] = block, end
    rows[row + FITTING], rows[row + LIVE] = fitting, live
    state[LEVEL] = row // WIDTH
    for w in range(len(board)):
        saved[w] = board[w]
    return reason
