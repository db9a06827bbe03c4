"""The solution that a record keeps, drawn without the puzzle."""

from __future__ import annotations

from dovetail.errors import how_many
from dovetail.harness.records.outline import (
    BoardOutline,
    Example,
    Outline,
    filled_board,
    filled_region,
)
from dovetail.models.partial_board import mismatched_edges, tiles_in_order
from dovetail.reports.pictures.board import tiles_drawing
from dovetail.reports.pictures.drawing import Drawing
from dovetail.reports.pictures.packing import filled_drawing


def example_drawing(example: Example, outline: Outline) -> Drawing:
    """A solution in the colours that `dovetail solve` gives it.

    Fixed pieces are left out, as in the outline, and so are the numbers of tiles. Edges of a board
    that do not match are marked. Raises `PuzzleError` for what the reader of records refuses.
    """
    if isinstance(outline, BoardOutline):
        board = filled_board(example)
        solved = not mismatched_edges(board, tiles_in_order(board))
        what = "a solution of a board" if solved else "a board"
        title = f"{what}, {outline.width} wide and {outline.height} high"
        return tiles_drawing(board, title)
    filled = filled_region(example, outline)
    title = f"a solution in a region of {how_many(len(filled.cells), 'cell')}"
    return filled_drawing(filled.cells, filled.solution, filled.pieces, title, example.text)
