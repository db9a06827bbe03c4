"""The kernel that checks plans: it plays their moves, cell by cell."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.disassembly.kernels.states import (
    NODE_FIRST,
    NODE_LEAVES,
    NODE_MOVES,
    NODE_PARENT,
)
from dovetail.jit import kernel
from dovetail.kernels.bits import ONE, ZERO, trailing_zeros

# Errors of a plan; `disassembly.replay` has their messages.
# Columns of a row of `Checked.error`: the error; the number of the separation in the plan; the
# number of the move in the separation. For `MEETS`, the last two columns are the piece that moves
# and the piece that it meets. For `OTHERS`, `MOVING` is 1 if the half with wrong pieces is the half
# that leaves, else 0.
RIGHT, WHOLE, NO_MOVES, OTHERS, LAST, PIECES, DIRECTION, STEPS, MEETS = range(9)
ERROR, AT_NODE, AT_MOVE, MOVING, MET = range(5)


class Steps(NamedTuple):
    """One step in each of d directions of a lattice with k fundamental cells and `a` coordinates.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `vector` | (d, a) | int64 | the vector of a step in each direction |
    | `begin` | (d k + 1,) | int64 | by direction · k + fundamental cell: its first row in `met` |
    | `met` | (m, a) | int64 | the cells that a cell meets on a step, as vectors from the cell |
    """

    vector: NDArray[np.int64]
    begin: NDArray[np.int64]
    met: NDArray[np.int64]


class Placed(NamedTuple):
    """The cells of q placed pieces: c cells with `a` coordinates.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (q + 1,) | int64 | the first cell of each piece; then c |
    | `cell` | (c, a) | int64 | the coordinates of all cells |
    | `kind` | (c,) | int64 | the number of the fundamental cell of each cell |
    """

    begin: NDArray[np.int64]
    cell: NDArray[np.int64]
    kind: NDArray[np.int64]


class Checked(NamedTuple):
    """Input, results and scratch of a check of b assemblies with p pieces; room for h halves.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `wanted` | (b,) | bool | the assemblies whose plans are checked |
    | `begin` | (b + 1,) | int64 | the first piece of each assembly; then p |
    | `cells` | (p,) | int64 | the number in `Placed` of each piece's cells |
    | `error` | (b, 5) | int64 | see above |
    | `together` | (h,) | uint64 | halves of several pieces that a plan does not separate |
    | `together_of` | (h,) | int64 | the assembly of each of these halves |
    | `away` | (≤ 64, a) | int64 | scratch: the vector by which each piece has moved |
    """

    wanted: NDArray[np.bool_]
    begin: NDArray[np.int64]
    cells: NDArray[np.int64]
    error: NDArray[np.int64]
    together: NDArray[np.uint64]
    together_of: NDArray[np.int64]
    away: NDArray[np.int64]


@kernel
def check(steps, placed, checked, plans, first):
    """Check plans up to the first error of each; `first` has the first separation of each plan.

    Only plans of `wanted` assemblies are checked. A plan is wrong if a separation has no moves or
    does not have the pieces of its part, if a move is invalid, or if a piece that moves meets a
    piece that stays. Returns the number of halves in `together`. The caller has to check whether
    the pieces of these halves have to come apart.
    """
    together = 0
    for which in range(len(checked.wanted)):
        if checked.wanted[which]:
            together = _check_plan(steps, placed, checked, plans, first, which, together)
    return together


@kernel(inline=True)
def _check_plan(steps, placed, checked, plans, first, which, together):
    """Check a plan; return the number of entries of `together` so far, over all plans."""
    begin, size = checked.begin[which], checked.begin[which + 1] - checked.begin[which]
    error, separations = checked.error[which], first[which + 1] - first[which]
    whole = ZERO
    for piece in range(size):
        whole |= ONE << np.uint64(piece)
        checked.away[piece] = 0
    node, reached = _child(plans, first, which, -1, 0), min(separations, 1)
    if (node < 0 and (size > 1 or separations > 0)) or (node >= 0 and plans.part[node] != whole):
        error[ERROR] = WHOLE
    for number in range(separations):
        if error[ERROR] != RIGHT:
            return together
        error[AT_NODE], node = number, first[which] + number
        part, last = plans.part[node], plans.node[node, NODE_MOVES] - 1
        if last < 0:
            error[ERROR] = NO_MOVES
            return together
        for at in range(last + 1):
            error[AT_MOVE], move = at, plans.node[node, NODE_FIRST] + at
            error[ERROR] = _move_error(plans, part, move, at == last)
            if error[ERROR] == RIGHT:
                _play(steps, placed, checked, plans, begin, part, move, error)
            if error[ERROR] != RIGHT:
                return together
        leaving = plans.moved[plans.node[node, NODE_FIRST] + last]
        for leaves in range(2):
            half = leaving if leaves == 1 else part & ~leaving
            child = _child(plans, first, which, node, leaves)
            if child >= 0:
                reached += 1
                if plans.part[child] != half and error[ERROR] == RIGHT:
                    error[ERROR], error[MOVING] = OTHERS, leaves
            elif half & half - ONE != ZERO and error[ERROR] == RIGHT:
                checked.together[together], checked.together_of[together] = half, which
                together += 1
    if error[ERROR] == RIGHT and reached != separations:
        error[ERROR] = WHOLE
    return together


@kernel(inline=True)
def _child(plans, first, which, parent, leaves):
    """Return the node that separates a half of `parent`, −1 for none.

    `leaves` is 1 for the half that leaves, 0 for the half that stays. Without a parent (−1), the
    whole assembly has `leaves` 0.
    """
    for node in range(max(first[which], parent + 1), first[which + 1]):
        if plans.node[node, NODE_PARENT] == parent and plans.node[node, NODE_LEAVES] == leaves:
            return node
    return -1


@kernel(inline=True)
def _move_error(plans, part, move, is_last):
    """Return the error of a move of a part, other than a collision; `RIGHT` for none."""
    moved, steps = plans.moved[move], plans.move[move, 1]
    if (steps == 0) != is_last:
        return LAST
    if moved & part == ZERO or moved & ~part != ZERO or moved == part:
        return PIECES
    if plans.move[move, 0] < 0:
        return DIRECTION
    return STEPS if steps < 0 else RIGHT


@kernel(inline=True)
def _play(steps, placed, checked, plans, begin, part, move, error):
    """Play a move of a part, or write an error if a piece that moves meets another."""
    direction, last = np.int64(plans.move[move, 0]), np.int64(plans.move[move, 1])
    staying = part & ~plans.moved[move]
    moving = plans.moved[move]
    while moving != ZERO:
        piece = np.int64(trailing_zeros(moving))
        moving &= moving - ONE
        other = _met(steps, placed, checked, begin, piece, staying, direction, last)
        if other >= 0:
            error[ERROR], error[MOVING], error[MET] = MEETS, piece, other
            return
    moving = plans.moved[move]
    while moving != ZERO:
        piece = np.int64(trailing_zeros(moving))
        moving &= moving - ONE
        for a in range(checked.away.shape[1]):
            checked.away[piece, a] += last * steps.vector[direction, a]


@kernel(inline=True)
def _met(steps, placed, checked, begin, piece, staying, direction, last):
    """Return a piece of `staying` that a piece meets within `last` steps, −1 for none.

    With 0 for `last`, the steps have no end.
    """
    vector = steps.vector[direction]
    kinds = (len(steps.begin) - 1) // len(steps.vector)
    axis = 0
    while vector[axis] == 0:
        axis += 1
    cell = checked.cells[begin + piece]
    for at in range(placed.begin[cell], placed.begin[cell + 1]):
        entry = direction * kinds + placed.kind[at]
        for n in range(steps.begin[entry], steps.begin[entry + 1]):
            left = staying
            while left != ZERO:
                other = np.int64(trailing_zeros(left))
                left &= left - ONE
                its, pair = checked.cells[begin + other], (piece, other)
                for met in range(placed.begin[its], placed.begin[its + 1]):
                    far = _between(steps, placed, checked, pair, at, n, met, axis)
                    step = far // vector[axis]
                    if far % vector[axis] != 0 or step < 0 or (step >= last > 0):
                        continue
                    for a in range(len(vector)):
                        away = _between(steps, placed, checked, pair, at, n, met, a)
                        if away != step * vector[a]:
                            break
                    else:
                        return other
    return -1


@kernel(inline=True)
def _between(steps, placed, checked, pair, at, n, met, axis):
    """Return the distance along an axis from a cell that is met on a step to another cell.

    The cell met is entry `n` of `steps.met` for cell `at` of the first piece of `pair`. The other
    cell is cell `met` of the second piece.
    """
    here = placed.cell[at, axis] + checked.away[pair[0], axis] + steps.met[n, axis]
    return placed.cell[met, axis] + checked.away[pair[1], axis] - here
