"""Cells of a board, kinds of tiles, and where edges are, against a board looked at cell by cell."""

from __future__ import annotations

import pytest

from dovetail.models.boards.edges import Tile, TileClass, class_of_tile, turned
from dovetail.models.boards.geometry import EAST, NORTH, SOUTH, WEST, BoardGeometry


@pytest.mark.parametrize(
    ("tile", "tile_class"),
    [
        ((1, 2, 3, 4), TileClass.INNER),
        ((1, 2, 0, 4), TileClass.BORDER),
        ((0, 0, 0, 0), TileClass.LONE),
    ],
)
def test_classes(tile: Tile, tile_class: TileClass) -> None:
    """The same however a tile is turned."""
    assert {class_of_tile(turned(tile, rotation)) for rotation in range(4)} == {tile_class}


DRAWN = ["258B", "147A", "0369"]  # numbers of the cells, the top row first


def test_as_drawn() -> None:
    """Numbers go up the columns from the bottom left; sides lead to what is drawn beside."""
    geometry = BoardGeometry(4, 3)
    drawn = {(x, 2 - row): int(c, 16) for row, line in enumerate(DRAWN) for x, c in enumerate(line)}
    assert [drawn[position] for position in geometry.positions] == list(range(12))
    for position, cell in drawn.items():
        assert geometry.cell(position) == cell
        assert geometry.position(cell) == position
    assert list(geometry.neighbours(4)) == [(NORTH, 5), (EAST, 7), (SOUTH, 3), (WEST, 1)]
    assert list(geometry.neighbours(0)) == [(NORTH, 1), (EAST, 3)]
    assert list(geometry.neighbours(11)) == [(SOUTH, 10), (WEST, 8)]
