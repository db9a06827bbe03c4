"""Enumeration of polyaboloes: half squares that hang together by whole sides.

A half square is two quarters of a square, see `models.lattices.half_squares`. Any half that shares
no quarter with a piece and has one beside it shares a whole leg or the whole hypotenuse.
"""

from __future__ import annotations

from dovetail.errors import ConfigError
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.packing import Motions
from dovetail.puzzles.polyforms import canonical_form

QUARTERS = 4


def polyaboloes(lattice: Lattice, size: int) -> tuple[Cells, ...]:
    """All free polyaboloes of `size` half squares, as their quarters, sorted: 1, 3, 4, 14, 30, …"""
    if size < 1:
        raise ConfigError(f"a polyabolo of {size} half squares; expected at least 1")
    if size == 1:
        return (canonical_form(lattice, half((0, 0, 0)), Motions.FREE),)
    grown = {
        canonical_form(lattice, (*cells, *more), Motions.FREE)
        for cells in polyaboloes(lattice, size - 1)
        for cell in cells
        for beside in lattice.neighbours(cell)
        for more in _halves_with(beside)
        if not set(more).intersection(cells)
    }
    return tuple(sorted(grown))


def half(quarter: Cell) -> Cells:
    """The half square of a quarter and the next one about the square's middle."""
    x, y, q = quarter
    return (quarter, (x, y, (q + 1) % QUARTERS))


def _halves_with(quarter: Cell) -> tuple[Cells, Cells]:
    """The half squares that a quarter belongs to."""
    x, y, q = quarter
    return half(quarter), half((x, y, (q - 1) % QUARTERS))
