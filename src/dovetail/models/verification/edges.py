"""Verification of boards: cells, numbers of copies, the frame, matching edges, and hints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import how_many, span
from dovetail.models.arrays import LineTable
from dovetail.models.boards.edges import BORDER, EdgePuzzle, turned

Laid = tuple[int, int, int, int]  # x, y, tile, rotation


class EdgeVerifier:
    """Verifier of solutions of an edge-matching puzzle, with a table of laid tiles."""

    def __init__(self, puzzle: EdgePuzzle) -> None:
        self._puzzle = puzzle
        shown = [[turned(tile, r) for r in puzzle.turns] for tile in puzzle.tiles]
        self._shown = np.array(shown, dtype=np.int64)
        canonical = [max(turns) for turns in shown]
        self._tile_class = np.array([canonical.index(turn) for turn in canonical])
        self._counts = np.array(puzzle.counts or [(1, 1)] * len(shown), dtype=np.int64)
        geometry = puzzle.geometry
        edges = [(*edge, geometry.opposite(edge[1])) for edge in geometry.edges()]
        self._edges = np.array(edges, dtype=np.int64).reshape(-1, 4)
        self._outer = np.argwhere(geometry.neighbour_table < 0)
        self._laid = LineTable()

    def add(self, laid: Sequence[Laid]) -> str | None:
        """Append lines, whose cells and tiles have to exist, to the table; return None."""
        self._laid.add(laid)
        return None

    def check(self, rows: NDArray[np.int32], *, by_name: bool) -> str | None:
        """Return an error in `rows`, or None if all rows are solutions.

        `rows`, shape (n, k), hold line numbers of the table. Unless `by_name`, equal tiles may
        replace each other.
        """
        geometry = self._puzzle.geometry
        cells = len(geometry.positions)
        if rows.shape[1] != cells or np.any(rows < 0):
            return f"the board does not have exactly {how_many(cells, 'tile')}"
        x, y, tile, rotation = np.moveaxis(self._laid[rows], 2, 0)
        number = np.full((self._puzzle.width, self._puzzle.height), -1)
        number[tuple(zip(*geometry.positions, strict=True))] = np.arange(cells)
        cell = number[x, y]
        if np.any(np.sort(cell, axis=1) != np.arange(cells)):
            return "a cell has no tile and another one has several"
        order = np.argsort(cell, axis=1)
        tile, rotation = (np.take_along_axis(values, order, 1) for values in (tile, rotation))
        name = np.arange(len(self._tile_class)) if by_name else self._tile_class
        error = self._number_error(name[tile], name)
        board = self._shown[tile, rotation]
        return error or self._colour_error(board) or self._hint_error(board, tile, name)

    def _number_error(self, used: NDArray[np.int64], name: NDArray[np.int64]) -> str | None:
        """Return an error in the numbers of copies, or None.

        `name` has a number for each tile, equal for tiles that may replace each other. `used`,
        shape (n, cells), has this number for the tile in each cell.
        """
        bounds = np.zeros((len(name), 2), dtype=np.int64)
        np.add.at(bounds, name, self._counts)
        at = used + len(name) * np.arange(len(used))[:, None]
        copies = np.bincount(at.ravel(), minlength=len(name) * len(used)).reshape(-1, len(name))
        if not self._puzzle.counts and np.any(copies != bounds[:, 0]):
            return "a tile is used too often and another one too rarely"
        wrong = np.argwhere((copies < bounds[:, 0]) | (copies > bounds[:, 1]))
        if not len(wrong):
            return None
        row, tile = wrong[0]
        times = how_many(int(copies[row, tile]), "time")
        return f"tile {tile} is used {times}; expected {span(*bounds[tile])}"

    def _colour_error(self, board: NDArray[np.int64]) -> str | None:
        """Return an error in the colours on the frame or at edges, or None.

        `board`, shape (n, cells, sides), has the colours shown.
        """
        puzzle = self._puzzle
        outer = board[:, self._outer[:, 0], self._outer[:, 1]]
        cell, side, beyond, facing_side = self._edges.T
        framed = puzzle.frame_colour
        if framed is not None and np.any(outer != framed):
            return f"the frame has a colour other than {framed}"
        facing = board[:, cell, side]
        if puzzle.has_plain_frame and np.any(facing == BORDER):
            return "colour 0 appears inside the frame"
        differs = ~puzzle.match(facing, board[:, beyond, facing_side])
        if np.any(differs):
            x, y = puzzle.geometry.position(int(cell[np.argwhere(differs)[0, 1]]))
            return f"the tile at ({x}, {y}) does not match its neighbour"
        return None

    def _hint_error(
        self, board: NDArray[np.int64], tile: NDArray[np.int32], name: NDArray[np.int64]
    ) -> str | None:
        for hint in self._puzzle.hints:
            cell = self._puzzle.geometry.cell(hint.position)
            shown = board[:, cell]
            wanted = self._shown[hint.tile, hint.rotation]
            same_tile = name[tile[:, cell]] == name[hint.tile]
            if np.any(shown != wanted) or not same_tile.all():
                return f"the hint for ({hint.x}, {hint.y}) is violated"
        return None
