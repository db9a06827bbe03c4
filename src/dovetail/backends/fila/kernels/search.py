"""The fixed image list algorithm (FILA), as one resumable kernel: the reference.

Source: Busche 2018, solveFila and getImageListSet, with the ordering heuristics f, e and s.
Every attempt and every fit is counted by the number of pieces that remain.

Everything is unsigned: numba then leaves out the code for negative indices. The shapes that
are available and the lists that are not empty are bits, so that a target costs nothing for
shapes that have no image there.
"""

import numpy as np

from dovetail.backends.fila.kernels.image_lists import state_of
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros
from dovetail.kernels.slices import BUFFER_FULL, EXHAUSTED, NODE_LIMIT, WORK_SPENT

# Entries of `progress`, an array of uint64 that a slice hands to the next.
LEVEL, PHASE, NODES, SOLUTIONS, BUFFERED = range(5)
PROGRESS_SIZE = 5

# What to do next, kept in progress[PHASE].
DESCEND, TRY, UNDO = (np.uint64(phase) for phase in range(3))

# Heuristics by pieces remaining: the first open cell; of the cells with fewest open
# neighbours the one with fewest fits; the cell with fewest fits.
FIRST, ESTIMATE, SIZE = (np.uint64(rule) for rule in range(3))

ZERO, ONE, SIX, LOW_SIX = (np.uint64(number) for number in (0, 1, 6, 63))
LARGEST = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def overlaps(masks, placement, occupied, words):
    """Whether a placement takes an occupied cell."""
    row = placement * words
    for w in range(words):
        if masks[row + w] & occupied[w]:
            return True
    return False


@kernel(inline=True)
def is_open(cell, occupied):
    """Whether `cell` is not occupied."""
    return (occupied[cell >> SIX] >> (cell & LOW_SIX)) & ONE == ZERO


@kernel(inline=True)
def first_open(occupied, words):
    """The open cell with the least number; there is one."""
    w = ZERO
    while occupied[w] == LARGEST:
        w += ONE
    return trailing_zeros(~occupied[w]) + (w << SIX)


@kernel(inline=True)
def count_fits(key, most, masks, occupied, words, available, shapes, full, start, images):
    """How many images of available shapes in the lists `key` fit, counted up to `most`."""
    fits = ZERO
    shape_words = np.uint64(len(available))
    for w in range(shape_words):
        todo = available[w] & full[key * shape_words + w]
        while todo:
            number = key * shapes + (np.uint64(w) << SIX) + trailing_zeros(todo)
            todo &= todo - ONE
            for k in range(np.uint64(start[number]), np.uint64(start[number + ONE])):
                if not overlaps(masks, np.uint64(images[k]), occupied, words):
                    fits += ONE
                    if fits >= most:
                        return fits
    return fits


@kernel(inline=True)
def open_neighbours(cell, free, free_count, occupied):
    """How many neighbours of `cell` are open."""
    count = ZERO
    for j in range(free_count[cell]):
        if is_open(np.uint64(free[cell, j]), occupied):
            count += ONE
    return count


@kernel(inline=True)
def fewest_fits(
    rule,
    masks,
    occupied,
    words,
    available,
    shapes,
    free,
    free_count,
    bits,
    base,
    full,
    start,
    images,
):
    """The cell that `rule` picks, its lists, and how many fits it has (0: some cell has none)."""
    cells = np.uint64(len(free_count))
    first = first_open(occupied, words)
    fewest_open = LARGEST
    if rule == ESTIMATE:
        for cell in range(first, cells):
            if is_open(cell, occupied):
                fewest_open = min(fewest_open, open_neighbours(cell, free, free_count, occupied))
    chosen, least = ZERO, LARGEST
    for cell in range(first, cells):
        if not is_open(cell, occupied):
            continue
        near = fewest_open
        if rule == ESTIMATE:
            near = open_neighbours(cell, free, free_count, occupied)
        if near != fewest_open:
            continue
        key = base + (cell << bits) + state_of(cell, free, free_count, bits, occupied)
        fits = count_fits(
            key, least, masks, occupied, words, available, shapes, full, start, images
        )
        if fits < least:
            chosen, least = key, fits
            if fits == ZERO:
                break
    return chosen, least


