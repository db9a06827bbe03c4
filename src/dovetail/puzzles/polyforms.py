"""Enumeration of polyforms of any size: polyominoes, polycubes, polyaboloes and others."""

from __future__ import annotations

from functools import cache

from dovetail.errors import ConfigError
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packing import Motions


@cache
def polyforms(lattice: Lattice, size: int, motions: Motions) -> tuple[Cells, ...]:
    """Return all connected sets of `size` cells up to `motions`, sorted.

    `Motions.FREE` gives free polyominoes (1, 1, 2, 5, 12, 35, 108, 369, …) and polycubes up to
    rotation (1, 1, 2, 8, 29, 166, …), `Motions.ONE_SIDED` one-sided polyominoes (1, 1, 2, 7, 18,
    60, 196, 704, …). Every form of n cells is a form of n − 1 cells and a neighbour, so each size
    is grown from the size below. Raises `ConfigError` for a size below 1.
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
    """Return the least of the orientations of `cells`: equal for congruent sets of cells."""
    return min(motions.orientations(lattice, cells))


def polyaboloes(lattice: Lattice, size: int) -> tuple[Cells, ...]:
    """Return all free polyaboloes of `size` half squares, as their quarters, sorted.

    Polyaboloes (1, 3, 4, 14, 30, …) are half squares connected by whole sides. A half square is two
    quarters of a square, see `models.lattices.plane`. Any half that shares no quarter with a
    piece and has a quarter beside it shares a whole leg or the whole hypotenuse. Raises
    `ConfigError` for a size below 1.
    """
    if size < 1:
        raise ConfigError(f"a polyabolo of {size} half squares; expected at least 1")
    if size == 1:
        return (canonical_form(lattice, _halves_with((0, 0, 0))[0], Motions.FREE),)
    grown = {
        canonical_form(lattice, (*cells, *more), Motions.FREE)
        for cells in polyaboloes(lattice, size - 1)
        for cell in cells
        for beside in lattice.neighbours(cell)
        for more in _halves_with(beside)
        if not set(more).intersection(cells)
    }
    return tuple(sorted(grown))


def numbered(forms: tuple[Cells, ...]) -> dict[str, Cells]:
    """Return `forms` by the names 01, 02, … 0A, … in their order."""
    return {f"{number:02X}": cells for number, cells in enumerate(forms, start=1)}


def _halves_with(quarter: Cell) -> tuple[Cells, Cells]:
    """Return both half squares of a quarter: with the next and with the last quarter."""
    x, y, q = quarter
    return (quarter, (x, y, (q + 1) % 4)), ((x, y, (q - 1) % 4), quarter)
