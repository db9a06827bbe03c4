"""Geometry of edge-matching boards: cells with sides, their neighbours, regions, symmetries.

Sides are numbered clockwise. The steps of a cell lead to the positions across its sides.

| lattice | position (x, y) | sides |
|---|---|---|
| `square` | column and row | top, right, bottom, left |
| `hexagonal` | the lattice's cell, with the y axis at 60° | top right first, 30° from the top |
| `triangular` | column and row; the triangle points up if x + y is even | right, bottom, left |

A triangle that points down has the sides left, top, right, like a triangle that points up and is
turned by 180°.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError, shorten
from dovetail.models.lattices.protocol import Lattice

Position = tuple[int, int]  # x, y; (0, 0) is at the bottom left
Frame = tuple[bool, ...]  # True for each side of a cell that lies on the frame
Steps = tuple[Position, ...]

SQUARE = "square"
# Steps by lattice and class of the cell. Triangles have two classes: pointing up and down.
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
SIDES = range(4)  # sides of a square; for other cells see `BoardGeometry.side_count`
NORTH, EAST, SOUTH, WEST = range(4)
LARGEST_SIDE = 128
EMPTY_PLACES = "-."

_NAMED = re.compile(r"(hexagon|triangle)-([0-9]{1,9})")
_NAME = re.compile(r"[A-Za-z]{4,}-[0-9]+")  # the name of a region, not a drawing


class BoardRegion(NamedTuple):
    """Box of a board, and the cells in it that are not part of the board."""

    width: int
    height: int
    holes: tuple[Position, ...]


def check_lattice(name: object) -> None:
    """Raise `PuzzleError` unless boards may have this lattice."""
    if not isinstance(name, str) or name not in STEPS:
        raise PuzzleError(f"lattice {shorten(str(name))!r}; valid: {', '.join(STEPS)}")


def lattice_of_board(name: str) -> Lattice:
    """Return the `Lattice` whose cells are those of boards with the lattice called `name`."""
    from dovetail.models.lattices.registry import lattice_named

    return lattice_named("square-2" if name == SQUARE else name)


def lattice_cells(name: str, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lattice's cells, shape (n, axes), at board positions, shape (n, 2)."""
    if name != "triangular":
        return positions
    x, y = positions.T
    down = (x + y) % 2
    return np.column_stack([(x - y - down) // 2, y, down])


def cell_positions(name: str, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the board positions, shape (n, 2), of the lattice's cells, shape (n, axes)."""
    if name != "triangular":
        return cells
    x, y, down = cells.T
    return np.column_stack([2 * x + y + down, y])


def board_region(name: str, text: str) -> BoardRegion:
    """Return the region that `text` names or draws, for the lattice called `name`.

    Names are `hexagon-N` and `triangle-N`, with N cells along a side (1 to 128); squares have no
    names. A drawing has a character for each place, as in text pictures of the lattice. `-` and `.`
    are empty places. Spaces are ignored, unless a character would then be at a place without a
    cell: then spaces are empty places too. The top row comes first. Rows are separated by line ends
    or by `/`. Raises `PuzzleError` for any other text and for an unknown lattice.
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
    """Return the cells of a drawing.

    Spaces are left out first. If a character is then at a place without a cell, spaces are read as
    empty places.
    """
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
    other = f"cells {lattice_of_board(name).phrase}, hexagon-N or triangle-N"
    if name == SQUARE:
        other = "squares; hexagon-N and triangle-N need the lattice hexagonal or triangular"
    return PuzzleError(f"region {shorten(text)!r}; expected a drawing of {other}")


def _region(name: str, cells: NDArray[np.int64]) -> BoardRegion:
    """Return the region of some cells, moved to the bottom left as far as the lattice allows."""
    positions = cell_positions(name, cells)
    low = positions.min(axis=0)
    if name == "triangular":
        low[0] -= low.sum() % 2
    positions = positions - low
    width, height = (positions.max(axis=0) + 1).tolist()
    filled = set(map(tuple, positions.tolist()))
    box = ((x, y) for x in range(width) for y in range(height))
    return BoardRegion(width, height, tuple(place for place in box if place not in filled))


def opposite(side: int) -> int:
    """Return the opposite side of a square: the neighbour's side of the same edge."""
    return (side + 2) % 4


class Motion(NamedTuple):
    """A rotation or reflection that maps a board to itself."""

    image: NDArray[np.int64]
    """Number of the image of each cell, shape (cells,)."""
    sides: list[int]
    """For each side of an image, the side of the cell that is mapped to this side."""

    @property
    def is_reflection(self) -> bool:
        """True if the motion reverses the clockwise order of the sides."""
        return (self.sides[1] - self.sides[0]) % len(self.sides) != 1


@dataclass(frozen=True)
class BoardGeometry:
    """A board of `width` x `height` cells, except `holes`; cells are numbered with x slowest."""

    width: int
    height: int
    holes: frozenset[Position] = frozenset()
    lattice: str = SQUARE

    @property
    def side_count(self) -> int:
        """Number of sides of a cell."""
        return len(STEPS[self.lattice][0])

    def beyond(self, position: Position, side: int) -> Position:
        """Return the next position across a side of a cell, inside the board or not."""
        (x, y), classes = position, STEPS[self.lattice]
        right, up = classes[(x + y) % len(classes)][side]
        return x + right, y + up

    def opposite(self, side: int) -> int:
        """Return the side of the neighbour at the same edge."""
        count = self.side_count
        return side if count % 2 else (side + count // 2) % count

    def side_to(self, position: Position, neighbour: Position) -> int:
        """Return the side of a cell that faces a neighbour."""
        sides = range(self.side_count)
        return next(side for side in sides if self.beyond(position, side) == neighbour)

    def owns(self, cell: int, side: int) -> bool:
        """Return whether an edge belongs to this cell and not to the neighbour across it.

        A square owns its north and east edges, a hexagon its first three edges, and a triangle that
        points up all its edges.
        """
        if self.side_count % 2:
            return sum(self.positions[cell]) % 2 == 0
        return side < self.opposite(side)

    def __contains__(self, position: Position) -> bool:
        x, y = position
        return 0 <= x < self.width and 0 <= y < self.height and position not in self.holes

    @cached_property
    def positions(self) -> list[Position]:
        """Positions of all cells, by cell number."""
        box = product(range(self.width), range(self.height))
        return [position for position in box if position not in self.holes]

    @cached_property
    def _number_at(self) -> dict[Position, int]:
        return {position: number for number, position in enumerate(self.positions)}

    def cell(self, position: Position) -> int:
        """Return the number of the cell at a position."""
        return self._number_at[position]

    def position(self, cell: int) -> Position:
        """Return the position (x, y) of a cell."""
        return self.positions[cell]

    def frame_at(self, position: Position) -> Frame:
        """Return for each side of a cell whether it lies on the frame."""
        sides = range(self.side_count)
        return tuple(self.beyond(position, side) not in self for side in sides)

    @cached_property
    def frames(self) -> list[Frame]:
        """For each cell, by number, whether each of its sides lies on the frame; see `Frame`."""
        return list(map(self.frame_at, self.positions))

    @property
    def edge_numbers(self) -> dict[tuple[int, int], int]:
        """Number of each inner edge, from 0, by (cell, side): an edge has a key for each cell."""
        numbers, count = dict[tuple[int, int], int](), 0
        for cell in range(len(self.positions)):
            for side, other in self.neighbours(cell):
                if (cell, side) not in numbers:
                    numbers[cell, side] = count
                    if other != cell:  # equal only at the rim of a `WindowGeometry`
                        numbers[other, self.opposite(side)] = count
                    count += 1
        return numbers

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """Yield (cell, side, neighbour) once for each inner edge, from the cell that owns it."""
        for cell in range(len(self.positions)):
            for side, neighbour in self.neighbours(cell):
                if self.owns(cell, side):
                    yield cell, side, neighbour

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """Yield (side, neighbour) for each side of a cell, except for sides on the frame."""
        position = self.position(cell)
        for side in range(self.side_count):
            place = self.beyond(position, side)
            if place in self:
                yield side, self.cell(place)

    @property
    def neighbour_table(self) -> NDArray[np.int32]:
        """Neighbour of each cell at each side, −1 at the frame, shape (cells, sides), int32."""
        table = np.full((len(self.positions), self.side_count), -1, dtype=np.int32)
        for cell, row in enumerate(table):
            for side, neighbour in self.neighbours(cell):
                row[side] = neighbour
        return table

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """Rotations of the board, then its reflections, both by increasing clockwise turns.

        A motion is an isometry of the lattice and a translation that together map all cells of the
        board to its cells. The identity comes first.
        """
        lattice = lattice_of_board(self.lattice)
        sides = range(self.side_count)
        beside = [self.beyond(self.positions[0], side) for side in sides]
        places = np.array([*self.positions, *beside], dtype=np.int64)
        cells, count = lattice_cells(self.lattice, places), len(self.positions)
        target = np.array(min(cells[:count].tolist()))
        found = []
        for isometry in lattice.isometries(reflections=True):
            images = isometry(cells)
            vectors = lattice.translations(tuple(min(images[:count].tolist())), target[None])
            if not len(vectors):
                continue
            image = list(map(tuple, cell_positions(self.lattice, images + vectors[0]).tolist()))
            if any(place not in self._number_at for place in image[:count]):
                continue
            numbers = np.array([self._number_at[place] for place in image[:count]])
            before = [image[count:].index(self.beyond(image[0], side)) for side in sides]
            found.append(Motion(numbers, before))
        return tuple(
            sorted(found, key=lambda motion: (motion.is_reflection, motion.sides.index(0)))
        )
