"""Verification of boards: every cell filled, every tile used, colours equal across every edge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dovetail.models.edges import BORDER, EAST, NORTH, SOUTH, WEST, EdgePuzzle
from dovetail.models.verification.line_table import LineTable

Laid = tuple[int, int, int, int]  # x, y, tile, rotation


class EdgeVerifier:
    """Verifier of an edge-matching puzzle with a table of laid tiles."""

    def __init__(self, puzzle: EdgePuzzle) -> None:
        self._puzzle = puzzle
        tiles = np.array(puzzle.tiles, dtype=np.int64)
        self._shown = np.stack([np.roll(tiles, -r, axis=1) for r in range(4)], axis=1)
        canonical = [max(map(tuple, turns)) for turns in self._shown.tolist()]
        self._tile_class = np.array([canonical.index(turn) for turn in canonical])
        self._laid = LineTable()

    def add(self, laid: Sequence[Laid]) -> str | None:
        """Append lines to the table; cells and tiles have to exist."""
        self._laid.add(laid)
        return None

    def check(self, rows: NDArray[np.int32], *, by_name: bool) -> str | None:
        """Return the error of the first bad row, or None.

        `rows` (n, k) are line numbers into the table. Equal tiles may replace each other unless
        `by_name`.
        """
        width, height = self._puzzle.width, self._puzzle.height
        cells = width * height
        if rows.shape[1] != cells or np.any(rows < 0):
            return f"the board does not have exactly {cells} tiles"
        x, y, tile, rotation = np.moveaxis(self._laid[rows], 2, 0)
        cell = x * height + y
        if np.any(np.sort(cell, axis=1) != np.arange(cells)):
            return "a cell has no tile or two tiles"
        order = np.argsort(cell, axis=1)
        tile, rotation = (np.take_along_axis(values, order, 1) for values in (tile, rotation))
        name = np.arange(cells) if by_name else self._tile_class
        if np.any(np.sort(name[tile], axis=1) != np.sort(name)):
            return "a tile is used twice and another one not at all"
        board = self._shown[tile, rotation].reshape(len(rows), width, height, 4)
        return self._colour_error(board) or self._hint_error(
            board, tile.reshape(len(rows), width, height), name
        )

    def _colour_error(self, board: NDArray[np.int64]) -> str | None:
        sign = -1 if self._puzzle.signed else 1
        frame = (
            board[:, :, -1, NORTH],
            board[:, -1, :, EAST],
            board[:, :, 0, SOUTH],
            board[:, 0, :, WEST],
        )
        if any(np.any(side != BORDER) for side in frame):
            return "the frame has a colour other than 0"
        upright, level = board[:, :-1, :, EAST], board[:, :, :-1, NORTH]
        if np.any(upright == BORDER) or np.any(level == BORDER):
            return "colour 0 appears inside the frame"
        for facing, other in (
            (upright, board[:, 1:, :, WEST]),
            (level, board[:, :, 1:, SOUTH]),
        ):
            differs = facing != sign * other
            if np.any(differs):
                _, x, y = np.argwhere(differs)[0]
                return f"the tile at ({x}, {y}) does not match its neighbour"
        return None

    def _hint_error(
        self, board: NDArray[np.int64], tile: NDArray[np.int32], name: NDArray[np.int64]
    ) -> str | None:
        for hint in self._puzzle.hints:
            shown = board[:, hint.x, hint.y]
            wanted = self._shown[hint.tile, hint.rotation]
            same_tile = name[tile[:, hint.x, hint.y]] == name[hint.tile]
            if np.any(shown != wanted) or not same_tile.all():
                return f"the hint for ({hint.x}, {hint.y}) is violated"
        return None
