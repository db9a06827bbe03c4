"""Named tuples of the arrays that the kernels share with their callers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WORD_BITS = 64


class PlacementTable(NamedTuple):
    """Arrays over n placements of at most `size` cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `masks` | (n, words) | uint64 | bit mask of each placement's cells |
    | `cells` | (n, size) | int32 | numbers of each placement's cells, padded with −1 |
    | `shape` | (n,) | int32 | number of each placement's shape |
    """

    masks: NDArray[np.uint64]
    cells: NDArray[np.int32]
    shape: NDArray[np.int32]


class Columns(NamedTuple):
    """Columns of the items: the placements that have each item. Items are cells, then shapes.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `start` | (items + 1,) | int64 | index in `member` at which each item's column begins |
    | `member` | (members,) | int64 | placements of all columns, one column after another |
    """

    start: NDArray[np.int64]
    member: NDArray[np.int64]


class Witnesses(NamedTuple):
    """Scratch arrays of `drop_unfit`. Sets of items are bit masks of `words` words.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `at` | (items,) | int64 | index in `Columns.member` of each item's witness |
    | `clashing` | (items, words) | uint64 | set of the items whose witness has the item |
    | `lost` | (words,) | uint64 | set of the items without a witness |
    | `suspects` | (words,) | uint64 | set of the items whose witness is lost or may collide |
    | `taken` | (items,) | int64 | placement last tested that has the item, −1 before |
    """

    at: NDArray[np.int64]
    clashing: NDArray[np.uint64]
    lost: NDArray[np.uint64]
    suspects: NDArray[np.uint64]
    taken: NDArray[np.int64]


def witnesses(items: int) -> Witnesses:
    """Return uninitialised scratch arrays for the witnesses of `items` items."""
    words = -(-items // WORD_BITS)
    return Witnesses(
        at=np.empty(items, dtype=np.int64),
        clashing=np.empty((items, words), dtype=np.uint64),
        lost=np.empty(words, dtype=np.uint64),
        suspects=np.empty(words, dtype=np.uint64),
        taken=np.empty(items, dtype=np.int64),
    )


class Region(NamedTuple):
    """Arrays over the c cells of a region.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `neighbours` | (c, degree) | int32 | neighbours of each cell, −1 for none |
    | `optional` | (c,) | bool | cells that may stay empty |
    """

    neighbours: NDArray[np.int32]
    optional: NDArray[np.bool_]


class Parts(NamedTuple):
    """Connected parts of the open cells of a region of c cells, as `label_parts` numbers them.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `part` | (c,) | int32 | part of each cell, −1 for a cell that is not open |
    | `volume`, `empty` | (c,) | int32 | number of cells and of optional cells of each part |
    """

    part: NDArray[np.int32]
    volume: NDArray[np.int32]
    empty: NDArray[np.int32]


class Flood(NamedTuple):
    """Scratch arrays of `leaves_unfillable` over c cells.

    | array | shape | dtype | meaning |
    |---|---|---|---|
    | `mark` | (c,) | int64 | latest stamp of each cell, −1 before |
    | `waiting` | (c,) | int32 | cells whose neighbours are still to be visited |
    """

    mark: NDArray[np.int64]
    waiting: NDArray[np.int32]
