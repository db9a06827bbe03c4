"""Gaps: how many steps a piece slides before it meets another piece, and which pieces it pushes.

The gap of two pieces in a direction depends only on their shapes and on the vector between them.
Gaps are kept in a table for all assemblies.
"""

import numpy as np

from dovetail.disassembly.kernels.states import (
    ASSEMBLY,
    AT,
    FIRST_FACTOR,
    FREE,
    HASH_SHIFT,
    PAIRS,
    SECOND_FACTOR,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ONE, ZERO, trailing_zeros

NO_END = 1 << 30  # the gap of two pieces that never meet in a direction
# A vector is packed into a number: each axis has the same number of bits b, which store the
# coordinate + 2^(b − 1).
VECTOR_BITS = 60


@kernel(inline=True)
def closure(gap, direction, piece, steps, pieces, most):
    """Return the set of members of a part that move if the member `piece` moves by `steps`.

    The result is empty if more than `most` pieces move. A piece that moves pushes each piece to
    which its gap is less than `steps`.
    """
    moving = ONE << np.uint64(piece)
    waiting, count = moving, 1
    while waiting != ZERO:
        pusher = np.int64(trailing_zeros(waiting))
        waiting &= waiting - ONE
        for other in range(pieces):
            if gap[direction, pusher, other] < steps:
                bit = ONE << np.uint64(other)
                if moving & bit == ZERO:
                    count += 1
                    if count > most:
                        return ZERO
                    moving |= bit
                    waiting |= bit
    return moving if count <= most else ZERO


@kernel(inline=True)
def measure(shapes, assemblies, visited, scratch, state, pieces):
    """Write the gaps between the pieces of the present state into `scratch.gap`."""
    directions, at = len(shapes.vector), state[AT]
    for n in range(pieces):
        for direction in range(directions):
            scratch.gap[direction, n, n] = NO_END
        for m in range(n + 1, pieces):
            pair = pair_of_state(shapes, assemblies, visited, scratch, state, at, n, m)
            for direction in range(directions):
                gap = scratch.pair_gap[pair, direction]
                scratch.gap[direction, n, m] = gap
                scratch.gap[direction ^ 1, m, n] = gap


@kernel(inline=True)
def pair_of_state(shapes, assemblies, visited, scratch, state, at, n, m):
    """Return the row of `pair_gap` for two pieces, members n and m of the part, in a state."""
    begin, axes = assemblies.begin[state[ASSEMBLY]], shapes.vector.shape[1]
    bits = VECTOR_BITS // axes
    vector = np.int64(0)
    for axis in range(axes):
        place = np.int64(visited.place[at, m * axes + axis])
        away = place - visited.place[at, n * axes + axis]
        vector = (vector << bits) + away + (1 << bits - 1)
    shape = assemblies.shape[begin + scratch.member[n]]
    other = assemblies.shape[begin + scratch.member[m]]
    return pair_row(shapes, scratch, state, shape, other, vector)


@kernel(inline=True)
def pair_row(shapes, scratch, state, shape, other, vector):
    """Return the row of `pair_gap` for two shapes and the packed vector to the second shape."""
    shape_pair = shape << 32 | other
    slots = len(scratch.pair) - 1
    hashed = np.uint64(shape_pair) * FIRST_FACTOR ^ np.uint64(vector) * SECOND_FACTOR
    first = np.int64(hashed ^ hashed >> HASH_SHIFT)
    slot = first & slots
    while scratch.pair[slot, 0] != FREE:
        if scratch.pair[slot, 0] == shape_pair and scratch.pair[slot, 1] == vector:
            return slot
        slot = slot + 1 & slots
    return _new_row(shapes, scratch, state, shape_pair, vector, first)


@kernel(inline=True)
def packed_step(shapes, direction):
    """Return the number that a step in a direction adds to a packed vector."""
    axes = shapes.vector.shape[1]
    step = np.int64(0)
    for axis in range(axes):
        step = (step << VECTOR_BITS // axes) + shapes.vector[direction, axis]
    return step


@kernel(inline=True)
def _new_row(shapes, scratch, state, shape_pair, vector, hashed):
    """Empty the table if it is half full; add a pair to the table and return its row."""
    slots = len(scratch.pair) - 1
    if 2 * state[PAIRS] >= len(scratch.pair):
        scratch.pair[:, 0] = FREE
        state[PAIRS] = 0
    state[PAIRS] += 1
    slot = hashed & slots
    while scratch.pair[slot, 0] != FREE:
        slot = slot + 1 & slots
    scratch.pair[slot, 0] = shape_pair
    scratch.pair[slot, 1] = vector
    shape, other = shape_pair >> 32, shape_pair & 0xFFFFFFFF
    axes = shapes.vector.shape[1]
    bits = VECTOR_BITS // axes
    for way in range(len(shapes.step)):
        line, place = np.int64(0), np.int64(0)
        for axis in range(axes):
            packed = vector >> bits * (axes - 1 - axis) & (1 << bits) - 1
            away = packed - (1 << bits - 1)
            line += shapes.line_of[way, axis] * away
            place += shapes.place_of[way, axis] * away
        scratch.pair_gap[slot, 2 * way] = _slide(shapes, way, shape, other, line, place)
        scratch.pair_gap[slot, 2 * way + 1] = _slide(shapes, way, other, shape, -line, -place)
    return slot


@kernel
def _slide(shapes, way, shape, other, line, place):
    """Return the gap of `shape` to the shape `other`, in the first direction of pair `way`.

    `line` and `place` are added to the lines and places of the other shape's runs.
    """
    ways, step = len(shapes.step), shapes.step[way]
    at = 2 * (ways * shape + way) + 1
    ahead, ahead_end = shapes.begin[at], shapes.begin[at + 1]
    at = 2 * (ways * other + way)
    met, met_end = shapes.begin[at], shapes.begin[at + 1]
    shortest = np.int64(NO_END)
    while ahead < ahead_end and met < met_end:
        ahead_line, met_line = shapes.line[ahead], shapes.line[met] + line
        if ahead_line < met_line:
            ahead += 1
        elif met_line < ahead_line:
            met += 1
        else:
            at = met
            while at < met_end and shapes.line[at] + line == ahead_line:
                first, last = shapes.first[at] + place, shapes.last[at] + place
                if last >= shapes.first[ahead] and (first - shapes.first[ahead]) % step == 0:
                    shortest = min(shortest, max(0, (first - shapes.last[ahead]) // step))
                at += 1
            ahead += 1
    return shortest
