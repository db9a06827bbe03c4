"""Pictures of a puzzle: of the whole, and of the tiles of a board."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.errors import PuzzleError
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import max_score
from dovetail.models.task import Puzzle
from dovetail.reports.pictures.board import tile_drawing
from dovetail.reports.pictures.drawing import Drawing, fragment, svg_element
from dovetail.reports.pictures.picture import puzzle_drawing, whole_drawing
from dovetail.ui.requests import Fields

MAX_PICTURE = 2_000_000  # characters
MAX_TILES = 1_024


def picture_text(drawing: Drawing) -> str:
    """A drawing as SVG for the page, which has the style."""
    return fragment(svg_element(drawing))


def puzzle_picture(puzzle: Puzzle) -> str | None:
    """The picture of a puzzle, None for one that has none, or too large a one.

    Of a board it is without the tiles.
    """
    draw = whole_drawing if isinstance(puzzle, EdgePuzzle) else puzzle_drawing
    try:
        made = picture_text(draw(puzzle))
    except PuzzleError:
        return None
    return made if len(made) <= MAX_PICTURE else None


def board_fields(puzzle: EdgePuzzle) -> Fields:
    """The size, the tiles and the hints of a board."""
    return {
        "width": puzzle.width,
        "height": puzzle.height,
        "edges": max_score(puzzle),
        "tiles": list(_tiles(puzzle)),
        "hints": [
            {"tile": hint.tile, "rotation": hint.rotation, "x": hint.x, "y": hint.y}
            for hint in puzzle.hints
        ],
    }


def _tiles(puzzle: EdgePuzzle) -> Iterator[Fields]:
    for number, tile in enumerate(puzzle.tiles[:MAX_TILES]):
        yield {
            "number": number,
            "picture": picture_text(tile_drawing(puzzle, number)),
            "words": " ".join(map(str, tile)),
        }
