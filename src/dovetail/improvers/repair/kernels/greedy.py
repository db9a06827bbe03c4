"""A window filled greedily."""

from dovetail.improvers.repair.kernels.draws import draw
from dovetail.improvers.repair.kernels.layout import NOISE, PER_EDGE, PLACEMENTS
from dovetail.improvers.shared.kernels.matches import matches_at
from dovetail.jit import kernel


@kernel
def fill_greedily(board, rules, walk, window, count):
    """Lay the tiles of a window into `trial`; return how many edges match.

    The next cell is the first of those with most neighbours. It gets what matches most of them,
    with noise.
    """
    matched = 0
    for left in range(count, 0, -1):
        place = _next_place(board, walk, count)
        cell = walk.cells[place]
        highest, which, orientation = -1, -1, -1
        for number in range(left):
            for rotation in range(4):
                one = 4 * window.tiles[number] + rotation
                if board.frame[one] != board.cell_frame[cell]:
                    continue
                value = PER_EDGE * matches_at(board.sides, board.neighbours, walk.trial, cell, one)
                value += draw(walk.random, rules.settings[NOISE] + 1)
                if value > highest:
                    highest, which, orientation = value, number, one
        matched += matches_at(board.sides, board.neighbours, walk.trial, cell, orientation)
        walk.trial[cell] = orientation
        window.tiles[which] = window.tiles[left - 1]
    walk.progress[PLACEMENTS] += count
    return matched


@kernel(inline=True)
def _next_place(board, walk, count):
    """The place in `cells` of the first empty cell with most neighbours that are not."""
    found, max_known = -1, -1
    for place in range(count):
        cell = walk.cells[place]
        if walk.trial[cell] >= 0:
            continue
        known = 0
        for side in range(4):
            other = board.neighbours[cell, side]
            known += other >= 0 and walk.trial[other] >= 0
        if known > max_known:
            found, max_known = place, known
    return found
