"""Matched edges, of a cell and of a board."""

import numpy as np

from dovetail.jit import kernel

NORTH, EAST = 0, 1


@kernel
def score(sides, neighbours, placed):
    """Return the number of edges between two tiles that match.

    `sides` (4 n, 4), `neighbours` (n, 4), `placed` (n,): int32, as in `BoardArrays`.
    """
    found = 0
    for cell in range(len(placed)):
        if placed[cell] < 0:
            continue
        for side in (NORTH, EAST):
            other = neighbours[cell, side]
            if other >= 0 and placed[other] >= 0:
                found += sides[placed[cell], side] == sides[placed[other], side + 2]
    return found


@kernel(inline=True)
def matches_at(sides, neighbours, placed, cell, orientation):
    """Return how many of its edges would match if an orientation lay in a cell."""
    found = 0
    for side in range(4):
        other = neighbours[cell, side]
        if other >= 0 and placed[other] >= 0:
            found += sides[orientation, side] == sides[placed[other], side ^ 2]
    return found


@kernel
def fill(sides, frame, cell_frame, neighbours, placed, used):
    """Lay a tile into each empty cell of `placed`, where most neighbours lie; the best tile wins.

    `frame` (4 n,) and `cell_frame` (n,) are int32, `used` (n,) uint8 has a 1 for each tile that
    lies. The first cell and the first orientation win ties.
    """
    cells = len(placed)
    for _ in range(cells):
        chosen, max_lying = -1, -1
        for cell in range(cells):
            if placed[cell] >= 0:
                continue
            lying = 0
            for side in range(4):
                other = neighbours[cell, side]
                if other >= 0 and placed[other] >= 0:
                    lying += 1
            if lying > max_lying:
                chosen, max_lying = cell, lying
        if chosen < 0:
            return
        best, orientation = -1, -1
        for one in range(4 * cells):
            if used[one >> 2] or frame[one] != cell_frame[chosen]:
                continue
            found = matches_at(sides, neighbours, placed, chosen, one)
            if found > best:
                best, orientation = found, one
        placed[chosen] = orientation
        used[orientation >> 2] = np.uint8(1)
