"""Hexagons: (x, y) with axes at 60°; neighbours at (±1, 0), (0, ±1), (1, −1) and (−1, 1).

The corners of a hexagon are the centres of six triangles, so that points are thirds of a step. The
frame makes a hexagon's side 1.
"""

from __future__ import annotations

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.tiling import EXCHANGE, HEIGHT, SIXTH_TURN, Tiling, identity

# Corners of the hexagon about the origin, in cyclic order.
HEXAGON = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))

HEXAGONS = Tiling(
    name="hexagonal",
    axes=("x", "y"),
    corners={(0, 0): HEXAGON},
    periods=identity(2),
    steps=identity(2, 3),
    generators=(SIXTH_TURN, EXCHANGE),
    frame=((2 * HEIGHT / 3, 0.0), (HEIGHT / 3, 0.5)),
    shared=2,
    text={(0, 0): (0, 0)},
    text_steps=((2, 0), (1, 1)),
    title="hexagons",
)


def hexagonal() -> PointLattice:
    """Return hexagons that are neighbours across a side; 12 isometries about a centre."""
    return PointLattice(HEXAGONS)
