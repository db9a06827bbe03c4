"""A tiling as data: where the corners of its cells lie, and what moves it onto itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dovetail.models.lattices.protocol import Cell, Cells

Matrix = tuple[Cell, ...]


@dataclass(frozen=True)
class Tiling:
    """Everything that is particular to a lattice of tiles, solids or edges.

    Corners are *points*: integer coordinates along axes of their own, which may be oblique.

    | field | what it is |
    |---|---|
    | `name`, `axes` | as in `Lattice` |
    | `corners` | of each fundamental cell, all of them its corners; as many for each |
    | `periods` | vectors of cells, independent: their combinations are the translations |
    | `steps` | by how much each of the periods moves points |
    | `generators` | isometries about the origin, matrices on points: their products are all |
    | `frame` | where the unit vectors of points lie in space, a row each |
    | `shared` | cells are neighbours when they have so many corners in common |
    | `text` | the place of each fundamental cell in text: column, row and layer, if there are any |
    | `text_steps` | by how much each of the periods moves places in text |
    | `title` | as in `Lattice`; empty where the name says it |
    """

    name: str
    axes: tuple[str, ...]
    corners: Mapping[Cell, Cells]
    periods: Cells
    steps: Cells
    generators: tuple[Matrix, ...]
    frame: tuple[tuple[float, ...], ...]
    shared: int
    text: Mapping[Cell, Cell]
    text_steps: Cells
    title: str = ""

    def __hash__(self) -> int:
        return hash(self.name)


def identity(size: int, times: int = 1) -> Matrix:
    """A multiple of the unit matrix."""
    return tuple(tuple(times * (row == column) for column in range(size)) for row in range(size))


# Isometries of points whose first two axes stand at 60°: a turn by that, and an exchange.
SIXTH_TURN: Matrix = ((0, -1), (1, 1))
EXCHANGE: Matrix = ((0, 1), (1, 0))
# Of points whose axes are at right angles.
QUARTER_TURN: Matrix = ((0, -1), (1, 0))
CUBE_TURNS: tuple[Matrix, ...] = (
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
)

HEIGHT = 3**0.5 / 2  # of a triangle whose sides have the length 1
AT_60_DEGREES = ((1.0, 0.0), (0.5, HEIGHT))
