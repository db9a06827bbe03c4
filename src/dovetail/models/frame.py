"""Constraints from the frame's colour: the cells that a tile fits, the edges its sides face.

Every cell of a board has zero to four sides on the frame, and a tile fits only where its colour 0
is. An edge between two cells ends at the frame if one of its end points lies there. Either of its
tiles shows this: the side of the tile next to the side that faces the edge is on the frame. So the
sides of all tiles that face edges ending at the frame pair up among themselves, and so do all
others.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from dovetail.models.board_geometry import Frame
from dovetail.models.edges import BORDER, NORTH, SOUTH, EdgePuzzle, Tile


class TileClass(StrEnum):
    """Class of cells by their sides on the frame, and of tiles by their sides with its colour.

    Turning does not change the class. `INNER`: none; `BORDER`: one; `CORNER`: two that meet;
    `PASSAGE`: two opposite sides; `END`: three; `LONE`: four. The last three occur on boards with a
    single row or column.
    """

    CORNER = "corner"
    BORDER = "border"
    INNER = "inner"
    END = "end"
    PASSAGE = "passage"
    LONE = "lone"


class Place(StrEnum):
    """Position of an edge between two cells: ending at the frame or away from it."""

    AT_FRAME = "ending at the frame"
    AWAY = "away from the frame"


def class_of_tile(tile: Tile) -> TileClass:
    """Return the class of the cells that a tile fits."""
    return class_of_frame(frame_of(tile))


def frame_of(shown: Tile) -> Frame:
    """Return the sides that have to lie on the frame for a tile that shows these colours."""
    north, east, south, west = (colour == BORDER for colour in shown)
    return north, east, south, west


def class_of_frame(frame: Frame) -> TileClass:
    """Return the class of cells with these sides on the frame, equal for all turns."""
    match sum(frame):
        case 0:
            return TileClass.INNER
        case 1:
            return TileClass.BORDER
        case 2:
            return TileClass.PASSAGE if frame[NORTH] == frame[SOUTH] else TileClass.CORNER
        case 3:
            return TileClass.END
        case _:
            return TileClass.LONE


def tiles_by_class(puzzle: EdgePuzzle) -> Counter[TileClass]:
    """Count the tiles of each class; classes without any are left out."""
    return Counter(map(class_of_tile, puzzle.tiles))


def cells_by_class(puzzle: EdgePuzzle) -> Counter[TileClass]:
    """Count the cells of each class; classes without any are left out."""
    width, height = puzzle.width, puzzle.height
    if width > 1 and height > 1:
        inner = (width - 2) * (height - 2)
        cells = {
            TileClass.CORNER: 4,
            TileClass.BORDER: width * height - 4 - inner,
            TileClass.INNER: inner,
        }
    elif width * height > 1:
        cells = {TileClass.END: 2, TileClass.PASSAGE: width * height - 2}
    else:
        cells = {TileClass.LONE: 1}
    return +Counter(cells)


def edges_by_place(puzzle: EdgePuzzle) -> dict[Place, int]:
    """Return the numbers of edges between two cells by place."""
    width, height = puzzle.width, puzzle.height
    at_frame = (width - 1) * min(height, 2) + (height - 1) * min(width, 2)
    every = (width - 1) * height + (height - 1) * width
    return {Place.AT_FRAME: at_frame, Place.AWAY: every - at_frame}


def colours_facing(tile: Tile, place: Place) -> list[int]:
    """Return the colours of the sides that face edges of a place, with repetition."""
    return [
        colour
        for side, colour in enumerate(tile)
        if colour != BORDER
        and (BORDER in (tile[side - 1], tile[(side + 1) % 4])) == (place == Place.AT_FRAME)
    ]


def sides_facing(puzzle: EdgePuzzle, place: Place) -> Counter[int]:
    """Count the sides of all tiles that face edges of a place, by colour, least colour first."""
    shown = Counter(colour for tile in puzzle.tiles for colour in colours_facing(tile, place))
    return Counter({colour: shown[colour] for colour in sorted(shown, key=_by_size)})


def _by_size(colour: int) -> tuple[int, int]:
    """Return the sort key of a colour, for the order 1, −1, 2, −2 and so on."""
    return abs(colour), -colour
