"""Triangles and hexagons, with axes at 60°.

The triangle (x, y, 0) points up and has the corners (x, y), (x + 1, y) and (x, y + 1); the triangle
(x, y, 1) points down and has the corners (x + 1, y), (x + 1, y + 1) and (x, y + 1). The hexagon
(x, y) has the six neighbours (x ± 1, y), (x, y ± 1), (x + 1, y − 1) and (x − 1, y + 1).
"""

from __future__ import annotations

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.sublattice import (
    AT_60_DEGREES,
    EXCHANGE,
    HEIGHT,
    SIXTH_TURN,
    Tiling,
    identity,
)

TRIANGLES = Tiling(
    name="triangular",
    axes=("x", "y", "t"),
    corners={
        (0, 0, 0): ((0, 0), (1, 0), (0, 1)),
        (0, 0, 1): ((1, 0), (1, 1), (0, 1)),
    },
    periods=((1, 0, 0), (0, 1, 0)),
    steps=((1, 0), (0, 1)),
    generators=(SIXTH_TURN, EXCHANGE),
    frame=AT_60_DEGREES,
    shared=2,
    text={(0, 0, 0): (0, 0), (0, 0, 1): (1, 0)},
    text_steps=((2, 0), (1, 1)),
    title="triangles",
)


def triangular() -> PointLattice:
    """Return triangles that are neighbours across a side; 12 isometries about a corner."""
    return PointLattice(TRIANGLES)


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
