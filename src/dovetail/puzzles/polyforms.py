"""Enumeration of polyforms: polyominoes, polycubes and their kin of any size."""

from __future__ import annotations

from functools import cache

from dovetail.errors import ConfigError
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.packing import Motions


@cache
def polyforms(lattice: Lattice, size: int, motions: Motions) -> tuple[Cells, ...]:
    """All connected sets of `size` cells, one for each class under `motions`, sorted.

    Under `Motions.FREE` polyominoes are the free ones (1, 1, 2, 5, 12, 35, 108, 369, …) and
    polycubes those up to rotation (1, 1, 2, 8, 29, 166, …); under `Motions.ONE_SIDED`
    polyominoes are the one-sided ones (1, 1, 2, 7, 18, 60, 196, 704, …). Every form of n
    cells is a form of n − 1 cells and one neighbour, so each size is grown from the one below.
    """
    if size < 1:
        raise ConfigError(f"a polyform of {size} cells; expected at least 1")
    if size == 1:
        single = {canonical_form(lattice, (cell,), motions) for cell in lattice.fundamental_cells}
        return tuple(sorted(single))
    grown = {
        canonical_form(lattice, (*cells, neighbour), motions)
        for cells in polyforms(lattice, size - 1, motions)
        for cell in cells
        for neighbour in lattice.neighbours(cell)
        if neighbour not in cells
    }
    return tuple(sorted(grown))


def canonical_form(lattice: Lattice, cells: Cells, motions: Motions) -> Cells:
    """The least of the orientations of `cells`: equal for congruent sets of cells."""
    return min(motions.orientations(lattice, cells))
