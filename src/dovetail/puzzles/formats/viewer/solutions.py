"""Solutions of edge-matching puzzles as URLs of their boards; see the package for the format."""

from __future__ import annotations

import re
from functools import partial

from dovetail.errors import PuzzleError, how_many
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle, Tile, canonical_turn, turned
from dovetail.models.solution import EdgeSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Numbered, SolutionFormat, UnboundedWriter
from dovetail.puzzles.formats.viewer.urls import (
    BEGINS,
    Position,
    ViewerBoard,
    check_showable,
    eternity2_url_of,
    read_boards,
    url_of,
)


class ViewerSolutions(SolutionFormat):
    """A line for each solution: the URL of its board."""

    suffix = ".url"
    _url = staticmethod(url_of)

    def begins(self, first: str, puzzle: Puzzle, /) -> bool:
        return isinstance(puzzle, EdgePuzzle) and bool(re.match(BEGINS, first.lstrip()))

    def read(self, file: TextFile, puzzle: Puzzle, /) -> Numbered:
        assert isinstance(puzzle, EdgePuzzle)
        for line, shown in read_boards(file):
            yield line, partial(solution_from_board, puzzle, shown)

    def writer(self, puzzle: Puzzle, _source: TextFile | None, /) -> UnboundedWriter:
        if not isinstance(puzzle, EdgePuzzle):
            raise PuzzleError(
                f"a viewer URL shows boards; {puzzle.name} is not an edge-matching puzzle"
            )
        check_showable(puzzle)

        def one(_: int, solution: Solution) -> str:
            assert isinstance(solution, EdgeSolution)
            return self._url(puzzle, _laid(puzzle, solution)) + "\n"

        return UnboundedWriter("", one)


class Eternity2Solutions(ViewerSolutions):
    """The URLs of eternity2.dev, with the puzzle's hints."""

    suffix = ".e2.url"
    _url = staticmethod(eternity2_url_of)


def _laid(puzzle: EdgePuzzle, solution: EdgeSolution) -> dict[Position, tuple[int, int]]:
    """The tile in each cell and its rotation; `PuzzleError` for one that the puzzle has not."""
    laid = {(x, y): placed for y, row in enumerate(solution.cells) for x, placed in enumerate(row)}
    for cell, (tile, rotation) in laid.items():
        if not (0 <= tile < len(puzzle.tiles) and 0 <= rotation < 4):
            raise PuzzleError(f"tile {tile} with rotation {rotation} cannot be at {cell}")
    return laid


def solution_from_board(puzzle: EdgePuzzle, board: ViewerBoard) -> EdgeSolution:
    """The solution that a URL shows.

    Raises `PuzzleError` for an empty cell, and as `tiles_shown` does.
    """
    laid = tiles_shown(puzzle, board)
    empty = board.empty_cell()
    if empty is not None:
        raise PuzzleError(f"cell {empty} is empty")
    columns = range(board.width)
    return EdgeSolution(tuple(tuple(laid[x, y] for x in columns) for y in range(board.height)))


def tiles_shown(puzzle: EdgePuzzle, board: ViewerBoard) -> dict[Position, tuple[int, int]]:
    """The tile and its rotation in each cell of a URL's board that is not empty.

    Where the URL does not number the tiles, they are recognised by their sides: a hinted tile in
    its own cell, the others of identical tiles in ascending order, as the URL comes to them. Raises
    `PuzzleError` for a board of another size, and for a cell whose sides no tile shows that is
    left, or not the one with its number.
    """
    if (board.width, board.height) != (puzzle.width, puzzle.height):
        raise PuzzleError(f"the size of the board is not {puzzle.width} x {puzzle.height}")
    tiles = _class_from_sides(puzzle, board) if board.tiles is None else board.tiles
    return {cell: (tile, _rotation(puzzle, board, tile, cell)) for cell, tile in tiles.items()}


def _rotation(puzzle: EdgePuzzle, board: ViewerBoard, tile: int, cell: Position) -> int:
    """How `tile` is turned to show what `cell` shows."""
    if tile >= len(puzzle.tiles):
        raise PuzzleError(
            f"cell {cell} has tile number {tile + 1}; "
            f"the puzzle has {how_many(len(puzzle.tiles), 'tile')}"
        )
    for rotation in range(4):
        if turned(puzzle.tiles[tile], rotation) == board.sides[cell]:
            return rotation
    raise PuzzleError(f"cell {cell} shows sides that tile number {tile + 1} does not have")


def _class_from_sides(puzzle: EdgePuzzle, board: ViewerBoard) -> dict[Position, int]:
    left: dict[Tile, list[int]] = {}
    for number, tile in enumerate(puzzle.tiles):
        left.setdefault(canonical_turn(tile), []).append(number)
    known: dict[Position, int] = {}
    for hint in puzzle.hints:
        if (hint.x, hint.y) not in board.sides:
            continue
        alike = left.get(canonical_turn(board.sides[hint.x, hint.y]), [])
        if hint.tile in alike:
            alike.remove(hint.tile)
            known[hint.x, hint.y] = hint.tile
    for cell, sides in board.sides.items():
        if cell in known:
            continue
        alike = left.get(canonical_turn(sides), [])
        if not alike:
            raise PuzzleError(f"cell {cell} shows sides that no remaining tile has")
        known[cell] = alike.pop(0)
    return known
