"""States of `colorpair` made by hand, of boards that need not have a solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.colorpair.board import Board
from backends.colorpair.state import State
from dovetail.models.board_geometry import Position
from dovetail.models.edges import EdgePuzzle, Tile
from dovetail.models.frame import TileClass
from dovetail.models.options.edges import edge_options

NOWHERE = (0, 0, 0, 0)  # a tile that fits no cell of a board of several
CORNERS = [(0, 0, 1, 1)] * 4
CORNER_PAIR = (TileClass.CORNER, ("sequence", 0, 0))


def made(
    laid: Mapping[Position, Tile], left: Sequence[Tile], side: int = 6, *, signed: bool = False
) -> State:
    """A square board with tiles that show these sides, matching or not, and some tiles left."""
    tiles = [*laid.values(), *left]
    tiles += [NOWHERE] * (side * side - len(tiles))
    board = Board(edge_options(EdgePuzzle("made", side, side, tuple(tiles), signed=signed)))
    state = State(board)
    for position, shown in laid.items():
        cell = board.geometry.cell(position)
        colours = tuple(board.colours[colour] for colour in shown)
        state.laid[cell] = next(
            orientation
            for orientation in board.orientations_in_order[cell]
            if board.shown[orientation] == colours
        )
    return state


def diagonal(
    x: int, y: int, below: tuple[int, int], above: tuple[int, int]
) -> dict[Position, Tile]:
    """Two tiles between which (x, y) must show `below` to the north and east.

    And (x + 1, y + 1) must show `above` to the south and west.
    """
    return {(x, y + 1): (1, above[1], below[0], 1), (x + 1, y): (above[0], 1, 1, below[1])}


def sequence(first: int, second: int) -> tuple[TileClass, tuple[str, int, int]]:
    """A pair of inner cells."""
    return TileClass.INNER, ("sequence", first, second)
