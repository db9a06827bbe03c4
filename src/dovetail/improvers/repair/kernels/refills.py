"""Rounds of repair: a window is emptied and refilled, and the board is accepted or rejected.

An exact refill is a depth-first search with a lower bound on mismatches. The bound adds up, for the
cells still empty, the fewest mismatches that any tile has with the tiles around the window. The
search ends after a number of placements with the best refill so far.

An assignment is the best refill of cells that do not touch each other. The worth of a tile in a
cell is the number of edges that match in its best rotation; it does not depend on the other cells
of the window. The Hungarian method finds the assignment with the largest sum of worth, by shortest
augmenting paths (Kuhn 1955; Jonker and Volgenant 1987). P. Schaus and Y. Deville (2008) fill cells
that do not touch in this way.
"""

import numpy as np

from dovetail.improvers.repair.kernels.windows import (
    ACCEPTED,
    ASSIGNMENT,
    BEST,
    GREEDY,
    MAX_PLACEMENTS,
    NOISE,
    PER_EDGE,
    PLACEMENTS,
    PROVED,
    REPAIRS,
    SCORE,
    choose,
    draw,
    shuffle,
)
from dovetail.improvers.shared.kernels.beam import matches_at
from dovetail.jit import kernel
from dovetail.kernels.random_stream import word

MANY = 2**40
NEVER, INFINITE = -(2**40), 2**60
NOTHING = -1  # in place of a colour; no side has it
SHIFT = np.uint64(11)
UNIT = 1.0 / 2.0**53


@kernel
def fill_greedily(board, rules, walk, window, count):
    """Lay the tiles of a window into `trial`; return the number of matched edges.

    The next cell is always the first empty cell with the most filled neighbours. The cell gets the
    tile and rotation with the most matches plus noise.
    """
    matched = 0
    for remaining in range(count, 0, -1):
        place = _next_place(board, walk, count)
        cell = walk.cells[place]
        highest, which, orientation = -1, -1, -1
        for number in range(remaining):
            for rotation in range(4):
                turn = 4 * window.tiles[number] + rotation
                if board.frame[turn] != board.cell_frame[cell]:
                    continue
                value = PER_EDGE * matches_at(board.sides, board.neighbours, walk.trial, cell, turn)
                value += draw(walk.random, rules.settings[NOISE] + 1)
                if value > highest:
                    highest, which, orientation = value, number, turn
        matched += matches_at(board.sides, board.neighbours, walk.trial, cell, orientation)
        walk.trial[cell] = orientation
        window.tiles[which] = window.tiles[remaining - 1]
    walk.progress[PLACEMENTS] += count
    return matched


@kernel(inline=True)
def _next_place(board, walk, count):
    """Return the index in `cells` of the first empty cell with the most filled neighbours."""
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


@kernel
def fill_exactly(board, rules, walk, window, count, before):
    """Lay the tiles of a window into `trial`; return the number of matched edges.

    Only refills with at least `before` matched edges are considered, and after the first one, only
    better refills. The result is −1 if no refill is found.
    """
    edges = _known_edges(board, walk, count)
    entries = 4 * count
    for number in range(count):
        for rotation in range(4):
            window.entries[4 * number + rotation] = 4 * window.tiles[number] + rotation
    shuffle(walk.random, window.entries, entries)
    _set_rest(board, walk, window, count)
    allowed, found = edges - before, -1
    depth, placements, last = 0, 0, count - 1
    window.at[0] = 0
    window.missed[0] = 0
    max_placements = rules.settings[MAX_PLACEMENTS]
    while depth >= 0 and placements < max_placements:
        cell, number = walk.cells[depth], window.at[depth]
        if walk.trial[cell] >= 0:
            window.used[walk.trial[cell] >> 2] = 0
            walk.trial[cell] = -1
        missed = MANY
        while number < entries:
            orientation = window.entries[number]
            number += 1
            if window.used[orientation >> 2] or board.frame[orientation] != board.cell_frame[cell]:
                continue
            missed = window.missed[depth] + mismatches_at(board, walk.trial, cell, orientation)
            if missed + window.rest[depth + 1] <= allowed:
                break
            missed = MANY
        if missed == MANY:
            depth -= 1
            continue
        window.at[depth] = number
        placements += 1
        walk.trial[cell] = orientation
        window.used[orientation >> 2] = 1
        if depth < last:
            depth += 1
            window.at[depth] = 0
            window.missed[depth] = missed
            continue
        found = edges - missed
        allowed = missed - 1
        for place in range(count):
            window.chosen[place] = walk.trial[walk.cells[place]]
    walk.progress[PLACEMENTS] += placements
    walk.progress[PROVED] += depth < 0
    for place in range(count):
        cell = walk.cells[place]
        if walk.trial[cell] >= 0:
            window.used[walk.trial[cell] >> 2] = 0
        if found >= 0:
            walk.trial[cell] = window.chosen[place]
    return found


