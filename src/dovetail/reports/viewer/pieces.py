"""The pieces of a solid puzzle, side by side in the 3-D viewer."""

from __future__ import annotations

from itertools import islice
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.describe.result import SolutionNoun
from dovetail.reports.elements import element
from dovetail.reports.printing.solids import shelves
from dovetail.reports.viewer.data import viewer_data
from dovetail.reports.viewer.viewer import packing_page

MAX_PIECES = 60  # more pieces would be too small to tell apart
NOUN = SolutionNoun("pieces", "pieces")
AREA = 1.5  # ratio of the area of the floor to the area below the pieces
BALL = 1.0  # diameter of a ball
NEAR = 1_500  # number of cells around the first cell in which translations are searched
DIGITS = 6  # decimals of lengths that are compared


def has_pieces_page(puzzle: PackingPuzzle) -> bool:
    """Return True for a puzzle with pieces on a lattice in three dimensions."""
    return puzzle.lattice.dimension == 3 and bool(puzzle.pieces)


def pieces_page(puzzle: PackingPuzzle) -> str:
    """Return a page without a heading: a viewer with each piece once, in rows on a floor.

    At most the first `MAX_PIECES` pieces are shown. Raises `PuzzleError` unless the puzzle
    `has_pieces_page`.
    """
    if not has_pieces_page(puzzle):
        raise PuzzleError(f"{puzzle.name} has no solid pieces; expected pieces of solid cells")
    lattice, shown = puzzle.lattice, puzzle.pieces[:MAX_PIECES]
    if isinstance(lattice, WrappedLattice):
        lattice = lattice.base
    names = [piece.name for piece in shown]
    moved = _side_by_side(lattice, [piece.cells for piece in shown])
    region: Cells = tuple(cell for cells in moved for cell in cells)
    laid = PackingPuzzle(puzzle.name, lattice, region, tuple(map(Piece, names, moved)))
    data = viewer_data(laid, [PackingSolution(tuple(zip(names, moved, strict=True)))])
    note = f"The first {len(shown)} of {len(puzzle.pieces):,} pieces."
    head = (element("p", note),) if len(shown) < len(puzzle.pieces) else ()
    return packing_page(puzzle.name, head, NOUN, data, has_several=False)


def _side_by_side(lattice: Lattice, pieces: list[Cells]) -> list[Cells]:
    """Return the pieces in rows, each moved by the lattice translation nearest to its place."""
    vectors, steps = _translations(lattice)
    between = float(np.abs(steps).sum(axis=0)[:2].max())  # twice the largest shift by rounding
    lows, sizes = list[NDArray[np.float64]](), list[tuple[float, float]]()
    for cells in pieces:
        solids = [lattice.solid(cell) for cell in cells]
        corners = np.array([corner for solid in solids for corner in solid.corners])
        lows.append(corners.min(axis=0))
        x, y, _ = np.ptp(corners, axis=0) + (0.0 if solids[0].faces else BALL)
        sizes.append((float(x), float(y)))
    area = AREA * sum((x + between) * (y + between) for x, y in sizes)
    across = max(sqrt(area), *(x for x, _ in sizes))
    moved = list[Cells]()
    for cells, low, (_, x, y) in zip(
        pieces, lows, shelves(sizes, across, inf, between), strict=True
    ):
        times = np.rint(np.linalg.solve(steps.T, np.array((x, y, 0.0)) - low)).astype(np.int64)
        there = np.array(cells, dtype=np.int64) + times @ vectors
        moved.append(tuple(map(tuple, there.tolist())))
    return moved


def _translations(lattice: Lattice) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return three independent translations, shape (3, axes), with vectors in space, shape (3, 3).

    As many translations as possible are horizontal, and all are as short as possible.
    """
    home = lattice.fundamental_cells[0]
    reached = {home: None}
    queue = [home]
    for cell in islice(queue, NEAR):  # `queue` grows during the loop
        new = [other for other in lattice.neighbours(cell) if other not in reached]
        reached |= dict.fromkeys(new)
        queue += new
    vectors = lattice.translations(home, np.array(queue, dtype=np.int64))
    first = np.array([home], dtype=np.int64)
    steps = lattice.positions(first + vectors) - lattice.positions(first)
    lengths = np.linalg.norm(steps, axis=1).round(DIGITS)
    found = list[int]()
    for number in np.lexsort((lengths, np.abs(steps[:, 2]).round(DIGITS) > 0)).tolist():
        if np.linalg.matrix_rank(steps[[*found, number]], tol=1e-3) > len(found):
            found.append(number)
        if len(found) == 3:
            break
    return vectors[found], steps[found]
