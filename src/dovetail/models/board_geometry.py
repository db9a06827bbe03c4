"""Where the cells of a rectangular board lie: their numbers, neighbours, sides on the frame.

The sides of a cell are numbered from 0: north, east, south, west.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Position = tuple[int, int]  # x, y; (0, 0) is at the bottom left
Frame = tuple[bool, bool, bool, bool]  # which sides of a cell lie on the frame

SIDES = range(4)
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # to the neighbour at each side


def beyond(position: Position, side: int) -> Position:
    """The position on the other side of an edge, whether there is a cell or not."""
    (x, y), (right, up) = position, STEPS[side]
    return x + right, y + up


def opposite(side: int) -> int:
    """The side of a cell's neighbour that lies on the edge between them."""
    return (side + 2) % 4


@dataclass(frozen=True)
class BoardGeometry:
    """A board of `width` x `height` cells; that at (x, y) has the number x · height + y."""

    width: int
    height: int

    def __contains__(self, position: Position) -> bool:
        x, y = position
        return 0 <= x < self.width and 0 <= y < self.height

    @property
    def positions(self) -> list[Position]:
        """Those of all cells, by number."""
        return [(x, y) for x in range(self.width) for y in range(self.height)]

    def cell(self, position: Position) -> int:
        """The number of the cell at a position."""
        x, y = position
        return x * self.height + y

    def position(self, cell: int) -> Position:
        """Where the cell with a number lies."""
        return divmod(cell, self.height)

    def frame_at(self, position: Position) -> Frame:
        """Which sides of a cell lie on the frame."""
        north, east, south, west = (beyond(position, side) not in self for side in SIDES)
        return north, east, south, west

    @property
    def edge_numbers(self) -> dict[tuple[int, int], int]:
        """Numbers of the edges between cells, from 0, by cell and side: each edge twice."""
        numbers = dict[tuple[int, int], int]()
        for cell in range(self.width * self.height):
            for side, neighbour in self.neighbours(cell):
                if side < opposite(side):
                    numbers[cell, side] = numbers[neighbour, opposite(side)] = len(numbers) // 2
        return numbers

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """The sides of a cell that do not lie on the frame, and the cells beyond."""
        position = self.position(cell)
        for side in SIDES:
            if beyond(position, side) in self:
                yield side, self.cell(beyond(position, side))
