"""Partial boards: cells may be empty, and edges may not match.

With the objective `edges`, the score of a board is its number of matched edges. These are the inner
edges between two tiles whose colours match. With the objective `tiles`, the score is the number of
tiles, and all edges between two tiles have to match. A board has to agree with the frame and the
hints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from dovetail.errors import PuzzleError, how_many
from dovetail.models.boards.edges import BORDER, EdgePuzzle, Tile, turned
from dovetail.models.boards.geometry import Position
from dovetail.models.solution import EdgeSolution, board_text
from dovetail.printable import Shown

Laid = tuple[int, int]  # tile number, rotation
Edge = tuple[Position, Position]
NO_TILE = BORDER, BORDER, BORDER, BORDER


class Objective(StrEnum):
    """Quantity that a search for the best board maximises."""

    EDGES = "edges"
    TILES = "tiles"

    @property
    def unit(self) -> str:
        """Unit of a score: "matched edges" or "tiles"."""
        return "matched edges" if self is Objective.EDGES else "tiles"

    @property
    def verb(self) -> str:
        """Verb after the number of edges or tiles: "match" or "fit"."""
        return "match" if self is Objective.EDGES else "fit"

    def result_text(self, score: int, bound: int) -> str:
        """Return a score beside its bound: "460 of 480 edges match", "243 of 256 tiles fit"."""
        return f"{score} of {how_many(bound, self.value[:-1])} {self.verb}"


@dataclass(frozen=True, repr=False)
class PartialBoard(Shown):
    """A board on which each cell has a tile in a rotation or is empty.

    >>> print(PartialBoard((((0, 0), None), ((2, 3), (1, 1)))))
    2/3 1/1
    0/0   -
    """

    cells: tuple[tuple[Laid | None, ...], ...]
    """`cells[y][x]` is (tile number, rotation), or None for an empty cell; row 0 is the bottom
    row."""

    def __str__(self) -> str:
        """Return rows of `tile/rotation`, the top row first, with `-` for an empty cell."""
        return board_text(self.cells)

    def at(self, position: Position) -> Laid | None:
        """Return the tile at (x, y) and its rotation, or None."""
        x, y = position
        return self.cells[y][x]

    @property
    def laid(self) -> dict[Position, Laid]:
        """Tile and rotation in each cell that is not empty."""
        return {
            (x, y): laid
            for y, row in enumerate(self.cells)
            for x, laid in enumerate(row)
            if laid is not None
        }

    @property
    def solution(self) -> EdgeSolution | None:
        """The board as a solution that is not verified; None if a cell is empty.

        A hole counts as an empty cell; for boards with holes see
        `puzzles.formats.base.Format.read_solutions`.
        """
        rows = []
        for row in self.cells:
            full = tuple(laid for laid in row if laid is not None)
            if len(full) < len(row):
                return None
            rows.append(full)
        return EdgeSolution(tuple(rows))


def empty_board(puzzle: EdgePuzzle) -> PartialBoard:
    """Return a board of the puzzle without tiles."""
    return PartialBoard(((None,) * puzzle.width,) * puzzle.height)


def tiles_in_order(puzzle: EdgePuzzle) -> PartialBoard:
    """Return the board with the tiles in their order, unturned, row by row from the top left.

    On a board of plain tiles in a frame, `NO_TILE` stands for an empty cell.
    """
    cells = [[(x, y) for x in range(puzzle.width)] for y in reversed(range(puzzle.height))]
    numbers = count()
    at = {cell: next(numbers) for row in cells for cell in row if cell in puzzle.geometry}
    laid = {
        cell: (number, 0)
        for cell, number in at.items()
        if puzzle.variants or puzzle.tiles[number] != NO_TILE
    }
    return PartialBoard(tuple(tuple(map(laid.get, row)) for row in reversed(cells)))


def inner_edges(puzzle: EdgePuzzle) -> Iterator[Edge]:
    """Yield the edges between two cells, each with the cell that owns it first.

    On squares, an edge is owned by the cell to its south or west.
    """
    position = puzzle.geometry.position
    for cell, _, neighbour in puzzle.geometry.edges():
        yield position(cell), position(neighbour)


def max_score(puzzle: EdgePuzzle, objective: Objective = Objective.EDGES) -> int:
    """Return the score of a solution: the number of inner edges or of cells."""
    if objective is Objective.TILES:
        return len(puzzle.geometry.positions)
    return sum(1 for _ in inner_edges(puzzle))


def mismatched_edges(puzzle: EdgePuzzle, board: PartialBoard) -> list[Edge]:
    """Return the inner edges at which two tiles do not match."""
    return [edge for edge in inner_edges(puzzle) if _matches(puzzle, board, edge) is False]


def score(puzzle: EdgePuzzle, board: PartialBoard) -> int:
    """Return the number of inner edges at which two tiles match."""
    return sum(_matches(puzzle, board, edge) is True for edge in inner_edges(puzzle))


def board_error(puzzle: EdgePuzzle, board: PartialBoard) -> str | None:
    """Return the first rule that a board breaks, or None.

    The size has to be the puzzle's. Tiles and rotations have to exist. No tile may lie in a hole or
    be used more often than it has copies. Tiles have to agree with the frame, and each hint has to
    be kept. Edges need not match.
    """
    geometry = puzzle.geometry
    error = _shape_error(puzzle, board)
    if error is not None:
        return error
    used = Counter[int]()
    where = "exactly where the frame is" if puzzle.frame is None else "on the frame"
    for x, y in geometry.positions:
        laid = board.at((x, y))
        if laid is None:
            continue
        tile, rotation = laid
        if not (0 <= tile < len(puzzle.tiles) and rotation in puzzle.turns):
            return f"({x}, {y}) has tile {tile} with rotation {rotation}; no such tile or turn"
        used[tile] += 1
        copies = puzzle.counts[tile][1] if puzzle.counts else 1
        if used[tile] > copies:
            cells = "two" if copies == 1 else copies + 1
            return f"tile {tile} lies in {cells} cells, one of them ({x}, {y})"
        if not puzzle.fits(_shown(puzzle, laid), geometry.frame_at((x, y))):
            return f"the tile at ({x}, {y}) does not have colour {puzzle.frame or 0} {where}"
    for hint in puzzle.hints:
        laid = board.at(hint.position)
        if laid is None or _shown(puzzle, laid) != puzzle.hint_sides(hint):
            return f"the hint for ({hint.x}, {hint.y}) is violated"
    return None


def _shape_error(puzzle: EdgePuzzle, board: PartialBoard) -> str | None:
    """Return why the cells of a board are not cells of the puzzle, or None."""
    if len(board.cells) != puzzle.height or any(len(row) != puzzle.width for row in board.cells):
        return f"the size of the board is not {puzzle.width} x {puzzle.height}"
    for x, y in sorted(board.laid.keys() - puzzle.geometry.positions):
        return f"({x}, {y}) has a tile; the board has no cell there"
    return None


def verified_score(
    puzzle: EdgePuzzle, board: PartialBoard, objective: Objective = Objective.EDGES
) -> int:
    """Return the score of a board; raise `PuzzleError` with the rule that the board breaks, if any.

    For `Objective.TILES`, `PuzzleError` is also raised for neighbours that do not match.
    """
    error = board_error(puzzle, board)
    if error is not None:
        raise PuzzleError(error)
    if objective is Objective.EDGES:
        return score(puzzle, board)
    for position, other in mismatched_edges(puzzle, board):
        raise PuzzleError(f"the tiles at {position} and {other} do not match")
    return len(board.laid)


def _matches(puzzle: EdgePuzzle, board: PartialBoard, edge: Edge) -> bool | None:
    """Return whether the tiles at an edge match; None if a cell at the edge is empty."""
    laid, other = (board.at(position) for position in edge)
    if laid is None or other is None:
        return None
    geometry, (here, there) = puzzle.geometry, edge
    side = geometry.side_to(here, there)
    facing = _shown(puzzle, other)[geometry.opposite(side)]
    return _shown(puzzle, laid)[side] in puzzle.mates(facing)


def _shown(puzzle: EdgePuzzle, laid: Laid) -> Tile:
    return turned(puzzle.tiles[laid[0]], laid[1])
