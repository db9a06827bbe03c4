"""Array layouts of the kernel, shared with its callers.

The box is filled upwards. A height is stored for each place of its *floor*, which has rows and
columns. A *corner* is a place of the floor. A *type* is a piece in one of its orientations; types
are ordered by volume, the largest first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.kernels.layout import OWN

# Entries of `state` after the common entries: numbers of pieces placed now, of cells left empty
# now, of states that were found in the table, and of nodes that these states saved.
PLACED, EMPTY, HITS, SAVED = range(OWN, OWN + 4)
STATE_SIZE = OWN + 4

# Values of the entry `PHASE` of `state`: the next step of the search.
ENTER, BRANCH, DONE = (np.uint64(phase) for phase in range(3))

# Entries of a level: the corner to fill, its height, number of branches, number of branches tried.
CORNER, BASE, WIDTH, TRIED = range(4)
LEVEL_SIZE = 4

# Entries of a key. FIRST, SECOND: a hash of the state, of 128 bits. BEFORE: number of solutions
# found before the state, or `NOT_ALL` if not all of its branches will be tried. PASSED: number of
# nodes made and saved before the state.
FIRST, SECOND, BEFORE, PASSED = range(4)
KEY_SIZE = 4
NOT_ALL = np.uint64(2**64 - 1)

# Columns of `places`.
PLACE_TYPE, PLACE_CORNER, PLACE_BASE = range(3)

# Axes of the box; largest length of a run of cells that is looked up.
HEIGHT, ROW, COLUMN = range(3)
AXES = 3
LONGEST = 63

# Rank of options that are not in the first corner, and of a first corner that is left empty.
UNRANKED = 2**62


class Boxes(NamedTuple):
    """The box and the pieces: n shapes in t types; the scarcest piece has p places.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `extent` | (3,) | int64 | height, rows and columns of the box |
    | `shape` | (t,) | int64 | the shape of each type |
    | `sides` | (t, 3) | int64 | height, rows and columns of each type |
    | `option` | (t, cells) | int32 | the option of a type whose first cell is this cell, or −1 |
    | `spare` | () | int64 | number of cells that may stay empty |
    | `full` | (cells,) | bool | cells that must be filled |
    | `places` | (p, 3) | int64 | type, corner and height of each place, the highest first |
    | `rank` | (options,) | int64 | rank of an option in the first corner, else `UNRANKED` |
    | `least` | (options,) | int64 | least rank that a symmetry gives an option, or `UNRANKED` |
    | `unused` | (n,) | int64 | number of copies of each shape that may stay unused |
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
    """State of a search between two slices: n shapes in t types, d levels.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `heights` | (rows · columns,) | int64 | the height up to which each corner is filled |
    | `copies` | (n,) | int64 | number of unused copies of each shape |
    | `levels` | (d, LEVEL_SIZE) | int64 | see CORNER, … |
    | `branches` | (d, t + 1) | int64 | types that fit the corner; t stands for leaving it empty |
    | `fits` | (pieces + 1,) | int64 | number of placements, by placements made before |
    | `keys` | (d, KEY_SIZE) | uint64 | see FIRST, … |
    | `known` | (2**k, 2) | uint64 | hash table of the keys of dead states; see below |
    | `ends` | (columns,) | int64 | scratch: see `outline` |
    | `sums` | (3,) | uint64 | by axis, the possible sums of sides of unused pieces, as bits |
    | `lost` | (3, LONGEST + 1) | int64 | by axis and length, how many cells of a run stay empty |
    | `state` | (STATE_SIZE,) | uint64 | see PLACED, … |

    The last k bits of the first word of a key are the number of its row in `known`. In the table,
    they are replaced by the number of nodes below the state, made or saved, at most 2**k − 1.
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
