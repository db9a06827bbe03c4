"""Rounds of repair: a window is taken off a board and filled again, and the board is accepted."""

import numpy as np

from dovetail.improvers.repair.kernels.assignment import fill_by_assignment
from dovetail.improvers.repair.kernels.destroy import choose
from dovetail.improvers.repair.kernels.exact import fill_exactly
from dovetail.improvers.repair.kernels.greedy import fill_greedily
from dovetail.improvers.repair.kernels.layout import (
    ACCEPTED,
    ASSIGNMENT,
    BEST,
    GREEDY,
    PLACEMENTS,
    REPAIRS,
    SCORE,
)
from dovetail.improvers.shared.kernels.matches import matches_at
from dovetail.jit import kernel
from dovetail.kernels.random_stream import word

SHIFT = np.uint64(11)
UNIT = 1.0 / 2.0**53


@kernel
def rounds(board, rules, walk, window, refill, max_placements):
    """Repair a board with one of the refills until so many tiles are laid, or a little more.

    It ends early where there is nothing to repair.
    """
    last = walk.progress[PLACEMENTS] + max_placements
    while walk.progress[PLACEMENTS] < last:
        count = choose(board, rules, walk)
        if count == 0:
            walk.progress[PLACEMENTS] += 1
            break
        before = _take_off(board, walk, window, count)
        if refill == GREEDY:
            after = fill_greedily(board, rules, walk, window, count)
        elif refill == ASSIGNMENT:
            after = fill_by_assignment(board, rules, walk, window, count)
        else:
            after = fill_exactly(board, rules, walk, window, count, before)
            if after < 0:
                walk.progress[PLACEMENTS] += 1
                walk.progress[REPAIRS] += 1
                continue
        settle(rules, walk, walk.progress[SCORE] + after - before)


@kernel
def settle(rules, walk, score):
    """Go on from `trial`, which has a score, if it is no worse, or by chance; keep the best."""
    walk.progress[REPAIRS] += 1
    worse = walk.progress[SCORE] - score
    luck = float(word(walk.random) >> SHIFT) * UNIT
    if worse > 0 and (worse >= len(rules.acceptance) or luck >= rules.acceptance[worse]):
        return
    walk.progress[ACCEPTED] += 1
    walk.progress[SCORE] = score
    for cell in range(len(walk.placed)):
        walk.placed[cell] = walk.trial[cell]
    if score > walk.progress[BEST]:
        walk.progress[BEST] = score
        for cell in range(len(walk.placed)):
            walk.best[cell] = walk.trial[cell]


@kernel
def _take_off(board, walk, window, count):
    """Set `trial` to the board without a window, and `tiles`; return how many edges matched."""
    for cell in range(len(walk.placed)):
        walk.trial[cell] = walk.placed[cell]
    matched = 0
    for place in range(count):
        cell = walk.cells[place]
        orientation = walk.trial[cell]
        matched += matches_at(board.sides, board.neighbours, walk.trial, cell, orientation)
        walk.trial[cell] = -1
        window.tiles[place] = orientation >> 2
    return matched
