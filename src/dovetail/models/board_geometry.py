"""Geometry of a rectangular board: cell numbers, neighbours, sides on the frame.

The sides of a cell are numbered from 0: north, east, south, west.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Position = tuple[int, int]  # x, y; (0, 0) is at the bottom left
Frame = tuple[bool, bool, bool, bool]  # True for each side of a cell that lies on the frame

SIDES = range(4)
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # to the neighbour at each side


def beyond(position: Position, side: int) -> Position:
    """Return the position on the other side of an edge, inside the board or not."""
    (x, y), (right, up) = position, STEPS[side]
    return x + right, y + up


def opposite(side: int) -> int:
    """Return the opposite side: the neighbour's side of the same edge."""
    return (side + 2) % 4


@dataclass(frozen=True)
class BoardGeometry:
    """A board of `width` x `height` cells; the cell at (x, y) has the number x · height + y."""

    width: int
    height: int

    def __contains__(self, position: Position) -> bool:
        x, y = position
        return 0 <= x < self.width and 0 <= y < self.height

    @property
    def positions(self) -> list[Position]:
        """Positions of all cells, by cell number."""
        return [(x, y) for x in range(self.width) for y in range(self.height)]

    def cell(self, position: Position) -> int:
        """Return the number of the cell at a position."""
        x, y = position
        return x * self.height + y

    def position(self, cell: int) -> Position:
        """Return the position (x, y) of a cell."""
        return divmod(cell, self.height)

    def frame_at(self, position: Position) -> Frame:
        """Return for each side of a cell whether it lies on the frame."""
        north, east, south, west = (beyond(position, side) not in self for side in SIDES)
        return north, east, south, west

    @property
    def edge_numbers(self) -> dict[tuple[int, int], int]:
        """Numbers of the inner edges, from 0, by (cell, side): each edge has two keys."""
        numbers = dict[tuple[int, int], int]()
        for cell in range(self.width * self.height):
            for side, neighbour in self.neighbours(cell):
                if side < opposite(side):
                    numbers[cell, side] = numbers[neighbour, opposite(side)] = len(numbers) // 2
        return numbers

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """Yield (side, neighbour) for each side of a cell that is not on the frame."""
        position = self.position(cell)
        for side in SIDES:
            if beyond(position, side) in self:
                yield side, self.cell(beyond(position, side))
