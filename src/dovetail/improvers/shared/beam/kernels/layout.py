"""What the kernels of the beam search and those who call them agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# A row of `steps`: how many sides of the cell face tiles that lie by then (known), how many face
# cells that are filled later (open), the lists of what fits: all, by the colour of each known side
# (BY_ONE + number) and by those of the first two. Then each known side and the slot that has its
# colour, and each open side and the slot that gets its colour.
KNOWN, OPEN, ALL, BY_ONE, BY_TWO, KNOWN_SIDES, OPEN_SIDES = 0, 1, 2, 3, 7, 8, 16
STEP_SIZE = 24

# Entries of `progress`: candidates kept, the rank below which none is kept any more, how many are
# at or above it, how many of these are wanted, the next state to be expanded, mismatches tried;
# then, once all are expanded: how many candidates are ranked, how many of them were looked at, and
# the states made.
COUNT, BAR, ABOVE, WANTED, NEXT, MISMATCHES, RANKED, TAKEN, MADE = range(9)
PROGRESS_SIZE = 9

RANKS = 8192  # candidates are ranked by their value, rounded
PER_EDGE = 64.0  # ranks for a matched edge


class Tiles(NamedTuple):
    """What does not change during a search, for n cells, s steps and k colours.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n, 4) | int32 | `BoardArrays.sides` |
    | `steps` | (s, 24) | int64 | the cells in their order; see above |
    | `begin` | (any,) | int64 | where the list for a colour or a pair of colours begins |
    | `entries` | (any,) | int32 | orientations |
    | `potential` | (m, m + 1) | float64 | see `potential` |
    | `tile_hash` | (n,) | uint64 | a random word for each tile |
    | `slot_hash` | (slots, k) | uint64 | one for each colour in each slot |
    """

    sides: NDArray[np.int32]
    steps: NDArray[np.int64]
    begin: NDArray[np.int64]
    entries: NDArray[np.int32]
    potential: NDArray[np.float64]
    tile_hash: NDArray[np.uint64]
    slot_hash: NDArray[np.uint64]


class States(NamedTuple):
    """The states of a level, w at most: which tiles lie, and what the next tiles must match.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `used` | (w, words) | uint64 | bit t % 64 of word t // 64: tile t lies |
    | `slots` | (w, slots) | uint8 | the colours of open sides |
    | `left` | (w, k) | int32 | sides of each colour on tiles that do not lie |
    | `facing` | (w, k) | int32 | open sides of each colour |
    | `matched` | (w,) | int32 | matched edges |
    | `worth` | (w,) | float64 | the potential, summed over colours |
    | `hash` | (w,) | uint64 | of the tiles that lie and the slots |
    """

    used: NDArray[np.uint64]
    slots: NDArray[np.uint8]
    left: NDArray[np.int32]
    facing: NDArray[np.int32]
    matched: NDArray[np.int32]
    worth: NDArray[np.float64]
    hash: NDArray[np.uint64]


class Candidates(NamedTuple):
    """Children of a level's states, c at most.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `parent` | (c,) | int32 | the state |
    | `orientation` | (c,) | int32 | what is laid |
    | `rank` | (c,) | int32 | the value, rounded: higher is better |
    | `hash` | (c,) | uint64 | that of the child |
    | `counts` | (RANKS,) | int64 | how many there are of each rank |
    | `order` | (c,) | int32 | the candidates by rank |
    | `table` | (t,) | uint64 | hashes of states made; a power of two, more than c |
    | `progress` | (9,) | int64 | see above |
    | `gain` | (2, k) | float64 | what a side of a colour is worth, known and open |
    | `base` | (2,) | float64 | the value of rank RANKS / 2, and whether it is set |
    """

    parent: NDArray[np.int32]
    orientation: NDArray[np.int32]
    rank: NDArray[np.int32]
    hash: NDArray[np.uint64]
    counts: NDArray[np.int64]
    order: NDArray[np.int32]
    table: NDArray[np.uint64]
    progress: NDArray[np.int64]
    gain: NDArray[np.float64]
    base: NDArray[np.float64]
