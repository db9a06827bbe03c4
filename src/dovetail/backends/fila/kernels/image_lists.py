"""Image lists: for every cell and every state of the cells near it, the placements to try.

Source: Busche 2018, "Neighbor Occupancy Filtering" and "Priority Occupancy Filtering".
"""

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel


@kernel
def fill_lists(
    cells: NDArray[np.int32],
    part: NDArray[np.int32],
    near: NDArray[np.int32],
    bits: int,
    ordered: bool,
    counts: NDArray[np.int64],
    start: NDArray[np.int64],
    images: NDArray[np.uint32],
) -> None:
    """Count the lists, or fill them when `images` has room.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells` | (n, size) | int32 | the cells of each placement, ascending, padded with −1 |
    | `part` | (n,) | int32 | which of the lists of a cell and state it goes to |
    | `near` | (c, most) | int32 | cells near each cell: those with a bit in its state; then −1 |
    | `counts` | (c · 2**bits · parts,) | int64 | in: 0; out: the length of each list |
    | `start` | (c · 2**bits · parts,) | int64 | where each list begins |
    | `images` | (entries,) | uint32 | out: the placements |

    List (cell, state, part) is number (cell · 2**bits + state) · parts + part. It has the
    placements that cover the cell and no cell near it that is occupied in that state; where
    cells are filled in a fixed order (`ordered`: by number), none of the cells before it, so
    that the cell is the first of each.
    """
    filling = len(images) > 0
    parts = len(counts) // max(1, len(near) << bits)
    for placement in range(len(part)):
        first = True
        for k in range(cells.shape[1]):
            cell = cells[placement, k]
            if cell < 0:
                continue
            if ordered and not first:
                break
            first = False
            clear = 0
            for j in range(near.shape[1]):
                if near[cell, j] < 0:
                    break
                covered = False
                for other in range(cells.shape[1]):
                    if cells[placement, other] == near[cell, j]:
                        covered = True
                if not covered:
                    clear |= 1 << j
            state = clear
            while True:  # every set of cells that the placement does not cover
                number = ((cell << bits) + state) * parts + part[placement]
                if filling:
                    images[start[number] + counts[number]] = placement
                counts[number] += 1
                if state == 0:
                    break
                state = (state - 1) & clear


@kernel
def spread_masks(
    rows: NDArray[np.uint64], images: NDArray[np.uint32], block: int, masks: NDArray[np.uint64]
) -> None:
    """Write row `images[e]` of `rows` for every entry e, in blocks.

    `rows` has shape (n, words). `masks` gets the first words of a block's entries, then their
    second words, and so on; then those of the next block.
    """
    words = rows.shape[1]
    for first in range(0, len(images), block):
        for lane in range(block):
            row = images[first + lane]
            for w in range(words):
                masks[first * words + w * block + lane] = rows[row, w]
