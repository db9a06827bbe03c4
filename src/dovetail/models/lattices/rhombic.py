"""Rhombic cells: a cube cut by its six diagonal planes into 24 tetrahedra, four on each face.

Cubes are blocks of 5x5x5 positions. In each block coordinates v above 2 are folded to 4 − v; the
folded coordinates of a cell are 0, 1 and 2 in some order. The axis with 0 gives the face, the axis
with 1 the side of that face.
"""

from __future__ import annotations

from itertools import product

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.tiling import CUBE_TURNS, Tiling, identity

BLOCK = 5
MIDDLE = BLOCK // 2


def _corners(cell: Cell) -> Cells:
    """Return the centres of the cube and of a face, and both ends of a side of that face.

    The cube's centre is the origin and its corners have the coordinates ±1.
    """
    about = [v - MIDDLE for v in cell]
    face = tuple(int(v / 2) for v in about)
    side = tuple(v if abs(v) == 1 else 0 for v in about)
    across = tuple(int(v == 0) for v in about)
    ends = (
        tuple(map(sum, zip(face, side, (sign * v for v in across), strict=True)))
        for sign in (-1, 1)
    )
    return ((0, 0, 0), face, *ends)


CELLS = tuple(
    cell
    for cell in product(range(BLOCK), repeat=3)
    if sorted(min(v, BLOCK - 1 - v) for v in cell) == [0, 1, 2]
)

TETRAHEDRA = Tiling(
    name="rhombic",
    axes=("x", "y", "z"),
    corners={cell: _corners(cell) for cell in CELLS},
    periods=identity(3, BLOCK),
    steps=identity(3, 2),
    generators=CUBE_TURNS,
    frame=((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)),
    shared=3,
    text={cell: cell for cell in CELLS},
    text_steps=identity(3, BLOCK),
)


def rhombic() -> PointLattice:
    """Return tetrahedra that are neighbours across a face.

    There are 48 isometries about the centre of a cube.
    """
    return PointLattice(TETRAHEDRA)
