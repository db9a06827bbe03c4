"""The volume filter: placements that cut off what cannot be filled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.placements import Placements
from dovetail.models.volumes import volume_supply


def volume_filter(placements: Placements) -> NDArray[np.bool_]:
    """Which placements to keep, shape (n,).

    A placement is dropped when the open cells that it leaves fall apart into connected parts
    of which one has a volume that is not the sum of sizes of other pieces. One pass; not a
    fixed point: dropping a placement can never make another one droppable, since the test
    does not look at other placements. Source: Busche 2011, "Volume Constraint Violations".
    """
    from dovetail.models.reductions.kernels.parts import cut_off  # imports numba

    dropped = np.zeros(len(placements), dtype=bool)
    if len(placements):
        pieces = volume_supply(placements)
        others = [pieces.within_reach(without=number) for number in range(len(pieces.values))]
        cut_off(
            placements.cells,
            placements.shape,
            placements.neighbours,
            placements.optional,
            np.concatenate(others).astype(np.uint8),
            pieces.class_of * pieces.width,
            dropped,
        )
    return ~dropped
