"""The edges of a square grid as cells: pieces hang together at vertices and must not cross there.

The cell (x, y, 0) goes from (x, y) to (x + 1, y), the cell (x, y, 1) to (x, y + 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattice import (
    Cell,
    Cells,
    Footprint,
    Isometry,
    Lattice,
    orientations_by,
    symmetries_by,
)

HALF_WIDTH = 0.15  # of an edge on paper

Array = NDArray[np.int64]


@dataclass(frozen=True)
class SquareEdges(Lattice):
    """Edges that share a vertex are neighbours, so that no two colours will do."""

    name = "square-edges"
    axes = ("x", "y", "d")
    dimension = 2
    fundamental_cells = ((0, 0, 0), (0, 0, 1))

    def is_cell(self, cell: Cell) -> bool:
        return cell[2] in (0, 1)

    def neighbours(self, cell: Cell) -> Cells:
        x, y, d = cell
        both = edges_at(x, y), edges_at(x + 1 - d, y + d)
        return tuple(other for edges in both for other in edges if other != cell)

    def translations(self, source: Cell, targets: Array) -> Array:
        vectors: Array = targets[targets[:, 2] == source[2]] - np.array(source, dtype=np.int64)
        return vectors

    def orientations(self, cells: Cells, *, reflections: bool) -> tuple[Cells, ...]:
        return orientations_by(self, cells, isometries(reflections=reflections))

    def symmetries(self, cells: Array, *, reflections: bool) -> NDArray[np.int32]:
        return symmetries_by(self, cells, isometries(reflections=reflections))

    def positions(self, cells: Array) -> NDArray[np.float64]:
        x, y, d = cells.T
        return np.column_stack([x + (1 - d) / 2, y + d / 2])

    def crossings(self, cells: Cells) -> Cells:
        """The vertices that a piece goes straight through, in one way or both."""
        taken = set(cells)
        ends = {(x, y) for x, y, _ in cells}
        return tuple(
            (x, y, 0)
            for x, y in sorted(ends)
            if {(x - 1, y, 0), (x, y, 0)} <= taken or {(x, y - 1, 1), (x, y, 1)} <= taken
        )

    def footprint(self, cell: Cell) -> Footprint:
        x, y, d = cell
        along, aside = (1 - d, d), (-d * HALF_WIDTH, (1 - d) * HALF_WIDTH)
        near = x + HALF_WIDTH * along[0], y + HALF_WIDTH * along[1]
        far = x + (1 - HALF_WIDTH) * along[0], y + (1 - HALF_WIDTH) * along[1]
        return Footprint(
            (
                (x, y),
                (near[0] + aside[0], near[1] + aside[1]),
                (far[0] + aside[0], far[1] + aside[1]),
                (x + along[0], y + along[1]),
                (far[0] - aside[0], far[1] - aside[1]),
                (near[0] - aside[0], near[1] - aside[1]),
            )
        )

    def text_place(self, cell: Cell) -> Cell:
        x, y, d = cell
        return 2 * x + 1 - d, 2 * y + d

    def text_cell(self, place: Cell) -> Cell | None:
        column, row = place[:2]
        if (column + row) % 2 == 0:  # a vertex or the middle of a square
            return None
        return column // 2, row // 2, row % 2


def edges_at(x: int, y: int) -> Cells:
    """The four edges that end at a vertex."""
    return (x, y, 0), (x, y, 1), (x - 1, y, 0), (x, y - 1, 1)


def moved(cells: Array, *, mirror: bool, turns: int) -> Array:
    """Edges with their axes exchanged or not, then given so many quarter turns about (0, 0)."""
    if mirror:
        x, y, d = cells.T
        cells = np.column_stack([y, x, 1 - d])
    for _ in range(turns):
        x, y, d = cells.T
        cells = np.column_stack([-y - d, x, 1 - d])
    return cells


def isometries(*, reflections: bool) -> list[Isometry]:
    """The four turns about a vertex, identity first; with `reflections`, another four."""
    mirrors = (False, True) if reflections else (False,)
    return [partial(moved, mirror=mirror, turns=n) for mirror in mirrors for n in range(4)]


def grid(width: int, height: int) -> Cells:
    """All edges of so many squares."""
    level = [(x, y, 0) for x in range(width) for y in range(height + 1)]
    upright = [(x, y, 1) for x in range(width + 1) for y in range(height)]
    return tuple(level + upright)
