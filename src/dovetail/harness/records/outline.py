"""What a record keeps to draw its puzzle and one solution without the puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import prod
from pathlib import Path

from dovetail.errors import FormatError, PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import BORDER, EdgePuzzle, turned
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import OPEN, OUTSIDE, corner_of, draw_layers
from dovetail.plain_data import Text, Whole
from dovetail.puzzles.formats.edge_text import read_edge_text, write_edge_text
from dovetail.puzzles.formats.layered_text import Picture, read_picture
from dovetail.puzzles.formats.solutions.text import cell_labels

MAX_CELLS = 4_096  # of the box around a region, or of a board


@dataclass(frozen=True)
class BoardOutline:
    """The size of a board, in cells."""

    width: Whole
    height: Whole


@dataclass(frozen=True)
class LatticeOutline:
    """The open cells of a packing on another lattice than squares."""

    lattice: Text
    """Name of the lattice."""
    text: Text
    """Layered text of the open cells at their places in text; the lowest line is row 0, the first
    column is column 0, and the first layer is layer 0."""


Outline = str | BoardOutline | LatticeOutline


def outline(puzzle: Puzzle) -> Outline | None:
    """The cells that a puzzle is about, None where there is no picture of them or a large one.

    Of a packing in one to three dimensions the open cells as layered text, one dimension drawn as a
    row; of an edge-matching puzzle the width and height of its board.
    """
    match puzzle:
        case PackingPuzzle(lattice=SquareLattice()):
            return _layers(puzzle.open_cells)
        case PackingPuzzle():
            return _on_lattice(puzzle.lattice, puzzle.open_cells)
        case EdgePuzzle() if puzzle.width * puzzle.height <= MAX_CELLS:
            return BoardOutline(puzzle.width, puzzle.height)
    return None


def size(puzzle: Puzzle) -> dict[str, int]:
    """How large a puzzle is, by what its kind is made of.

    `pieces` are the most that are used; of the `colours` that of the frame is none.
    """
    match puzzle:
        case PackingPuzzle():
            pieces = sum(piece.max_count for piece in puzzle.pieces)
            return {"pieces": pieces, "cells": len(puzzle.open_cells)}
        case EdgePuzzle():
            colours = {abs(colour) for tile in puzzle.tiles for colour in tile}
            return {"tiles": len(puzzle.tiles), "colours": len(colours - {BORDER})}
        case CoverProblem():
            return {"items": puzzle.item_count, "options": puzzle.option_count}


def check_outline(outline: Outline | None) -> None:
    """Raises `PuzzleError` for what is no picture of at least one cell, or a large one."""
    if isinstance(outline, str | LatticeOutline):
        outlined_cells(outline)
    elif outline is not None:
        width, height = outline.width, outline.height
        if width < 1 or height < 1 or width * height > MAX_CELLS:
            raise PuzzleError(f"an outline of a board of {width} x {height}")


@lru_cache  # the records of one puzzle all have its outline
def outlined_cells(outline: str | LatticeOutline) -> Cells:
    """The cells of an outline in layers: squares in two dimensions where it has a single layer.

    Raises `PuzzleError` where it is no picture of at least one cell, or a large one, and for a
    lattice that is not known.
    """
    text = outline if isinstance(outline, str) else outline.text
    if len(text) > 4 * MAX_CELLS:
        raise PuzzleError(f"an outline of {len(text):,} characters")
    picture = read_picture(text.split("\n"))
    cells = tuple(picture.shapes(blank="*").get(".", ()))
    if not cells:
        raise PuzzleError("an outline without an open cell")
    return pictured(picture, cells, outline)


def outlined_lattice(outline: str | LatticeOutline) -> Lattice:
    """The lattice of an outline; squares, or cubes where it has several layers.

    Raises `PuzzleError` for one that is not known.
    """
    if isinstance(outline, str):
        return SquareLattice(3 if "," in outline else 2)
    if outline.lattice not in OWN:
        raise PuzzleError(f"an outline on an unknown lattice {shorten(outline.lattice)!r}")
    return lattice_named(outline.lattice)


def cell_count(outline: Outline) -> int:
    """Number of cells in an outline."""
    if isinstance(outline, BoardOutline):
        return outline.width * outline.height
    return len(outlined_cells(outline))


def in_layers(lattice: Lattice, cells: Cells, labels: Mapping[Cell, str]) -> str:
    """Layered text of `cells` as an outline has it, one dimension drawn as a row.

    Each has its label, or `.` where it has none.
    """
    place, corner = _places(lattice, cells)
    labelled = {place[cell]: labels[cell] for cell in cells if cell in labels}
    return draw_layers(labelled, tuple(place.values()), corner)


def pictured(picture: Picture, places: Iterable[Cell], outline: str | LatticeOutline) -> Cells:
    """The cells at some places of a picture; squares in two dimensions where it has one layer.

    Raises `PuzzleError` for a place without a cell, and for a lattice that is not known.
    """
    layered = picture.size[2] > 1
    if isinstance(outline, str):
        return tuple(place if layered else place[:2] for place in places)
    lattice = outlined_lattice(outline)
    if layered and lattice.dimension == 2:
        raise PuzzleError(f"an outline in layers of cells {lattice.phrase}")
    found = [(place, lattice.text_cell(place[: lattice.dimension])) for place in places]
    for place, cell in found:
        if cell is None:
            raise PuzzleError(f"an outline with {place}, which is not a cell {lattice.phrase}")
    return tuple(cell for _, cell in found if cell is not None)


def _layers(cells: Cells) -> str | None:
    """The picture of `cells`, None where their box is large or has more than three dimensions."""
    extents = [max(along) - min(along) + 1 for along in zip(*cells, strict=True)]
    if not 1 <= len(extents) <= 3 or prod(extents) > MAX_CELLS:
        return None
    return in_layers(SquareLattice(len(extents)), cells, {})


def _on_lattice(lattice: Lattice, cells: Cells) -> LatticeOutline | None:
    """None where the box around the picture is large.

    None also for the lattices that plugins add: who reads the record may not have them.
    """
    if lattice.name not in OWN:
        return None
    places, corner = _places(lattice, cells)
    ends = zip(*places.values(), *([corner] if corner else []), strict=True)
    if prod(max(along) - min(along) + 1 for along in ends) > MAX_CELLS:
        return None
    return LatticeOutline(lattice.name, in_layers(lattice, cells, {}))


def _places(lattice: Lattice, cells: Cells) -> tuple[dict[Cell, Cell], Cell | None]:
    """Where cells are in a picture, and where it begins if that is not at the first of them.

    On other lattices than squares it begins where a translation carries place 0: so it is read on
    the same classes of cells.
    """
    if isinstance(lattice, SquareLattice):
        return {cell: cell if len(cell) > 1 else (*cell, 0) for cell in cells}, None
    places = dict(zip(cells, lattice.text_places(cells), strict=True))
    return places, corner_of(lattice, tuple(places.values()))[0]


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
