"""The data embedded in a viewer page."""

from __future__ import annotations

import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.viewer.data import viewer_data
from reports.viewer.shapes import (
    cube_solutions,
    flat_with_everything,
    small_cube,
)


def test_pieces_in_the_order_of_building() -> None:
    """Their cells by number in the region."""
    corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, -1), (0, -1))]
    sides = [(n, n + 4, (n + 1) % 4 + 4, (n + 1) % 4) for n in range(4)]
    cells = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    assert viewer_data(small_cube(), cube_solutions()) == {
        "name": "small cube",
        "noun": "solution",
        "size": [2, 2, 2],
        "flat": False,
        "solids": [[tuple(corners), ((0, 1, 2, 3), (7, 6, 5, 4), *sides)]],
        "cells": [[0, x, y + 1, z] for x, y, z in cells],
        "places": cells,
        "fixed": [],
        "solutions": [
            [("L", "L", 0, [0, 4, 2]), ("R", "R", 1, [6, 1, 5, 3, 7])],
            [("R", "R", 1, [7, 0, 4, 2, 6]), ("L", "L", 0, [1, 5, 3])],
        ],
    }


def test_flat_region_away_from_the_origin() -> None:
    """Moved there, as one layer; copies numbered, long names standing for numbers in cells."""
    solution = PackingSolution((("D", ((2, 3), (3, 3))), ("D", ((4, 3), (5, 3)))))
    data = viewer_data(flat_with_everything(), [solution])
    assert (data["size"], data["flat"]) == ([7, 1, 1], True)
    assert data["places"] == [(x, 0, 0) for x in (0, 1, 2, 3, 5, 6)]
    assert data["cells"] == [[0, x, 1, 0] for x in (0, 1, 2, 3, 5, 6)]
    assert data["fixed"] == [("corner", "f1", "fixed", [4])]
    assert data["solutions"] == [[("D/1", "D/1", 0, [0, 1]), ("D/2", "D/2", 1, [2, 3])]]


def test_cells_of_several_shapes() -> None:
    """Each shape once, moved to where its cells lie; places as in text."""
    cells = ((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    pieces = (Piece("A", cells),)
    data = viewer_data(PackingPuzzle("p", lattice_named("triangular-prisms"), cells, pieces), [])
    solids, moved = data["solids"], data["cells"]
    assert isinstance(solids, list)
    assert isinstance(moved, list)
    assert [[len(face) for face in faces] for _, faces in solids] == [[3, 4, 4, 4, 3]] * 2
    # in the order of the region, which is sorted
    assert moved == [[0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0]]
    assert data["places"] == [(0, 0, 0), (0, 0, 1), (1, 0, 0)]
    ball = PackingPuzzle("p", lattice_named("spheres"), ((1, 1, 0),), (Piece("A", ((1, 1, 0),)),))
    assert viewer_data(ball, [])["solids"] == [[((0, 0, 0),), ()]]


def test_no_solution_is_an_empty_region() -> None:
    """One solution without pieces."""
    assert viewer_data(small_cube(), [])["solutions"] == [[]]


@pytest.mark.parametrize("dimension", [1, 4])
def test_other_dimensions(dimension: int) -> None:
    """Refused by name."""
    cell = (0,) * dimension
    puzzle = PackingPuzzle("p", SquareLattice(dimension), (cell,), (Piece("A", (cell,)),))
    expected = f"p has {dimension} dimensions; the viewer shows packings of 2 or 3"
    with pytest.raises(PuzzleError, match=expected):
        viewer_data(puzzle, [])
