"""The data embedded in a viewer page."""

from __future__ import annotations

import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.viewer.data import viewer_data
from reports.viewer.shapes import (
    cube_solutions,
    flat_with_everything,
    small_cube,
)


def test_pieces_in_the_order_of_the_solution() -> None:
    """Their cells by number in the region."""
    assert viewer_data(small_cube(), cube_solutions()) == {
        "size": [2, 2, 2],
        "cells": [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)],
        "fixed": [],
        "solutions": [
            [("L", "L", 0, [0, 4, 2]), ("R", "R", 1, [6, 1, 5, 3, 7])],
            [("L", "L", 0, [1, 5, 3]), ("R", "R", 1, [7, 0, 4, 2, 6])],
        ],
    }


def test_flat_region_away_from_the_origin() -> None:
    """Moved there, as one layer; copies numbered, long names standing for numbers in cells."""
    solution = PackingSolution((("D", ((2, 3), (3, 3))), ("D", ((4, 3), (5, 3)))))
    assert viewer_data(flat_with_everything(), [solution]) == {
        "size": [7, 1, 1],
        "cells": [(x, 0, 0) for x in (0, 1, 2, 3, 5, 6)],
        "fixed": [("corner", "f1", "fixed", [4])],
        "solutions": [[("D/1", "D/1", 0, [0, 1]), ("D/2", "D/2", 1, [2, 3])]],
    }


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
