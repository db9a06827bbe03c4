"""Which placements cut off parts of the region whose volume no pieces have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel


@kernel
def cuts_off_unfillable(
    cells: NDArray[np.int32],
    shape: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    optional: NDArray[np.bool_],
    fillable: NDArray[np.bool_],
    dropped: NDArray[np.bool_],
) -> None:
    """Set `dropped` for each placement that leaves a part no set of other pieces can fill.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells` | (n, size) | int32 | the cells of each placement, padded with −1 |
    | `shape` | (n,) | int32 | its shape |
    | `neighbours` | (c, degree) | int32 | of each cell, −1 where there is none |
    | `optional` | (c,) | bool | cells that may stay empty |
    | `fillable` | (shapes, c + 1) | bool | volumes of sets of pieces when one of a shape is used |
    | `dropped` | (n,) | bool | the result |

    A part of v cells, e of them optional, can be filled when some volume from v − e to v can.
    """
    count, degree = neighbours.shape
    reached = np.zeros(count, dtype=np.int32)  # the number of the last flood that came by
    waiting = np.empty(count, dtype=np.int32)
    flood = np.int32(0)
    for placement in range(len(shape)):
        flood += np.int32(1)
        blocked = flood
        for k in range(cells.shape[1]):
            if cells[placement, k] >= 0:
                reached[cells[placement, k]] = blocked
        for seed in range(count):
            if reached[seed] >= blocked:
                continue
            reached[seed] = blocked
            waiting[0] = seed
            length, volume, empty = 1, 0, 0
            while length > 0:
                length -= 1
                cell = waiting[length]
                volume += 1
                if optional[cell]:
                    empty += 1
                for d in range(degree):
                    neighbour = neighbours[cell, d]
                    if neighbour >= 0 and reached[neighbour] < blocked:
                        reached[neighbour] = blocked
                        waiting[length] = neighbour
                        length += 1
            possible = False
            for filled in range(volume - empty, volume + 1):
                if fillable[shape[placement], filled]:
                    possible = True
                    break
            if not possible:
                dropped[placement] = True
                break
