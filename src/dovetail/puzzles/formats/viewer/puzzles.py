"""Edge-matching puzzles as URLs of full boards; see the package for the format.

A URL shows tiles as they lie on a board, which need not match. As a puzzle it has these tiles,
turned as they are shown: in the order of their numbers where the URL tells them, else in that
of the cells. A hinted tile is turned back by what its hint says. What is written has the tiles of a
puzzle in their order from the top left, as they are, so that it is read as the same puzzle; hinted
tiles lie in their cells, for the viewer that knows hints.
"""

from __future__ import annotations

from collections.abc import Sequence

from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle, Hint, turned
from dovetail.puzzles.formats.base import PuzzleFormat
from dovetail.puzzles.formats.viewer.urls import (
    BEGINS,
    Position,
    ViewerBoard,
    check_showable,
    eternity2_url_of,
    read_boards,
    reading_order,
    url_of,
)


class Viewer(PuzzleFormat[EdgePuzzle]):
    """Files of URLs, each a puzzle."""

    name = "viewer"
    summary = "edge matching: URLs of the viewer e2.bucas.name"
    suffixes = (".url",)
    begins = BEGINS
    first_line = "http"
    several = True
    writes = EdgePuzzle

    def read(self, file: TextFile) -> tuple[EdgePuzzle, ...]:
        return read_viewer(file)

    def write(self, puzzles: Sequence[EdgePuzzle]) -> str:
        return write_viewer(puzzles)


class Eternity2Viewer(Viewer):
    """Files of URLs of the other viewer, which may have hints; it shows those of the first too."""

    name = "eternity2-viewer"
    summary = "edge matching: URLs of the viewer of eternity2.dev, with hints"
    suffixes = (".e2.url",)
    begins = r"https?://eternity2\.dev/"

    def write(self, puzzles: Sequence[EdgePuzzle]) -> str:
        return write_eternity2_viewer(puzzles)


def read_viewer(file: TextFile) -> tuple[EdgePuzzle, ...]:
    """The puzzles in `file`, one per URL, by their own names or else named after the file.

    Raises `FormatError` at the first mistake; a board with an empty cell is one.
    """
    return tuple(_puzzle(file, line, board) for line, board in read_boards(file))


def write_viewer(puzzles: Sequence[EdgePuzzle]) -> str:
    """A URL per line.

    Raises `PuzzleError` for what a URL cannot say: hints, signed colours, colours beyond 25,
    more than 999 tiles.
    """
    return "".join(f"{_url(puzzle)}\n" for puzzle in puzzles)


def write_eternity2_viewer(puzzles: Sequence[EdgePuzzle]) -> str:
    """A URL of eternity2.dev per line.

    Raises `PuzzleError` for what a URL cannot say: signed colours, colours beyond 25, more than 999
    tiles.
    """
    return "".join(f"{_eternity2_url(puzzle)}\n" for puzzle in puzzles)


def _eternity2_url(puzzle: EdgePuzzle) -> str:
    check_showable(puzzle)
    laid = {(hint.x, hint.y): (hint.tile, hint.rotation) for hint in puzzle.hints}
    cells = (cell for cell in reading_order(puzzle.width, puzzle.height) if cell not in laid)
    hinted = {hint.tile for hint in puzzle.hints}
    others = (tile for tile in range(len(puzzle.tiles)) if tile not in hinted)
    laid |= {cell: (tile, 0) for tile, cell in zip(others, cells, strict=True)}
    return eternity2_url_of(puzzle, laid)


def _url(puzzle: EdgePuzzle) -> str:
    if puzzle.hints:
        raise PuzzleError(
            "a URL of e2.bucas.name does not support hints; use one of eternity2.dev (.e2.url) or "
            "JSON (.json)"
        )
    check_showable(puzzle)
    cells = reading_order(puzzle.width, puzzle.height)
    return url_of(puzzle, {cell: (tile, 0) for tile, cell in enumerate(cells)})


def _puzzle(file: TextFile, line: int, board: ViewerBoard) -> EdgePuzzle:
    empty = board.empty_cell()
    if empty is not None:
        raise file.error(
            f"cell {empty} is empty, so its tile is unknown; expected a full board",
            line,
        )
    cells = _by_number(file, line, board)
    tiles = tuple(turned(board.sides[cell], -board.hints.get(cell, 0) % 4) for cell in cells)
    numbers = {cell: tile for tile, cell in enumerate(cells)}
    hints = tuple(Hint(*cell, numbers[cell], turns) for cell, turns in board.hints.items())
    name = file.stem if board.name is None else board.name
    return EdgePuzzle(name, board.width, board.height, tiles, hints)


def _by_number(file: TextFile, line: int, board: ViewerBoard) -> list[Position]:
    """The cells of a full board in the order of their tiles."""
    if board.tiles is None:
        return list(board.sides)
    cells: dict[int, Position] = {}
    for cell, tile in board.tiles.items():
        if tile >= len(board.tiles) or tile in cells:
            raise file.error(
                f"cell {cell} has tile number {tile + 1:03}; expected the numbers 001 to "
                f"{len(board.tiles):03}, each once",
                line,
            )
        cells[tile] = cell
    return [cells[tile] for tile in sorted(cells)]
