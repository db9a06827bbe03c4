"""Boxes full of dominoes, trominoes and squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dovetail.errors import ConfigError, PuzzleError
from dovetail.models.lattices.protocol import Cells, as_cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece

PLANE = SquareLattice(2)
SPACE = SquareLattice(3)

LARGEST_PARTRIDGE = 12
MAX_SIDE = 64  # largest side of a rectangle of dominoes or trominoes


def box(*sides: int) -> Cells:
    """Return all cells of a box from the origin, with `sides` along x, y, z and further axes."""
    cells: Cells = ((),)
    for side in sides:
        cells = tuple((*cell, coordinate) for cell in cells for coordinate in range(side))
    return cells


def in_dimension(cells: Cells, dimension: int) -> Cells:
    """Return cells with zeros as further coordinates, or without their last coordinates."""
    return tuple((*cell, *[0] * (dimension - len(cell)))[:dimension] for cell in cells)


def rectangle_full(
    name: str, height: int, width: int, shapes: Mapping[str, Sequence[Sequence[int]]]
) -> PackingPuzzle:
    """Return a rectangle full of pieces of the same size, any number of each.

    Raises `ConfigError` for an area that is not a multiple of the size, or a side of more than 64.
    """
    for side in (min(height, width), max(height, width)):
        if not 1 <= side <= MAX_SIDE:
            raise ConfigError(f"{side} cells on a side; expected 1 to {MAX_SIDE}")
    size = min(map(len, shapes.values()))
    count, rest = divmod(height * width, size)
    if rest:
        raise ConfigError(f"a rectangle of {height * width} cells; expected a multiple of {size}")
    least = count if len(shapes) == 1 else 0
    pieces = tuple(Piece(name, as_cells(cells), least, count) for name, cells in shapes.items())
    return PackingPuzzle(name, PLANE, box(width, height), pieces)


# Sides of the squares of perfect squared rectangles, by height and width: the smallest one (Moron,
# 1925), and the square of lowest order (Duijvestijn, 1978).
SQUARED = {
    (32, 33): (1, 4, 7, 8, 9, 10, 14, 15, 18),
    (112, 112): (*(2, 4, 6, 7, 8, 9, 11, 15, 16, 17, 18, 19, 24, 25, 27, 29, 33, 35, 37, 42, 50),),
}


def squared_rectangle(height: int, width: int) -> PackingPuzzle:
    """Return a rectangle to fill with squares of different sizes.

    Raises `PuzzleError` for a rectangle that is not in `SQUARED`.
    """
    if (height, width) not in SQUARED:
        valid = ", ".join(f"{h}x{w}" for h, w in SQUARED)
        raise PuzzleError(f"no squares fill {height}x{width} here; valid: {valid}")
    pieces = tuple(_square(side) for side in SQUARED[height, width])
    return PackingPuzzle(f"squares-{height}x{width}", PLANE, box(width, height), pieces)


def partridge(n: int) -> PackingPuzzle:
    """Return the partridge puzzle: one square of side 1, two of side 2, … n of side n.

    They have the area of a square of side n (n + 1) / 2, and fill it from n = 8 on (R. Wainwright,
    1981). Raises `PuzzleError` unless n is from 1 to 12.
    """
    if not 1 <= n <= LARGEST_PARTRIDGE:
        raise PuzzleError(f"partridge-{n}: expected 1 to {LARGEST_PARTRIDGE}")
    side = n * (n + 1) // 2
    pieces = tuple(_square(k, copies=k) for k in range(1, n + 1))
    return PackingPuzzle(f"partridge-{n}", PLANE, box(side, side), pieces)


def _square(side: int, copies: int = 1) -> Piece:
    return Piece(str(side), box(side, side), copies, copies)
