"""Matched edges, of a cell and of a board."""

import numpy as np

from dovetail.jit import kernel

NORTH, EAST = 0, 1


@kernel
def score(sides, neighbours, lies):
    """The number of edges between two tiles that match.

    `sides` (4 n, 4), `neighbours` (n, 4), `lies` (n,): int32, as in `BoardArrays`.
    """
    found = 0
    for cell in range(len(lies)):
        if lies[cell] < 0:
            continue
        for side in (NORTH, EAST):
            other = neighbours[cell, side]
            if other >= 0 and lies[other] >= 0:
                found += sides[lies[cell], side] == sides[lies[other], side + 2]
    return found


@kernel(inline=True)
def matches_at(sides, neighbours, lies, cell, orientation):
    """How many of its edges would match if an orientation lay in a cell."""
    found = 0
    for side in range(4):
        other = neighbours[cell, side]
        if other >= 0 and lies[other] >= 0:
            found += sides[orientation, side] == sides[lies[other], side ^ 2]
    return found


@kernel
def fill(sides, frame, cell_frame, neighbours, lies, used):
    """Lay a tile into each empty cell of `lies`, always where most neighbours lie, the best there.

    `frame` (4 n,) and `cell_frame` (n,) are int32, `used` (n,) uint8 has a 1 for each tile that
    lies. The first cell and the first orientation win ties.
    """
    cells = len(lies)
    for _ in range(cells):
        chosen, max_lying = -1, -1
        for cell in range(cells):
            if lies[cell] >= 0:
                continue
            lying = 0
            for side in range(4):
                other = neighbours[cell, side]
                if other >= 0 and lies[other] >= 0:
                    lying += 1
            if lying > max_lying:
                chosen, max_lying = cell, lying
        if chosen < 0:
            return
        best, orientation = -1, -1
        for one in range(4 * cells):
            if used[one >> 2] or frame[one] != cell_frame[chosen]:
                continue
            found = matches_at(sides, neighbours, lies, chosen, one)
            if found > best:
                best, orientation = found, one
        lies[chosen] = orientation
        used[orientation >> 2] = np.uint8(1)
