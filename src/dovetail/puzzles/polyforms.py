"""Enumeration of polyforms of any size: polyominoes, polycubes, polyaboloes and others."""

from __future__ import annotations

from functools import cache

from dovetail.errors import ConfigError
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packing import Motions

HALF_SQUARES = "half-squares"


@cache
def polyforms(lattice: Lattice, size: int, motions: Motions) -> tuple[Cells, ...]:
    """Return all connected sets of `size` cells up to `motions`, sorted.

    `Motions.FREE` gives free polyominoes (1, 1, 2, 5, 12, 35, 108, 369, …) and polycubes up to
    rotation (1, 1, 2, 8, 29, 166, …), `Motions.ONE_SIDED` one-sided polyominoes (1, 1, 2, 7, 18,
    60, 196, 704, …). On half squares, of which cells are quarters, `size` counts halves: the forms
    are polyaboloes (1, 3, 4, 14, 30, …), whose halves share whole sides. Every form of n parts is a
    form of n − 1 parts and another part beside it, so each size is grown from the size below.
    Raises `ConfigError` for a size below 1.
    """
    if size < 1:
        raise ConfigError(f"a polyform of {size} cells; expected at least 1")
    smaller: tuple[Cells, ...] = polyforms(lattice, size - 1, motions) if size > 1 else ((),)
    grown = {
        canonical_form(lattice, (*cells, *part), motions)
        for cells in smaller
        for cell in cells or lattice.fundamental_cells
        for beside in (lattice.neighbours(cell) if cells else (cell,))
        for part in _parts_with(lattice, beside)
        if not set(part).intersection(cells)
    }
    return tuple(sorted(grown))


def canonical_form(lattice: Lattice, cells: Cells, motions: Motions) -> Cells:
    """Return the least of the orientations of `cells`: equal for congruent sets of cells."""
    return min(motions.orientations(lattice, cells))


def _parts_with(lattice: Lattice, cell: Cell) -> tuple[Cells, ...]:
    """Return the parts of polyforms that have a cell: the cell, or both halves of its quarter.

    Any half square that shares no quarter with a piece and has a quarter beside it shares a whole
    leg or the whole hypotenuse; see `models.lattices.plane`.
    """
    if lattice.name != HALF_SQUARES:
        return ((cell,),)
    x, y, q = cell
    return (cell, (x, y, (q + 1) % 4)), ((x, y, (q - 1) % 4), cell)
