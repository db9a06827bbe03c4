"""Array layouts of the kernel, shared with its callers.

The box is filled along its height; its *floor* of rows times columns is where heights are kept. A
*type* is a piece lying in one of its orientations; types are ordered by volume, the largest first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# Entries of `state` beside the common ones: placements made on the way here, cells left empty.
PLACED, EMPTY = OWN, OWN + 1
STATE_SIZE = OWN + 2

# What the search does next, the phase of `state`.
ENTER, BRANCH, DONE = (np.uint64(phase) for phase in range(3))

# Entries of a level: the corner in the floor, its height, branches, branches tried.
CORNER, BASE, WIDTH, TRIED = range(4)
LEVEL_SIZE = 4

# Axes of the box; a run of cells along an axis is at most this long to be looked up.
HEIGHT, ROW, COLUMN = range(3)
AXES = 3
LONGEST = 63


class Boxes(NamedTuple):
    """The box and the types of pieces: t types, n shapes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `extent` | (3,) | int64 | height, rows and columns of the box |
    | `shape` | (t,) | int64 | the shape of each type |
    | `sides` | (t, 3) | int64 | height, rows and columns of each type |
    | `option` | (t, cells) | int32 | the option with its first corner there, or −1 |
    | `spare` | () | int64 | how many cells may stay empty |
    | `unused` | (n,) | int64 | how many copies of each shape may stay unused |
    """

    extent: NDArray[np.int64]
    shape: NDArray[np.int64]
    sides: NDArray[np.int64]
    option: NDArray[np.int32]
    spare: int
    unused: NDArray[np.int64]


class SkylineStack(NamedTuple):
    """What a slice hands to the next, for d levels.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `heights` | (rows · columns,) | int64 | how high each place of the floor is filled |
    | `copies` | (n,) | int64 | unused copies of each shape |
    | `levels` | (d, LEVEL_SIZE) | int64 | see CORNER, … |
    | `branches` | (d, t + 1) | int64 | types to be placed at the corner; t leaves a cell empty |
    | `fits` | (pieces + 1,) | int64 | placements made, by placements made before |
    | `lost` | (3, LONGEST + 1) | int64 | cells of a run that the unused pieces cannot fill |
    | `state` | (STATE_SIZE,) | uint64 | see above |
    """

    heights: NDArray[np.int64]
    copies: NDArray[np.int64]
    levels: NDArray[np.int64]
    branches: NDArray[np.int64]
    fits: NDArray[np.int64]
    lost: NDArray[np.int64]
    ends: NDArray[np.int64]
    state: NDArray[np.uint64]
