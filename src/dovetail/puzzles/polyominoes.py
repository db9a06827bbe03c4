"""Boxes, translations and extents of cells with integer coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from operator import add, sub

from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells

PLANE = SquareLattice(2)
SPACE = SquareLattice(3)


def box(*sides: int) -> Cells:
    """Return the cells of a box with `sides` along x, y, z and so on, from the origin upwards."""
    cells: Cells = ((),)
    for side in sides:
        cells = tuple((*cell, coordinate) for cell in cells for coordinate in range(side))
    return cells


def in_dimension(cells: Cells, dimension: int) -> Cells:
    """Return cells with `dimension` coordinates: append zeros, or drop the last coordinates."""
    return tuple((*cell, *[0] * (dimension - len(cell)))[:dimension] for cell in cells)


def min_corner(cells: Iterable[Cell]) -> Cell:
    """Return the least coordinate of `cells` along each axis."""
    return tuple(map(min, zip(*cells, strict=True)))


def extents(cells: Cells) -> Cell:
    """Return the sides of the smallest box that contains `cells`."""
    return tuple(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))


def moved(cells: Cells, by: Cell) -> Cells:
    """Return cells translated by the vector `by`."""
    return tuple(tuple(map(add, cell, by)) for cell in cells)


def moved_from(cells: Cells, origin: Cell) -> Cells:
    """Return cells translated so that `origin` becomes the origin."""
    return tuple(tuple(map(sub, cell, origin)) for cell in cells)
