"""What a record keeps of its puzzle, so that a report can show it without the puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from dovetail.errors import PuzzleError, shorten
from dovetail.harness.plain_data import Text, Whole
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import BORDER, EdgePuzzle
from dovetail.models.lattices.protocol import Cell, Cells, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import corner_of, draw_layers
from dovetail.puzzles.formats.layered_text import Picture, read_picture

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
