"""Vectorised lookup of the numbers of a region's cells."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError

NO_NUMBER = -1
MAX_VOLUME = 2.0**62  # volume of the box around a region: keys are 64-bit integers
# A box has a lookup table up to this volume, or up to this volume per cell of the region.
SMALL_TABLE, TABLE_SHARE = 1 << 16, 32
LOOKED_UP_AT_ONCE = 1 << 17
FIRST_COLUMNS = 8  # number of cells of a piece that are looked up before the others

Array = NDArray[np.int64]
Keys = NDArray[np.signedinteger[Any]]  # of the smallest type that holds all keys of a box


class CellNumbers:
    """Numbers of the cells of a region: 0, 1, … in the order of `coordinates`.

    `coordinates` has shape (c, axes); its rows are distinct and ascend, x slowest. The key of a
    cell is its number in the box around the region. Raises `PuzzleError` for a box of 2**62 cells
    or more.
    """

    def __init__(self, coordinates: Array) -> None:
        self.coordinates = coordinates
        corners = coordinates if len(coordinates) else np.zeros((1, coordinates.shape[1]), np.int64)
        self._first, self._last = corners.min(axis=0), corners.max(axis=0)
        extent = self._last - self._first + 1
        if float(np.prod(extent.astype(np.float64))) >= MAX_VOLUME:
            raise PuzzleError("the region's bounding box has 2**62 cells or more; expected fewer")
        self._volume = int(np.prod(extent))
        self._key_type = np.min_scalar_type(-self._volume)
        self.strides = strides_of(extent)
        self._keys = (coordinates - self._first) @ self.strides  # ascending

    def of(self, coordinates: Array) -> NDArray[np.int32]:
        """Return the number of each cell, shape (…) for `coordinates` (…, axes); −1 outside."""
        inside = np.ones(coordinates.shape[:-1], dtype=bool)
        for axis, (first, last) in enumerate(zip(self._first, self._last, strict=True)):
            inside &= (coordinates[..., axis] >= first) & (coordinates[..., axis] <= last)
        keys = (coordinates - self._first) @ self.strides
        return np.where(inside, self.at(np.where(inside, keys, 0)), np.int32(NO_NUMBER))

    def steps(self, corners: Array, extent: Array) -> Keys:
        """Return the keys of the `corners` at which a box of `extent` fits into the region's box.

        `corners` has shape (m, axes), `extent` (axes).
        """
        inside = np.ones(len(corners), dtype=bool)
        for axis, along in enumerate(corners.T):
            inside &= along >= self._first[axis]
            inside &= along <= self._last[axis] + 1 - extent[axis]
        steps = (corners[inside] - self._first) @ self.strides
        keys: Keys = steps.astype(self._key_type)
        return keys

    def relative_keys(self, cells: Keys, extent: Array) -> Keys:
        """Return the keys of the cells of a small box, relative to the key of its corner.

        `cells` are the numbers of the cells within the small box, which has this `extent`.
        """
        keys = cells.astype(self._key_type)
        wraps = self.strides[:-1] - self.strides[1:] * extent[1:]
        for stride, wrap in zip(strides_of(extent), wraps, strict=False):
            if wrap:  # 0 if the region's box has the same width
                keys += (cells // stride * wrap).astype(self._key_type)
        return keys

    def candidates(self, keys: Keys, steps: Keys) -> tuple[Array, Keys]:
        """Return pairs (piece, step) at which a piece may lie in the region, by piece, then step.

        `keys`, shape (pieces, n), has the keys of each piece's cells, relative to its corner. The
        results are row numbers of `keys` and values of `steps`. Only a few cells of each piece are
        looked up, which excludes nearly all wrong pairs in a region with gaps.
        """
        piece, step = np.divmod(np.arange(len(keys) * len(steps)), max(1, len(steps)))
        step = steps[step]
        if self.fills_its_box:
            return piece, step
        size = keys.shape[1]
        for number in np.linspace(0, size - 1, min(FIRST_COLUMNS, size)).astype(int):
            inside = self.at(keys[piece, number] + step) != NO_NUMBER
            piece, step = piece[inside], step[inside]
        return piece, step

    def place(
        self, keys: Keys, piece: Array, step: Keys, out: NDArray[np.int32]
    ) -> NDArray[np.bool_]:
        """Write the cell numbers of the candidates inside the region to the first rows of `out`.

        Returns a mask of these candidates.
        """
        inside, done = np.ones(len(piece), dtype=bool), 0
        at_once = max(1, LOOKED_UP_AT_ONCE // keys.shape[1])
        for begin in range(0, len(piece), at_once):
            some = slice(begin, begin + at_once)
            numbers = keys[piece[some]] + step[some, None]
            if not self.fills_its_box:
                numbers = self.at(numbers)
                inside[some] = (numbers != NO_NUMBER).all(axis=1)
                numbers = numbers[inside[some]]
            out[done : done + len(numbers)] = numbers
            done += len(numbers)
        return inside

    def at(self, keys: Keys) -> NDArray[np.int32]:
        """Return the numbers of cells in the box by their keys, −1 for cells not in the region."""
        if self._table is not None:
            return self._table[keys]
        position = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[position] == keys, position, NO_NUMBER).astype(np.int32)

    @property
    def fills_its_box(self) -> bool:
        return self._volume == len(self._keys)

    @cached_property
    def _table(self) -> NDArray[np.int32] | None:
        """Cell number by key; None if the box is much larger than the region."""
        if self._volume > max(SMALL_TABLE, TABLE_SHARE * len(self._keys)):
            return None
        table = np.full(self._volume, NO_NUMBER, dtype=np.int32)
        table[self._keys] = np.arange(len(self._keys))
        return table


def strides_of(extent: Array) -> Array:
    """Return the change of a key per step along each axis of a box, the last axis fastest.

    `extent` has shape (…, axes).
    """
    below = np.concatenate([extent[..., 1:], np.ones_like(extent[..., :1])], axis=-1)
    strides: Array = np.cumprod(below[..., ::-1], axis=-1)[..., ::-1]
    return strides
