"""The pieces of a puzzle of cubes, side by side in the 3-D viewer."""

from __future__ import annotations

from math import inf, sqrt

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.result import SolutionNoun
from dovetail.reports.printing.solids import shelves
from dovetail.reports.viewer.data import viewer_data
from dovetail.reports.viewer.viewer import packing_page

MAX_PIECES = 60
CUBES = SquareLattice(3)
NOUN = SolutionNoun("pieces", "pieces")
AREA = 1.5  # of the floor, in areas below the pieces


def has_pieces_page(puzzle: PackingPuzzle) -> bool:
    """Return True for a puzzle of 1 to `MAX_PIECES` pieces of cubes."""
    return puzzle.lattice == CUBES and 1 <= len(puzzle.pieces) <= MAX_PIECES


def pieces_page(puzzle: PackingPuzzle) -> str:
    """Return a page without a title with a viewer for each piece once, in rows on a floor.

    Raises `PuzzleError` unless `has_pieces_page`.
    """
    if not has_pieces_page(puzzle):
        raise PuzzleError(f"{puzzle.name}: expected 1 to {MAX_PIECES} pieces of cubes")
    standing = [CUBES.normalise(piece.cells) for piece in puzzle.pieces]
    sizes = [
        (1.0 + max(x for x, *_ in cells), 1.0 + max(y for _, y, _ in cells)) for cells in standing
    ]
    area = AREA * sum((x + 1) * (y + 1) for x, y in sizes)
    corners = shelves(sizes, max(sqrt(area), *(x for x, _ in sizes)), inf, 1)
    moved = [
        tuple((x + int(right), y + int(back), z) for x, y, z in cells)
        for cells, (_, right, back) in zip(standing, corners, strict=True)
    ]
    region: Cells = tuple(cell for cells in moved for cell in cells)
    names = [piece.name for piece in puzzle.pieces]
    pieces = tuple(map(Piece, names, moved))
    laid = PackingPuzzle(puzzle.name, CUBES, region, pieces)
    data = viewer_data(laid, [PackingSolution(tuple(zip(names, moved, strict=True)))])
    return packing_page(puzzle.name, (), NOUN, data, has_several=False)
