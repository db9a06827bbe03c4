"""What the frame's colour tells of a tile: which cells it fits, and which edges its sides face.

Every cell of a board lies on the frame with no, one, two, three or four sides, and a tile fits
only where its colour 0 is. An edge between two cells ends at the frame if one of its ends lies
there. Such an edge can be told from either of its tiles: the side of the tile next to the side
that faces the edge is on the frame. So the sides of all tiles that face edges ending at the
frame pair up among themselves, and so do all others.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from dovetail.models.board_geometry import Frame
from dovetail.models.edges import BORDER, NORTH, SOUTH, EdgePuzzle, Tile


class Kind(StrEnum):
    """Which sides of a cell lie on the frame, or of a tile show its colour, however turned.

    `BORDER` one, `CORNER` two that meet, `PASSAGE` two opposite ones, `END` three, `LONE` four.
    The last three are of boards with a single row or column.
    """

    CORNER = "corner"
    BORDER = "border"
    INNER = "inner"
    END = "end"
    PASSAGE = "passage"
    LONE = "lone"


class Place(StrEnum):
    """Whether an edge between two cells ends at the frame."""

    AT_FRAME = "ending at the frame"
    AWAY = "away from the frame"


def kind_of(tile: Tile) -> Kind:
    """The kind of the only cells that a tile fits."""
    return kind_of_frame(frame_of(tile))


def frame_of(shown: Tile) -> Frame:
    """Which sides of a cell have to lie on the frame for a tile that shows these colours."""
    north, east, south, west = (colour == BORDER for colour in shown)
    return north, east, south, west


def kind_of_frame(frame: Frame) -> Kind:
    """The kind of the cells of which these sides lie on the frame, the same for all its turns."""
    match sum(frame):
        case 0:
            return Kind.INNER
        case 1:
            return Kind.BORDER
        case 2:
            return Kind.PASSAGE if frame[NORTH] == frame[SOUTH] else Kind.CORNER
        case 3:
            return Kind.END
        case _:
            return Kind.LONE


def tiles_by_kind(puzzle: EdgePuzzle) -> Counter[Kind]:
    """How many tiles there are of each kind; kinds without any are left out."""
    return Counter(map(kind_of, puzzle.tiles))


def cells_by_kind(puzzle: EdgePuzzle) -> Counter[Kind]:
    """How many cells of the board there are of each kind; kinds without any are left out."""
    width, height = puzzle.width, puzzle.height
    if width > 1 and height > 1:
        inner = (width - 2) * (height - 2)
        cells = {Kind.CORNER: 4, Kind.BORDER: width * height - 4 - inner, Kind.INNER: inner}
    elif width * height > 1:
        cells = {Kind.END: 2, Kind.PASSAGE: width * height - 2}
    else:
        cells = {Kind.LONE: 1}
    return +Counter(cells)


def edges_by_place(puzzle: EdgePuzzle) -> dict[Place, int]:
    """How many edges between two cells end at the frame, and how many do not."""
    width, height = puzzle.width, puzzle.height
    at_frame = (width - 1) * min(height, 2) + (height - 1) * min(width, 2)
    every = (width - 1) * height + (height - 1) * width
    return {Place.AT_FRAME: at_frame, Place.AWAY: every - at_frame}


def colours_facing(tile: Tile, place: Place) -> list[int]:
    """The colours of the sides that face edges of a place, as often as there are such sides."""
    return [
        colour
        for side, colour in enumerate(tile)
        if colour != BORDER
        and (BORDER in (tile[side - 1], tile[(side + 1) % 4])) == (place == Place.AT_FRAME)
    ]


def sides_facing(puzzle: EdgePuzzle, place: Place) -> Counter[int]:
    """How many sides of all tiles face edges of a place with each colour, the least first."""
    shown = Counter(colour for tile in puzzle.tiles for colour in colours_facing(tile, place))
    return Counter({colour: shown[colour] for colour in sorted(shown, key=_by_size)})


def _by_size(colour: int) -> tuple[int, int]:
    """1, −1, 2, −2, …"""
    return abs(colour), -colour
