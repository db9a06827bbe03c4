"""The arrays of a search that takes assemblies apart, its table of states, and plans.

A *part* is a set of pieces that has not come apart yet: first the whole assembly, then the halves
of each separation. A state is the places of the pieces of a part relative to the first of them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import ONE

MAX_PIECES = 64  # of an assembly: sets of pieces are words
FREE = -1  # of a slot without a pair
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xC2B2_AE3D_27D4_EB4F)
HASH_SHIFT = np.uint64(32)

# Entries of `state`: among them the states of the part that were searched (`HEAD`), the state that
# is being searched (`AT`, −1 for none), the most steps of a move, and how long
# the queue of a guided search is.
ASSEMBLY, PHASE, HEAD, COUNT, STACK, NODES, MOVES, STAMP, PAIRS, LIMIT = range(10)
AT, LONGEST, QUEUED = range(10, 13)
STATE_SIZE = 13
# Phases: before an assembly, before a part, within the search of a part.
NEXT_ASSEMBLY, NEXT_PART, IN_PART = range(3)
# Why a slice ended. Arrays that are full have to be replaced by larger ones with the same content.
ALL_DONE, WORK_SPENT, STATES_FULL, MOVES_FULL = range(4)
# Outcomes of assemblies.
OPEN, APART, LOCKED, TOO_MANY_SETS = range(4)
# Columns of `node`: the assembly, the node of the separation that left the part (−1 for none), 1
# for the half that leaves there, the first of its moves, and how many; 0 moves: it is locked.
NODE_ASSEMBLY, NODE_PARENT, NODE_LEAVES, NODE_FIRST, NODE_MOVES = range(5)
NODE_SIZE = 5


class Plans(NamedTuple):
    """Separations, assembly by assembly: room for n of them and of locked parts, and for h moves.

    An assembly of p pieces has less than 2 p of these parts, so n is enough for all.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (n, 5) | int64 | see above |
    | `part` | (n,) | uint64 | the pieces of the part |
    | `move` | (h, 2) | int32 | direction and steps of each move; the last of a node separates, |
    |        |        |       | and has 0 steps |
    | `moved` | (h,) | uint64 | the pieces that move |
    """

    node: NDArray[np.int64]
    part: NDArray[np.uint64]
    move: NDArray[np.int32]
    moved: NDArray[np.uint64]


class Shapes(NamedTuple):
    """The cells of s shapes, as runs along the e pairs of directions; cells have a coordinates.

    A run is cells of one line that are a step from each other. All runs of a pair of directions
    have a *line*, which is the same for the cells that a slide passes, and *places* on it.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (2 e s + 1,) | int64 | the runs of shape v along pair w from 2 (e v + w) on, and |
    |         |              |       | from there + 1 on the cells met in its first step |
    | `line`, `first`, `last` | (r,) | int64 | line and end places of each run, by line |
    | `step` | (e,) | int64 | difference in place of one step |
    | `line_of`, `place_of` | (e, a) | int64 | factors of coordinates for lines and places |
    | `vector` | (2 e, a) | int64 | a step in each direction |
    """

    begin: NDArray[np.int64]
    line: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    step: NDArray[np.int64]
    line_of: NDArray[np.int64]
    place_of: NDArray[np.int64]
    vector: NDArray[np.int64]


class AssemblyArrays(NamedTuple):
    """Assemblies of pieces.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (b + 1,) | int64 | the first piece of each assembly |
    | `shape` | (p,) | int64 | the shape of each piece |
    | `place` | (p, a) | int64 | how far its cells are from the shape's |
    | `group` | (p,) | int64 | number of a group that need not come apart, −1 for none |
    | `weight` | (p,) | int64 | heavier pieces stay where they are |
    | `outcome` | (b,) | int64 | see above |
    | `states` | (b,) | int64 | states searched for each assembly |
    """

    begin: NDArray[np.int64]
    shape: NDArray[np.int64]
    place: NDArray[np.int64]
    group: NDArray[np.int64]
    weight: NDArray[np.int64]
    outcome: NDArray[np.int64]
    states: NDArray[np.int64]


class Visited(NamedTuple):
    """The states of a part, in the order in which they were found: room for m of w numbers.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `place` | (m, w) | int32 | the vectors of the pieces from the first piece |
    | `before` | (m,) | int32 | the state from which it was found |
    | `direction`, `steps` | (m,) | int32 | the move that led to it |
    | `moved` | (m,) | uint64 | the pieces that moved |
    | `slot` | (t,) | int64 | hash table: stamp of the part · 2³² + state; t a power of two ≥ 2 m |
    """

    place: NDArray[np.int32]
    before: NDArray[np.int32]
    direction: NDArray[np.int32]
    steps: NDArray[np.int32]
    moved: NDArray[np.uint64]
    slot: NDArray[np.int64]


class Scratch(NamedTuple):
    """Gaps of pairs and of the current state, sets of pieces, and the parts that are left.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `pair` | (c, 2) | int64 | hash table: both shapes, and the packed vector between them, |
    |        |        |       | or `FREE` |
    | `pair_gap` | (c, 2 e) | int32 | how far the first shape of a pair may slide |
    | `gap` | (2 e, 64, 64) | int32 | by direction, the gaps between the pieces of a state |
    | `sets` | (q,) | uint64 | sets that can move, as linked lists |
    | `older` | (q,) | int32 | the set before it of the same number of steps, −1 for none |
    | `newest` | (k,) | int32 | the last set for a number of steps |
    | `member` | (64,) | int64 | the pieces of the part |
    | `part` | (128,) | uint64 | parts that are left, the last on top |
    | `part_from` | (128, 2) | int64 | `NODE_PARENT` and `NODE_REMOVED` of each |
    | `part_place` | (128, 64 a) | int64 | places of all pieces when the part begins |
    | `found` | (2,) | uint64 | the removed half, and the direction in which it leaves |
    """

    pair: NDArray[np.int64]
    pair_gap: NDArray[np.int32]
    gap: NDArray[np.int32]
    sets: NDArray[np.uint64]
    older: NDArray[np.int32]
    newest: NDArray[np.int32]
    member: NDArray[np.int64]
    part: NDArray[np.uint64]
    part_from: NDArray[np.int64]
    part_place: NDArray[np.int64]
    found: NDArray[np.uint64]


class FoundMoves(NamedTuple):
    """Moves from consecutive states, found before the search comes to these: room for r moves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `end` | (q,) | int64 | by state, the end of its moves |
    | `direction`, `steps` | (r,) | int32 | each move |
    | `moved` | (r,) | uint64 | the pieces that move |
    | `size` | (1,) | int64 | how many moves there are |
    """

    end: NDArray[np.int64]
    direction: NDArray[np.int32]
    steps: NDArray[np.int32]
    moved: NDArray[np.uint64]
    size: NDArray[np.int64]


@kernel(inline=True)
def visit(visited, state, words):
    """Add the state that lies behind the last state, unless it is known; return its number."""
    count = state[COUNT]
    slots = np.uint64(len(visited.slot) - 1)
    hashed = np.uint64(words)
    for n in range(words):
        hashed = (hashed ^ np.uint64(visited.place[count, n])) * FIRST_FACTOR
        hashed ^= hashed >> HASH_SHIFT
    slot = hashed & slots
    while True:
        entry = visited.slot[np.int64(slot)]
        if entry >> 32 != state[STAMP]:
            break
        other = entry & 0xFFFFFFFF
        same = True
        for n in range(words):
            if visited.place[other, n] != visited.place[count, n]:
                same = False
                break
        if same:
            return other
        slot = (slot + ONE) & slots
    visited.slot[np.int64(slot)] = state[STAMP] << 32 | count
    state[COUNT] = count + 1
    return count


@kernel
def rehash(visited, state, words):
    """Write all states of the part into an empty hash table; a state has `words` numbers."""
    count = state[COUNT]
    state[COUNT] = 0
    for _ in range(count):
        visit(visited, state, words)
