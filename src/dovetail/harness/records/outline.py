"""The outline of a puzzle and an example solution, from which a report draws pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle, turned
from dovetail.models.boards.partial_board import NO_TILE, PartialBoard
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OUTSIDE, corner_of, draw_to_be_read
from dovetail.plain_data import Text, Whole
from dovetail.puzzles.formats.edges import EdgeText, read_edge_text
from dovetail.puzzles.formats.layered_text import LayeredText, read_picture
from dovetail.puzzles.formats.solutions import cell_labels

# Maximum number of cells of a board, or of the bounding box of a region.
MAX_CELLS = 4_096
# Maximum number of characters of an example, including the names of all pieces.
MAX_CHARACTERS = 16 * MAX_CELLS


@dataclass(frozen=True)
class BoardOutline:
    """The size of a board, in cells."""

    width: Whole
    """Number of columns."""
    height: Whole
    """Number of rows."""


@dataclass(frozen=True)
class LatticeOutline:
    """The open cells of a packing puzzle on a lattice other than squares or cubes."""

    lattice: Text
    """Name of the lattice."""
    text: Text
    """The open cells as layered text. The lowest line is row 0, the first column is column 0, and
    the first layer is layer 0."""


Outline = str | BoardOutline | LatticeOutline


def outline(puzzle: Puzzle) -> Outline | None:
    """Return the outline of a puzzle, or None if it has no outline.

    The outline of a packing puzzle in one to three dimensions is its open cells as layered text;
    one dimension is a row. The outline of an edge-matching puzzle is the size of its board. Other
    puzzles, boards and bounding boxes of more than `MAX_CELLS` cells, regions without an open cell,
    and puzzles on lattices of plugins have no outline.
    """
    match puzzle:
        case PackingPuzzle():
            return _packing_outline(puzzle.lattice, puzzle.open_cells)
        case EdgePuzzle() if puzzle.width * puzzle.height <= MAX_CELLS:
            return BoardOutline(puzzle.width, puzzle.height)
    return None


def size(puzzle: Puzzle) -> dict[str, int]:
    """Return the size of a puzzle in the units of its kind.

    `pieces` is the maximum number of pieces; `colours` does not include the colour of the frame.
    """
    match puzzle:
        case PackingPuzzle():
            pieces = sum(piece.max_count for piece in puzzle.pieces)
            return {"pieces": pieces, "cells": len(puzzle.open_cells)}
        case EdgePuzzle():
            shown = {colour for tile in puzzle.tiles for colour in tile} - {puzzle.frame_colour}
            colours = set(map(puzzle.representative, shown))
            return {"tiles": len(puzzle.tiles), "colours": len(colours)}
        case CoverProblem():
            return {"items": puzzle.item_count, "options": puzzle.option_count}


def check_outline(outline: Outline | None) -> None:
    """Raise `PuzzleError` for a board without cells or with more than `MAX_CELLS` cells.

    For the outline of a packing puzzle, raises errors as `outlined_cells` does.
    """
    if isinstance(outline, str | LatticeOutline):
        outlined_cells(outline)
    elif outline is not None:
        width, height = outline.width, outline.height
        if width < 1 or height < 1 or width * height > MAX_CELLS:
            raise PuzzleError(f"it is {width} x {height} cells; expected 1 to {MAX_CELLS:,} cells")


@lru_cache  # all records of a puzzle have the same outline
def outlined_cells(outline: str | LatticeOutline) -> Cells:
    """Return the cells of an outline; a single layer of squares has two dimensions.

    Raises `PuzzleError` for a text that is too long, has no open cell or does not fit its lattice,
    and for an unknown lattice.
    """
    text = outline if isinstance(outline, str) else outline.text
    if len(text) > 4 * MAX_CELLS:
        size = how_many(len(text), "character")
        raise PuzzleError(f"it has {size}; expected {4 * MAX_CELLS:,} or fewer")
    picture = read_picture(text.split("\n"))
    cells = tuple(picture.shapes(blank="*").get(".", ()))
    if not cells:
        raise PuzzleError("it has no open cell; expected at least one")
    return pictured(picture, cells, outline)


def outlined_lattice(outline: str | LatticeOutline) -> Lattice:
    """Return the lattice of an outline; a text without a lattice has squares or cubes.

    Raises `PuzzleError` for an unknown lattice.
    """
    if isinstance(outline, str):
        return SquareLattice(3 if "," in outline else 2)
    if outline.lattice not in OWN:
        lattice = shorten(outline.lattice)
        raise PuzzleError(f"its lattice {lattice!r} is unknown; valid: {', '.join(OWN)}")
    return lattice_named(outline.lattice)


def cell_count(outline: Outline) -> int:
    """Return the number of cells in an outline."""
    if isinstance(outline, BoardOutline):
        return outline.width * outline.height
    return len(outlined_cells(outline))


def in_layers(lattice: Lattice, cells: Cells, labels: Mapping[Cell, str]) -> str:
    """Return `cells` as layered text; one dimension is drawn as a row.

    Each cell is drawn as its label, or as `.` if it has no label.
    """
    if lattice.dimension == 1:
        labels = {(*cell, 0): label for cell, label in labels.items()}
        lattice, cells = SquareLattice(2), tuple((*cell, 0) for cell in cells)
    return draw_to_be_read(lattice, labels, cells)


def pictured(picture: LayeredText, places: Iterable[Cell], outline: str | LatticeOutline) -> Cells:
    """Return the cells at positions of a picture; a single layer of squares has two dimensions.

    Raises `PuzzleError` for a position that is not a cell of the lattice, for several layers on a
    lattice in the plane, and for an unknown lattice.
    """
    layered = picture.size[2] > 1
    if isinstance(outline, str):
        return tuple(place if layered else place[:2] for place in places)
    lattice = outlined_lattice(outline)
    if layered and lattice.dimension == 2:
        raise PuzzleError(f"it has layers; expected a single layer of cells {lattice.phrase}")
    cells = []
    for place in places:
        cell = lattice.text_cell(place[: lattice.dimension])
        if cell is None:
            raise PuzzleError(f"{place} is not a cell {lattice.phrase}")
        cells.append(cell)
    return tuple(cells)


def _packing_outline(lattice: Lattice, cells: Cells) -> str | LatticeOutline | None:
    is_square = isinstance(lattice, SquareLattice)
    # The record may be read without the plugins that define other lattices.
    if not cells or (lattice.dimension > 3 if is_square else lattice.name not in OWN):
        return None
    places = list(cells if is_square else lattice.text_places(cells))
    if not is_square:
        places.append(corner_of(lattice, tuple(places))[0])
    if prod(max(along) - min(along) + 1 for along in zip(*places, strict=True)) > MAX_CELLS:
        return None
    text = in_layers(lattice, cells, {})
    return text if is_square else LatticeOutline(lattice.name, text)


@dataclass(frozen=True)
class Example:
    """A solution as text, from which a picture can be drawn."""

    text: Text
    """For a packing puzzle, layered text of the cells in the outline with the labels of
    `dovetail solve`: `name`, or `name/k` for copy k of a piece that may be used several times. For
    an edge-matching puzzle, edge-matching text with the tiles in their rotations, row by row from
    the top left."""
    pieces: tuple[Text, ...] = ()
    """Names of all pieces of a packing puzzle in the puzzle's order, which determines their
    colours."""

    @property
    def length(self) -> int:
        """Number of characters."""
        return len(self.text) + sum(map(len, self.pieces))


@dataclass(frozen=True, eq=False)
class FilledRegion:
    """A parsed example of a packing puzzle: open cells, solution and names of all pieces."""

    cells: Cells
    solution: PackingSolution
    pieces: tuple[str, ...]


def example_of(puzzle: Puzzle, solution: Solution | PartialBoard | None) -> Example | None:
    """Return a solution or a board of a puzzle as text, or None if there is no example.

    An empty cell of a board becomes a tile with four sides of colour 0. There is no example without
    a solution, for a puzzle without an outline, for names and boards that the text formats do not
    support, and for a text with more than `MAX_CHARACTERS` characters.
    """
    if solution is None or outline(puzzle) is None:
        return None
    try:
        example = _as_text(puzzle, solution)
    except PuzzleError:
        return None
    return example if example.length <= MAX_CHARACTERS else None


def check_example(example: Example | None, outline: Outline | None) -> None:
    """Raise `PuzzleError` for an example that cannot be parsed or does not fit the outline."""
    if example is None:
        return
    if outline is None:
        raise PuzzleError("the record has no outline; expected the outline of the puzzle")
    if not isinstance(outline, BoardOutline):
        if set(filled_region(example, outline).cells) != set(outlined_cells(outline)):
            raise PuzzleError("its cells differ from the cells of the outline")
        return
    board = filled_board(example)
    if (board.width, board.height) != (outline.width, outline.height):
        raise PuzzleError(
            f"its board is {board.width} x {board.height}; expected {outline.width} x "
            f"{outline.height}, the size of the outline"
        )


@lru_cache  # solvers often find the same first solution
def filled_region(example: Example, outline: str | LatticeOutline) -> FilledRegion:
    """Parse the example of a packing puzzle; a single layer of squares has two dimensions.

    The pieces of the solution are in the puzzle's order. Raises `PuzzleError` for a text that is
    too long, has a label of a piece that is not in `pieces`, or does not fit the outline's lattice.
    """
    _check_length(example)
    picture = read_picture(example.text.split("\n"))
    cells = [cell for cell, label in picture.labels.items() if label != OUTSIDE]
    numbers = {name: number for number, name in enumerate(example.pieces)}
    placed = []
    for label, shape in picture.shapes(blank=(OPEN, OUTSIDE)).items():
        name = label if label in numbers else label.rpartition("/")[0]
        if name not in numbers:
            raise PuzzleError(f"no piece has the label {shorten(label)!r}; expected a piece's name")
        # The length of the label comes before the label, so that `A/10` comes after `A/9`.
        placed.append((numbers[name], len(label), label, name, pictured(picture, shape, outline)))
    pieces = tuple((name, shape) for *_, name, shape in sorted(placed))
    solution = PackingSolution(pieces, outlined_lattice(outline))
    return FilledRegion(tuple(sorted(pictured(picture, cells, outline))), solution, example.pieces)


@lru_cache
def filled_board(example: Example) -> EdgePuzzle:
    """Parse the example of an edge-matching puzzle; return a puzzle with the tiles in board order.

    Board order is row by row from the top left. Raises `PuzzleError` for an invalid text.
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
        size = how_many(example.length, "character")
        raise PuzzleError(f"it has {size}; expected {MAX_CHARACTERS:,} or fewer")


def _as_text(puzzle: Puzzle, solution: Solution | PartialBoard) -> Example:
    """Return a solution as text.

    Raises `PuzzleError` for names or boards that the text formats do not support, and for a
    solution of another kind of puzzle.
    """
    match puzzle, solution:
        case PackingPuzzle(), PackingSolution():
            text = in_layers(puzzle.lattice, puzzle.open_cells, cell_labels(puzzle, solution))
            return Example(text, tuple(piece.name for piece in puzzle.pieces))
        case EdgePuzzle(), EdgeSolution() | PartialBoard():
            rows = reversed([*enumerate(solution.cells)])
            laid = [
                cell for y, row in rows for x, cell in enumerate(row) if (x, y) in puzzle.geometry
            ]
            tiles = tuple(
                NO_TILE if cell is None else turned(puzzle.tiles[cell[0]], cell[1]) for cell in laid
            )
            board = replace(puzzle, tiles=tiles, hints=(), counts=(), fixed=False, flippable=False)
            return Example(EdgeText().write_puzzle(board).rstrip())
    raise PuzzleError("the solution is for another kind of puzzle")
