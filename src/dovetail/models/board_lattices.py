"""Lattices of edge-matching boards: sides of cells, positions, and regions by name or drawing.

Sides are numbered clockwise. Steps lead to the positions across the sides.

| lattice | position (x, y) | sides |
|---|---|---|
| `square` | column and row | top, right, bottom, left |
| `hexagonal` | the lattice's cell, with the y axis at 60° | top right first, at 30° from the top |
| `triangular` | column and row; the triangle points up if x + y is even | right, bottom, left |

A triangle that points down shows its sides in the order left, top, right: as one that points up,
turned by 180°.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattices.protocol import Lattice

Place = tuple[int, int]  # x, y; (0, 0) is at the bottom left
Steps = tuple[Place, ...]

SQUARE = "square"
# By the class of the cell, of which triangles have two.
STEPS: dict[str, tuple[Steps, ...]] = {
    SQUARE: (((0, 1), (1, 0), (0, -1), (-1, 0)),),
    "hexagonal": (((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)),),
    "triangular": (((1, 0), (0, -1), (-1, 0)), ((-1, 0), (0, 1), (1, 0))),
}
SIDE_NAMES = {
    SQUARE: ("top", "right", "bottom", "left"),
    "hexagonal": ("top right", "right", "bottom right", "bottom left", "left", "top left"),
    "triangular": ("right", "bottom", "left"),
}
LARGEST_SIDE = 128
EMPTY_PLACES = "-."

_NAMED = re.compile(r"(hexagon|triangle)-([0-9]{1,9})")
_NAME = re.compile(r"[A-Za-z]{4,}-[0-9]+")  # of a region, and no drawing


class BoardRegion(NamedTuple):
    """Box of a board, and the cells in it that are not part of the board."""

    width: int
    height: int
    holes: tuple[Place, ...]


def check_lattice(name: object) -> None:
    """Raise `PuzzleError` unless boards may have this lattice."""
    if not isinstance(name, str) or name not in STEPS:
        raise PuzzleError(f"lattice {shorten(str(name))!r}; valid: {', '.join(STEPS)}")


def lattice_of_board(name: str) -> Lattice:
    """Return the lattice of packing puzzles with the same cells."""
    from dovetail.models.lattices.registry import lattice_named

    return lattice_named("square-2" if name == SQUARE else name)


def lattice_cells(name: str, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cells of the lattice at `positions`, shape (n, 2), as shape (n, axes)."""
    if name != "triangular":
        return positions
    x, y = positions.T
    down = (x + y) % 2
    return np.column_stack([(x - y - down) // 2, y, down])


def cell_positions(name: str, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the positions, shape (n, 2), of cells of the lattice, shape (n, axes)."""
    if name != "triangular":
        return cells
    x, y, down = cells.T
    return np.column_stack([2 * x + y + down, y])


def board_region(name: str, text: str) -> BoardRegion:
    """Return a region by its name, `hexagon-N` or `triangle-N` with N cells along a side, or drawn.

    In a drawing, as in text pictures of the lattice, a character is a place, spaces do not count,
    `-` and `.` are empty, and the top row comes first; rows end with a line or with `/`. Raises
    `PuzzleError` for another text, and for an unknown lattice.
    """
    check_lattice(name)
    named = _NAMED.fullmatch(text.strip())
    if name == SQUARE or named is None:
        if _NAME.fullmatch(text.strip()):
            raise _no_region(name, text)
        return _region(name, _drawn(name, text))
    side = int(named[2])
    if not 1 <= side <= LARGEST_SIDE:
        raise PuzzleError(f"region {text}; expected a side of 1 to {LARGEST_SIDE}")
    span = range(2 * side)
    if named[1] == "triangle":
        cells = [
            (x, y, down)
            for x in range(side)
            for y in range(side - x)
            for down in range(1 if name == "hexagonal" else 2)
            if x + y + down < side
        ]
    elif name == "hexagonal":
        cells = [(x, y, 0) for x in span[:-1] for y in span[:-1] if side - 2 < x + y < 3 * side - 2]
    else:
        cells = [
            (x, y, down)
            for x in span
            for y in span
            for down in (0, 1)
            if side <= x + y + down < 3 * side
        ]
    rows = np.array(cells, dtype=np.int64)[:, : 3 if name == "triangular" else 2]
    return _region(name, rows)


def _drawn(name: str, text: str) -> NDArray[np.int64]:
    """Return the cells of a drawing; if no cells are there, spaces are taken for empty places."""
    lattice = lattice_of_board(name)
    rows = re.split(r"\n|/", text.rstrip().strip("\n"))
    for drawn in ([re.sub(r"\s", "", row) for row in rows], rows):
        places = [
            (x, y)
            for y, row in enumerate(reversed(drawn))
            for x, mark in enumerate(row)
            if mark not in EMPTY_PLACES and not mark.isspace()
        ]
        for shift in (0, 1):  # the first hexagon of the bottom row may be indented by half a cell
            cells = lattice.text_cells([(x + shift, y) for x, y in places])
            found = [cell for cell in cells if cell is not None]
            if len(found) == len(places) > 0:
                return np.array(found, dtype=np.int64)
    raise _no_region(name, text)


def _no_region(name: str, text: str) -> PuzzleError:
    other = f"of cells {lattice_of_board(name).phrase}, hexagon-N or triangle-N"
    if name == SQUARE:
        other = "of squares; hexagon-N and triangle-N need the lattice hexagonal or triangular"
    return PuzzleError(f"the region {shorten(text)!r} is no drawing {other}")


def _region(name: str, cells: NDArray[np.int64]) -> BoardRegion:
    """Return the region of cells, moved to the bottom left as far as the lattice allows."""
    positions = cell_positions(name, cells)
    low = positions.min(axis=0)
    if name == "triangular":
        low[0] -= low.sum() % 2
    positions = positions - low
    width, height = (positions.max(axis=0) + 1).tolist()
    filled = set(map(tuple, positions.tolist()))
    box = ((x, y) for x in range(width) for y in range(height))
    return BoardRegion(width, height, tuple(place for place in box if place not in filled))
