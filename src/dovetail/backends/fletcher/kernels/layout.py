"""Array layouts of the kernel, shared with its callers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# Entries of `state` beside the common ones; its level is how many pieces remain.
CELL_TESTS = OWN
STATE_SIZE = OWN + 1

# What the search does next, the phase of `state`.
DESCEND, RETURN = (np.uint64(phase) for phase in range(2))

# Entries of a row of the stack, by pieces remaining: where the target lies on the board, how many
# orientations fit there and how many of them wait to be placed (the last of them first),
# placements made and tried. Then come the words of the window, and behind them what fits.
POSITION, FITTING, WAITING, FITS, ATTEMPTS, WINDOW = (np.uint64(entry) for entry in range(6))
HEADER_SIZE = 5


class Tree(NamedTuple):
    """Fletcher's tree as a program in preorder: m steps, n shapes, w words of the window.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `tested` | (m · w,) | uint64 | the cell that a step tests, as a mask |
    | `skip` | (m,) | uint64 | the step behind all steps below this step |
    | `leaf` | (m,) | uint64 | the orientation whose leaf a step is; arbitrary if no leaf |
    | `shape_at` | (m,) | uint64 | the shape of that orientation; n for none |
    """

    tested: NDArray[np.uint64]
    skip: NDArray[np.uint64]
    leaf: NDArray[np.uint64]
    shape_at: NDArray[np.uint64]


class FletcherTables(NamedTuple):
    """The orientations: n shapes, o orientations by shape, w words of the window.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `begin` | (n + 1,) | uint64 | the first orientation of each shape, and behind the last |
    | `shape` | (o,) | uint64 | which shape an orientation has |
    | `masks` | (o · w,) | uint64 | the cells of each orientation and the target |
    | `places` | () | uint64 | how many places the board has |
    """

    begin: NDArray[np.uint64]
    shape: NDArray[np.uint64]
    masks: NDArray[np.uint64]
    places: np.uint64


class FletcherStack(NamedTuple):
    """What a slice hands to the next, for p pieces to place and n shapes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `rows` | ((p + 1) · `width`,) | uint64 | by pieces remaining; see above |
    | `pieces` | () | uint64 | p |
    | `width` | () | uint64 | entries of a row |
    | `copies` | (n + 1,) | uint64 | copies left of each shape; then 0 |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    """

    rows: NDArray[np.uint64]
    pieces: np.uint64
    width: np.uint64
    copies: NDArray[np.uint64]
    state: NDArray[np.uint64]
