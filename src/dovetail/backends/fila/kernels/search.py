"""The fixed image list algorithm (FILA), as one resumable kernel: the reference.

Source: Busche 2018, solveFila and getImageListSet, with the ordering heuristics f, e and s.
Every attempt and every fit is counted by the number of pieces that remain.
"""

import numpy as np

from dovetail.backends.fila.kernels.image_lists import state_of
from dovetail.jit import kernel
from dovetail.kernels.bits import trailing_zeros

# Entries of `progress`, an array of int64 that a slice hands to the next.
LEVEL, PHASE, NODES, SOLUTIONS, BUFFERED = range(5)
PROGRESS_SIZE = 5

# What to do next, kept in progress[PHASE].
DESCEND, TRY, UNDO = range(3)

# Why a slice ended.
EXHAUSTED, WORK_SPENT, BUFFER_FULL, NODE_LIMIT = range(4)

# Heuristics by pieces remaining: the first open cell; of the cells with fewest open
# neighbours the one with fewest fits; the cell with fewest fits.
FIRST, ESTIMATE, SIZE = range(3)

NO_CELL = -1
SIX, LOW_SIX = np.uint64(6), np.uint64(63)
ONE, ALL_ONES = np.uint64(1), np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel(inline=True)
def overlaps(masks, placement, occupied, words):
    """Whether a placement takes an occupied cell."""
    for w in range(words):
        if masks[placement, w] & occupied[w]:
            return True
    return False


@kernel(inline=True)
def count_fits(
    cell, most, masks, occupied, words, available, free, free_count, bits, start, images
):
    """How many images of available shapes fit over `cell`, counted up to `most`."""
    state = np.int64(state_of(cell, free, free_count, occupied)) if bits > 0 else 0
    shapes = len(available)
    base = ((cell << bits) + state) * shapes
    fits = 0
    for shape in range(shapes):
        if available[shape] > 0:
            for k in range(start[base + shape], start[base + shape + 1]):
                if not overlaps(masks, images[k], occupied, words):
                    fits += 1
                    if fits >= most:
                        return fits
    return fits


@kernel(inline=True)
def first_open(occupied, words):
    """The open cell with the least number, NO_CELL if all are occupied."""
    for w in range(words):
        if occupied[w] != ALL_ONES:
            return np.int64(trailing_zeros(~occupied[w])) + (w << 6)
    return NO_CELL


@kernel(inline=True)
def open_neighbours(cell, neighbours, occupied):
    """How many neighbours of `cell` are open."""
    count = 0
    for d in range(neighbours.shape[1]):
        neighbour = neighbours[cell, d]
        if neighbour >= 0:
            word = occupied[np.uint64(neighbour) >> SIX]
            if (word >> (np.uint64(neighbour) & LOW_SIX)) & ONE == 0:
                count += 1
    return count


