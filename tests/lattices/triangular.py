"""A triangular lattice: two classes of cells, and isometries that permute no axes.

Cells are (x, y, t) with axes at 60°. The triangle (x, y, 0) points up and has the corners (x, y),
(x + 1, y) and (x, y + 1), the triangle (x, y, 1) points down and has the corners (x + 1, y),
(x + 1, y + 1) and (x, y + 1).
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

HEIGHT = 3**0.5 / 2  # of a triangle whose sides have the length 1

Array = NDArray[np.int64]


@dataclass(frozen=True)
class TriangularLattice(Lattice):
    """Triangles that share a side are neighbours; there are 12 isometries about a corner."""

    name = "triangular"
    axes = ("x", "y", "t")
    dimension = 2
    fundamental_cells = ((0, 0, 0), (0, 0, 1))

    def is_cell(self, cell: Cell) -> bool:
        return cell[2] in (0, 1)

    def neighbours(self, cell: Cell) -> Cells:
        x, y, t = cell
        step = 2 * t - 1
        return (x, y, 1 - t), (x + step, y, 1 - t), (x, y + step, 1 - t)

    def translations(self, source: Cell, targets: Array) -> Array:
        vectors: Array = targets[targets[:, 2] == source[2]] - np.array(source, dtype=np.int64)
        return vectors

    def orientations(self, cells: Cells, *, reflections: bool) -> tuple[Cells, ...]:
        return orientations_by(self, cells, isometries(reflections=reflections))

    def symmetries(self, cells: Array, *, reflections: bool) -> NDArray[np.int32]:
        return symmetries_by(self, cells, isometries(reflections=reflections))

    def positions(self, cells: Array) -> NDArray[np.float64]:
        x, y, t = cells.T
        return np.column_stack([(2 * x + y + 1 + t) / 2, (3 * y + 1 + t) * (HEIGHT / 3)])

    def footprint(self, cell: Cell) -> Footprint:
        x, y, t = cell
        corner = (x + 1, y + 1) if t else (x, y)
        corners = [(x, y + 1), (x + 1, y), corner] if not t else [(x + 1, y), (x, y + 1), corner]
        return Footprint(tuple((a + b / 2, b * HEIGHT) for a, b in corners))

    def text_place(self, cell: Cell) -> Cell:
        x, y, t = cell
        return 2 * x + y + t, y

    def text_cell(self, place: Cell) -> Cell | None:
        column, y = place[:2]
        return (column - y) // 2, y, (column - y) % 2


def moved(cells: Array, *, mirror: bool, turns: int) -> Array:
    """Triangles with their axes exchanged or not, then turned about a corner by 60° so often."""
    if mirror:
        cells = cells[:, [1, 0, 2]]
    for _ in range(turns):
        x, y, t = cells.T
        cells = np.column_stack([-y - 1, x + y + t, 1 - t])
    return cells


def isometries(*, reflections: bool) -> list[Isometry]:
    """The six turns about a corner, identity first; with `reflections`, another six after them."""
    mirrors = (False, True) if reflections else (False,)
    return [partial(moved, mirror=mirror, turns=n) for mirror in mirrors for n in range(6)]


def triangle(side: int) -> Cells:
    """The cells of a triangle that points up."""
    return tuple(cell for cell in rhombus(side, side) if sum(cell) < side)


def rhombus(width: int, height: int) -> Cells:
    """The cells of a parallelogram of so many triangles' sides."""
    return tuple((x, y, t) for x in range(width) for y in range(height) for t in range(2))


def hexagon(side: int) -> Cells:
    """The cells of a regular hexagon."""
    return tuple(cell for cell in rhombus(2 * side, 2 * side) if side <= sum(cell) < 3 * side)
