"""The kernel that takes assemblies apart: breadth-first search over the positions of the pieces.

`dovetail.disassembly` has the rules. A *part* is a set of pieces that has not come apart
yet: first the whole assembly, then the halves of each separation. Its states are searched in the
order in which they were found. A state is the places of the pieces relative to the first piece.

How far a piece slides before it meets another depends on the two shapes and on the vector
between them only. These gaps are kept in a table that serves all assemblies of a call.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.kernels.bits import ONE, ZERO, ones, trailing_zeros

NO_END = 1 << 30  # the gap in a direction in which nothing is met
MAX_PIECES = 64  # of an assembly: sets of pieces are words
FREE = -1  # of a slot without a pair
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(0xC2B2_AE3D_27D4_EB4F)
HASH_SHIFT = np.uint64(32)

# Entries of `state`.
ASSEMBLY, PHASE, HEAD, COUNT, STACK, NODES, MOVES, STAMP, PAIRS, LIMIT = range(10)
STATE_SIZE = 10
# Phases: before an assembly, before a part, within the search of a part.
NEXT_ASSEMBLY, NEXT_PART, IN_PART = range(3)
# Why a slice ended. Arrays that are full have to be replaced by larger ones with the same content.
ALL_DONE, WORK_SPENT, STATES_FULL, NODES_FULL, MOVES_FULL = range(5)
# Outcomes of assemblies.
OPEN, APART, LOCKED, TOO_MANY_SETS = range(4)
# Columns of `nodes`: the assembly, the node of the separation that left the part (−1 for none), 1
# for the half that was removed there, the first of its moves, and how many; 0 moves: it is locked.
NODE_ASSEMBLY, NODE_PARENT, NODE_REMOVED, NODE_FIRST, NODE_MOVES = range(5)
NODE_SIZE = 5
# What a state leads to.
_NOTHING_MORE, _SEPARATION, _NO_ROOM, _SETS = range(4)


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


class Assemblies(NamedTuple):
    """Assemblies of pieces.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (b + 1,) | int64 | the first piece of each assembly |
    | `shape` | (p,) | int64 | the shape of each piece |
    | `place` | (p, a) | int64 | how far its cells are from the shape's |
    | `group` | (p,) | int64 | number of a group that need not come apart, −1 for none |
    | `outcome` | (b,) | int64 | see above |
    | `states` | (b,) | int64 | states searched for each assembly |
    """

    begin: NDArray[np.int64]
    shape: NDArray[np.int64]
    place: NDArray[np.int64]
    group: NDArray[np.int64]
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
    | `pair` | (c, 2) | int64 | hash table: both shapes, and the vector between them, or `FREE` |
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


class Plans(NamedTuple):
    """Separations found: room for n of them, and for h moves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `node` | (n, 5) | int64 | see above |
    | `part`, `removed` | (n,) | uint64 | the pieces of the part, and of the removed half |
    | `move` | (h, 2) | int32 | direction and steps of each move; the last of a node separates, |
    |        |        |       | and has 0 steps |
    | `moved` | (h,) | uint64 | the pieces that move |
    """

    node: NDArray[np.int64]
    part: NDArray[np.uint64]
    removed: NDArray[np.uint64]
    move: NDArray[np.int32]
    moved: NDArray[np.uint64]


@kernel
def take_apart(shapes, assemblies, visited, scratch, plans, state, max_states):
    """Go on taking assemblies apart, for `max_states` states at most; return why that ended.

    An assembly is left as it is after `LIMIT` states.
    """
    spent = 0
    while state[ASSEMBLY] < len(assemblies.outcome):
        which = state[ASSEMBLY]
        if state[PHASE] == NEXT_ASSEMBLY:
            _begin_assembly(assemblies, scratch, which)
            state[STACK], state[PHASE] = 1, NEXT_PART
        if state[PHASE] == NEXT_PART:
            if state[STACK] == 0:
                if assemblies.outcome[which] == OPEN:
                    assemblies.outcome[which] = APART
                state[ASSEMBLY], state[PHASE] = which + 1, NEXT_ASSEMBLY
                continue
            _begin_part(assemblies, visited, scratch, state, shapes.vector.shape[1])
        while state[PHASE] == IN_PART:
            if state[NODES] == len(plans.node):
                return NODES_FULL
            outcome = _NOTHING_MORE
            if state[HEAD] < state[COUNT]:
                if spent == max_states or assemblies.states[which] + state[HEAD] == state[LIMIT]:
                    return WORK_SPENT
                spent += 1
                outcome = _expand(shapes, assemblies, visited, scratch, state)
                if outcome == _NOTHING_MORE:
                    state[HEAD] += 1
                    continue
            if outcome == _NO_ROOM:
                return STATES_FULL
            if outcome == _SETS:
                assemblies.outcome[which] = TOO_MANY_SETS
                state[STACK], state[PHASE] = 0, NEXT_PART
            elif outcome == _SEPARATION:
                if not _separate(shapes, visited, scratch, plans, state):
                    return MOVES_FULL
                state[HEAD] += 1
            else:
                _stay_together(assemblies, scratch, plans, state)
            if state[PHASE] != IN_PART:
                assemblies.states[which] += state[HEAD]
    return ALL_DONE


@kernel(inline=True)
def _begin_assembly(assemblies, scratch, which):
    """Put the whole assembly on the stack of parts."""
    begin, end = assemblies.begin[which], assemblies.begin[which + 1]
    axes = assemblies.place.shape[1]
    pieces = ZERO
    for piece in range(end - begin):
        pieces |= ONE << np.uint64(piece)
        for axis in range(axes):
            scratch.part_place[0, piece * axes + axis] = assemblies.place[begin + piece, axis]
    scratch.part[0] = pieces
    scratch.part_from[0, 0] = -1
    scratch.part_from[0, 1] = 0


@kernel(inline=True)
def _begin_part(assemblies, visited, scratch, state, axes):
    """Begin to search the part on top of the stack; a single piece is finished."""
    top = state[STACK] - 1
    left, count = scratch.part[top], 0
    while left != ZERO:
        scratch.member[count] = np.int64(trailing_zeros(left))
        left &= left - ONE
        count += 1
    begin = assemblies.begin[state[ASSEMBLY]]
    group = np.int64(-1)
    if count > 0:
        group = assemblies.group[begin + scratch.member[0]]
    for n in range(1, count):
        if assemblies.group[begin + scratch.member[n]] != group:
            group = -1
    if count <= 1 or (group >= 0 and scratch.part_from[top, 0] >= 0):
        state[STACK] -= 1
        return
    first = scratch.member[0]
    for n in range(count):
        piece = scratch.member[n]
        for axis in range(axes):
            visited.place[0, n * axes + axis] = (
                scratch.part_place[top, piece * axes + axis]
                - scratch.part_place[top, first * axes + axis]
            )
    state[STAMP] += 1
    state[HEAD] = 0
    state[COUNT] = 0
    visited.before[0] = -1
    _visit(visited, state, count * axes)
    state[PHASE] = IN_PART


@kernel(inline=True)
def _visit(visited, state, words):
    """Add the state that lies behind the last state, unless it is known."""
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
            return
        slot = (slot + ONE) & slots
    visited.slot[np.int64(slot)] = state[STAMP] << 32 | count
    state[COUNT] = count + 1


@kernel
def rehash(visited, state, words):
    """Write all states of the part into an empty hash table; a state has `words` numbers."""
    count = state[COUNT]
    state[COUNT] = 0
    for _ in range(count):
        _visit(visited, state, words)


@kernel
def _expand(shapes, assemblies, visited, scratch, state):
    """Add the states that the moves of the next state lead to, or find that it separates."""
    top = state[STACK] - 1
    directions = len(shapes.vector)
    pieces = np.int64(ones(scratch.part[top]))
    everything = ~ZERO if pieces == 64 else (ONE << np.uint64(pieces)) - ONE
    _measure(shapes, assemblies, visited, scratch, state, pieces)
    for alone in range(2):
        for direction in range(directions):
            for piece in range(pieces):
                most = 1 if alone == 0 else pieces // 2
                moving = _closure(scratch, direction, piece, NO_END, pieces, most)
                if moving != ZERO:
                    scratch.found[0] = moving
                    scratch.found[1] = np.uint64(direction)
                    return _SEPARATION
    for direction in range(directions):
        used, longest = 0, -1
        for piece in range(pieces):
            steps = 0
            while True:
                steps += 1
                moving = _closure(scratch, direction, piece, steps, pieces, pieces // 2)
                if moving == ZERO:
                    break
                if steps >= len(scratch.newest):
                    return _SETS
                while longest < steps:
                    longest += 1
                    scratch.newest[longest] = -1
                if _known(scratch, steps, moving):
                    continue
                older = scratch.newest[steps]
                union = moving
                while True:
                    if union != everything and not _known(scratch, steps, union):
                        if used == len(scratch.sets):
                            return _SETS
                        scratch.sets[used] = union
                        scratch.older[used] = scratch.newest[steps]
                        scratch.newest[steps] = used
                        used += 1
                        if not _move(shapes, visited, state, pieces, union, direction, steps):
                            return _NO_ROOM
                    if older < 0:
                        break
                    union = moving | scratch.sets[older]
                    older = scratch.older[older]
    return _NOTHING_MORE


@kernel(inline=True)
def _known(scratch, steps, wanted):
    """Return whether a set is in the list for a number of steps."""
    at = scratch.newest[steps]
    while at >= 0:
        if scratch.sets[at] == wanted:
            return True
        at = scratch.older[at]
    return False


@kernel(inline=True)
def _closure(scratch, direction, piece, steps, pieces, most):
    """Return the pieces that a piece takes along; no pieces if they are more than `most`."""
    moving = ONE << np.uint64(piece)
    waiting, count = moving, 1
    while waiting != ZERO:
        pusher = np.int64(trailing_zeros(waiting))
        waiting &= waiting - ONE
        for other in range(pieces):
            if scratch.gap[direction, pusher, other] < steps:
                bit = ONE << np.uint64(other)
                if moving & bit == ZERO:
                    count += 1
                    if count > most:
                        return ZERO
                    moving |= bit
                    waiting |= bit
    return moving if count <= most else ZERO


@kernel(inline=True)
def _move(shapes, visited, state, pieces, moving, direction, steps):
    """Add the state after a move; return whether there is room."""
    count, head, axes = state[COUNT], state[HEAD], shapes.vector.shape[1]
    if count == len(visited.place):
        return False
    with_first = moving & ONE != ZERO
    for n in range(pieces):
        moves = (moving >> np.uint64(n) & ONE != ZERO) != with_first
        sign = 0
        if moves:
            sign = -steps if with_first else steps
        for axis in range(axes):
            visited.place[count, n * axes + axis] = (
                visited.place[head, n * axes + axis] + sign * shapes.vector[direction, axis]
            )
    visited.before[count] = head
    visited.direction[count] = direction
    visited.steps[count] = steps
    visited.moved[count] = moving
    _visit(visited, state, pieces * axes)
    return True


@kernel(inline=True)
def _measure(shapes, assemblies, visited, scratch, state, pieces):
    """Write the gaps between the pieces of the next state."""
    begin = assemblies.begin[state[ASSEMBLY]]
    axes, directions = shapes.vector.shape[1], len(shapes.vector)
    for n in range(pieces):
        for direction in range(directions):
            scratch.gap[direction, n, n] = NO_END
        one = assemblies.shape[begin + scratch.member[n]]
        for m in range(n + 1, pieces):
            other = assemblies.shape[begin + scratch.member[m]]
            pair = _pair(shapes, visited, scratch, state, one, other, n * axes, m * axes)
            for direction in range(directions):
                gap = scratch.pair_gap[pair, direction]
                scratch.gap[direction, n, m] = gap
                scratch.gap[direction ^ 1, m, n] = gap


@kernel(inline=True)
def _pair(shapes, visited, scratch, state, one, other, first, second):
    """Return the row with the gaps of two shapes, whose places begin at two words of a state."""
    axes, directions, head = shapes.vector.shape[1], len(shapes.vector), state[HEAD]
    bits = 60 // axes
    shape_pair = one << 32 | other
    vector = np.int64(0)
    for axis in range(axes):
        away = np.int64(visited.place[head, second + axis]) - visited.place[head, first + axis]
        vector = (vector << bits) + away + (1 << bits - 1)
    slots = np.uint64(len(scratch.pair) - 1)
    hashed = np.uint64(shape_pair) * FIRST_FACTOR ^ np.uint64(vector) * SECOND_FACTOR
    slot = np.int64((hashed ^ hashed >> HASH_SHIFT) & slots)
    while scratch.pair[slot, 0] != FREE:
        if scratch.pair[slot, 0] == shape_pair and scratch.pair[slot, 1] == vector:
            return slot
        slot = np.int64(np.uint64(slot + 1) & slots)
    if 2 * state[PAIRS] >= len(scratch.pair):
        scratch.pair[:, 0] = FREE
        state[PAIRS] = 0
        slot = np.int64((hashed ^ hashed >> HASH_SHIFT) & slots)
    state[PAIRS] += 1
    scratch.pair[slot, 0] = shape_pair
    scratch.pair[slot, 1] = vector
    for way in range(directions // 2):
        line, place = np.int64(0), np.int64(0)
        for axis in range(axes):
            away = np.int64(visited.place[head, second + axis]) - visited.place[head, first + axis]
            line += shapes.line_of[way, axis] * away
            place += shapes.place_of[way, axis] * away
        scratch.pair_gap[slot, 2 * way] = _slide(shapes, way, one, other, line, place)
        scratch.pair_gap[slot, 2 * way + 1] = _slide(shapes, way, other, one, -line, -place)
    return slot


@kernel
def _slide(shapes, way, one, other, line, place):
    """Return how many steps a shape may slide along a pair of directions towards another.

    The other shape is `line` and `place` away.
    """
    ways, step = len(shapes.step), shapes.step[way]
    at = 2 * (ways * one + way) + 1
    ahead, ahead_end = shapes.begin[at], shapes.begin[at + 1]
    at = 2 * (ways * other + way)
    met, met_end = shapes.begin[at], shapes.begin[at + 1]
    shortest = np.int64(NO_END)
    while ahead < ahead_end and met < met_end:
        own, its = shapes.line[ahead], shapes.line[met] + line
        if own < its:
            ahead += 1
        elif its < own:
            met += 1
        else:
            at = met
            while at < met_end and shapes.line[at] + line == own:
                first, last = shapes.first[at] + place, shapes.last[at] + place
                if last >= shapes.first[ahead] and (first - shapes.first[ahead]) % step == 0:
                    shortest = min(shortest, max(0, (first - shapes.last[ahead]) // step))
                at += 1
            ahead += 1
    return shortest


@kernel
def _separate(shapes, visited, scratch, plans, state):
    """Record the moves to the separation that was found; put its halves on the stack.

    Returns whether there was room for the moves.
    """
    top, node, axes = state[STACK] - 1, state[NODES], shapes.vector.shape[1]
    moves, at = 1, state[HEAD]
    while visited.before[at] >= 0:
        at = visited.before[at]
        moves += 1
    if state[MOVES] + moves > len(plans.move):
        return False
    pieces = np.int64(ones(scratch.part[top]))
    last = state[MOVES] + moves - 1
    plans.move[last, 0] = np.int64(scratch.found[1])
    plans.move[last, 1] = 0
    plans.moved[last] = _by_piece(scratch, scratch.found[0])
    at = state[HEAD]
    while visited.before[at] >= 0:
        last -= 1
        plans.move[last, 0] = visited.direction[at]
        plans.move[last, 1] = visited.steps[at]
        plans.moved[last] = _by_piece(scratch, visited.moved[at])
        at = visited.before[at]
    removed = _by_piece(scratch, scratch.found[0])
    whole = scratch.part[top]
    plans.node[node, NODE_ASSEMBLY] = state[ASSEMBLY]
    plans.node[node, NODE_PARENT] = scratch.part_from[top, 0]
    plans.node[node, NODE_REMOVED] = scratch.part_from[top, 1]
    plans.node[node, NODE_FIRST] = state[MOVES]
    plans.node[node, NODE_MOVES] = moves
    plans.part[node] = whole
    plans.removed[node] = removed
    for n in range(pieces):
        piece = scratch.member[n]
        for axis in range(axes):
            place = visited.place[state[HEAD], n * axes + axis]
            for half in range(2):
                scratch.part_place[top + half, piece * axes + axis] = place
    scratch.part[top] = removed
    scratch.part[top + 1] = whole & ~removed
    for half in range(2):
        scratch.part_from[top + half, 0] = node
        scratch.part_from[top + half, 1] = 1 - half
    state[MOVES] += moves
    state[NODES] += 1
    state[STACK] += 1
    state[PHASE] = NEXT_PART
    return True


@kernel(inline=True)
def _by_piece(scratch, members):
    """Return a set of members of the part as a set of pieces of the assembly."""
    found = ZERO
    while members != ZERO:
        member = np.int64(trailing_zeros(members))
        members &= members - ONE
        found |= ONE << np.uint64(scratch.member[member])
    return found


@kernel(inline=True)
def _stay_together(assemblies, scratch, plans, state):
    """Record that a part does not come apart; without groups the assembly is finished."""
    top, node, which = state[STACK] - 1, state[NODES], state[ASSEMBLY]
    plans.node[node, NODE_ASSEMBLY] = which
    plans.node[node, NODE_PARENT] = scratch.part_from[top, 0]
    plans.node[node, NODE_REMOVED] = scratch.part_from[top, 1]
    plans.node[node, NODE_FIRST] = state[MOVES]
    plans.node[node, NODE_MOVES] = 0
    plans.part[node] = scratch.part[top]
    plans.removed[node] = ZERO
    state[NODES] += 1
    state[STACK] -= 1
    grouped = False
    for piece in range(assemblies.begin[which], assemblies.begin[which + 1]):
        grouped |= assemblies.group[piece] != -1
    if not grouped or scratch.part_from[top, 0] < 0:
        assemblies.outcome[which] = LOCKED
        state[STACK] = 0
    state[PHASE] = NEXT_PART
