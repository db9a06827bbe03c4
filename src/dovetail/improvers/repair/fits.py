"""Refill of windows by the search of `domains`: all cells are filled without a mismatch, or none.

The search may choose among more tiles than there are cells. Source: T. Benoist and E. Bourreau, who
fill each neighbourhood of a large neighbourhood search by constraint search.
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
from dovetail.models.boards.geometry import SIDES, BoardGeometry, Position, opposite

MAX_TILES = 64  # limit for a window, so that one compiled search serves all windows
MAX_NODES = 1_000  # limit on the nodes of the search for a window
MAX_WORK = 100_000  # limit on the work of a slice of this search


@dataclass(frozen=True)
class WindowGeometry(BoardGeometry):
    """A window of a board: its cells are numbered from 0 in the order of `cells`.

    `domains` requires an edge on each side of a cell, except for sides on the frame. A side on the
    rim of the window therefore has its own edge, and the neighbour across this edge is the cell
    itself.
    """

    cells: tuple[int, ...] = ()

    @cached_property
    def positions(self) -> list[Position]:
        """Positions of the cells on the board."""
        return [self.position(cell) for cell in self.cells]

    def cell(self, position: Position) -> int:
        """Return the number of the board's cell at a position."""
        return position[0] * self.height + position[1]

    def position(self, cell: int) -> Position:
        """Return the position (x, y) of a cell, given by its number on the board."""
        return divmod(cell, self.height)

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """Yield (side, neighbour) for each side not on the frame; both cells by window numbers."""
        for side, other in super().neighbours(self.cells[cell]):
            yield side, self._places.get(other, cell)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {cell: number for number, cell in enumerate(self.cells)}


class WindowBoard(ZonedBoard):
    """The cells of a window, and the tiles that may fill these cells."""

    plane_count = len(SIDES)  # the same for all windows: one compiled search serves them all

    @cached_property
    def palettes(self) -> dict[tuple[CellKind, int], list[int]]:
        """All colours, for each kind of cell and inner side."""
        colours = list(range(1, len(self.orientations.mates)))
        keys = ((kind, side) for kind in self.kinds for side in SIDES)
        return {(kind, side): colours for kind, side in keys if not kind[0][side]}


def window_board(
    board: BoardArrays, placed: Placed, cells: Sequence[int], tiles: Sequence[int]
) -> WindowBoard:
    """Return the problem of filling `cells`, which are empty on a board, from `tiles`.

    An option has the number i · 4 n + orientation, where i is the index of the cell in `cells` and
    n the number of cells of the board. The orientation matches all filled neighbours of the cell.
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
    """Return a board with `cells` filled without a mismatch, or None, and the number of nodes.

    The board is None if no such board exists or none is found within `MAX_NODES` nodes.
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
