"""The pieces of a puzzle side by side in the viewer, on every lattice of solids."""

from __future__ import annotations

import json
from itertools import combinations
from operator import itemgetter

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.reports.viewer.pieces import pieces_page
from reports.viewer.test_viewer import texts

Points = NDArray[np.float64]
SOLID = (
    "soma-cube",
    "triangular-prisms-hexagon-3",
    "hexagonal-prisms-flower-3",
    "spheres-pyramid-20",
    "rhombic-cube-24",
    "tetra-octa-slab-20",
)


def at_origin(points: Points) -> list[list[float]]:
    """Points in an order, moved such that their least coordinates are 0."""
    return sorted((points - points.min(axis=0)).round(3).tolist())


@pytest.mark.parametrize("name", SOLID)
def test_each_piece_stands_apart_as_it_is(name: str) -> None:
    """Translated only; no overlap seen from above, near the floor, in the colour of its number."""
    puzzle = catalogue_puzzle(name)
    assert isinstance(puzzle, PackingPuzzle)
    data = json.loads(texts(pieces_page(puzzle), "script")[0])
    rows = sorted(data["solutions"][0], key=itemgetter(2))
    boxes = []
    for piece, (shown_name, _, _, numbers) in zip(puzzle.pieces, rows, strict=True):
        placed = [data["cells"][number] for number in numbers]
        shown = np.vstack([np.array(data["solids"][n][0]) + by for n, *by in placed])
        corners = [corner for cell in piece.cells for corner in puzzle.lattice.solid(cell).corners]
        assert (shown_name, at_origin(shown)) == (piece.name, at_origin(np.array(corners)))
        boxes.append((shown.min(axis=0), shown.max(axis=0)))
    assert max(low[2] for low, _ in boxes) < 1
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        assert np.maximum(low - other_high, other_low - high)[:2].max() > -1e-4


def test_the_first_of_many_pieces_are_shown() -> None:
    """A line says so; flat pieces have no such page."""
    cells = tuple((x, 0, 0) for x in range(61))
    pieces = tuple(Piece(f"p{x}", ((0, 0, 0),)) for x in range(61))
    page = pieces_page(PackingPuzzle("row", SquareLattice(3), cells, pieces))
    assert "The first 60 of 61 pieces." in texts(page, "p")
    assert len(json.loads(texts(page, "script")[0])["solutions"][0]) == 60
    with pytest.raises(PuzzleError, match="expected pieces of solid cells"):
        pieces_page(PackingPuzzle("row", SquareLattice(2), ((0, 0),), (Piece("P", ((0, 0),)),)))
