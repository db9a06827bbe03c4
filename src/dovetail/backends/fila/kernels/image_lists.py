"""Image lists: the placements to try for every cell and every occupancy of the cells near it.

Source: Busche 2018, "Neighbor Occupancy Filtering" and "Priority Occupancy Filtering".
"""

import numpy as np
from numpy.typing import NDArray

from dovetail.jit import kernel
from dovetail.machine_code.layout import LANES

IGNORED = -2


@kernel
def fill_lists(
    cells: NDArray[np.int32],
    rows: NDArray[np.uint64],
    part: NDArray[np.int32],
    near: NDArray[np.int32],
    cell_count: int,
    counts: NDArray[np.int64],
    start: NDArray[np.int64],
    images: NDArray[np.uint32],
) -> None:
    """Count the images of all lists; fill the lists if `images` is not empty.

    The targets are the c = `cell_count` cells, filled in a fixed order, by number. If there are 2c
    targets, the others are the same cells, filled in any order. There are n placements. A state of
    a target has a bit for each cell near it, set if the cell is occupied.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells` | (n, size) | int32 | cells of each placement, ascending, padded with −1 |
    | `rows` | (≥ n, words) | uint64 | the same cells as bits; bits after the cells are not read |
    | `part` | (n,) | int32 | part of each placement: a target and state have a list for each part |
    | `near` | (targets, bits) | int32 | cell of each bit of a target's state, −1 or `IGNORED` |
    | `counts` | (targets · 2**bits · parts,) | int64 | in: 0; out: length of each list |
    | `start` | (targets · 2**bits · parts,) | int64 | index in `images` at which each list begins |
    | `images` | (entries,) | uint32 | out: the placements |

    A bit for which `near` is −1 is never set. Lists do not depend on a bit for which `near` is
    `IGNORED`. The list of a target, state and part has the number (target · 2**bits + state) ·
    parts + part. The list has the placements that cover the cell of the target and no near cell
    that is occupied in the state. In the fixed order, the cell of the target is the first cell of
    these placements.
    """
    filling, bits = len(images) > 0, near.shape[1]
    parts = len(counts) // max(1, len(near) << bits)
    for placement in range(len(cells)):
        first = True
        for k in range(cells.shape[1]):
            if cells[placement, k] < 0:
                continue
            for kind in range(0 if first else cell_count, len(near), cell_count):
                target = kind + cells[placement, k]
                clear = np.int64(0)
                for j in range(bits):
                    cell = near[target, j]
                    if cell >= 0:
                        covered = rows[placement, cell >> 6] >> np.uint64(cell & 63)
                        clear |= (1 - np.int64(covered & np.uint64(1))) << j
                    elif cell == IGNORED:
                        clear |= np.int64(1) << j
                state = clear
                while True:  # for every set of near cells that the placement does not cover
                    number = ((target << bits) + state) * parts + part[placement]
                    if filling:
                        images[start[number] + counts[number]] = placement
                    counts[number] += 1
                    if state == 0:
                        break
                    state = (state - 1) & clear
            first = False


@kernel
def spread_masks(
    rows: NDArray[np.uint64], images: NDArray[np.uint32], masks: NDArray[np.uint64]
) -> None:
    """Write row `images[e]` of `rows` into `masks` for every entry e, in blocks of eight.

    `rows` has shape (n, words). `masks` gets the first words of a block's entries, then their
    second words, and so on, block by block.
    """
    words = rows.shape[1]
    for first in range(0, len(images), LANES):
        for lane in range(LANES):
            row = images[first + lane]
            for w in range(words):
                masks[first * words + w * LANES + lane] = rows[row, w]


@kernel
def spread_digits(numbers: NDArray[np.int64], first_bit: int, digits: NDArray[np.uint64]) -> None:
    """Set the bits of `digits` for the binary digits of some numbers.

    `numbers` has shape (rows, n). `digits` has shape (rows or more, d, words) and is all 0. Bit
    `first_bit` + s of the words for a row and a digit is set if number s of the row has this digit.
    """
    for row in range(numbers.shape[0]):
        for column in range(numbers.shape[1]):
            number, bit = numbers[row, column], first_bit + column
            for digit in range(digits.shape[1] if number else 0):
                if number >> digit & 1:
                    digits[row, digit, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
