"""Cells of a board, kinds of tiles, and where edges are, against a board looked at cell by cell."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from dovetail.models.board_geometry import EAST, NORTH, SOUTH, WEST, BoardGeometry
from dovetail.models.edges import (
    BORDER,
    EdgePuzzle,
    Place,
    Tile,
    TileClass,
    cells_by_class,
    class_of_frame,
    class_of_tile,
    colours_facing,
    edges_by_place,
    frame_of,
    sides_facing,
    tiles_by_class,
    turned,
)

SIZES = list(product((1, 2, 4), repeat=2))


def numbered(width: int, height: int) -> EdgePuzzle:
    """A board on which every edge has a colour of its own, its tiles where they belong."""
    columns, rows = width - 1, height - 1

    def upright(x: int, y: int) -> int:
        return 1 + x * height + y if 0 <= x < columns else BORDER

    def level(x: int, y: int) -> int:
        return 1 + columns * height + x * rows + y if 0 <= y < rows else BORDER

    tiles = tuple(
        (level(x, y), upright(x, y), level(x, y - 1), upright(x - 1, y))
        for x in range(width)
        for y in range(height)
    )
    return EdgePuzzle("numbered", width, height, tiles)


def place_of(puzzle: EdgePuzzle, x: int, y: int, side: int) -> Place:
    """Where the edge above or to the right of a cell is, by the corners of cells it joins."""
    ends = ((x, y + 1), (x + 1, y + 1)) if side == NORTH else ((x + 1, y), (x + 1, y + 1))
    at_frame = any(a in (0, puzzle.width) or b in (0, puzzle.height) for a, b in ends)
    return Place.AT_FRAME if at_frame else Place.AWAY


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


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_cells(width: int, height: int) -> None:
    """As many of each kind as the tiles of a board show."""
    puzzle = numbered(width, height)
    assert cells_by_class(puzzle) == tiles_by_class(puzzle)
    frames = list(map(puzzle.geometry.frame_at, puzzle.geometry.positions))
    assert frames == list(map(frame_of, puzzle.tiles))
    assert cells_by_class(puzzle) == Counter(map(class_of_frame, frames))
    assert sum(cells_by_class(puzzle).values()) == width * height
    assert 0 not in cells_by_class(puzzle).values()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_edges(width: int, height: int) -> None:
    """Both tiles at an edge tell alike whether it ends at the frame."""
    puzzle = numbered(width, height)
    where = {
        puzzle.tiles[x * height + y][side]: place_of(puzzle, x, y, side)
        for x in range(width)
        for y in range(height)
        for side in (NORTH, EAST)
    }
    del where[BORDER]
    places = list(where.values())
    assert edges_by_place(puzzle) == {place: places.count(place) for place in Place}
    for place in Place:
        expected = {colour: 2 for colour, its in where.items() if its == place}
        assert sides_facing(puzzle, place) == expected


def test_sides_of_a_tile() -> None:
    """A border tile's inward side does not face an edge at the frame; colours come in order."""
    tile = (3, 0, 3, -5)
    assert colours_facing(tile, Place.AT_FRAME) == [3, 3]
    assert colours_facing(tile, Place.AWAY) == [-5]
    puzzle = EdgePuzzle("two", 2, 1, ((4, -2, 2, -4), (-1, 1, 2, 2)), signed=True)
    assert list(sides_facing(puzzle, Place.AWAY).items()) == [
        *((1, 1), (-1, 1), (2, 3), (-2, 1)),
        *((4, 1), (-4, 1)),
    ]


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
