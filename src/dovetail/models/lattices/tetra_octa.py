"""Tetrahedra and eighths of octahedra: each cube is cut into a tetrahedron and four corners.

Cubes are blocks of 3x3x3 positions: the tetrahedron is at (1, 1, 1), and a cut-off corner at the
position of that corner of the cube. Cubes alternate: a block whose coordinates have an even sum has
its corners at (2, 0, 0), (0, 2, 0), (0, 0, 2) and (2, 2, 2), the others have them at (0, 0, 0), (2,
2, 0), (2, 0, 2) and (0, 2, 2).
"""

from __future__ import annotations

from itertools import product

from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.tiling import CUBE_TURNS, Tiling

BLOCK = 3
# Translations preserve the parity of the sum of a block's coordinates.
STEPS = ((1, 0, 1), (0, 1, 1), (0, 0, 2))
PERIODS = tuple(tuple(BLOCK * one for one in step) for step in STEPS)


def _cells() -> dict[Cell, Cells]:
    """Return the cells of an even block and of the odd block above it, with their corners.

    The origin is the corner (1, 0, 0) of the even cube, where eight eighths make an octahedron.
    """
    found = dict[Cell, Cells]()
    for z in range(2):
        cube = list(product((0, 1), (0, 1), (z, z + 1)))
        cut_off = [corner for corner in cube if sum(corner) % 2 == 1]
        kept = tuple((x - 1, y, z) for x, y, z in cube if (x + y + z) % 2 == 0)
        found[1, 1, BLOCK * z + 1] = kept
        for corner in cut_off:
            beside = (other for other in cube if sum(map(int.__ne__, corner, other)) <= 1)
            position = tuple(2 * v for v in (*corner[:2], corner[2] - z))
            cell = (*position[:2], position[2] + BLOCK * z)
            found[cell] = tuple((x - 1, y, z) for x, y, z in beside)
    return found


CELLS = _cells()

TETRAHEDRA_AND_CORNERS = Tiling(
    name="tetra-octa",
    axes=("x", "y", "z"),
    corners=CELLS,
    periods=PERIODS,
    steps=STEPS,
    generators=CUBE_TURNS,
    frame=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    shared=3,
    text={cell: cell for cell in CELLS},
    text_steps=PERIODS,
)


def tetra_octa() -> PointLattice:
    """Return cells that are neighbours across a face.

    There are 48 isometries about the centre of an octahedron.
    """
    return PointLattice(TETRAHEDRA_AND_CORNERS)
