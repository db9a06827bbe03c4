"""Pictures of a puzzle and of the tiles of a board."""

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
    """Return a drawing as SVG without a style sheet, which the page has."""
    return fragment(svg_element(drawing))


def puzzle_picture(puzzle: Puzzle) -> str | None:
    """Return the picture of a puzzle; None if there is none or it is too large.

    The picture of a board does not show the tiles.
    """
    draw = whole_drawing if isinstance(puzzle, EdgePuzzle) else puzzle_drawing
    try:
        made = picture_text(draw(puzzle))
    except PuzzleError:
        return None
    return made if len(made) <= MAX_PICTURE else None


def board_fields(puzzle: EdgePuzzle) -> Fields:
    """Return the size, the tiles and the hints of a board."""
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