@kernel(inline=True)
def mismatches_at(board, placed, cell, orientation):
    """Return the number of edges of a cell that would not match if an orientation lay there."""
    missed = 0
    for side in range(4):
        other = board.neighbours[cell, side]
        if other >= 0 and placed[other] >= 0:
            missed += board.sides[orientation, side] != board.sides[placed[other], side ^ 2]
    return missed


@kernel
def _known_edges(board, walk, count):
    """Return the number of edges at the cells of a window; shared edges count once."""
    edges = 0
    for place in range(count):
        cell = walk.cells[place]
        walk.mark[cell] = 1
        for side in range(4):
            other = board.neighbours[cell, side]
            edges += other >= 0 and walk.mark[other] == 0
    for place in range(count):
        walk.mark[walk.cells[place]] = 0
    return edges


@kernel
def _set_rest(board, walk, window, count):
    """Set `rest` from the fewest mismatches of each cell with the tiles around the window."""
    window.rest[count] = 0
    for place in range(count - 1, -1, -1):
        cell = walk.cells[place]
        fewest = 4
        for number in range(4 * count):
            orientation = window.entries[number]
            if board.frame[orientation] == board.cell_frame[cell]:
                fewest = min(fewest, mismatches_at(board, walk.trial, cell, orientation))
        window.rest[place] = window.rest[place + 1] + fewest


@kernel
def fill_by_assignment(board, rules, walk, window, count):
    """Lay the tiles of a window into `trial` by assignment; return the number of matched edges.

    No two cells of the window may be neighbours. Noise is added to the worth of tiles.
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
    """Set the worth and the best orientation of each tile in a cell; `NEVER` and −1 for no fit."""
    cell = walk.cells[place]
    for side in range(4):
        other = board.neighbours[cell, side]
        window.facing[side] = NOTHING if other < 0 else board.sides[walk.trial[other], side ^ 2]
    for number in range(count):
        highest, orientation = NEVER, -1
        for rotation in range(4):
            turn = 4 * window.tiles[number] + rotation
            if board.frame[turn] != board.cell_frame[cell]:
                continue
            matched = 0
            for side in range(4):
                matched += board.sides[turn, side] == window.facing[side]
            if matched > highest:
                highest, orientation = matched, turn
        if orientation >= 0:
            highest = PER_EDGE * highest + draw(walk.random, rules.settings[NOISE] + 1)
        window.worth[place, number] = highest
        window.turned[place, number] = orientation


@kernel
def assign(window, count):
    """Set `held` to the assignment of tiles to cells with the largest sum of worth.

    Tiles and cells of the window are numbered from 1; `held[tile]` is the cell of a tile.
    """
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


@kernel
def rounds(board, rules, walk, window, refill, max_placements):
    """Repair a board by a kind of refill until about `max_placements` tiles are laid.

    The function ends early if an operator finds no window.
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
    """Accept `trial` if `score` is no worse, else with a probability; update the best board."""
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
    """Set `trial` to the board without a window, and `tiles` to the tiles taken off.

    Returns the number of matched edges at the cells of the window.
    """
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
