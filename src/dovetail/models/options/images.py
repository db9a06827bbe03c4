"""Images of the placements of a packing puzzle under isometries of the open cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.cell_numbers import NO_NUMBER, CellNumbers
from dovetail.models.lattices.orientations import CELLS_AT_ONCE, outlines
from dovetail.models.placements import Placements

Array = NDArray[np.int64]
NO_PLACEMENT = -1


@dataclass(frozen=True, eq=False)
class PlacementImages:
    """Images of placements, computed from an example of each orientation.

    An isometry moves translates to translates. So the images of all placements with the same
    orientation have the outline of the example's image, and the distance of their first cells is
    that of the images of any corresponding cells.
    """

    placements: Placements

    def of(self, cell_map: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return for each placement the first placement on its image's cells, −1 for none.

        `cell_map`, shape (cells,), has the image of each open cell.
        """
        p, (number, _) = self.placements, self._own
        outline = np.empty(len(self._examples), dtype=np.int64)
        first = np.empty(len(self._examples), dtype=np.int64)
        for some, names, cells in self._moved(cell_map):
            outline[some] = [number.get(name, -1) for name in names]
            first[some] = cells
        moved = p.coordinates[cell_map[self._first_cell]]
        shift = p.coordinates[first] - moved[self._examples]
        return self._at(outline, self._cells.of(moved + shift[self._orientation]))

    @cached_property
    def equal(self) -> NDArray[np.int32]:
        """For each placement, the first placement on the same cells."""
        return self._at(self._own[1], self._first_cell)

    def _at(self, outline: Array, first_cell: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the placements with these outlines and first cells."""
        keys, order = self._sorted_keys
        wanted = self._keys(outline, first_cell)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        is_there = (keys[at] == wanted) & (first_cell != NO_NUMBER)
        return np.where(is_there, order[at], NO_PLACEMENT).astype(np.int32)

    def _keys(self, outline: Array, first_cell: NDArray[np.int32]) -> Array:
        keys: Array = outline[self._orientation] * self.placements.cell_count + first_cell
        return keys

    @cached_property
    def _sorted_keys(self) -> tuple[Array, Array]:
        """Keys of all placements in ascending order, and their placements."""
        keys = self._keys(self._own[1], self._first_cell)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    @cached_property
    def _own(self) -> tuple[dict[bytes, int], Array]:
        """Number of each outline, and the outline of each example."""
        number: dict[bytes, int] = {}
        outline = np.empty(len(self._examples), dtype=np.int64)
        for some, names, _ in self._moved(np.arange(self.placements.cell_count, dtype=np.int32)):
            outline[some] = [number.setdefault(name, len(number)) for name in names]
        return number, outline

    def _moved(
        self, cell_map: NDArray[np.int32]
    ) -> Iterator[tuple[Array, Iterator[bytes], NDArray[np.int32]]]:
        """Yield some of the examples, the outlines of their images, and the images' first cells."""
        p = self.placements
        sizes = p.sizes[self._examples]
        for size in np.unique(sizes).tolist():
            same = np.flatnonzero(sizes == size)
            at_once = max(1, CELLS_AT_ONCE // size)
            for begin in range(0, len(same), at_once):
                some = same[begin : begin + at_once]
                members = p.start[self._examples[some], None] + np.arange(size)
                cells = cell_map[p.member[members]]
                found, first = outlines(p.lattice, p.coordinates[cells])
                yield some, found.names(), cells[np.arange(len(cells)), first]

    @cached_property
    def _cells(self) -> CellNumbers:
        return CellNumbers(self.placements.coordinates)

    @cached_property
    def _first_cell(self) -> NDArray[np.int32]:
        return self.placements.member[self.placements.start[:-1]]

    @cached_property
    def _examples(self) -> Array:
        """A placement with each orientation."""
        return np.unique(self.placements.orientation, return_index=True)[1]

    @cached_property
    def _orientation(self) -> Array:
        """Index into `_examples` of each placement."""
        return np.unique(self.placements.orientation, return_inverse=True)[1].ravel()
