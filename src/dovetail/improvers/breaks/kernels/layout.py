"""What the kernels of `breaks` and those who call them agree on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# A row of `steps`, by depth: the first list for the cell, where its cell's sides are in `shown`,
# then where in `shown` the sides are that face the cell from its neighbours filled before: two by
# which its list is found, and up to two more (FURTHER of them), each with the cell's own side.
LISTS, SHOWS_AT, FIRST_KNOWN, SECOND_KNOWN, FURTHER, FURTHER_KNOWN = (
    np.uint64(entry) for entry in range(6)
)
STEP_BITS = np.uint64(4)  # a row has 16 entries

# Entries of `progress`.
DEPTH, NODES, BEST, IMPROVED = range(4)
PROGRESS_SIZE = 4


class Lists(NamedTuple):
    """What fits where, for n cells in s steps, k colours and l lists of e entries.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `sides` | (4 n · 4,) | uint32 | `BoardArrays.sides` |
    | `steps` | (s · 16,) | uint32 | the cells in their order; see above |
    | `begin` | (l + 1,) | uint32 | where the list begins, by step's list + colour · k + colour |
    | `mismatched` | (l,) | uint32 | where in the list the entries with a mismatch begin |
    | `entries` | (e,) | uint32 | orientations, those that match first |
    | `preferred` | (4 n,) | uint32 | sides of an orientation of colours that are used up first |
    """

    sides: NDArray[np.uint32]
    steps: NDArray[np.uint32]
    begin: NDArray[np.uint32]
    mismatched: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    preferred: NDArray[np.uint32]


class Rules(NamedTuple):
    """What a board must keep after each of s steps, and what it has by then.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `allowed` | (s,) | uint64 | mismatches that it may have |
    | `quota` | (s,) | uint64 | sides of preferred colours that it must have |
    | `joined` | (s,) | uint64 | edges between its tiles |
    """

    allowed: NDArray[np.uint64]
    quota: NDArray[np.uint64]
    joined: NDArray[np.uint64]


class Apart(NamedTuple):
    """Where mismatches are, so that no two touch: for n cells in s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `touched` | (n,) | uint8 | 1 for a cell of which a side does not match |
    | `partner` | (s,) | uint32 | by depth: the cell beyond the side that does not match, if any |
    """

    touched: NDArray[np.uint8]
    partner: NDArray[np.uint32]


class Stack(NamedTuple):
    """A search under way, for n cells in s steps.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `shown` | (4 n + 1,) | uint32 | what the tiles that lie show, by cell · 4 + side |
    | `used` | (n,) | uint8 | 1 for a tile that lies |
    | `at` | (s + 1,) | uint64 | by depth: the next entry to be tried |
    | `mismatch_begin` | (s + 1,) | uint64 | by depth: where the entries with a mismatch begin |
    | `end` | (s + 1,) | uint64 | by depth: where the entries end |
    | `missed` | (s + 1,) | uint64 | by depth: mismatches before |
    | `reached` | (s + 1,) | uint64 | by depth: sides of preferred colours before |
    | `chosen` | (s,) | uint32 | by depth: the orientation that lies |
    | `record` | (s,) | uint32 | the same for the best partial board so far |
    | `progress` | (4,) | uint64 | see above |
    """

    shown: NDArray[np.uint32]
    used: NDArray[np.uint8]
    at: NDArray[np.uint64]
    mismatch_begin: NDArray[np.uint64]
    end: NDArray[np.uint64]
    missed: NDArray[np.uint64]
    reached: NDArray[np.uint64]
    chosen: NDArray[np.uint32]
    record: NDArray[np.uint32]
    progress: NDArray[np.uint64]
