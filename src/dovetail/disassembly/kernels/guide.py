"""The order of a guided search (A*): states come first if they may need the fewest moves in total.

Two pieces may have to move before the first can leave the second in a direction. The number of
moves that they need without the other pieces is found by a walk over the vectors between them. A
part separates in a direction when some of its pieces can leave all others. A state therefore needs
at least n moves if, in each direction, the pairs that need n or more moves connect all pieces.

The queue is a heap of numbers: the lower bound on the total of moves · 2³², plus a number that is
least for the newest state. A state that is reached again by fewer moves is queued again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.kernels.gaps import NO_END, closure, packed_step, pair_of_state, pair_row
from dovetail.disassembly.kernels.states import ASSEMBLY, AT, COUNT, QUEUED, STACK
from dovetail.jit import kernel
from dovetail.kernels.bits import ZERO, ones

NEVER = 1 << 20  # number of moves for two pieces that cannot leave each other
NEWEST = 0xFFFFFFFF
# Columns of `state`: number of moves to the state; lower bound on the moves from the state to a
# state that separates; 1 for a state in the queue, else 0.
TO_STATE, NEED, WAITS = range(3)
GUIDE_SIZE = 3


class PairGuide(NamedTuple):
    """Lower bounds on the moves of states and of pairs of shapes.

    There are 2 e directions, and room for m states, c pairs and k vectors of a walk.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `state` | (m, 3) | int32 | see above |
    | `queue` | (2 m,) | int64 | the queue of states, a heap |
    | `pair` | (c, 2) | int64 | the pair in `Scratch.pair` for which a row of `pair_need` was made |
    | `pair_need` | (c, 2 e) | int32 | by direction: bound on the moves until the first can leave |
    | `need` | (2 e, 64, 64) | int32 | the negated bounds between the pieces of a state |
    | `walk` | (k, 2) | int64 | packed vectors that a pair reaches, each with its number of moves |
    | `fewest` | (2 e,) | int64 | scratch of a walk: the moves until the first shape can leave |
    """

    state: NDArray[np.int32]
    queue: NDArray[np.int64]
    pair: NDArray[np.int64]
    pair_need: NDArray[np.int32]
    need: NDArray[np.int32]
    walk: NDArray[np.int64]
    fewest: NDArray[np.int64]


@kernel
def reach(shapes, assemblies, visited, scratch, state, guide, number, fresh):
    """Update the guide for state 0, or for a state to which a move of the present state leads.

    `fresh` tells whether the state is new. A known state that is reached by fewer moves now gets
    this move, which is written after the last state. The state is put into the queue, unless it is
    known with as few moves or can never separate.
    """
    moves = np.int64(0)
    if number > 0:
        moves = np.int64(guide.state[state[AT], TO_STATE]) + 1
    if fresh:
        need = _need(shapes, assemblies, visited, scratch, state, guide, number)
        guide.state[number, NEED] = need
    elif moves < guide.state[number, TO_STATE]:
        last = state[COUNT]
        visited.before[number] = visited.before[last]
        visited.direction[number] = visited.direction[last]
        visited.steps[number] = visited.steps[last]
        visited.moved[number] = visited.moved[last]
    else:
        return
    guide.state[number, TO_STATE] = moves
    if guide.state[number, NEED] < NEVER:
        guide.state[number, WAITS] = 1
        _enqueue(guide, state, moves + guide.state[number, NEED], number)


@kernel
def _need(shapes, assemblies, visited, scratch, state, guide, at):
    """Return a lower bound on the moves from a state to a separating state, or `NEVER`."""
    begin, directions, most = assemblies.begin[state[ASSEMBLY]], len(shapes.vector), np.int64(0)
    pieces = np.int64(ones(scratch.part[state[STACK] - 1]))
    for n in range(pieces):
        for direction in range(directions):
            guide.need[direction, n, n] = 0
        for m in range(n + 1, pieces):
            pair = pair_of_state(shapes, assemblies, visited, scratch, state, at, n, m)
            same = guide.pair[pair, 0] == scratch.pair[pair, 0]
            if not same or guide.pair[pair, 1] != scratch.pair[pair, 1]:
                shape = assemblies.shape[begin + scratch.member[n]]
                other = assemblies.shape[begin + scratch.member[m]]
                vector = scratch.pair[pair, 1]
                pair = _walk(shapes, scratch, state, guide, shape, other, vector)
            for direction in range(directions):
                need = guide.pair_need[pair, direction]
                most = max(most, need if need < NEVER else 0)
                guide.need[direction, n, m] = -need
                guide.need[direction ^ 1, m, n] = -need
    for need in range(most + 1):
        for direction in range(directions):
            if closure(guide.need, direction, 0, -need, pieces, pieces - 1) != ZERO:
                return need
    return np.int64(NEVER)


@kernel
def _walk(shapes, scratch, state, guide, shape, other, vector):
    """Write the bounds of a pair of shapes, by direction; return the row of the pair.

    The walk visits vectors by ascending number of moves. The walk ends after the number of moves by
    which the first shape can leave in some direction, or when `walk` is full. Directions in which
    the shape cannot leave by then need at least one more move. If the shape can never leave, all
    bounds are `NEVER`.
    """
    walk, directions = guide.walk, len(shapes.vector)
    walk[0, 0], walk[0, 1] = vector, 0
    guide.fewest[:] = NEVER
    head, count, last = 0, 1, np.int64(NEVER)
    while head < count and walk[head, 1] <= last:
        pair, moves = pair_row(shapes, scratch, state, shape, other, walk[head, 0]), walk[head, 1]
        for direction in range(directions):
            if scratch.pair_gap[pair, direction] == NO_END:
                last = moves
                guide.fewest[direction] = min(guide.fewest[direction], moves)
        for direction in range(directions):
            step = packed_step(shapes, direction)
            for steps in range(1, 1 + scratch.pair_gap[pair, direction]):
                if last < NEVER:
                    break
                walk[count, 0] = walk[head, 0] - steps * step
                walk[count, 1] = moves + 1
                count += _is_new(walk, count)
                if count == len(walk):
                    last = moves
        head += 1
    pair = pair_row(shapes, scratch, state, shape, other, vector)
    guide.pair[pair, 0], guide.pair[pair, 1] = scratch.pair[pair, 0], scratch.pair[pair, 1]
    for direction in range(directions):
        fewest = guide.fewest[direction]
        guide.pair_need[pair, direction] = min(fewest, last + 1) if last < NEVER else NEVER
    return pair


@kernel(inline=True)
def _is_new(walk, count):
    """Return 1 if vector `count` of a walk differs from all vectors before it, else 0."""
    for number in range(count):
        if walk[number, 0] == walk[count, 0]:
            return 0
    return 1


@kernel(inline=True)
def _enqueue(guide, state, moves, number):
    """Add a state to the queue; `moves` is a lower bound on the total of moves through it."""
    queue, at = guide.queue, state[QUEUED]
    state[QUEUED] = at + 1
    key = moves << 32 | NEWEST - number
    while at > 0 and queue[(at - 1) // 2] > key:
        queue[at] = queue[(at - 1) // 2]
        at = (at - 1) // 2
    queue[at] = key


@kernel
def dequeue(guide, state):
    """Remove the state to search next from the queue and return it; −1 for none."""
    queue = guide.queue
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
        if guide.state[number, WAITS] == 1:
            guide.state[number, WAITS] = 0
            return number
    return np.int64(-1)
