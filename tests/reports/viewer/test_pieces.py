"""The pieces of a puzzle side by side in the viewer, on every lattice of solids."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
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


@pytest.mark.parametrize("name", SOLID)
def test_each_piece_stands_apart_as_it_is(name: str) -> None:
    """Translated only: no overlap seen from above, all near the floor, each once."""
    puzzle = catalogue_puzzle(name)
    assert isinstance(puzzle, PackingPuzzle)
    data = json.loads(texts(pieces_page(puzzle), "script")[0])
    (rows,) = data["solutions"]
    shapes = {piece.name: piece.cells for piece in puzzle.pieces}
    boxes = []
    for piece, *_, numbers in rows:
        shape, cells = shapes[piece], [data["cells"][number] for number in numbers]
        first = np.array([puzzle.lattice.solid(cell).corners[0] for cell in sorted(shape)])
        shown = np.array([by for _, *by in cells])
        assert_same_up_to_translation(first, shown)
        corners = [np.array(data["solids"][solid][0], dtype=float) + by for solid, *by in cells]
        boxes.append((np.vstack(corners).min(axis=0), np.vstack(corners).max(axis=0)))
    assert len(rows) == len(puzzle.pieces)
    assert max(low[2] for low, _ in boxes) < 1
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        apart = np.maximum(low - other_high, other_low - high)[:2]
        assert apart.max() > -1e-4


def assert_same_up_to_translation(expected: Points, shown: Points) -> None:
    """Compare points as sets, after their least ones in an order are moved to the origin."""

    def at_origin(points: Points) -> Points:
        ordered: Points = points[np.lexsort(points.round(3).T)]
        moved: Points = ordered - ordered[0]
        return moved

    np.testing.assert_allclose(at_origin(expected), at_origin(shown), atol=1e-4)


def test_the_first_of_many_pieces_are_shown() -> None:
    """A line says so; flat pieces have no such page."""
    cells = tuple((x, 0, 0) for x in range(61))
    pieces = tuple(Piece(f"p{x}", ((0, 0, 0),)) for x in range(61))
    page = pieces_page(PackingPuzzle("row", SquareLattice(3), cells, pieces))
    assert "The first 60 of 61 pieces." in texts(page, "p")
    assert len(json.loads(texts(page, "script")[0])["solutions"][0]) == 60
    with pytest.raises(PuzzleError, match="expected pieces of solid cells"):
        pieces_page(PackingPuzzle("row", SquareLattice(2), ((0, 0),), (Piece("P", ((0, 0),)),)))
