"""Spheres, stacked like cannonballs: cells (x, y, z) with an even sum of coordinates.

A sphere has twelve neighbours, whose coordinates are at distance √2.

Some congruent copies of a piece are not images under symmetries of the lattice. For example, a flat
triangle of spheres lies in a hexagonal plane, and a turn of the plane by 60° is no symmetry of the
packing. All congruent copies with centres on the lattice are allowed. So the copies of a piece and
the symmetries of a region are found by distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, product
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.congruence import Constellation
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import (
    Cell,
    Cells,
    Footprint,
    Isometry,
    Lattice,
    Orientations,
)
from dovetail.models.lattices.sublattice import CUBE_TURNS, Array, Tiling

HERE = (0, 0, 0)
PERIODS = ((1, 0, 1), (0, 1, 1), (0, 0, 2))
NEAR = tuple(vector for vector in product((-1, 0, 1), repeat=3) if sum(map(abs, vector)) == 2)
SCALE = 0.5**0.5  # touching spheres have distance 1

CENTRES = Tiling(
    name="spheres",
    axes=("x", "y", "z"),
    corners={HERE: (HERE,)},
    periods=PERIODS,
    steps=PERIODS,
    generators=CUBE_TURNS,
    frame=((SCALE, 0.0, 0.0), (0.0, SCALE, 0.0), (0.0, 0.0, SCALE)),
    shared=1,
    text={HERE: HERE},
    text_steps=PERIODS,
)


class SphereLattice(PointLattice):
    """Lattice of the centres of spheres; spheres that touch are neighbours."""

    def neighbours(self, cell: Cell) -> Cells:
        return tuple(tuple(map(int.__add__, cell, vector)) for vector in NEAR)

    def orientations(self, cells: Cells, *, reflections: bool) -> Orientations:
        """Return the congruent copies, found by distances and completed by the cube's turns."""
        piece = Constellation(np.array(cells, dtype=np.int64) - np.array(cells[0]))
        squares = [int((piece.points[n] ** 2).sum()) for n in piece.frame]
        candidates = [_vectors(square) for square in squares]
        if candidates:
            x, y, z = candidates[0].T
            candidates[0] = candidates[0][(x >= y) & (y >= abs(z))]  # up to the cube's turns
        images = piece.images(candidates, reflections=reflections)
        turns = super().isometries(reflections=False)
        found = (
            np.stack([turn(image) for turn in turns])
            for image in images
            if not (image.sum(axis=1) % 2).any()
        )
        return Orientations(self, chain([piece.points[None]], found))

    def isometries(self, *, reflections: bool) -> Sequence[Isometry]:
        # Raises `PuzzleError`: flat pieces have orientations that no isometry makes.
        return Lattice.isometries(self, reflections=reflections)

    def symmetries(self, cells: Array, *, reflections: bool) -> NDArray[np.int32]:
        # Symmetries preserve the distance to the centre of mass. A square beyond 64 bits wraps
        # around, equally for equal distances.
        away = ((len(cells) * cells - cells.sum(axis=0)) ** 2).sum(axis=1)
        alike = np.unique(away, return_inverse=True)[1].ravel()
        first = int(np.bincount(alike)[alike].argmin())  # a cell at the rarest distance
        region = Constellation(cells - cells[first])
        number = {tuple(cell): n for n, cell in enumerate(cells.tolist())}
        identity = np.arange(len(cells), dtype=np.int32)
        found = {identity.tobytes(): identity}
        for origin in cells[alike == alike[first]]:
            candidates = [cells[alike == alike[n]] - origin for n in region.frame]
            for image in region.images(candidates, reflections=reflections):
                targets = [number.get(tuple(cell), -1) for cell in (image + origin).tolist()]
                if -1 not in targets:
                    permutation = np.array(targets, dtype=np.int32)
                    found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def footprint(self, cell: Cell) -> Footprint:
        """Return a diamond about the centre; the diamonds of a layer fill the layer."""
        x, y, z = cell
        corners = ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))
        return Footprint(tuple((SCALE * a, SCALE * b) for a, b in corners), (z,))


@lru_cache(maxsize=64)
def _vectors(square: int) -> Array:
    """Return the vectors of the lattice with this squared length, shape (m, 3)."""
    reach = isqrt(square)
    y = np.arange(-reach, reach + 1)
    found = [np.empty((0, 3), dtype=np.int64)]
    for x in range(-reach, reach + 1):
        left = square - x * x - y * y
        z = np.sqrt(np.maximum(left, 0)).round().astype(np.int64)
        fits = (z * z == left) & ((x + y + z) % 2 == 0)
        for sign in (1, -1):
            fits &= (z > 0) | (sign > 0)
            found.append(np.column_stack([np.full(fits.sum(), x), y[fits], sign * z[fits]]))
    return np.concatenate(found)


def spheres() -> SphereLattice:
    """Return the lattice of spheres in a face-centred cubic packing."""
    return SphereLattice(CENTRES)