@kernel
def search(
    masks,
    shape_of,
    first_free,
    first_free_count,
    first_bits,
    any_free,
    any_free_count,
    any_bits,
    any_base,
    full,
    start,
    images,
    heuristic,
    copies,
    available,
    occupied,
    cursor,
    list_end,
    list_key,
    todo,
    placed,
    attempts,
    fits,
    solutions,
    progress,
    work,
    node_limit,
):
    """Search on, until done, `work` attempts are spent, the buffer is full, or the node limit.

    c cells, p pieces to place; level l has p − l pieces remaining; shapes in s words of 64.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `masks` | (n · words,) | uint64 | the cells of each placement |
    | `shape_of` | (n,) | uint32 | its shape |
    | `first_…` | | | neighbours of cells filled in order, see `image_lists` |
    | `any_…` | | | neighbours of cells filled in any order |
    | `full` | (keys · s,) | uint64 | shapes whose lists for a key (cell and state) are not empty |
    | `start` | (keys · shapes + 1,) | uint32 | where each list begins |
    | `images` | | uint32 | placements, list after list; keys of any order from `any_base` on |
    | `heuristic` | (p + 1,) | uint64 | by pieces remaining |
    | `copies` | (shapes,) | uint64 | copies left of each shape |
    | `available` | (s,) | uint64 | bit set: a copy is left |
    | `occupied` | (words,) | uint64 | bits beyond the last cell are set |
    | `cursor`, `list_end` | (p,) | uint64 | by level: the next image, the end of its list |
    | `list_key` | (p,) | uint64 | by level: cell and state of the target |
    | `todo` | (p · s,) | uint64 | by level: shapes whose lists are still to be tried |
    | `placed` | (p,) | uint64 | by level: the placement made |
    | `attempts`, `fits` | (p + 1,) | uint64 | by pieces remaining |
    | `solutions` | (rows, p) | int32 | placements, filled up to progress[BUFFERED] |
    | `progress` | (5,) | uint64 | see above |
    """
    words, shape_words = np.uint64(len(occupied)), np.uint64(len(available))
    shapes, pieces = np.uint64(len(copies)), np.uint64(len(placed))
    level, phase = progress[LEVEL], progress[PHASE]
    spent = ZERO
    while True:
        remaining = pieces - level
        if phase == DESCEND:
            if remaining == ZERO:
                row = progress[BUFFERED]
                for k in range(pieces):
                    solutions[row, k] = placed[k]
                progress[BUFFERED] += ONE
                progress[SOLUTIONS] += ONE
                phase = UNDO
                if progress[BUFFERED] == np.uint64(len(solutions)):
                    progress[LEVEL], progress[PHASE] = level, phase
                    return BUFFER_FULL
                continue
            rule = heuristic[remaining]
            if rule == FIRST:
                target = first_open(occupied, words)
                key = target << first_bits
                key += state_of(target, first_free, first_free_count, first_bits, occupied)
            else:
                key, least = fewest_fits(
                    rule,
                    masks,
                    occupied,
                    words,
                    available,
                    shapes,
                    any_free,
                    any_free_count,
                    any_bits,
                    any_base,
                    full,
                    start,
                    images,
                )
                spent += np.uint64(len(any_free_count))
                if least == ZERO:
                    phase = UNDO
                    continue
            for w in range(shape_words):
                todo[level * shape_words + w] = available[w] & full[key * shape_words + w]
            list_key[level] = key
            cursor[level] = list_end[level] = ZERO
            phase = TRY
        elif phase == UNDO:
            if level == ZERO:
                progress[LEVEL], progress[PHASE] = level, UNDO
                return EXHAUSTED
            level -= ONE
            placement = placed[level]
            row = placement * words
            for w in range(words):
                occupied[w] ^= masks[row + w]
            shape = np.uint64(shape_of[placement])
            copies[shape] += ONE
            available[shape >> SIX] |= ONE << (shape & LOW_SIX)
            phase = TRY
        else:
            if spent >= work or progress[NODES] >= node_limit:
                progress[LEVEL], progress[PHASE] = level, TRY
                return WORK_SPENT if spent >= work else NODE_LIMIT
            at, end = cursor[level], list_end[level]
            tried, fitted, placement = ZERO, False, ZERO
            while True:
                while at < end:
                    placement = np.uint64(images[at])
                    at += ONE
                    tried += ONE
                    if not overlaps(masks, placement, occupied, words):
                        fitted = True
                        break
                if fitted:
                    break
                w = level * shape_words
                last = w + shape_words
                while w < last and todo[w] == ZERO:
                    w += ONE
                if w == last:
                    break
                number = (w - level * shape_words << SIX) + trailing_zeros(todo[w])
                todo[w] &= todo[w] - ONE
                number += list_key[level] * shapes
                at, end = np.uint64(start[number]), np.uint64(start[number + ONE])
            attempts[remaining] += tried
            spent += tried + ONE
            if not fitted:
                phase = UNDO
                continue
            cursor[level], list_end[level] = at, end
            row = placement * words
            for w in range(words):
                occupied[w] |= masks[row + w]
            shape = np.uint64(shape_of[placement])
            copies[shape] -= ONE
            if copies[shape] == ZERO:
                available[shape >> SIX] ^= ONE << (shape & LOW_SIX)
            placed[level] = placement
            fits[remaining] += ONE
            progress[NODES] += ONE
            level += ONE
            phase = DESCEND
