"""Triangles and hexagons, with axes at 60°, and half squares (the cells of polyaboloes).

The triangle (x, y, 0) points up and has the corners (x, y), (x + 1, y) and (x, y + 1); the triangle
(x, y, 1) points down and has the corners (x + 1, y), (x + 1, y + 1) and (x, y + 1). The hexagon
(x, y) has the six neighbours (x ± 1, y), (x, y ± 1), (x + 1, y − 1) and (x − 1, y + 1).

Half squares are cut along either diagonal. A cell (x, y, q) is a quarter of a square, cut by both
diagonals: q = 0 to 3 are the quarters on the right, above, on the left and below. Two consecutive
quarters are a half square, so that pieces take an even number of quarters and either diagonal may
be used anywhere.
"""

from __future__ import annotations

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.sublattice import (
    AT_60_DEGREES,
    EXCHANGE,
    HEIGHT,
    QUARTER_TURN,
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
    """Return the lattice of triangles. Neighbours share a side.

    There are 12 isometries about a corner.
    """
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
    """Return the lattice of hexagons. Neighbours share a side.

    There are 12 isometries about a centre.
    """
    return PointLattice(HEXAGONS)


MIDDLE = (1, 1)

QUARTERS = Tiling(
    name="half-squares",
    axes=("x", "y", "q"),
    corners={
        (0, 0, 0): (MIDDLE, (2, 0), (2, 2)),
        (0, 0, 1): (MIDDLE, (2, 2), (0, 2)),
        (0, 0, 2): (MIDDLE, (0, 2), (0, 0)),
        (0, 0, 3): (MIDDLE, (0, 0), (2, 0)),
    },
    periods=((1, 0, 0), (0, 1, 0)),
    steps=identity(2, 2),
    generators=(QUARTER_TURN, EXCHANGE),
    frame=((0.5, 0.0), (0.0, 0.5)),
    shared=2,
    text={(0, 0, 0): (2, 1), (0, 0, 1): (1, 2), (0, 0, 2): (0, 1), (0, 0, 3): (1, 0)},
    text_steps=identity(2, 3),
    title="half squares",
)


def half_squares() -> PointLattice:
    """Return the lattice of quarters of squares. Neighbours share a side.

    There are 8 isometries about a corner of a square.
    """
    return PointLattice(QUARTERS)
