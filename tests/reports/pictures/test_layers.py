"""Cells of one to four dimensions as polygons on paper: squares."""

from __future__ import annotations

from itertools import product

import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells, Point
from dovetail.models.lattices.square import SquareLattice
from dovetail.reports.pictures.layers import COLUMNS, Layers, layers
from dovetail.reports.pictures.outline import square


def laid_out(cells: Cells) -> Layers:
    """Cells of a square lattice on paper."""
    return layers(SquareLattice(len(cells[0])), cells)


def squares(laid: Layers) -> dict[Cell, Point]:
    """The upper left corner of each cell, which is a square."""
    corners = {cell: polygon[0] for cell, polygon in laid.polygons.items()}
    assert all(laid.polygons[cell] == square(int(x), int(y)) for cell, (x, y) in corners.items())
    return corners


def test_a_line() -> None:
    """One row, without a title."""
    laid = laid_out(((3,), (4,), (7,)))
    assert squares(laid) == {(3,): (0, 0), (4,): (1, 0), (7,): (4, 0)}
    assert (laid.titles, laid.width, laid.height) == ((), 5, 1)


def test_y_points_upward() -> None:
    """The largest y is the first row."""
    assert squares(laid_out(((5, 1), (5, 2)))) == {(5, 1): (0, 1), (5, 2): (0, 0)}


def test_layers_stand_side_by_side() -> None:
    """Each below its title, with a gap between; a layer alone has no title."""
    laid = laid_out(tuple(product(range(3), range(2), (0, 2))))
    assert laid.titles == (("z = 0", (0, 0)), ("z = 2", (4, 0)))
    assert (squares(laid)[0, 1, 0], squares(laid)[2, 0, 2]) == ((0, 1), (6, 2))
    assert (laid.width, laid.height) == (7, 3)
    assert laid_out(((0, 0, 4), (1, 0, 4))).titles == ()


def test_titles_fit() -> None:
    """Layers that are narrower than their titles are as far apart as these need."""
    laid = laid_out(((0, 0, 0), (0, 0, 1)))
    assert squares(laid) == {(0, 0, 0): (0, 1), (0, 0, 1): (3, 1)}
    assert laid.width == 5


def test_many_layers_go_on_below() -> None:
    """No row is wider than it may be."""
    laid = laid_out(tuple(product(range(4), range(4), range(30))))
    assert laid.width <= COLUMNS
    assert len({y for _, (_, y) in laid.titles}) == 5
    assert len(set(squares(laid).values())) == len(laid.polygons) == 480


def test_four_dimensions() -> None:
    """A row for each w."""
    laid = laid_out(tuple(product(range(8), (0,), range(2), range(2))))
    assert [title for title, _ in laid.titles] == [
        "z = 0, w = 0",
        "z = 1, w = 0",
        "z = 0, w = 1",
        "z = 1, w = 1",
    ]
    assert [corner for _, corner in laid.titles] == [(0, 0), (9, 0), (0, 3), (9, 3)]


def test_five_dimensions_are_refused() -> None:
    """With what shows them."""
    with pytest.raises(PuzzleError, match=r"up to 4 dimensions, not 5; use JSON"):
        laid_out(((0, 0, 0, 0, 0),))
