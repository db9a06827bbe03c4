"""Half squares, cut along either diagonal: the cells of polyaboloes.

A cell (x, y, q) is a quarter of a square, cut by both diagonals: q = 0 to 3 are the quarters on the
right, above, on the left and below. Two consecutive quarters are a half square, so that pieces take
an even number of quarters and either diagonal may be used anywhere.
"""

from __future__ import annotations

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.sublattice import EXCHANGE, QUARTER_TURN, Tiling, identity

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
    """Return quarters of squares that are neighbours across a side.

    There are 8 isometries about a corner of a square.
    """
    return PointLattice(QUARTERS)
