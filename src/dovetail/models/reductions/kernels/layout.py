"""Arrays that the kernels and their callers share, by name."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WORD_BITS = 64


class PlacementTable(NamedTuple):
    """The n placements.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `masks` | (n, words) | uint64 | cells of each placement |
    | `cells` | (n, size) | int32 | the same as numbers, padded with −1 |
    | `shape` | (n,) | int32 | shape of each placement |
    """

    masks: NDArray[np.uint64]
    cells: NDArray[np.int32]
    shape: NDArray[np.int32]


class Columns(NamedTuple):
    """The placements that have each item; items are cells, then shapes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `start` | (items + 1,) | int64 | first member of each item's column |
    | `member` | (members,) | int64 | the placements that have the item |
    """

    start: NDArray[np.int64]
    member: NDArray[np.int64]


class Witnesses(NamedTuple):
    """Scratch of `drop_unfit`, for items in sets of `words` words.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `at` | (items,) | int64 | position of each item's witness in its column |
    | `clashing` | (items, words) | uint64 | the items whose witness has the item |
    | `lost` | (words,) | uint64 | items without a witness |
    | `suspects` | (words,) | uint64 | items whose witness may not go with a placement |
    | `taken` | (items,) | int64 | the last placement tested that has the item |
    """

    at: NDArray[np.int64]
    clashing: NDArray[np.uint64]
    lost: NDArray[np.uint64]
    suspects: NDArray[np.uint64]
    taken: NDArray[np.int64]


def witnesses(items: int) -> Witnesses:
    """Return uninitialised scratch for the witnesses of `items` items."""
    words = -(-items // WORD_BITS)
    return Witnesses(
        at=np.empty(items, dtype=np.int64),
        clashing=np.empty((items, words), dtype=np.uint64),
        lost=np.empty(words, dtype=np.uint64),
        suspects=np.empty(words, dtype=np.uint64),
        taken=np.empty(items, dtype=np.int64),
    )


class Region(NamedTuple):
    """The c cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `neighbours` | (c, degree) | int32 | neighbours of each cell, −1 for none |
    | `optional` | (c,) | bool | cells that may stay empty |
    """

    neighbours: NDArray[np.int32]
    optional: NDArray[np.bool_]


class Parts(NamedTuple):
    """The connected parts of the open cells, as `label_parts` numbers them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `part` | (c,) | int32 | part of each cell, −1 for a cell that is not open |
    | `volume`, `empty` | (c,) | int32 | number of cells and of optional cells of each part |
    """

    part: NDArray[np.int32]
    volume: NDArray[np.int32]
    empty: NDArray[np.int32]


class Flood(NamedTuple):
    """Scratch of `leaves_unfillable`.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `mark` | (c,) | int64 | latest stamp of each cell |
    | `waiting` | (c,) | int32 | cells whose neighbours are still to be visited |
    """

    mark: NDArray[np.int64]
    waiting: NDArray[np.int32]
