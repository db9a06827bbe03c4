"""Numbers of a region's cells, looked up many at a time."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError

NO_NUMBER = -1
MAX_VOLUME = 2.0**62  # of the box around a region: keys are 64-bit integers
# A box has a table of its keys up to this volume, or up to this volume for each cell of the region.
SMALL_TABLE, TABLE_SHARE = 1 << 16, 32
LOOKED_UP_AT_ONCE = 1 << 20
FIRST_COLUMNS = 8  # cells of a piece that are looked up before the others

Array = NDArray[np.int64]


class CellNumbers:
    """Numbers of the cells of a region: 0, 1, … in the order of `coordinates`.

    `coordinates` has shape (c, axes), rows distinct and ascending, x slowest. The key of a cell is
    its number in the box around the region. Raises `PuzzleError` for a box of 2**62 cells or more.
    """

    def __init__(self, coordinates: Array) -> None:
        self.coordinates = coordinates
        corners = coordinates if len(coordinates) else np.zeros((1, coordinates.shape[1]), np.int64)
        self._first, self._last = corners.min(axis=0), corners.max(axis=0)
        extent = self._last - self._first + 1
        if float(np.prod(extent.astype(np.float64))) >= MAX_VOLUME:
            raise PuzzleError("the region's bounding box has more than 2**62 cells")
        self._volume = int(np.prod(extent))
        self.strides = strides_of(extent)
        self._keys = (coordinates - self._first) @ self.strides  # ascending

    def of(self, coordinates: Array) -> NDArray[np.int32]:
        """Return the number of each cell, −1 outside; shape (…, axes) becomes (…)."""
        inside = np.ones(coordinates.shape[:-1], dtype=bool)
        for axis, (first, last) in enumerate(zip(self._first, self._last, strict=True)):
            inside &= (coordinates[..., axis] >= first) & (coordinates[..., axis] <= last)
        keys = (coordinates - self._first) @ self.strides
        return np.where(inside, self.at(np.where(inside, keys, 0)), np.int32(NO_NUMBER))

    def candidates(self, cells: Array, vectors: Array) -> Array:
        """Return the `vectors` that may carry all of `cells` into the region.

        `cells` has shape (n, axes), `vectors` (m, axes). A few of the cells are looked up: they
        rule out nearly all other translations into a region with gaps.
        """
        low, high = self._first - cells.min(axis=0), self._last - cells.max(axis=0)
        inside = np.ones(len(vectors), dtype=bool)
        for axis, along in enumerate(vectors.T):
            inside &= (along >= low[axis]) & (along <= high[axis])
        kept = vectors[inside]
        if self._fills_its_box:
            return kept
        for number in np.linspace(0, len(cells) - 1, min(FIRST_COLUMNS, len(cells))).astype(int):
            keys = (kept + (cells[number] - self._first)) @ self.strides
            kept = kept[self.at(keys) != NO_NUMBER]
        return kept

    def translated(
        self, cells: Array, vectors: Array
    ) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Return which candidate `vectors` carry all of `cells` into the region, and where to.

        The results have the shapes (m,) and (translations inside, n).
        """
        keys = (cells - self._first) @ self.strides
        steps = vectors @ self.strides
        inside = np.ones(len(steps), dtype=bool)
        found = [np.empty((0, len(cells)), dtype=np.int32)]
        at_once = max(1, LOOKED_UP_AT_ONCE // len(cells))
        for begin in range(0, len(steps), at_once):
            numbers = self.at(keys + steps[begin : begin + at_once, None])
            if not self._fills_its_box:
                own = (numbers != NO_NUMBER).all(axis=1)
                inside[begin : begin + at_once] = own
                numbers = numbers[own]
            found.append(numbers)
        return inside, np.concatenate(found)

    def at(self, keys: Array) -> NDArray[np.int32]:
        """Return the numbers of cells in the box by their keys, −1 for gaps of the region."""
        if self._table is not None:
            return self._table[keys]
        position = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[position] == keys, position, NO_NUMBER).astype(np.int32)

    @property
    def _fills_its_box(self) -> bool:
        return self._volume == len(self._keys)

    @cached_property
    def _table(self) -> NDArray[np.int32] | None:
        """The number by key; None where the box is much larger than the region."""
        if self._volume > max(SMALL_TABLE, TABLE_SHARE * len(self._keys)):
            return None
        table = np.full(self._volume, NO_NUMBER, dtype=np.int32)
        table[self._keys] = np.arange(len(self._keys))
        return table


def strides_of(extent: Array) -> Array:
    """Return by how much a step along each axis changes a key in a box, the last axis fastest.

    `extent` has shape (…, axes).
    """
    below = np.concatenate([extent[..., 1:], np.ones_like(extent[..., :1])], axis=-1)
    strides: Array = np.cumprod(below[..., ::-1], axis=-1)[..., ::-1]
    return strides
