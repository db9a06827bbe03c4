"""A board as the URL of one of two viewers; `formats.viewer` says what is in it."""

from __future__ import annotations

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import PartialBoard
from dovetail.puzzles.formats.viewer.solutions import tiles_shown
from dovetail.puzzles.formats.viewer.urls import (
    check_showable,
    eternity2_url_of,
    read_boards,
    url_of,
)


def read_board_url(file: TextFile, puzzle: EdgePuzzle) -> PartialBoard:
    """The board of the first URL in `file`; raises `FormatError` for none, or one of others."""
    for line, shown in read_boards(file):
        try:
            laid = tiles_shown(puzzle, shown)
        except PuzzleError as error:
            raise file.error(str(error), line) from None
        columns = range(puzzle.width)
        return PartialBoard(
            tuple(tuple(laid.get((x, y)) for x in columns) for y in range(puzzle.height))
        )
    raise file.error("the file is empty; expected a URL")


def write_board_url(puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """The URL that shows `board`; raises `PuzzleError` for tiles that no URL shows."""
    check_showable(puzzle)
    return url_of(puzzle, board.laid) + "\n"


def write_eternity2_board_url(puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """The same for the viewer of eternity2.dev."""
    check_showable(puzzle)
    return eternity2_url_of(puzzle, board.laid) + "\n"
