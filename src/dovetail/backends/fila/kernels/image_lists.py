"""Image lists: for every cell and every state of its neighbours, the placements to try.

Source: Busche 2018, "Neighbor Occupancy Filtering" and "Priority Occupancy Filtering".
"""

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel


@kernel(inline=True)
def state_of(cell, free, free_count, bits, occupied):
    """The ILSI of `cell`: bit j is set when its j-th free neighbour is occupied."""
    state = np.uint64(0)
    if bits:
        for j in range(free_count[cell]):
            neighbour = np.uint64(free[cell, j])
            word = occupied[neighbour >> np.uint64(6)]
            state |= ((word >> (neighbour & np.uint64(63))) & np.uint64(1)) << np.uint64(j)
    return state


@kernel
def fill_lists(
    cells: NDArray[np.int32],
    shape: NDArray[np.int32],
    free: NDArray[np.int32],
    free_count: NDArray[np.int32],
    state_bits: int,
    shapes: int,
    ordered: bool,
    counts: NDArray[np.int64],
    start: NDArray[np.int64],
    images: NDArray[np.int32],
) -> None:
    """Count the lists, or fill them when `images` has room.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells` | (n, size) | int32 | the cells of each placement, ascending, padded with −1 |
    | `shape` | (n,) | int32 | its shape |
    | `free` | (c, degree) | int32 | neighbours that may be open when the cell is the target |
    | `free_count` | (c,) | int32 | how many of them there are |
    | `counts` | (c · states · shapes,) | int64 | in: 0; out: the length of each list |
    | `start` | (c · states · shapes + 1,) | int64 | where each list begins |
    | `images` | (lists' lengths together,) | int32 | placements |

    List (cell, state, shape) is number (cell · 2**state_bits + state) · shapes + shape. It has
    the placements of the shape that cover the cell and none of the neighbours occupied in
    that state; where cells are filled in a fixed order (`ordered`: by number), none of the
    cells before it, so that the cell is the first of each.
    """
    filling = len(images) > 0
    for placement in range(len(shape)):
        first = True
        for k in range(cells.shape[1]):
            cell = cells[placement, k]
            if cell < 0:
                continue
            if ordered and not first:
                break
            first = False
            covered = 0
            for j in range(free_count[cell]):
                for other in range(cells.shape[1]):
                    if cells[placement, other] == free[cell, j]:
                        covered |= 1 << j
            states = 1 << min(free_count[cell], state_bits)
            for state in range(states):
                if state & covered == 0:
                    number = ((cell << state_bits) + state) * shapes + shape[placement]
                    if filling:
                        images[start[number] + counts[number]] = placement
                    counts[number] += 1
