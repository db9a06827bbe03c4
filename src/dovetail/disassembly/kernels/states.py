"""The arrays of a search that takes assemblies apart: assemblies, states and plans.

A *part* is a set of pieces that has not come apart yet: first the whole assembly, then the halves
of each separation. A *state* consists of the places of the pieces of a part, relative to the first
of these pieces.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import ONE

MAX_PIECES = 64  # limit for an assembly, since a set of pieces is a word
FREE = -1  # entry of a slot without a pair
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xC2B2_AE3D_27D4_EB4F)
HASH_SHIFT = np.uint64(32)

# Entries of `state`.
# ASSEMBLY, PHASE: the present assembly; see the phases below.
# HEAD, COUNT: numbers of states of the part that were searched and that were found.
# STACK: number of parts on the stack; the present part is the last.
# NODES, MOVES: numbers of rows written into `Plans.node` and `Plans.move`.
# STAMP: mark of the part's states in the hash table.
# PAIRS: number of pairs in the table of gaps.
# LIMIT: limit on the states of an assembly.
# AT: the state that is being searched, −1 for none.
# LONGEST: largest number of steps of a move.
# QUEUED: length of the queue of a guided search.
ASSEMBLY, PHASE, HEAD, COUNT, STACK, NODES, MOVES, STAMP, PAIRS, LIMIT = range(10)
AT, LONGEST, QUEUED = range(10, 13)
STATE_SIZE = 13
# Phases: before an assembly, before a part, within the search of a part.
NEXT_ASSEMBLY, NEXT_PART, IN_PART = range(3)
# Reasons for the end of a slice. Full arrays have to be replaced by larger copies.
ALL_DONE, WORK_SPENT, STATES_FULL, MOVES_FULL = range(4)
# Outcomes of assemblies; TOO_MANY_SETS also stands for a limit on states or memory.
OPEN, APART, LOCKED, TOO_MANY_SETS = range(4)
# Columns of `node`: the assembly; the node of the separation that made the part (−1 for none); 1 if
# the part is the half that leaves by this separation, else 0; the first move of the part; number of
# its moves, 0 if the part is locked.
NODE_ASSEMBLY, NODE_PARENT, NODE_LEAVES, NODE_FIRST, NODE_MOVES = range(5)
NODE_SIZE = 5


class Plans(NamedTuple):
    """Separations and locked parts, assembly by assembly: room for n of these parts and h moves.

    An assembly of p pieces has fewer than 2 p such parts.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (n, 5) | int64 | a row for each part; see above |
    | `part` | (n,) | uint64 | the pieces of the part |
    | `move` | (h, 2) | int32 | direction and steps of each move; 0 steps for a separation |
    | `moved` | (h,) | uint64 | the pieces that move |
    """

    node: NDArray[np.int64]
    part: NDArray[np.uint64]
    move: NDArray[np.int32]
    moved: NDArray[np.uint64]


class Shapes(NamedTuple):
    """The cells of s shapes, as r runs along e pairs of opposite directions.

    A cell has `a` coordinates. For a pair of directions, a cell has a *line*, which is the same for
    all cells that it passes when it slides, and a *place* on the line. A run is a series of cells
    of a line, each a step from the one before.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (2 e s + 1,) | int64 | index of the first run of each group of runs; see below |
    | `line`, `first`, `last` | (r,) | int64 | line, first and last place of each run |
    | `step` | (e,) | int64 | difference in place of a step |
    | `line_of`, `place_of` | (e, a) | int64 | factors of coordinates for lines and places |
    | `vector` | (2 e, a) | int64 | the vector of a step in each direction |

    For shape v and pair w, group 2 (e v + w) has the runs of the shape's cells. The next group has
    the runs of the cells that the shape's cells meet on a step in the pair's first direction. The
    runs of a group are sorted by line.
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
    """A batch of b assemblies with p pieces in all; cells have `a` coordinates.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (b + 1,) | int64 | the first piece of each assembly; then p |
    | `shape` | (p,) | int64 | the shape of each piece |
    | `place` | (p, a) | int64 | the vector from the shape to the cells of each piece |
    | `group` | (p,) | int64 | the only group of each piece; −1 for no group, −2 for several |
    | `weight` | (p,) | int64 | weight of each piece; the part with the heaviest piece stays |
    | `outcome` | (b,) | int64 | see above |
    | `states` | (b,) | int64 | number of states searched for each assembly |
    """

    begin: NDArray[np.int64]
    shape: NDArray[np.int64]
    place: NDArray[np.int64]
    group: NDArray[np.int64]
    weight: NDArray[np.int64]
    outcome: NDArray[np.int64]
    states: NDArray[np.int64]


class Visited(NamedTuple):
    """The states of a part, in the order in which they were found: room for m states of w words.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `place` | (m, w) | int32 | the vectors of the pieces from the first piece |
    | `before` | (m,) | int32 | the state from which a state was found, −1 for the first |
    | `direction`, `steps` | (m,) | int32 | the move that led to a state |
    | `moved` | (m,) | uint64 | the pieces that moved |
    | `slot` | (t,) | int64 | hash table: STAMP · 2³² + state; t is a power of two, at least 2 m |
    """

    place: NDArray[np.int32]
    before: NDArray[np.int32]
    direction: NDArray[np.int32]
    steps: NDArray[np.int32]
    moved: NDArray[np.uint64]
    slot: NDArray[np.int64]


class Scratch(NamedTuple):
    """Gaps of pairs and of the present state, sets of pieces, and the stack of parts.

    There are 2 e directions, and cells have `a` coordinates. There is room for c pairs, q sets of
    pieces and moves of fewer than k steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `pair` | (c, 2) | int64 | hash table: two shapes and their packed vector, or `FREE` |
    | `pair_gap` | (c, 2 e) | int32 | by pair and direction: the gap of the first shape |
    | `gap` | (2 e, 64, 64) | int32 | by direction: the gaps between the pieces of a state |
    | `sets` | (q,) | uint64 | sets of members that can move, as linked lists by number of steps |
    | `older` | (q,) | int32 | the set before this set in its list, −1 for none |
    | `newest` | (k,) | int32 | by number of steps: the last set of its list |
    | `member` | (64,) | int64 | the pieces of the present part |
    | `part` | (128,) | uint64 | stack of the parts that are not finished |
    | `part_from` | (128, 2) | int64 | by part: its `NODE_PARENT` and `NODE_LEAVES` |
    | `part_place` | (128, 64 a) | int64 | by part: the places of all pieces at its beginning |
    | `found` | (2,) | uint64 | the members that a separation removes, and its direction |
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
    """Moves from consecutive states, found ahead of the search: room for q states and r moves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `end` | (q,) | int64 | by state: the end of its moves |
    | `direction`, `steps` | (r,) | int32 | direction and steps of each move |
    | `moved` | (r,) | uint64 | the pieces that move |
    | `size` | (1,) | int64 | number of moves |
    """

    end: NDArray[np.int64]
    direction: NDArray[np.int32]
    steps: NDArray[np.int32]
    moved: NDArray[np.uint64]
    size: NDArray[np.int64]


@kernel(inline=True)
def visit(visited, state, words):
    """Add the state written after the last state, unless it is known; return its number."""
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
    """Write all states of the part into an empty hash table; a state has `words` words."""
    count = state[COUNT]
    state[COUNT] = 0
    for _ in range(count):
        visit(visited, state, words)
