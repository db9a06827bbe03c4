"""Prisms: the cells of a plane in layers, with z as their last coordinate."""

from __future__ import annotations

from dovetail.models.lattices.hexagonal import HEXAGONS
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.tiling import Matrix, Tiling, identity
from dovetail.models.lattices.triangular import TRIANGLES


def prisms(base: Tiling) -> Tiling:
    """Return layers of the cells of a planar tiling, each as high as the frame's unit.

    Cells share a face with the cells beside, above and below. Solids may be turned over, which
    reflects both their base and their layers.
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
    """Return triangles (x, y, t, z) in layers; 24 isometries."""
    return PointLattice(prisms(TRIANGLES))


def hexagonal_prisms() -> PointLattice:
    """Return hexagons (x, y, z) in layers; 24 isometries."""
    return PointLattice(prisms(HEXAGONS))


def _upward(rows: Cells) -> Matrix:
    """Return rows with a further coordinate of 0, and a row for the step upward."""
    above: Cell = (*(0 for _ in rows[0]), 1)
    return (*((*row, 0) for row in rows), above)
