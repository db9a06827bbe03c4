"""Spheres, stacked as cannonballs: (x, y, z) with an even sum, twelve neighbours at distance √2.

A piece can lie in ways that no symmetry of the lattice takes it to: a flat triangle of spheres lies
in a hexagonal plane, whose sixfold turn is no symmetry of the packing. All congruent copies whose
centres are on the lattice count, so copies and the symmetries of a region are found by distances.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from dovetail.models.lattices.congruence import Constellation
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cell, Cells, Footprint
from dovetail.models.lattices.sublattice import Array
from dovetail.models.lattices.tiling import CUBE_TURNS, Tiling

HERE = (0, 0, 0)
PERIODS = ((1, 0, 1), (0, 1, 1), (0, 0, 2))
NEAR = tuple(vector for vector in product((-1, 0, 1), repeat=3) if sum(map(abs, vector)) == 2)
SCALE = 0.5**0.5  # spheres that touch are as far apart as a sphere is wide

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
    """The centres of spheres; those of spheres that touch are neighbours."""

    def neighbours(self, cell: Cell) -> Cells:
        return tuple(tuple(map(int.__add__, cell, vector)) for vector in NEAR)

    def orientations(self, cells: Cells, *, reflections: bool) -> tuple[Cells, ...]:
        piece = Constellation(np.array(cells, dtype=np.int64) - np.array(cells[0]))
        candidates = [_vectors(int((piece.points[n] ** 2).sum())) for n in piece.frame]
        images = piece.images(candidates, reflections=reflections)
        on_lattice = (image.tolist() for image in images if not (image.sum(axis=1) % 2).any())
        found = map(self.normalise, on_lattice)
        return tuple(dict.fromkeys([self.normalise(cells), *found]))

    def symmetries(self, cells: Array, *, reflections: bool) -> NDArray[np.int32]:
        distances = ((cells[:, None] - cells[None]) ** 2).sum(axis=2)
        alike = np.unique(np.sort(distances, axis=1), axis=0, return_inverse=True)[1].ravel()
        first = int(np.bincount(alike)[alike].argmin())  # of the rarest kind
        region = Constellation(cells - cells[first])
        number = {tuple(cell): n for n, cell in enumerate(cells.tolist())}
        identity = np.arange(len(cells), dtype=np.int32)
        found = {identity.tobytes(): identity}
        for origin in cells[alike == alike[first]]:
            candidates = [cells[alike == alike[n]] - origin for n in region.frame]
            for image in region.images(candidates, reflections=reflections):
                targets = [number.get(tuple(one), -1) for one in (image + origin).tolist()]
                if -1 not in targets:
                    permutation = np.array(targets, dtype=np.int32)
                    found.setdefault(permutation.tobytes(), permutation)
        return np.stack(list(found.values()))

    def footprint(self, cell: Cell) -> Footprint:
        """A diamond about the centre: those of a layer fill it."""
        x, y, z = cell
        corners = ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))
        return Footprint(tuple((SCALE * a, SCALE * b) for a, b in corners), (z,))


@cache
def _vectors(square: int) -> Array:
    """The vectors of the lattice whose squared length is given, shape (m, 3)."""
    reach = range(-isqrt(square), isqrt(square) + 1)
    found = (
        vector
        for vector in product(reach, repeat=3)
        if sum(vector) % 2 == 0 and sum(v * v for v in vector) == square
    )
    return np.array(list(found), dtype=np.int64).reshape(-1, 3)


def spheres() -> SphereLattice:
    """Spheres of a face-centred cubic packing."""
    return SphereLattice(CENTRES)
