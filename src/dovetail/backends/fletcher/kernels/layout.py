"""Array layouts of the kernel, shared with its callers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# Entries of `state` after the common entries. LEVEL is the number of pieces that remain.
CELL_TESTS = OWN
STATE_SIZE = OWN + 1

# Values of `state[PHASE]`, the next step of the search.
DESCEND, RETURN = (np.uint64(phase) for phase in range(2))

# Entries of a row of the stack; there is a row for each number of pieces remaining. The entries are
# the place of the target on the board, the number of orientations that fit there, the number of
# these that wait to be placed (the last is placed next), and the numbers of placements made and
# tried. Then come the words of the window, and after them the orientations that fit.
POSITION, FITTING, WAITING, FITS, ATTEMPTS, WINDOW = (np.uint64(entry) for entry in range(6))
HEADER_SIZE = 5


class Tree(NamedTuple):
    """Fletcher's tree as a program in preorder: m steps, n shapes, w words of the window.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tested` | (m · w,) | uint64 | the cell that a step tests, as a mask |
    | `skip` | (m,) | uint64 | the first step after all steps below this step |
    | `leaf` | (m,) | uint64 | the orientation whose leaf a step is; arbitrary if there is none |
    | `shape_at` | (m,) | uint64 | the shape of this orientation; n if the step is no leaf |
    """

    tested: NDArray[np.uint64]
    skip: NDArray[np.uint64]
    leaf: NDArray[np.uint64]
    shape_at: NDArray[np.uint64]


class FletcherTables(NamedTuple):
    """The o orientations of n shapes, grouped by shape, with w words of the window.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (n + 1,) | uint64 | the first orientation of each shape; then o |
    | `shape` | (o,) | uint64 | the shape of each orientation |
    | `masks` | (o · w,) | uint64 | the cells of each orientation, with the target |
    | `places` | () | uint64 | the number of places of the board |
    """

    begin: NDArray[np.uint64]
    shape: NDArray[np.uint64]
    masks: NDArray[np.uint64]
    places: np.uint64


class FletcherStack(NamedTuple):
    """State of a search between slices, for p pieces to place and n shapes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `rows` | ((p + 1) · `width`,) | uint64 | the stack: a row of entries by pieces remaining |
    | `pieces` | () | uint64 | p |
    | `width` | () | uint64 | number of entries of a row |
    | `copies` | (n + 1,) | uint64 | copies left of each shape; then 0 |
    | `state` | (STATE_SIZE,) | uint64 | the common entries and CELL_TESTS |
    """

    rows: NDArray[np.uint64]
    pieces: np.uint64
    width: np.uint64
    copies: NDArray[np.uint64]
    state: NDArray[np.uint64]
