"""Array layouts of the kernel, shared with its callers.

The box is filled along its height; its *floor* of rows times columns is where heights are kept. A
*type* is a piece lying in one of its orientations; types are ordered by volume, the largest first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# Entries of `state` beside the common ones: placements made on the way here, cells left empty,
# states that were known to be dead, nodes saved by them.
PLACED, EMPTY, HITS, SAVED = range(OWN, OWN + 4)
STATE_SIZE = OWN + 4

# What the search does next, the phase of `state`.
ENTER, BRANCH, DONE = (np.uint64(phase) for phase in range(3))

# Entries of a level: the corner in the floor, its height, branches, branches tried.
CORNER, BASE, WIDTH, TRIED = range(4)
LEVEL_SIZE = 4

# Entries of a key: 128 bits that stand for the state, solutions found before it or `NOT_ALL`, if
# not all of its branches are tried, nodes made and saved before it.
FIRST, SECOND, BEFORE, PASSED = range(4)
KEY_SIZE = 4
NOT_ALL = np.uint64(2**64 - 1)

# Columns of `places`.
PLACE_TYPE, PLACE_CORNER, PLACE_BASE = range(3)

# Axes of the box; a run of cells along an axis is at most this long to be looked up.
HEIGHT, ROW, COLUMN = range(3)
AXES = 3
LONGEST = 63

# Rank of a corner that is left empty, and of options that are in no corner.
UNRANKED = 2**62


class Boxes(NamedTuple):
    """The box and the types of pieces: t types, n shapes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `extent` | (3,) | int64 | height, rows and columns of the box |
    | `shape` | (t,) | int64 | the shape of each type |
    | `sides` | (t, 3) | int64 | height, rows and columns of each type |
    | `option` | (t, cells) | int32 | the option with its first corner there, or −1 |
    | `spare` | () | int64 | how many cells may stay empty |
    | `full` | (cells,) | bool | cells that must be filled |
    | `places` | (p, 3) | int64 | type, corner, height of a piece's places, the highest first |
    | `rank` | (options,) | int64 | rank of the option in the first corner, `UNRANKED` for others |
    | `least` | (options,) | int64 | least rank that a symmetry gives an option in a corner |
    | `unused` | (n,) | int64 | how many copies of each shape may stay unused |
    """

    extent: NDArray[np.int64]
    shape: NDArray[np.int64]
    sides: NDArray[np.int64]
    option: NDArray[np.int32]
    spare: int
    unused: NDArray[np.int64]
    full: NDArray[np.bool_]
    places: NDArray[np.int64]
    rank: NDArray[np.int64]
    least: NDArray[np.int64]


class SkylineStack(NamedTuple):
    """What a slice hands to the next, for d levels.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `heights` | (rows · columns,) | int64 | how high each place of the floor is filled |
    | `copies` | (n,) | int64 | unused copies of each shape |
    | `levels` | (d, LEVEL_SIZE) | int64 | see CORNER, … |
    | `branches` | (d, t + 1) | int64 | types to be placed at the corner; t leaves a cell empty |
    | `fits` | (pieces + 1,) | int64 | placements made, by placements made before |
    | `keys` | (d, KEY_SIZE) | uint64 | the state of each level, and solutions before it |
    | `known` | (2**k, 2) | uint64 | hash table: keys of dead states; see below |
    | `ends` | (columns,) | int64 | scratch: see `outline` |
    | `sums` | (3,) | uint64 | sums of sides of unused pieces along each axis, as bits 0 to 63 |
    | `lost` | (3, LONGEST + 1) | int64 | cells of a run that the unused pieces cannot fill |
    | `state` | (STATE_SIZE,) | uint64 | see above |

    The last k bits of the first word of a key are its place in `known`. There, these bits are the
    number of nodes below the state, made or saved, or 2**k − 1 if there are more.
    """

    heights: NDArray[np.int64]
    copies: NDArray[np.int64]
    levels: NDArray[np.int64]
    branches: NDArray[np.int64]
    fits: NDArray[np.int64]
    sums: NDArray[np.uint64]
    lost: NDArray[np.int64]
    ends: NDArray[np.int64]
    keys: NDArray[np.uint64]
    known: NDArray[np.uint64]
    state: NDArray[np.uint64]
