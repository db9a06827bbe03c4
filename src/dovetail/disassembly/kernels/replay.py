"""The kernel that plays the moves of a plan, cell by cell."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel

ELSEWHERE, STAYS, MOVES = range(3)  # sides of a piece during a move


class Steps(NamedTuple):
    """One step in each of d directions of a lattice with k fundamental cells and a coordinates.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `vector` | (d, a) | int64 | the step |
    | `begin` | (d k + 1,) | int64 | the cells that the fundamental cell f meets in direction e |
    |         |            |       | from e k + f on |
    | `met` | (m, a) | int64 | these, as vectors from the cell |
    """

    vector: NDArray[np.int64]
    begin: NDArray[np.int64]
    met: NDArray[np.int64]


@kernel
def play(steps, cells, kind, piece, moves, side):
    """Play moves; return the first that meets a cell, −1 for none, and both pieces.

    `cells`, shape (n, a), are moved; `kind` and `piece`, shape (n,), are the fundamental cell and
    the piece of each. Rows of `moves` are a direction and a number of steps, 0 for no end, and
    those of `side` are `MOVES`, `STAYS` or `ELSEWHERE` by piece.
    """
    count, axes = cells.shape
    kinds = (len(steps.begin) - 1) // len(steps.vector)
    for move in range(len(moves)):
        direction, last = moves[move, 0], moves[move, 1]
        vector = steps.vector[direction]
        axis = 0
        while vector[axis] == 0:
            axis += 1
        for at in range(count):
            if side[move, piece[at]] != MOVES:
                continue
            entry = direction * kinds + kind[at]
            for n in range(steps.begin[entry], steps.begin[entry + 1]):
                for other in range(count):
                    if side[move, piece[other]] != STAYS:
                        continue
                    away = cells[other, axis] - cells[at, axis] - steps.met[n, axis]
                    is_ahead = True
                    for a in range(axes):
                        its = cells[other, a] - cells[at, a] - steps.met[n, a]
                        is_ahead = its * vector[axis] == away * vector[a]
                        if not is_ahead:
                            break
                    if is_ahead and away % vector[axis] == 0:
                        step = away // vector[axis]
                        if step >= 0 and (step < last or last == 0):
                            return move, piece[at], piece[other]
        for at in range(count):
            if side[move, piece[at]] == MOVES:
                for a in range(axes):
                    cells[at, a] += last * vector[a]
    return -1, 0, 0
