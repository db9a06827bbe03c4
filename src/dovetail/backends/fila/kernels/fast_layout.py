"""What the fast kernel and those who call it agree on.

c cells in w words, m placements of n shapes, p pieces to place; a board has b words, for the cells
and the shapes behind them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Lists(NamedTuple):
    """Image lists, eight images in a block.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `near` | (2c · b · 8,) | uint64 | see `board.state_of`: of cells filled in order, then of
    cells filled in any order |
    | `cells` | () | uint64 | c |
    | `start` | (2c · 256 + 2,) | uint32 | the block where the list of a cell and state begins;
    the last is of no cell, and empty |
    | `masks` | (blocks · b · 8,) | uint64 | the images' cells and shapes; what is no image has all
    bits set; the last block is empty boards |
    | `images` | (blocks · 8,) | uint32 | the placements that they are; m for no image, m + 1
    in the last block |
    """

    near: NDArray[np.uint64]
    cells: np.uint64
    start: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    images: NDArray[np.uint32]


class AnyOrder(NamedTuple):
    """How the next target is chosen where cells are filled in any order.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells_of` | w words | uint64 | bits of the cells |
    | `steps` | (k,) | uint64 | how far neighbours' numbers lie apart, modulo 64 w |
    | `sides` | (k · w,) | uint64 | cells that have a neighbour so many numbers on |
    | `heuristic` | (p + 1,) | uint64 | by pieces remaining |
    """

    cells_of: tuple[np.uint64, ...]
    steps: NDArray[np.uint64]
    sides: NDArray[np.uint64]
    heuristic: NDArray[np.uint64]


class Repeats(NamedTuple):
    """Shapes of which some have several copies.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shape_of` | (m + 2,) | uint32 | the shape of each placement; n for the last two |
    | `shape_bit` | (n + 1,) | uint64 | the bit of the board that is set when no copy is left |
    | `copies` | (n + 1,) | uint64 | copies left of each shape; of n, 1 |
    """

    shape_of: NDArray[np.uint32]
    shape_bit: NDArray[np.uint64]
    copies: NDArray[np.uint64]
