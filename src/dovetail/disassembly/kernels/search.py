"""The kernel that takes assemblies apart: a search over the positions of the pieces.

`dovetail.disassembly` defines moves and separations. The states of each part are searched in the
order in which they were found, or in the order of a guide.
"""

import numpy as np

from dovetail.disassembly.kernels.gaps import NO_END, closure, measure
from dovetail.disassembly.kernels.guide import dequeue, reach
from dovetail.disassembly.kernels.states import (
    ALL_DONE,
    APART,
    ASSEMBLY,
    AT,
    COUNT,
    HEAD,
    IN_PART,
    LIMIT,
    LOCKED,
    LONGEST,
    MOVES,
    MOVES_FULL,
    NEXT_ASSEMBLY,
    NEXT_PART,
    NODE_ASSEMBLY,
    NODE_FIRST,
    NODE_LEAVES,
    NODE_MOVES,
    NODE_PARENT,
    NODES,
    OPEN,
    PHASE,
    QUEUED,
    STACK,
    STAMP,
    STATES_FULL,
    TOO_MANY_SETS,
    WORK_SPENT,
    visit,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ONE, ZERO, ones, trailing_zeros

# Outcomes of `_expand`: no separation, a separation, a full array, too many sets of pieces.
_NOTHING_MORE, _SEPARATION, _NO_ROOM, _SETS = range(4)


@kernel
def take_apart(shapes, assemblies, visited, scratch, plans, state, guide, max_states):
    """Search on for `max_states` states at most; return why the slice ended.

    A slice also ends if the present assembly has reached `LIMIT` states or if an array is full.
    Without a `guide` (None), states are searched in the order in which they were found.
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
            _begin_part(shapes, assemblies, visited, scratch, state)
            if guide is not None and state[PHASE] == IN_PART:
                state[QUEUED] = 0
                reach(shapes, assemblies, visited, scratch, state, guide, 0, True)
        while state[PHASE] == IN_PART:
            outcome = _NOTHING_MORE
            if state[AT] < 0:
                if guide is not None:
                    state[AT] = dequeue(guide, state)
                elif state[HEAD] < state[COUNT]:
                    state[AT] = state[HEAD]
            if state[AT] >= 0:
                if spent == max_states or assemblies.states[which] + state[HEAD] == state[LIMIT]:
                    return WORK_SPENT
                spent += 1
                outcome = _expand(shapes, assemblies, visited, scratch, state, guide, None)
                if outcome == _NOTHING_MORE:
                    state[HEAD] += 1
                    state[AT] = -1
                    continue
            if outcome == _NO_ROOM:
                return STATES_FULL
            if outcome == _SETS:
                assemblies.outcome[which] = TOO_MANY_SETS
                state[STACK], state[PHASE] = 0, NEXT_PART
            elif outcome == _SEPARATION:
                if not _separate(shapes, assemblies, visited, scratch, plans, state):
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
def _begin_part(shapes, assemblies, visited, scratch, state):
    """Begin the search of the last part on the stack, or remove a part that is finished.

    A part is finished if it is a single piece, or a half whose pieces are in the same single group.
    """
    top = state[STACK] - 1
    left, count = scratch.part[top], 0
    while left != ZERO:
        scratch.member[count] = np.int64(trailing_zeros(left))
        left &= left - ONE
        count += 1
    begin, axes = assemblies.begin[state[ASSEMBLY]], shapes.vector.shape[1]
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
    state[AT] = -1
    visited.before[0] = -1
    visit(visited, state, count * axes)
    state[PHASE] = IN_PART


@kernel
def look_ahead(shapes, assemblies, visited, scratch, state, moves, first, last):
    """Find the moves from the states `first` to `last` − 1; return the number of states done.

    The function ends before a state that separates, for whose moves there is no room, or in which
    too many sets of pieces can move. The function does not change `visited`.
    """
    moves.size[0] = 0
    for at in range(first, last):
        state[AT] = at
        outcome = _expand(shapes, assemblies, visited, scratch, state, None, moves)
        if outcome != _NOTHING_MORE:
            return at - first
        moves.end[at - first] = moves.size[0]
    return last - first


@kernel
def follow(shapes, visited, scratch, state, moves, states):
    """Add the states to which the moves of the next `states` states lead.

    Returns False if there is no room for all new states. The last state is then not finished.
    """
    pieces, move = np.int64(ones(scratch.part[state[STACK] - 1])), 0
    for number in range(states):
        state[AT] = state[HEAD]
        while move < moves.end[number]:
            if state[COUNT] == len(visited.place):
                state[AT] = -1
                return False
            direction, steps = moves.direction[move], moves.steps[move]
            _move(shapes, visited, state, pieces, moves.moved[move], direction, steps)
            move += 1
        state[HEAD] += 1
    state[AT] = -1
    return True


@kernel
def _expand(shapes, assemblies, visited, scratch, state, guide, ahead):
    """Add the states to which the moves of the present state lead, unless it separates.

    Returns the outcome. `scratch.found` gets the separation, if there is one. If `ahead` is not
    None, the moves are only written into `ahead`.
    """
    top = state[STACK] - 1
    directions, most_steps = len(shapes.vector), state[LONGEST]
    pieces = np.int64(ones(scratch.part[top]))
    everything = ~ZERO if pieces == 64 else (ONE << np.uint64(pieces)) - ONE
    measure(shapes, assemblies, visited, scratch, state, pieces)
    for alone in range(2):
        for direction in range(directions):
            for piece in range(pieces):
                most = 1 if alone == 0 else pieces // 2
                moving = closure(scratch.gap, direction, piece, NO_END, pieces, most)
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
                moving = closure(scratch.gap, direction, piece, steps, pieces, pieces // 2)
                if moving == ZERO or steps > most_steps:
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
                        count = state[COUNT]
                        is_full = count == len(visited.place)
                        if guide is not None:
                            is_full |= state[QUEUED] == len(guide.queue)
                        if ahead is not None:
                            is_full = ahead.size[0] == len(ahead.moved)
                        if is_full:
                            return _NO_ROOM
                        if ahead is not None:
                            _note(ahead, union, direction, steps)
                        else:
                            found = _move(shapes, visited, state, pieces, union, direction, steps)
                        if guide is not None:
                            fresh = found == count
                            reach(shapes, assemblies, visited, scratch, state, guide, found, fresh)
                    if older < 0:
                        break
                    union = moving | scratch.sets[older]
                    older = scratch.older[older]
    return _NOTHING_MORE


@kernel(inline=True)
def _note(moves, moving, direction, steps):
    """Append a move to `moves`."""
    at = moves.size[0]
    moves.direction[at], moves.steps[at], moves.moved[at] = direction, steps, moving
    moves.size[0] = at + 1


@kernel(inline=True)
def _known(scratch, steps, wanted):
    """Return whether a set of pieces is in the list for a number of steps."""
    at = scratch.newest[steps]
    while at >= 0:
        if scratch.sets[at] == wanted:
            return True
        at = scratch.older[at]
    return False


@kernel(inline=True)
def _move(shapes, visited, state, pieces, moving, direction, steps):
    """Add the state after a move unless it is known; return its number."""
    count, at, axes = state[COUNT], state[AT], shapes.vector.shape[1]
    with_first = moving & ONE != ZERO
    for n in range(pieces):
        moves = (moving >> np.uint64(n) & ONE != ZERO) != with_first
        sign = 0
        if moves:
            sign = -steps if with_first else steps
        for axis in range(axes):
            visited.place[count, n * axes + axis] = (
                visited.place[at, n * axes + axis] + sign * shapes.vector[direction, axis]
            )
    visited.before[count] = at
    visited.direction[count] = direction
    visited.steps[count] = steps
    visited.moved[count] = moving
    return visit(visited, state, pieces * axes)


@kernel
def _separate(shapes, assemblies, visited, scratch, plans, state):
    """Record the moves that end with the separation `found`; put its halves on the stack.

    Returns False if there is no room for the moves.
    """
    top, node, axes = state[STACK] - 1, state[NODES], shapes.vector.shape[1]
    moves, at = 1, state[AT]
    while visited.before[at] >= 0:
        at = visited.before[at]
        moves += 1
    if state[MOVES] + moves > len(plans.move):
        return False
    pieces = np.int64(ones(scratch.part[top]))
    removed, last = _by_piece(scratch, scratch.found[0]), state[MOVES] + moves - 1
    _write(assemblies, scratch, plans, state, last, np.int64(scratch.found[1]), 0, removed)
    leaves = plans.moved[last]
    at = state[AT]
    while visited.before[at] >= 0:
        last -= 1
        direction, steps = np.int64(visited.direction[at]), np.int64(visited.steps[at])
        moved = _by_piece(scratch, visited.moved[at])
        _write(assemblies, scratch, plans, state, last, direction, steps, moved)
        at = visited.before[at]
    _write_node(scratch, plans, state, moves)
    for n in range(pieces):
        piece = scratch.member[n]
        for axis in range(axes):
            place = visited.place[state[AT], n * axes + axis]
            for half in range(2):
                scratch.part_place[top + half, piece * axes + axis] = place
    scratch.part[top + 1] = scratch.part[top] & ~removed
    scratch.part[top] = removed
    for half in range(2):
        scratch.part_from[top + half, 0] = node
        scratch.part_from[top + half, 1] = np.int64(scratch.part[top + half] == leaves)
    state[MOVES] += moves
    state[STACK] += 1
    state[PHASE] = NEXT_PART
    return True


@kernel(inline=True)
def _write(assemblies, scratch, plans, state, at, direction, steps, moved):
    """Write a move of the part; if the heaviest piece moves, write the opposite move of the others.

    On ties, the pieces `moved` move.
    """
    others = scratch.part[state[STACK] - 1] & ~moved
    begin = assemblies.begin[state[ASSEMBLY]]
    if _heaviest(assemblies, begin, moved) > _heaviest(assemblies, begin, others):
        moved, direction = others, direction ^ 1
    plans.move[at, 0], plans.move[at, 1], plans.moved[at] = direction, steps, moved


@kernel(inline=True)
def _heaviest(assemblies, begin, pieces):
    """Return the greatest weight of some pieces."""
    found = assemblies.weight[begin + np.int64(trailing_zeros(pieces))]
    while pieces != ZERO:
        found = max(found, assemblies.weight[begin + np.int64(trailing_zeros(pieces))])
        pieces &= pieces - ONE
    return found


@kernel(inline=True)
def _write_node(scratch, plans, state, moves):
    """Write the node of the present part: it separates by `moves` moves, or is locked (0 moves)."""
    top, node = state[STACK] - 1, state[NODES]
    plans.node[node, NODE_ASSEMBLY] = state[ASSEMBLY]
    plans.node[node, NODE_PARENT] = scratch.part_from[top, 0]
    plans.node[node, NODE_LEAVES] = scratch.part_from[top, 1]
    plans.node[node, NODE_FIRST] = state[MOVES]
    plans.node[node, NODE_MOVES] = moves
    plans.part[node] = scratch.part[top]
    state[NODES] += 1


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
    """Record that a part does not come apart.

    The assembly is locked if no piece is in a group, or if the part is the whole assembly.
    """
    top, which = state[STACK] - 1, state[ASSEMBLY]
    _write_node(scratch, plans, state, 0)
    state[STACK] -= 1
    grouped = False
    for piece in range(assemblies.begin[which], assemblies.begin[which + 1]):
        grouped |= assemblies.group[piece] != -1
    if not grouped or scratch.part_from[top, 0] < 0:
        assemblies.outcome[which] = LOCKED
        state[STACK] = 0
    state[PHASE] = NEXT_PART
