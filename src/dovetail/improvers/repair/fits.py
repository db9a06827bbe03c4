"""Windows filled by the search of `domains`: every cell without a mismatch, or none.

The search may choose among more tiles than there are cells. Source: T. Benoist and E. Bourreau, who
refill the neighbourhoods of a large neighbourhood search by their constraint search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dovetail.backends.base import Budget
from dovetail.backends.domains.config import DomainsConfig
from dovetail.backends.domains.search import DomainsSearch
from dovetail.backends.shared.tiles import NO_OPTION, CellKind, TileOrientations, ZonedBoard
from dovetail.improvers.base import Placed
from dovetail.improvers.shared.board import EMPTY, BoardArrays
from dovetail.models.board_geometry import SIDES, BoardGeometry, Position, opposite

MAX_TILES = 64  # of a window, for which searches are compiled
MAX_NODES = 1_000  # of the search for a window
MAX_WORK = 100_000  # of its slice


@dataclass(frozen=True)
class WindowGeometry(BoardGeometry):
    """Cells of a board, numbered from 0 in the order of `cells`.

    Beyond a side of the window a cell has itself for a neighbour, by an edge of its own, as
    `domains` wants an edge for each side away from the frame.
    """

    cells: tuple[int, ...] = ()

    @cached_property
    def positions(self) -> list[Position]:
        """Positions of the cells on the board."""
        return [self.position(cell) for cell in self.cells]

    def cell(self, position: Position) -> int:
        """Return the number of a cell of the board at a position."""
        return position[0] * self.height + position[1]

    def position(self, cell: int) -> Position:
        """Return the position (x, y) of a cell of the board."""
        return divmod(cell, self.height)

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """Yield (side, neighbour) for each side that is not on the frame."""
        for side, other in super().neighbours(self.cells[cell]):
            yield side, self._places.get(other, cell)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {cell: number for number, cell in enumerate(self.cells)}


class WindowBoard(ZonedBoard):
    """Cells to be filled and at least as many tiles of each class."""

    plane_count = len(SIDES)  # for all windows, so that one compiled search serves all

    @cached_property
    def palettes(self) -> dict[tuple[CellKind, int], list[int]]:
        """All colours for each edge."""
        colours = list(range(1, len(self.orientations.mates)))
        keys = ((kind, side) for kind in self.kinds for side in SIDES)
        return {(kind, side): colours for kind, side in keys if not kind[0][side]}


def window_board(
    board: BoardArrays, placed: Placed, cells: Sequence[int], tiles: Sequence[int]
) -> WindowBoard:
    """Return the search problem of filling `cells`, empty on a board, with some of `tiles`.

    An option is the number of the cell in `cells` times 4 n plus an orientation that matches all
    neighbours of the cell on the board.
    """
    orientations = np.array([4 * tile + side for tile in sorted(tiles) for side in SIDES])
    orientations = orientations[board.distinct[orientations]]
    types, tile_type = np.unique(orientations // 4, return_inverse=True)
    option = np.full((len(cells), len(orientations)), NO_OPTION, dtype=np.int32)
    for number, cell in enumerate(cells):
        fits = board.frame[orientations] == board.cell_frame[cell]
        for side in SIDES:
            other = board.neighbours[cell, side]
            if other >= 0 and placed[other] != EMPTY:
                facing = board.sides[placed[other], opposite(side)]
                fits &= board.sides[orientations, side] == facing
        option[number, fits] = number * 4 * board.cells + orientations[fits]
    tables = TileOrientations(
        tile_type.astype(np.int32),
        board.sides[orientations],
        np.arange(board.colours, dtype=np.int32),
        np.arange(board.colours, dtype=np.int32)[:, None],
        np.ones(len(types), dtype=np.int32),
        np.zeros(len(types), dtype=np.int32),
        option,
    )
    width, height = board.puzzle.width, board.puzzle.height
    geometry = WindowGeometry(width, height, cells=tuple(cells))
    return WindowBoard(board.puzzle, geometry, tables)


def fitting_tiles(
    board: BoardArrays, placed: Placed, cells: Sequence[int], tiles: Sequence[int]
) -> tuple[Placed | None, int]:
    """Return a board on which `cells` are filled without a mismatch, or None, and the nodes.

    None is found where there is none, or where the search ends after `MAX_NODES` nodes.
    """
    problem = window_board(board, placed, cells, tiles)
    search = DomainsSearch(problem, DomainsConfig())
    status = None
    while status is None:
        status = search.advance(Budget(MAX_WORK, nodes=MAX_NODES - search.nodes, solutions=1))
    found = search.take()
    if not len(found):
        return None, search.nodes
    filled = placed.copy()
    numbers, orientations = np.divmod(found[0], 4 * board.cells)
    filled[np.array(cells)[numbers]] = orientations
    return filled, search.nodes
