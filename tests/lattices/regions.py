"""Regions of triangles and edges, and packings of the catalogue."""

from __future__ import annotations

from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.puzzles.loading import load


def packing(name: str) -> PackingPuzzle:
    """A packing puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


def triangle(side: int) -> Cells:
    """The triangles of a triangle that points up."""
    return tuple(cell for cell in rhombus(side, side) if sum(cell) < side)


def rhombus(width: int, height: int) -> Cells:
    """The triangles of a parallelogram of so many triangles' sides."""
    return tuple((x, y, t) for x in range(width) for y in range(height) for t in range(2))


def hexagon(side: int) -> Cells:
    """The triangles of a regular hexagon."""
    return tuple(cell for cell in rhombus(2 * side, 2 * side) if side <= sum(cell) < 3 * side)


def square_grid(width: int, height: int) -> Cells:
    """All edges of so many squares."""
    level = [(x, y, 0) for x in range(width) for y in range(height + 1)]
    upright = [(x, y, 1) for x in range(width + 1) for y in range(height)]
    return tuple(level + upright)
