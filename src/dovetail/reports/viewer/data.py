"""What a viewer page shows, as the values that its script reads.

Cells are numbered as in the region; the viewer's have no negative coordinates and always
three of them. A piece is [name, mark, colour, numbers of its cells]; the mark is written in the
cells of a layer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.lattices.square import require_squares
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.reports.elements import shown
from dovetail.reports.pictures.packing import piece_colours

LONGEST_MARK = 3
FIXED = "fixed"

Row = tuple[str, str, int | str, list[int]]


def viewer_data(puzzle: PackingPuzzle, solutions: Sequence[PackingSolution]) -> dict[str, object]:
    """The data of a page, plain JSON values.

    Where there is no solution, the viewer gets one without pieces: the empty region.

    Raises `PuzzleError` for other cells than squares and cubes.
    """
    require_squares(puzzle.lattice, "the viewer")
    dimension = puzzle.lattice.dimension
    if dimension not in (2, 3):
        raise PuzzleError(
            f"{puzzle.name} has {dimension} dimensions; the viewer shows packings of 2 or 3"
        )
    numbers = {cell: number for number, cell in enumerate(puzzle.region)}
    cells = _at_origin(puzzle.region)
    return {
        "size": [max(along) + 1 for along in zip(*cells, strict=True)],
        "cells": cells,
        "fixed": list(_fixed(puzzle, numbers)),
        "solutions": [list(_placed(puzzle, one, numbers)) for one in solutions] or [[]],
    }


def _at_origin(region: Cells) -> list[Cell]:
    """The cells with least coordinates 0, flat ones in the layer z = 0."""
    corner = tuple(map(min, zip(*region, strict=True)))
    moved = (tuple(c - low for c, low in zip(cell, corner, strict=True)) for cell in region)
    return [(*cell, 0)[:3] for cell in moved]


def _fixed(puzzle: PackingPuzzle, numbers: dict[Cell, int]) -> Iterator[Row]:
    for number, piece in enumerate(puzzle.fixed, start=1):
        name = shown(piece.name)
        yield name, _mark(name, f"f{number}"), FIXED, [numbers[cell] for cell in piece.cells]


def _placed(
    puzzle: PackingPuzzle, solution: PackingSolution, numbers: dict[Cell, int]
) -> Iterator[Row]:
    """The pieces in the order of the solution; copies of one piece are numbered."""
    several = {piece.name for piece in puzzle.pieces if piece.max_count > 1}
    used: Counter[str] = Counter()
    placed = zip(solution.placed, piece_colours(puzzle, solution), strict=True)
    for number, ((piece, cells), colour) in enumerate(placed, start=1):
        used[piece] += 1
        name = shown(f"{piece}/{used[piece]}" if piece in several else piece)
        yield name, _mark(name, str(number)), colour, [numbers[cell] for cell in cells]


def _mark(name: str, otherwise: str) -> str:
    """The name where it fits into a cell."""
    return name if len(name) <= LONGEST_MARK else otherwise
