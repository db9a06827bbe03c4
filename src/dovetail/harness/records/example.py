"""One solution in a record, so that a report can draw it without the puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.harness.plain_data import Text
from dovetail.harness.records.outline import (
    MAX_CELLS,
    BoardOutline,
    LatticeOutline,
    Outline,
    in_layers,
    outline,
    outlined_cells,
    outlined_lattice,
    pictured,
)
from dovetail.models.edges import EdgePuzzle, turned
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OUTSIDE
from dovetail.puzzles.formats.edge_text import read_edge_text, write_edge_text
from dovetail.puzzles.formats.layered_text import read_picture
from dovetail.puzzles.formats.solutions.text import cell_labels

MAX_CHARACTERS = 16 * MAX_CELLS  # of an example, the names of all pieces included


@dataclass(frozen=True)
class Example:
    """A solution as text, from which a picture can be drawn."""

    text: Text
    """For a packing, layered text of the cells in the outline, with the pieces as `dovetail solve`
    labels them: `name`, or `name/k` for copy k of a piece that may be used several times. For an
    edge-matching puzzle, edge-matching text with the tiles as they lie, row by row from the top
    left."""
    pieces: tuple[Text, ...] = ()
    """Names of all pieces of a packing in the puzzle's order, which determines their colours."""

    @property
    def length(self) -> int:
        """Number of characters."""
        return len(self.text) + sum(map(len, self.pieces))


@dataclass(frozen=True, eq=False)
class FilledRegion:
    """The example of a packing: the open cells, what lies in them, and the names of all pieces."""

    cells: Cells
    solution: PackingSolution
    pieces: tuple[str, ...]


def example_of(puzzle: Puzzle, solution: Solution | None) -> Example | None:
    """A solution of a puzzle as records have it.

    None without a solution, for a puzzle without an outline, for names and boards that the text
    formats do not support, and for more than `MAX_CHARACTERS`.
    """
    if solution is None or outline(puzzle) is None:
        return None
    try:
        example = _as_text(puzzle, solution)
    except PuzzleError:
        return None
    return example if example.length <= MAX_CHARACTERS else None


def check_example(example: Example | None, outline: Outline | None) -> None:
    """Raises `PuzzleError` for what is no solution in this outline."""
    if example is None:
        return
    if outline is None:
        raise PuzzleError("a solution without an outline")
    if not isinstance(outline, BoardOutline):
        if set(filled_region(example, outline).cells) != set(outlined_cells(outline)):
            raise PuzzleError("its cells are not those of the outline")
        return
    board = filled_board(example)
    if (board.width, board.height) != (outline.width, outline.height):
        raise PuzzleError(
            f"a board of {board.width} x {board.height}; expected {outline.width} x "
            f"{outline.height}, the size of the outline"
        )


@lru_cache  # solvers often find the same first solution
def filled_region(example: Example, outline: str | LatticeOutline) -> FilledRegion:
    """The example of a packing with this outline; squares in two dimensions where it has one layer.

    Pieces are in the puzzle's order. Raises `PuzzleError` for what is no picture of pieces.
    """
    _check_length(example)
    picture = read_picture(example.text.split("\n"))
    cells = [cell for cell, label in picture.labels.items() if label != OUTSIDE]
    places = {name: number for number, name in enumerate(example.pieces)}
    placed = []
    for label, shape in picture.shapes(blank=(OPEN, OUTSIDE)).items():
        name = label if label in places else label.rpartition("/")[0]
        if name not in places:
            raise PuzzleError(f"the label {shorten(label)!r} is of no piece")
        # copies in the order of their numbers
        placed.append((places[name], len(label), label, name, pictured(picture, shape, outline)))
    pieces = tuple((name, shape) for *_, name, shape in sorted(placed))
    solution = PackingSolution(pieces, outlined_lattice(outline))
    return FilledRegion(tuple(sorted(pictured(picture, cells, outline))), solution, example.pieces)


@lru_cache
def filled_board(example: Example) -> EdgePuzzle:
    """The example of an edge-matching puzzle, as the puzzle whose tiles lie in their order.

    They go row by row from the top left. Raises `PuzzleError` for what is no board.
    """
    _check_length(example)
    content = example.text.encode(errors="replace")
    try:
        return read_edge_text(TextFile(Path("example"), content))
    except FormatError as error:
        place = "" if error.line is None else f"line {error.line}: "
        raise PuzzleError(place + error.message) from None


def _check_length(example: Example) -> None:
    if example.length > MAX_CHARACTERS:
        raise PuzzleError(f"a solution of {how_many(example.length, 'character')}")


def _as_text(puzzle: Puzzle, solution: Solution) -> Example:
    """Raises `PuzzleError` for what the formats do not support."""
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            text = in_layers(puzzle.lattice, puzzle.open_cells, cell_labels(puzzle, solution))
            return Example(text, tuple(piece.name for piece in puzzle.pieces))
        case EdgePuzzle(), EdgeSolution():
            laid = chain.from_iterable(reversed(solution.cells))
            tiles = tuple(turned(puzzle.tiles[tile], rotation) for tile, rotation in laid)
            board = EdgePuzzle(
                puzzle.name, puzzle.width, puzzle.height, tiles, signed=puzzle.signed
            )
            return Example(write_edge_text(board).rstrip())
    raise PuzzleError("the solution is for another kind of puzzle")
