"""The volume filter: placements that cut off what cannot be filled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import NO_CELL, Placements


def volume_filter(placements: Placements) -> NDArray[np.bool_]:
    """Which placements to keep, shape (n,).

    A placement is dropped when the open cells that it leaves fall apart into connected parts
    of which one has a volume that is not the sum of sizes of other pieces. One pass; not a
    fixed point: dropping a placement can never make another one droppable, since the test
    does not look at other placements. Source: Busche 2011, "Volume Constraint Violations".
    """
    from dovetail.models.reductions.kernels.cut_off import cuts_off_unfillable  # imports numba

    dropped = np.zeros(len(placements), dtype=bool)
    if len(placements):
        cuts_off_unfillable(
            placements.cells,
            placements.shape,
            placements.neighbours,
            placements.optional,
            fillable_volumes(placements),
            dropped,
        )
    return ~dropped


def fillable_volumes(placements: Placements) -> NDArray[np.bool_]:
    """For each shape, the volumes that pieces can have together when one of it is placed.

    Shape (shapes, cells + 1). Every piece may be used or not: what is left over fills another
    part.
    """
    most = placements.cell_count
    sizes = shape_sizes(placements)
    result = np.zeros((len(placements.shapes), most + 1), dtype=bool)
    for placed in range(len(placements.shapes)):
        copies: dict[int, int] = {}
        for shape, size in enumerate(sizes):
            left = placements.shapes[shape].most - (shape == placed)
            copies[size] = copies.get(size, 0) + left
        volumes = np.zeros(most + 1, dtype=bool)
        volumes[0] = True
        for size, count in copies.items():
            for _ in range(min(count, most // size)):
                volumes[size:] |= volumes[:-size].copy()
        result[placed] = volumes
    return result


def shape_sizes(placements: Placements) -> list[int]:
    """How many cells each shape has; 1 for one that has no placement at all."""
    cells = np.count_nonzero(placements.cells != NO_CELL, axis=1)
    sizes = np.ones(len(placements.shapes), dtype=np.int64)
    sizes[placements.shape] = cells
    return [int(size) for size in sizes]
