"""What a record keeps of its puzzle, so that a report can show it without the puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from dovetail.errors import PuzzleError
from dovetail.harness.plain_data import Whole
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import BORDER, EdgePuzzle
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle
from dovetail.models.task import Puzzle
from dovetail.models.text_drawing import draw_layers
from dovetail.puzzles.formats.layered_text import Picture, read_picture

MAX_CELLS = 4_096  # of the box around a region, or of a board


@dataclass(frozen=True)
class BoardOutline:
    """The size of a board, in cells."""

    width: Whole
    height: Whole


def outline(puzzle: Puzzle) -> str | BoardOutline | None:
    """The cells that a puzzle is about, None where there is no picture of them or a large one.

    Of a packing of squares in one to three dimensions the open cells as layered text, one dimension
    drawn as a row; of an edge-matching puzzle the width and height of its board.
    """
    match puzzle:
        case PackingPuzzle(lattice=SquareLattice()):
            return _layers(puzzle.open_cells)
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


def check_outline(outline: str | BoardOutline | None) -> None:
    """Raises `PuzzleError` for what is no picture of at least one cell, or a large one."""
    if isinstance(outline, str):
        outlined_cells(outline)
    elif outline is not None:
        width, height = outline.width, outline.height
        if width < 1 or height < 1 or width * height > MAX_CELLS:
            raise PuzzleError(f"an outline of a board of {width} x {height}")


@lru_cache  # the records of one puzzle all have its outline
def outlined_cells(text: str) -> Cells:
    """The cells of an outline in layers: in two dimensions where it has a single layer.

    Raises `PuzzleError` where it is no picture of at least one cell, or a large one.
    """
    if len(text) > 4 * MAX_CELLS:
        raise PuzzleError(f"an outline of {len(text):,} characters")
    picture = read_picture(text.split("\n"))
    cells = tuple(picture.shapes(blank="*").get(".", ()))
    if not cells:
        raise PuzzleError("an outline without an open cell")
    return flattened(picture, cells)


def cell_count(outline: str | BoardOutline) -> int:
    """Number of cells in an outline."""
    if isinstance(outline, str):
        return len(outlined_cells(outline))
    return outline.width * outline.height


def in_layers(cells: Cells, labels: Mapping[Cell, str]) -> str:
    """Layered text of `cells` in one to three dimensions, one dimension drawn as a row.

    Each has its label, or `.` where it has none.
    """
    labelled = {_drawable(cell): labels[cell] for cell in cells if cell in labels}
    return draw_layers(labelled, tuple(map(_drawable, cells)))


def flattened(picture: Picture, cells: Iterable[Cell]) -> Cells:
    """Some cells of a picture, in two dimensions where it has a single layer."""
    return tuple(cell if picture.size[2] > 1 else cell[:2] for cell in cells)


def _layers(cells: Cells) -> str | None:
    """The picture of `cells`, None where their box is large or has more than three dimensions."""
    extents = [max(along) - min(along) + 1 for along in zip(*cells, strict=True)]
    if not 1 <= len(extents) <= 3 or prod(extents) > MAX_CELLS:
        return None
    return in_layers(cells, {})


def _drawable(cell: Cell) -> Cell:
    """A cell of a line is one of a plane."""
    return cell if len(cell) > 1 else (*cell, 0)
