"""How large a puzzle may be that the server describes: all that is slow grows with that."""

from __future__ import annotations

from dovetail.errors import shorten
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.ui.requests import RequestError

# Of the pieces in all orientations at each cell; about 1 s for its placements, 30 s to explain it.
MAX_CELLS_TRIED = 20_000_000


def check_size(puzzle: Puzzle) -> None:
    """Raise `RequestError` for a packing puzzle that is too large; others are bounded elsewhere."""
    if not isinstance(puzzle, PackingPuzzle):
        return
    turned = zip(puzzle.pieces, puzzle.orientations, strict=True)
    tried = len(puzzle.region) * sum(len(piece.cells) * len(ways) for piece, ways in turned)
    if tried > MAX_CELLS_TRIED:
        raise RequestError(
            f"{shorten(puzzle.name)} is too large for this page: cells of its pieces in all places "
            f"{tried:,}, at most {MAX_CELLS_TRIED:,}; the command has no such limit"
        )
