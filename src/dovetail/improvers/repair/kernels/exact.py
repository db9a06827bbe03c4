"""A small window filled in the best way: depth-first, with a bound on mismatches.

What remains to be filled has at least the mismatches of each cell with what lies around the window,
whichever tile it gets. The search ends after a number of placements; what it has found by then is
the refill.
"""

from dovetail.improvers.repair.kernels.draws import shuffle
from dovetail.improvers.repair.kernels.layout import MAX_PLACEMENTS, PLACEMENTS, PROVED
from dovetail.jit import kernel

MANY = 2**40


@kernel
def fill_exactly(board, rules, walk, window, count, before):
    """Lay the tiles of a window into `trial`; return how many edges match, −1 for no refill found.

    One with as many matched edges as before is the first that counts, each further one has more.
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
            one = window.entries[number]
            number += 1
            if window.used[one >> 2] or board.frame[one] != board.cell_frame[cell]:
                continue
            missed = window.missed[depth] + mismatches_at(board, walk.trial, cell, one)
            if missed + window.rest[depth + 1] <= allowed:
                break
            missed = MANY
        if missed == MANY:
            depth -= 1
            continue
        window.at[depth] = number
        placements += 1
        walk.trial[cell] = one
        window.used[one >> 2] = 1
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
    """How many of its edges would not match if an orientation lay in a cell."""
    missed = 0
    for side in range(4):
        other = board.neighbours[cell, side]
        if other >= 0 and placed[other] >= 0:
            missed += board.sides[orientation, side] != board.sides[placed[other], side ^ 2]
    return missed


@kernel
def _known_edges(board, walk, count):
    """How many edges the cells of a window have, each counted once."""
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
    """Set `rest` by the mismatches of each cell with what lies around the window."""
    window.rest[count] = 0
    for place in range(count - 1, -1, -1):
        cell = walk.cells[place]
        fewest = 4
        for number in range(4 * count):
            one = window.entries[number]
            if board.frame[one] == board.cell_frame[cell]:
                fewest = min(fewest, mismatches_at(board, walk.trial, cell, one))
        window.rest[place] = window.rest[place + 1] + fewest
