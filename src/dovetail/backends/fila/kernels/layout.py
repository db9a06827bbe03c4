"""Array layouts of the kernels of `fila`, shared with their callers.

c cells in w words, m placements of n shapes, p pieces to place; a board has b words, for the cells
and the shapes behind them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Heuristics by pieces remaining: the first open cell; of the cells with fewest open
# neighbours the one with fewest fits; the cell with fewest fits.
FIRST, ESTIMATE, SIZE = (np.uint64(rule) for rule in range(3))

# Entries of a row of the stack. A list has blocks of eight images from BEGIN to before END. Of
# BLOCK, some images are FITTING but not yet placed, and behind the LIVE ones the search may go on.
# Placements made and tried are counted. From CHILDREN on, each lane of the block has the first
# BLOCK, the END and the FITTING of the target behind its image.
BLOCK, END, FITTING, LIVE, FITS, BEGIN, ATTEMPTS = (np.uint64(entry) for entry in range(7))
CHILDREN, CHILD_SIZE = np.uint64(8), np.uint64(3)
STACK_SIZE = 32


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


class ImageLists(NamedTuple):
    """Image lists, eight images in a block.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `near` | (2c · b · 8,) | uint64 | see `search.state_of`: of cells filled in order, then of
    cells filled in any order |
    | `cells` | () | uint64 | c |
    | `start` | (2c · 256 + 2,) | uint32 | the block where the list of a cell and state begins;
    the last is of no cell, and empty |
    | `masks` | (blocks · b · 8,) | uint64 | cells and shapes of the images; all bits for no
    image; the last block is empty boards |
    | `images` | (blocks · 8,) | uint32 | the images' placements; m for no image, m + 1 in the
    last block |
    | `repeats` | | | `Repeats`, or None where no shape has several copies |
    """

    near: NDArray[np.uint64]
    cells: np.uint64
    start: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    images: NDArray[np.uint32]
    repeats: Repeats | None


class Attempts(NamedTuple):
    """How many attempts are made at a target: the images in its list whose shapes are left.

    A list has the images that the neighbours of a cell leave: Busche's neighbor occupancy filter.
    The number of a shape's images has d binary digits; the board's words for shapes are the last t.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `digits` | (rows · d · t,) | uint64 | shapes whose number of images has this digit, as bits of
    the board; rows are by cell and state of its neighbours, and the last is of no cell |
    | `neighbours` | () | uint64 | the number of bits in such a state, the lowest of any |
    | `length` | () | uint64 | d |
    | `first_word` | () | uint64 | b − t |
    """

    digits: NDArray[np.uint64]
    neighbours: np.uint64
    length: np.uint64
    first_word: np.uint64


class AnyOrder(NamedTuple):
    """How the next target is chosen where cells are filled in any order.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells_of` | w words | uint64 | bits of the cells |
    | `steps` | (k,) | uint64 | how far neighbours' numbers lie apart, modulo 64 w |
    | `sides` | (k · w,) | uint64 | cells that have a neighbour at each step |
    | `many` | | | True where a cell may have eight neighbours or more, else None |
    | `heuristic` | (p + 1,) | uint64 | by pieces remaining |
    """

    cells_of: tuple[np.uint64, ...]
    steps: NDArray[np.uint64]
    sides: NDArray[np.uint64]
    many: bool | None
    heuristic: NDArray[np.uint64]


class Begun(NamedTuple):
    """Where a search is, for p pieces to place.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `board` | b words | uint64 | bits of cells that are not open, and beyond the last, are set |
    | `rows` | ((p + 2) · STACK_SIZE,) | uint64 | by pieces remaining; see above |
    | `pieces` | () | uint64 | p |
    | `state` | (OWN,) | uint64 | see `dovetail.kernels.layout`; the level is the row |
    | `saved` | (b,) | uint64 | out: the board |
    """

    board: tuple[np.uint64, ...]
    rows: NDArray[np.uint64]
    pieces: np.uint64
    state: NDArray[np.uint64]
    saved: NDArray[np.uint64]
