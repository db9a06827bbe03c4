"""Array layouts of the kernels of `fila`, shared with their callers.

In the tables, c is the number of cells, w of words for cells, m of placements, n of shapes and p of
pieces to place. A board has b words, for the cells and, after them, the shapes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Heuristics. FIRST: the first open cell. ESTIMATE: of the cells with the fewest open neighbours,
# the cell with the fewest fits. SIZE: the cell with the fewest fits.
FIRST, ESTIMATE, SIZE = (np.uint64(rule) for rule in range(3))

# Entries of a row of the stack. BEGIN, END: first block of the target's list, and the block after
# the last. BLOCK: the current block. FITTING: images of the current block that fit and are not
# tested yet, as bits. LIVE: images of this block below which the search may go on, as bits. FITS,
# ATTEMPTS: numbers of placements made and tried. From CHILDREN on, each lane has the BLOCK, END and
# FITTING of the next target after its image.
BLOCK, END, FITTING, LIVE, FITS, BEGIN, ATTEMPTS = (np.uint64(entry) for entry in range(7))
CHILDREN, CHILD_SIZE = np.uint64(8), np.uint64(3)
STACK_SIZE = 32


class Repeats(NamedTuple):
    """Copies of shapes, if some shape has several copies; shape n is of empty images.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shape_of` | (m + 2,) | uint32 | shape of each placement; n for the last two |
    | `shape_bit` | (n + 1,) | uint64 | the bit of the board that is set if no copy is left |
    | `copies` | (n + 1,) | uint64 | number of copies left of each shape; 1 for shape n |
    """

    shape_of: NDArray[np.uint32]
    shape_bit: NDArray[np.uint64]
    copies: NDArray[np.uint64]


class ImageLists(NamedTuple):
    """Image lists, in blocks of eight images.

    The t targets are the c cells, filled in order. If cells may be filled in any order, t is 2c,
    and the same cells, filled in any order, follow. The last list is of no target and is empty. The
    last block of any other list is filled up with masks that have all bits set and the placement m.
    The last block of all has empty images, which are masks without bits and the placement m + 1.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `near` | (t · b · 8,) | uint64 | cells near each target; see `search.occupancy_near` |
    | `cells` | () | uint64 | c |
    | `start` | (t · 256 + 2,) | uint32 | first block of each list; see `search.list_number` |
    | `masks` | (blocks · b · 8,) | uint64 | cells and shape of each image, as bits of a board |
    | `images` | (blocks · 8,) | uint32 | placement of each image |
    | `repeats` | | | `Repeats`, or None if no shape has several copies |
    """

    near: NDArray[np.uint64]
    cells: np.uint64
    start: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    images: NDArray[np.uint32]
    repeats: Repeats | None


class Attempts(NamedTuple):
    """Tables to count attempts at a target: the images in its list whose shapes are left.

    Here a list is selected by the occupancy of the target's neighbours only, as in Busche's
    neighbour occupancy filtering. The number of a shape's images in a list has at most d binary
    digits. The shapes have their bits in the last t words of a board. A row of `digits` is for a
    target and an occupancy of its neighbours; the last row is of no target.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `digits` | (rows · d · t,) | uint64 | shapes whose number of images has a digit, as bits |
    | `neighbours` | () | uint64 | number of bits for neighbours, the lowest of an occupancy |
    | `length` | () | uint64 | d |
    | `first_word` | () | uint64 | b − t |
    """

    digits: NDArray[np.uint64]
    neighbours: np.uint64
    length: np.uint64
    first_word: np.uint64


class AnyOrder(NamedTuple):
    """Tables for the choice of the next target if cells are filled in any order.

    A neighbour's number differs from the number of the cell by one of k steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `cells_of` | w words | uint64 | bits of the cells |
    | `steps` | (k,) | uint64 | number of a neighbour − number of the cell, modulo 64 w |
    | `sides` | (k · w,) | uint64 | cells that have a neighbour at each step, as bits |
    | `many` | | | True if a cell may have eight neighbours or more, else None |
    | `heuristic` | (p + 1,) | uint64 | FIRST, ESTIMATE or SIZE, by pieces remaining |
    """

    cells_of: tuple[np.uint64, ...]
    steps: NDArray[np.uint64]
    sides: NDArray[np.uint64]
    many: bool | None
    heuristic: NDArray[np.uint64]


class Begun(NamedTuple):
    """State of a search for p pieces to place.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `board` | b words | uint64 | bits of filled cells and used-up shapes; unused bits are set |
    | `rows` | ((p + 2) · STACK_SIZE,) | uint64 | the stack: a row of entries by pieces remaining |
    | `pieces` | () | uint64 | p |
    | `state` | (OWN,) | uint64 | see `dovetail.kernels.layout`; LEVEL is the current row |
    | `saved` | (b,) | uint64 | out: the board |
    """

    board: tuple[np.uint64, ...]
    rows: NDArray[np.uint64]
    pieces: np.uint64
    state: NDArray[np.uint64]
    saved: NDArray[np.uint64]
