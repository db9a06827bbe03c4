"""Triangles: (x, y, t) with axes at 60°.

The triangle (x, y, 0) points up and has the corners (x, y), (x + 1, y) and (x, y + 1); the triangle
(x, y, 1) points down and has the corners (x + 1, y), (x + 1, y + 1) and (x, y + 1).
"""

from __future__ import annotations

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.tiling import AT_60_DEGREES, EXCHANGE, SIXTH_TURN, Tiling

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
