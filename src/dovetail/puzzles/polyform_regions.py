"""Regions of triangles, hexagons and edges that sets of polyforms fill."""

from __future__ import annotations

from dovetail.models.lattices.protocol import Cells


def triangle(side: int) -> Cells:
    """The triangles of a triangle that points up."""
    return tuple(cell for cell in rhombus(side, side) if sum(cell) < side)


def rhombus(width: int, height: int) -> Cells:
    """The triangles of a parallelogram of so many triangles' sides."""
    return tuple((x, y, t) for x in range(width) for y in range(height) for t in range(2))


def hexagon(side: int) -> Cells:
    """The triangles of a regular hexagon."""
    return tuple(cell for cell in rhombus(2 * side, 2 * side) if side <= sum(cell) < 3 * side)


def hexagons_about(side: int) -> Cells:
    """The hexagons of a regular hexagon, `side` of them along each of its sides."""
    reach = range(1 - side, side)
    return tuple((x, y) for x in reach for y in reach if abs(x + y) < side)


def honeycomb(side: int) -> Cells:
    """The triangles of a honeycomb of hexagons: each of those of `hexagons_about` has six.

    Hexagons meet along sides; their middles are vertices of the triangles.
    """
    middles = ((x - y, x + 2 * y) for x, y in hexagons_about(side))
    about = hexagon(1)
    return tuple((u + x - 1, v + y - 1, t) for u, v in middles for x, y, t in about)


def square_grid(width: int, height: int) -> Cells:
    """All edges of so many squares."""
    level = [(x, y, 0) for x in range(width) for y in range(height + 1)]
    upright = [(x, y, 1) for x in range(width + 1) for y in range(height)]
    return tuple(level + upright)
