"""The board of `fletcher`: the region's bounding box and a wall, as a row of bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod
from operator import or_

import numpy as np
from numpy.typing import NDArray

from dovetail.backends.base import memory_refusal
from dovetail.backends.fletcher.orientations import Orientation
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packings.placements import NO_CELL, Placements

WORD_BITS = 64
# Limit on the size of the table that has the window at every place of the board.
MAX_BYTES = 2**28


@dataclass(frozen=True, eq=False)
class FletcherBoard:
    """A row of `places` bits: the open cells, and the wall around them.

    `cells` has the coordinates of the open cells in the bounding box. A step by one cell along axis
    `a` is a step by `strides[a]` in the row. Along each axis, the wall is as wide as orientations
    reach from their first cell; if all orientations are connected, it is at most as wide as the
    step to a neighbour. The wall at the end of a line is also the wall before the next line. A
    window has `words` words, enough for the cells that any orientation takes from a target on.
    """

    strides: tuple[int, ...]
    cells: NDArray[np.int64]
    places: int
    words: int

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """Place of each open cell in the row, ascending, shape (c,)."""
        place: NDArray[np.int64] = self.cells @ np.array(self.strides, dtype=np.int64)
        return place

    def windows(self, placements: Placements, placed: Sequence[int]) -> NDArray[np.uint64]:
        """Return the window at every place of the board with the placements `placed` on it.

        The result has shape (places · words,).
        """
        length = -(-self.places // WORD_BITS) + self.words + 1
        filled = np.ones(length * WORD_BITS, dtype=np.uint8)
        filled[self.place] = 0
        cells = placements.cells[list(placed)]
        filled[self.place[cells[cells != NO_CELL]]] = 1
        row = np.packbits(filled, bitorder="little").view("<u8").astype(np.uint64)
        place = np.arange(self.places)[:, None]
        word = place // WORD_BITS + np.arange(self.words)
        shift = (place % WORD_BITS).astype(np.uint64)
        upper = row[word + 1] << np.uint64(1) << (np.uint64(WORD_BITS - 1) - shift)
        windows: NDArray[np.uint64] = (row[word] >> shift | upper).ravel()
        return windows

    def mask(self, cells: Cells) -> list[int]:
        """Return cells, given relative to a target, as bits of the words of a window."""
        bits = reduce(or_, (1 << offset for offset in self.offsets(cells)))
        return [bits >> word * WORD_BITS & (1 << WORD_BITS) - 1 for word in range(self.words)]

    def offsets(self, cells: Cells) -> list[int]:
        """Return the distance in the row from the target to each cell."""
        return [sum(x * by for x, by in zip(cell, self.strides, strict=True)) for cell in cells]


def board_for(
    coordinates: NDArray[np.int64], orientations: Sequence[Orientation], lattice: Lattice
) -> FletcherBoard:
    """Return the board of the open cells for some orientations."""
    sides = _sides(coordinates, orientations, lattice)
    strides = tuple(prod(sides[axis + 1 :]) for axis in range(len(sides)))
    origin = coordinates.min(axis=0) if len(coordinates) else 0
    return FletcherBoard(strides, coordinates - origin, prod(sides), _words(orientations, strides))


def too_large(board: FletcherBoard) -> str | None:
    """Return why the tables of the board would be too large, or None."""
    return memory_refusal("its board", 8 * board.places * board.words, MAX_BYTES)


def _sides(
    coordinates: NDArray[np.int64], orientations: Sequence[Orientation], lattice: Lattice
) -> list[int]:
    """Return the lengths of the box along the axes, each with the wall after it.

    Cells are filled in the order of the row, so that no wall is needed before its beginning.
    """
    reach = np.zeros(coordinates.shape[1], dtype=np.int64)
    for orientation in orientations:
        for cell in orientation.cells:
            reach = np.maximum(reach, np.abs(cell))
    if all(_is_connected(orientation, lattice) for orientation in orientations):
        (target,) = lattice.fundamental_cells
        reach = np.minimum(reach, np.abs(lattice.neighbours(target)).max(axis=0))
    extent = np.ptp(coordinates, axis=0) if len(coordinates) else 0
    sides: list[int] = (extent + 1 + reach).tolist()
    return sides


def _is_connected(orientation: Orientation, lattice: Lattice) -> bool:
    """Return whether the cells of an orientation and the target are connected."""
    separate, reached = set(orientation.cells), list(lattice.fundamental_cells)
    while reached:
        near = separate.intersection(lattice.neighbours(reached.pop()))
        separate -= near
        reached.extend(near)
    return not separate


def _words(orientations: Sequence[Orientation], strides: Sequence[int]) -> int:
    """Return the number of words for the bits from a target to the last cell of any orientation."""
    farthest = max(
        (
            sum(x * stride for x, stride in zip(cell, strides, strict=True))
            for orientation in orientations
            for cell in orientation.cells
        ),
        default=0,
    )
    return farthest // WORD_BITS + 1
