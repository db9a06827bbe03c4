"""A tiling as data: the corners of its cells and the motions that map it to itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dovetail.models.lattices.protocol import Cell, Cells

Matrix = tuple[Cell, ...]


@dataclass(frozen=True)
class Tiling:
    """The data of a lattice of tiles, solids or edges.

    Corners are *points*: integer coordinates along axes of their own, which may be oblique.
    """

    name: str
    """As in `Lattice`."""
    axes: tuple[str, ...]
    """As in `Lattice`."""
    corners: Mapping[Cell, Cells]
    """Corners of each fundamental cell, equally many for each."""
    periods: Cells
    """Independent vectors of cells: their combinations are the translations."""
    steps: Cells
    """Translation of points by each of the periods."""
    generators: tuple[Matrix, ...]
    """Matrices on points: their products are all isometries about the origin."""
    frame: tuple[tuple[float, ...], ...]
    """Unit vectors of points in space, a row each."""
    shared: int
    """Number of common corners that makes cells neighbours."""
    text: Mapping[Cell, Cell]
    """Place of each fundamental cell in text: column, row and, if there are layers, layer."""
    text_steps: Cells
    """Translation of places in text by each of the periods."""
    title: str = ""
    """As in `Lattice`; empty to derive it from the name."""

    def __hash__(self) -> int:
        return hash(self.name)


def identity(size: int, times: int = 1) -> Matrix:
    """Return a multiple of the unit matrix."""
    return tuple(tuple(times * (row == column) for column in range(size)) for row in range(size))


# Isometries of points whose first two axes are at 60°: a turn by 60°, and an exchange.
SIXTH_TURN: Matrix = ((0, -1), (1, 1))
EXCHANGE: Matrix = ((0, 1), (1, 0))
# A turn of points whose axes are at right angles.
QUARTER_TURN: Matrix = ((0, -1), (1, 0))
CUBE_TURNS: tuple[Matrix, ...] = (
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
)

HEIGHT = 3**0.5 / 2  # height of a triangle with sides of length 1
AT_60_DEGREES = ((1.0, 0.0), (0.5, HEIGHT))
