"""Lattices of solids: prisms over cells of the plane, tetrahedra and octahedra.

Prisms have z as their last coordinate. The 24 tetrahedra of a cube (`rhombic`), and tetrahedra with
eighths of octahedra (`tetra-octa`), have the coordinates that BurrTools uses.
"""

from __future__ import annotations

from itertools import product

from dovetail.models.lattices.kinds.plane import HEXAGONS, TRIANGLES
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.sublattice import CUBE_TURNS, Matrix, Tiling, identity


def prisms(base: Tiling) -> Tiling:
    """Return the tiling of prisms of height 1 over the cells of a planar tiling.

    Neighbours are the cells beside, above and below, which share a face. Solids may be turned over,
    which reflects their base and the order of their layers.
    """
    return Tiling(
        name=f"{base.name}-prisms",
        axes=(*base.axes, "z"),
        corners={
            (*cell, 0): tuple((*corner, z) for z in range(2) for corner in corners)
            for cell, corners in base.corners.items()
        },
        periods=_upward(base.periods),
        steps=_upward(base.steps),
        generators=(
            *map(_upward, base.generators),
            (*((*row, 0) for row in identity(len(base.frame))), (*(0 for _ in base.frame), -1)),
        ),
        frame=(*((*row, 0.0) for row in base.frame), (0.0, 0.0, 1.0)),
        shared=3,
        text={(*cell, 0): (*place, 0) for cell, place in base.text.items()},
        text_steps=_upward(base.text_steps),
    )


def triangular_prisms() -> PointLattice:
    """Return the lattice of triangular prisms (x, y, t, z), which has 24 isometries."""
    return PointLattice(prisms(TRIANGLES))


def hexagonal_prisms() -> PointLattice:
    """Return the lattice of hexagonal prisms (x, y, z), which has 24 isometries."""
    return PointLattice(prisms(HEXAGONS))


def _upward(rows: Cells) -> Matrix:
    """Return rows with a further coordinate, 0, and a row for the step upward."""
    above: Cell = (*(0 for _ in rows[0]), 1)
    return (*((*row, 0) for row in rows), above)


BLOCK = 5
MIDDLE = BLOCK // 2


def _corners(cell: Cell) -> Cells:
    """Return a cell's corners: the centres of the cube and a face, and both ends of a face's side.

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
    """Return the lattice of 24 tetrahedra in each cube. Neighbours share a face.

    There are 48 isometries about the centre of a cube.
    """
    return PointLattice(TETRAHEDRA)


TETRA_OCTA_BLOCK = 3
# Translations preserve the parity of the sum of a block's coordinates.
STEPS = ((1, 0, 1), (0, 1, 1), (0, 0, 2))
PERIODS = tuple(tuple(TETRA_OCTA_BLOCK * x for x in step) for step in STEPS)


def _cells() -> dict[Cell, Cells]:
    """Return the cells of an even block and of the odd block above it, with their corners.

    The origin is the corner (1, 0, 0) of the even cube, where eight eighths make an octahedron.
    """
    found = dict[Cell, Cells]()
    for z in range(2):
        cube = list(product((0, 1), (0, 1), (z, z + 1)))
        cut_off = [corner for corner in cube if sum(corner) % 2 == 1]
        kept = tuple((x - 1, y, z) for x, y, z in cube if (x + y + z) % 2 == 0)
        found[1, 1, TETRA_OCTA_BLOCK * z + 1] = kept
        for corner in cut_off:
            beside = (other for other in cube if sum(map(int.__ne__, corner, other)) <= 1)
            position = tuple(2 * v for v in (*corner[:2], corner[2] - z))
            cell = (*position[:2], position[2] + TETRA_OCTA_BLOCK * z)
            found[cell] = tuple((x - 1, y, z) for x, y, z in beside)
    return found


TETRA_OCTA_CELLS = _cells()

TETRAHEDRA_AND_CORNERS = Tiling(
    name="tetra-octa",
    axes=("x", "y", "z"),
    corners=TETRA_OCTA_CELLS,
    periods=PERIODS,
    steps=STEPS,
    generators=CUBE_TURNS,
    frame=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    shared=3,
    text={cell: cell for cell in TETRA_OCTA_CELLS},
    text_steps=PERIODS,
)


def tetra_octa() -> PointLattice:
    """Return the lattice of tetrahedra and eighths of octahedra. Neighbours share a face.

    There are 48 isometries about the centre of an octahedron.
    """
    return PointLattice(TETRAHEDRA_AND_CORNERS)
