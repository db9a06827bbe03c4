"""The styles of the colours of edge-matching tiles: a paint and a motif each.

Seven paints times eight motifs are 56 styles; of more colours some share one. A motif lies on the
middle of an edge, half of it on either tile, and is whole where tiles match.
"""

from __future__ import annotations

from dataclasses import dataclass

from dovetail.models.edges import BORDER, EdgePuzzle
from dovetail.reports.pictures.outline import SIDE
from dovetail.reports.pictures.palette import GREY, PIECES

Step = tuple[int, int]

# The half of each motif that lies on a tile: polygons as a first corner and the steps from there,
# (along the side, into the tile), from the middle of the side.
MOTIFS: tuple[tuple[tuple[Step, ...], ...], ...] = (
    (((-7, 0), (2, 5), (5, 2), (5, -2), (2, -5)),),  # a disc
    (((-3, 0), (0, 10), (6, 0), (0, -10)),),  # a bar across the edge
    (((-9, 0), (9, 9), (9, -9)),),  # a diamond
    (((-12, 0), (0, 3), (24, 0), (0, -3)),),  # a bar along the edge
    (((-6, 0), (0, 7), (12, 0), (0, -7)),),  # a square
    (((-9, 0), (0, 5), (5, 0), (0, -5)), ((4, 0), (0, 5), (5, 0), (0, -5))),  # two squares
    (((-10, 0), (0, 2), (8, 0), (0, 8), (4, 0), (0, -8), (8, 0), (0, -2)),),  # a plus
    (((-8, 0), (0, 9), (4, 0), (0, -9)), ((4, 0), (0, 9), (4, 0), (0, -9))),  # two bars
)

# From the upper left corner of a tile to the middle of each side (north, east, south, west), and
# what a step along the side and one into the tile are there: (right, down).
_HALF = SIDE // 2
_MIDDLES = ((_HALF, 0), (SIDE, _HALF), (_HALF, SIDE), (0, _HALF))
_ALONG = ((1, 0), (0, 1), (-1, 0), (0, -1))
_INTO = ((0, 1), (-1, 0), (0, -1), (1, 0))


@dataclass(frozen=True)
class ColourStyle:
    """The numbers of a paint and of a motif."""

    paint: int
    motif: int


def colour_styles(puzzle: EdgePuzzle) -> dict[int, ColourStyle]:
    """Return the style of each colour of the puzzle but the frame's, and of its negative alike."""
    colours = sorted({abs(colour) for tile in puzzle.tiles for colour in tile} - {BORDER})
    return {
        colour: ColourStyle(number % PIECES, number % len(MOTIFS))
        for number, colour in enumerate(colours)
    }


def paint_numbers(puzzle: EdgePuzzle) -> dict[int, int]:
    """The number of each colour's paint, the frame's being grey; of its negative alike."""
    return {
        colour: colour_style.paint for colour, colour_style in colour_styles(puzzle).items()
    } | {BORDER: GREY}


def motif_path(motif: int, side: int, x: int, y: int) -> str:
    """Path data of the half motif on a side of the tile whose upper left corner is at (x, y)."""
    path = ""
    for (along, into), *steps in MOTIFS[motif]:
        right, down = _turned(side, along, into)
        path += f"M{x + _MIDDLES[side][0] + right} {y + _MIDDLES[side][1] + down}l"
        path += " ".join(f"{r} {d}" for r, d in (_turned(side, *step) for step in steps)) + "z"
    return path


def side_path(side: int, x: int, y: int) -> str:
    """Path data of the triangle between a side of a tile and its middle."""
    corners = ((0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE))
    right, down = corners[side]
    along, into = (_turned(side, step, depth) for step, depth in ((SIDE, 0), (-_HALF, _HALF)))
    return f"M{x + right} {y + down}l{along[0]} {along[1]} {into[0]} {into[1]}z"


def _turned(side: int, along: int, into: int) -> Step:
    """A step as (right, down)."""
    (a, b), (c, d) = _ALONG[side], _INTO[side]
    return a * along + c * into, b * along + d * into
