"""Lines through a box that boxes must fill, by a counting argument, though cells may stay empty.

Along an axis, a box of at least m cells in an extent of k·m + m − 1 takes one of the k cells m − 1,
2m − 1, …. A layer across another axis is therefore met by at most as many boxes as it has points
whose coordinates all are such cells. If the sides of all pieces add up to the boxes of all layers,
every layer is met by that many, and the lines through these points are full.

Source: D. G. Hoffman, "Packing problems and inequalities", in D. A. Klarner (editor), "The
Mathematical Gardner", 1981: 27 blocks a x b x c in a cube of side a + b + c.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.square import SquareLattice
from dovetail.models.placements import Placements


def on_full_lines(placements: Placements) -> NDArray[np.bool_]:
    """Return which cells are on a line that every solution fills, shape (c,)."""
    unknown = np.zeros(placements.cell_count, dtype=bool)
    plain = isinstance(placements.lattice, SquareLattice) and not placements.lattice.wraps
    if not plain or not len(placements):
        return unknown
    cells = placements.coordinates - placements.coordinates.min(axis=0)
    extent, (_, sides) = cells.max(axis=0) + 1, placements.corners
    if extent.prod() != len(cells) or (sides.prod(axis=1) != placements.sizes).any():
        return unknown
    shortest = sides.min(axis=0)
    if (extent % shortest != shortest - 1).any():
        return unknown
    lengths = np.zeros(len(placements.shapes), dtype=np.int64)
    lengths[placements.shape] = sides.sum(axis=1)
    needed = sum(s.min_count * total for s, total in zip(placements.shapes, lengths, strict=True))
    points = extent // shortest
    if needed < (extent * (points.prod() // points)).sum():
        return unknown
    is_point = cells % shortest == shortest - 1
    on_line: NDArray[np.bool_] = is_point.sum(axis=1) >= len(extent) - 1
    return on_line
