"""Cells that do not touch, filled in the best way: an assignment of tiles to cells.

Each tile turned as it matches most edges is worth those, whatever lies in the other cells. The
tiles that are worth most together are found by the Hungarian method, one shortest augmenting path
after another (Kuhn 1955; Jonker and Volgenant 1987). That cells which do not touch can be filled
so is P. Schaus' and Y. Deville's (2008).
"""

from dovetail.improvers.repair.kernels.draws import draw
from dovetail.improvers.repair.kernels.layout import NOISE, PER_EDGE, PLACEMENTS
from dovetail.improvers.shared.kernels.matches import matches_at
from dovetail.jit import kernel

NEVER, INFINITE = -(2**40), 2**60
NOTHING = -1  # a colour that no side has


@kernel
def fill_by_assignment(board, rules, walk, window, count):
    """Lay the tiles of a window into `trial`; return how many edges match.

    No two cells of the window are neighbours. Noise is added to what tiles are worth.
    """
    for place in range(count):
        _set_worth(board, rules, walk, window, place, count)
    assign(window, count)
    matched = 0
    for number in range(count):
        place = window.held[number + 1] - 1
        cell, orientation = walk.cells[place], window.turned[place, number]
        matched += matches_at(board.sides, board.neighbours, walk.trial, cell, orientation)
        walk.trial[cell] = orientation
    walk.progress[PLACEMENTS] += count
    return matched


@kernel(inline=True)
def _set_worth(board, rules, walk, window, place, count):
    """What each tile is worth in a cell, turned in the best way."""
    cell = walk.cells[place]
    for side in range(4):
        other = board.neighbours[cell, side]
        window.facing[side] = NOTHING if other < 0 else board.sides[walk.trial[other], side ^ 2]
    for number in range(count):
        highest, orientation = NEVER, -1
        for rotation in range(4):
            one = 4 * window.tiles[number] + rotation
            if board.frame[one] != board.cell_frame[cell]:
                continue
            matched = 0
            for side in range(4):
                matched += board.sides[one, side] == window.facing[side]
            if matched > highest:
                highest, orientation = matched, one
        if orientation >= 0:
            highest = PER_EDGE * highest + draw(walk.random, rules.settings[NOISE] + 1)
        window.worth[place, number] = highest
        window.turned[place, number] = orientation


@kernel
def assign(window, count):
    """Set `held` to the places (from 1 on) that hold each tile (from 1 on), worth most in all."""
    worth, potential, held = window.worth, window.potential, window.held
    slack, before, on_path = window.slack, window.before, window.used
    for number in range(count + 1):
        potential[0, number] = 0
        potential[1, number] = 0
        held[number] = 0
    for place in range(1, count + 1):
        held[0] = place
        last = 0
        for number in range(count + 1):
            slack[number] = INFINITE
            on_path[number] = 0
        while held[last] != 0:
            on_path[last] = 1
            row = held[last]
            lowest, closest = INFINITE, 0
            for number in range(1, count + 1):
                if on_path[number]:
                    continue
                cost = -worth[row - 1, number - 1] - potential[0, row] - potential[1, number]
                if cost < slack[number]:
                    slack[number] = cost
                    before[number] = last
                if slack[number] < lowest:
                    lowest, closest = slack[number], number
            for number in range(count + 1):
                if on_path[number]:
                    potential[0, held[number]] += lowest
                    potential[1, number] -= lowest
                else:
                    slack[number] -= lowest
            last = closest
        while last != 0:
            held[last] = held[before[last]]
            last = before[last]
    for number in range(count + 1):
        on_path[number] = 0