@kernel
def search(
    masks,
    shape_of,
    neighbours,
    first_free,
    first_free_count,
    first_bits,
    first_start,
    first_images,
    any_free,
    any_free_count,
    any_bits,
    any_start,
    any_images,
    heuristic,
    available,
    occupied,
    cursor,
    list_end,
    list_shape,
    list_base,
    list_kind,
    placed,
    attempts,
    fits,
    solutions,
    progress,
    work,
    node_limit,
):
    """Search on, until done, `work` attempts are spent, the buffer is full, or the node limit.

    c cells, p pieces to place, `pieces` in all; level l has p − l pieces remaining.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `masks` | (n, words) | uint64 | the cells of each placement |
    | `shape_of` | (n,) | int32 | its shape |
    | `neighbours` | (c, degree) | int32 | −1 where there is none |
    | `first_…` | | | image lists for cells filled in order, see `image_lists` |
    | `any_…` | | | image lists for cells filled in any order |
    | `heuristic` | (p + 1,) | int32 | by pieces remaining |
    | `available` | (shapes,) | int32 | copies left of each shape |
    | `occupied` | (words,) | uint64 | bits beyond the last cell are set |
    | `cursor`, `list_end` | (p,) | int64 | by level: the next image, the end of its list |
    | `list_shape` | (p,) | int64 | by level: the shape of that list |
    | `list_base` | (p,) | int64 | by level: the list of shape 0 for the target and its state |
    | `list_kind` | (p,) | int64 | by level: 0 for `first_…` lists, 1 for `any_…` |
    | `placed` | (p,) | int64 | by level: the placement made |
    | `attempts`, `fits` | (p + 1,) | int64 | by pieces remaining |
    | `solutions` | (rows, p) | int32 | placements, filled up to progress[BUFFERED] |
    | `progress` | (5,) | int64 | see above |
    """
    words = len(occupied)
    cells, shapes = len(neighbours), len(available)
    pieces = len(placed)
    level, phase = progress[LEVEL], progress[PHASE]
    spent = 0
    while True:
        remaining = pieces - level
        if phase == DESCEND:
            if remaining == 0:
                for k in range(pieces):
                    solutions[progress[BUFFERED], k] = placed[k]
                progress[BUFFERED] += 1
                progress[SOLUTIONS] += 1
                phase = UNDO
                if progress[BUFFERED] == len(solutions):
                    progress[LEVEL], progress[PHASE] = level, phase
                    return BUFFER_FULL
                continue
            rule = heuristic[remaining]
            target = first_open(occupied, words)
            if rule != FIRST:
                fewest_open, fewest_fits = 1 << 30, 1 << 30
                if rule == ESTIMATE:
                    for cell in range(target, cells):
                        word = occupied[np.uint64(cell) >> SIX]
                        if (word >> (np.uint64(cell) & LOW_SIX)) & ONE == 0:
                            near = open_neighbours(cell, neighbours, occupied)
                            fewest_open = min(fewest_open, near)
                chosen = target
                for cell in range(target, cells):
                    word = occupied[np.uint64(cell) >> SIX]
                    if (word >> (np.uint64(cell) & LOW_SIX)) & ONE:
                        continue
                    if (
                        rule == ESTIMATE
                        and open_neighbours(cell, neighbours, occupied) != fewest_open
                    ):
                        continue
                    found = count_fits(
                        cell,
                        fewest_fits,
                        masks,
                        occupied,
                        words,
                        available,
                        any_free,
                        any_free_count,
                        any_bits,
                        any_start,
                        any_images,
                    )
                    spent += 4
                    if found < fewest_fits:
                        chosen, fewest_fits = cell, found
                        if found == 0:
                            break
                target = chosen
                if fewest_fits == 0:
                    phase = UNDO
                    continue
                state = 0
                if any_bits > 0:
                    state = np.int64(state_of(target, any_free, any_free_count, occupied))
                list_base[level] = ((target << any_bits) + state) * shapes
                list_kind[level] = 1
                cursor[level] = any_start[list_base[level]]
                list_end[level] = any_start[list_base[level] + 1]
            else:
                state = 0
                if first_bits > 0:
                    state = np.int64(state_of(target, first_free, first_free_count, occupied))
                list_base[level] = ((target << first_bits) + state) * shapes
                list_kind[level] = 0
                cursor[level] = first_start[list_base[level]]
                list_end[level] = first_start[list_base[level] + 1]
            list_shape[level] = 0
            phase = TRY
        elif phase == UNDO:
            if level == 0:
                progress[LEVEL], progress[PHASE] = level, UNDO
                return EXHAUSTED
            level -= 1
            placement = placed[level]
            for w in range(words):
                occupied[w] ^= masks[placement, w]
            available[shape_of[placement]] += 1
            phase = TRY
        else:
            if spent >= work:
                progress[LEVEL], progress[PHASE] = level, TRY
                return WORK_SPENT
            if progress[NODES] >= node_limit:
                progress[LEVEL], progress[PHASE] = level, TRY
                return NODE_LIMIT
            shape, at, end = list_shape[level], cursor[level], list_end[level]
            base, kind = list_base[level], list_kind[level]
            fitted = False
            while shape < shapes:
                if available[shape] > 0:
                    while at < end:
                        placement = any_images[at] if kind == 1 else first_images[at]
                        at += 1
                        attempts[remaining] += 1
                        spent += 1
                        if not overlaps(masks, placement, occupied, words):
                            fitted = True
                            break
                    if fitted:
                        break
                shape += 1
                if shape < shapes:
                    if kind == 1:
                        at, end = any_start[base + shape], any_start[base + shape + 1]
                    else:
                        at, end = first_start[base + shape], first_start[base + shape + 1]
            if not fitted:
                phase = UNDO
                continue
            list_shape[level], cursor[level], list_end[level] = shape, at, end
            for w in range(words):
                occupied[w] |= masks[placement, w]
            available[shape] -= 1
            placed[level] = placement
            fits[remaining] += 1
            progress[NODES] += 1
            level += 1
            phase = DESCEND
