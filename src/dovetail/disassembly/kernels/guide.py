"""The order of a guided search (A*): states that may need the fewest moves in all come first.

Each pair of pieces may have to move before the first may leave the second in a direction. How many
moves two pieces need, if no others were there, is found by a walk over the vectors between them. A
part separates in a direction when some of its pieces may leave all others in it. So a state needs
at least n moves if in each direction the pairs that need n or more hold all pieces together.

The queue is a heap of numbers: moves in all · 2³², and the newest state first among equals. A state
that is found again with fewer moves is put into the queue once more.
"""

import numpy as np

from dovetail.disassembly.kernels.gaps import NO_END, closure, pair_of_state, pair_row
from dovetail.disassembly.kernels.states import (
    ASSEMBLY,
    GUIDE_MOVES,
    GUIDE_NEED,
    GUIDE_WAITS,
    QUEUED,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ZERO

NEVER = 1 << 20  # moves that two pieces need which are locked into each other
NEWEST = 0xFFFFFFFF


@kernel
def need_of_state(shapes, assemblies, visited, scratch, state, pieces, at):
    """Return how many moves at least lead from a state to one that separates, or `NEVER`."""
    begin, directions, most = assemblies.begin[state[ASSEMBLY]], len(shapes.vector), np.int64(0)
    for n in range(pieces):
        for direction in range(directions):
            scratch.need[direction, n, n] = 0
        for m in range(n + 1, pieces):
            pair = pair_of_state(shapes, assemblies, visited, scratch, state, at, n, m)
            if scratch.pair_need[pair, 0] < 0:
                shape = assemblies.shape[begin + scratch.member[n]]
                other = assemblies.shape[begin + scratch.member[m]]
                pair = _walk(shapes, scratch, state, shape, other)
            for direction in range(directions):
                need = scratch.pair_need[pair, direction]
                most = max(most, need if need < NEVER else 0)
                scratch.need[direction, n, m] = -need
                scratch.need[direction ^ 1, m, n] = -need
    for need in range(most + 1):
        for direction in range(directions):
            if closure(scratch.need, direction, 0, -need, pieces, pieces - 1) != ZERO:
                return need
    return np.int64(NEVER)


@kernel
def _walk(shapes, scratch, state, shape, other):
    """Write how many moves two shapes need at least until the first may leave, by direction.

    Returns the row of the pair. The walk ends where one may leave: no state beyond is nearer. If
    there are more vectors than fit, those that were not reached need a move more.
    """
    walk, axes, directions = scratch.walk, shapes.vector.shape[1], len(shapes.vector)
    for axis in range(axes):
        walk[0, axis] = scratch.away[axis]
    walk[0, axes] = 0
    scratch.fewest[:] = NEVER
    head, count, last = 0, 1, np.int64(NEVER)
    while head < count and walk[head, axes] <= last:
        for axis in range(axes):
            scratch.away[axis] = walk[head, axis]
        pair, moves = pair_row(shapes, scratch, state, shape, other), walk[head, axes]
        for direction in range(directions):
            if scratch.pair_gap[pair, direction] == NO_END:
                last = moves
                scratch.fewest[direction] = min(scratch.fewest[direction], moves)
        for direction in range(directions):
            for steps in range(1, 1 + scratch.pair_gap[pair, direction]):
                if last < NEVER:
                    break
                for axis in range(axes):
                    walk[count, axis] = walk[head, axis] - steps * shapes.vector[direction, axis]
                walk[count, axes] = moves + 1
                count += _is_new(walk, count, axes)
                if count == len(walk):
                    last = moves
        head += 1
    for axis in range(axes):
        scratch.away[axis] = walk[0, axis]
    pair = pair_row(shapes, scratch, state, shape, other)
    for direction in range(directions):
        fewest = scratch.fewest[direction]
        scratch.pair_need[pair, direction] = min(fewest, last + 1) if last < NEVER else NEVER
    return pair


@kernel(inline=True)
def _is_new(walk, count, axes):
    """Return 1 for a vector that is not among the first ones of a walk, 0 for another."""
    for number in range(count):
        same = True
        for axis in range(axes):
            same &= walk[number, axis] == walk[count, axis]
        if same:
            return 0
    return 1


@kernel
def enqueue(visited, state, number, moves):
    """Put a state that was reached by a number of moves into the queue, unless it is locked."""
    guide, queue, at = visited.guide, visited.queue, state[QUEUED]
    guide[number, GUIDE_MOVES] = moves
    if guide[number, GUIDE_NEED] == NEVER:
        return
    guide[number, GUIDE_WAITS] = 1
    state[QUEUED] = at + 1
    key = np.int64(moves + guide[number, GUIDE_NEED]) << 32 | NEWEST - number
    while at > 0 and queue[(at - 1) // 2] > key:
        queue[at] = queue[(at - 1) // 2]
        at = (at - 1) // 2
    queue[at] = key


@kernel
def dequeue(visited, state):
    """Return the state to search next, −1 for none."""
    queue = visited.queue
    while state[QUEUED] > 0:
        first = queue[0]
        state[QUEUED] -= 1
        count, at = state[QUEUED], 0
        key = queue[count]
        while 2 * at + 1 < count:
            child = 2 * at + 1
            if child + 1 < count and queue[child + 1] < queue[child]:
                child += 1
            if queue[child] >= key:
                break
            queue[at] = queue[child]
            at = child
        queue[at] = key
        number = NEWEST - (first & NEWEST)
        if visited.guide[number, GUIDE_WAITS] == 1:
            visited.guide[number, GUIDE_WAITS] = 0
            return number
    return np.int64(-1)
