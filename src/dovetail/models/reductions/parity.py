"""The parity filter: placements with which the colours cannot come out even."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.models.parity import cell_colours, parity_supply, placement_parities
from dovetail.models.placements import Placements


def parity_filter(placements: Placements) -> NDArray[np.bool_]:
    """Which placements to keep, shape (n,).

    A placement is dropped when the other pieces, however they lie, cannot have the parity of
    the open cells that it leaves. One pass. Source: Busche 2011, "Parity Constraint Violations".
    """
    pieces = parity_supply(placements)
    within_reach = [pieces.within_reach(without=number) for number in range(len(pieces.values))]
    others = np.array(within_reach, dtype=bool).reshape(-1, pieces.width)  # no piece: no rows
    left = int(cell_colours(placements).sum()) - placement_parities(placements)
    kept: NDArray[np.bool_] = others[pieces.class_of[placements.shape], left - pieces.min_sum]
    return kept
