"""The transformations of BurrTools' cubic grid; see the package for the rule and its source."""

from __future__ import annotations

from dovetail.models.lattices.protocol import Cell, Cells

TRANSFORMATIONS = 24


def turned(cells: Cells, number: int) -> Cells:
    """`cells` under transformation `number`, about the origin."""
    second, first = divmod(number, 4)
    for _ in range(first):
        cells = tuple((x, -z, y) for x, y, z in cells)
    if second < 4:
        for _ in range(second):
            cells = tuple((-z, y, x) for x, y, z in cells)
        return cells
    if second == 4:
        return tuple((-y, x, z) for x, y, z in cells)
    return tuple((y, -x, z) for x, y, z in cells)


def moved(cells: Cells, by: Cell) -> Cells:
    """`cells` of space translated by a vector."""
    a, b, c = by
    return tuple((x + a, y + b, z + c) for x, y, z in cells)


def opposite(vector: Cell) -> Cell:
    """The vector back."""
    return tuple(-c for c in vector)
