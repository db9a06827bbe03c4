"""Limits on the size of the puzzles that the server describes, which bound its time and memory."""

from __future__ import annotations

from collections.abc import Iterator

from dovetail.errors import shorten
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.ui.requests import RequestError

MAX_CELLS = 5_000  # in a region, which is drawn several times
# Cells of the pieces in all orientations at each cell; a description takes about 2 s.
MAX_CELLS_TRIED = 8_000_000
MAX_TILES = 4_096  # a description takes about 2 s
MAX_ITEMS = 400_000  # in all options of a cover problem


def check_size(puzzle: Puzzle) -> None:
    """Raise `RequestError` for a puzzle that is too large."""
    for what, size, limit in _sizes(puzzle):
        if size > limit:
            raise RequestError(
                f"{shorten(puzzle.name)} is too large for this page: {what} {size:,}, at most "
                f"{limit:,}; the command has no such limit"
            )


def _sizes(puzzle: Puzzle) -> Iterator[tuple[str, int, int]]:
    """Yield the sizes of a puzzle that are limited: name, size and limit."""
    match puzzle:
        case PackingPuzzle():
            yield "cells", len(puzzle.region), MAX_CELLS
            turned = zip(puzzle.pieces, puzzle.orientations, strict=True)
            cells = sum(len(piece.cells) * len(ways) for piece, ways in turned)
            yield "cells of its pieces in all places", len(puzzle.region) * cells, MAX_CELLS_TRIED
        case EdgePuzzle():
            yield "tiles", len(puzzle.tiles), MAX_TILES
        case CoverProblem():
            yield "items of its options", puzzle.item.size, MAX_ITEMS
