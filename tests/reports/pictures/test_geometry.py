"""Layers on paper, paths around polygons, and places for names."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise, product

import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cell, Cells, Point
from dovetail.models.lattices.square import SquareLattice
from dovetail.reports.pictures.geometry import (
    COLUMNS,
    LARGEST,
    Layers,
    Polygon,
    TextPlace,
    inner_lines,
    layers,
    outline,
    place_in,
    square,
)


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


def cells_at(places: Iterable[tuple[int, int]]) -> list[Polygon]:
    """Squares by their columns and rows."""
    return [square(column, row) for column, row in places]


def test_one_square() -> None:
    """Clockwise from its upper left corner, an axis at a time."""
    assert outline([square(1, 2)]) == "M40 80H80V120H40Z"


def test_corners_only() -> None:
    """Sides in a row are one line: an L has six corners."""
    assert outline(cells_at([(0, 0), (0, 1), (1, 1)])) == "M0 0H40V40H80V80H0Z"


def test_a_hole_is_another_loop() -> None:
    """Around it the other way, so that it is not filled."""
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert outline(cells_at(ring)) == "M0 0H120V120H0ZM40 40V80H80V40Z"


def test_squares_that_touch_in_a_corner() -> None:
    """Each has a loop of its own, on either diagonal."""
    assert outline(cells_at([(0, 0), (1, 1)])) == "M0 0H40V40H0ZM40 40H80V80H40Z"
    assert outline(cells_at([(0, 1), (1, 0)])) == "M0 40H40V80H0ZM40 40V0H80V40Z"


def test_sides_that_slant() -> None:
    """Two triangles with a side in common make a rhombus; the side is the only line within."""
    upward: Polygon = ((0.5, 0), (1, 1), (0, 1))
    downward: Polygon = ((0.5, 0), (1.5, 0), (1, 1))
    assert outline([downward, upward]) == "M40 40H0L20 0H60Z"
    assert inner_lines([upward, downward]) == "M20 0l20 40"


def test_slanting_sides_in_a_row() -> None:
    """Nine triangles make one of three corners, with six lines through it."""
    upward: list[Polygon] = [
        ((x + y / 2 + 0.5, 2 - y), (x + y / 2 + 1, 3 - y), (x + y / 2, 3 - y))
        for x in range(3)
        for y in range(3 - x)
    ]
    downward: list[Polygon] = [
        ((x + y / 2 + 0.5, 2 - y), (x + y / 2 + 1.5, 2 - y), (x + y / 2 + 1, 3 - y))
        for x in range(2)
        for y in range(2 - x)
    ]
    assert outline([*upward, *downward]) == "M0 120L60 0L120 120Z"
    lines = "M40 40h40M20 80h80", "M40 40l40 80M20 80l20 40", "M80 40l-40 80M100 80l-20 40"
    assert inner_lines([*upward, *downward]) == "".join(lines)


def test_inner_lines_are_as_long_as_can_be() -> None:
    """One across and two down in 3 x 2; none where a square is missing."""
    assert (
        inner_lines(cells_at((x, y) for x in range(3) for y in range(2)))
        == "M0 40h120M40 0v80M80 0v80"
    )
    assert inner_lines(cells_at([(0, 0), (2, 0), (0, 1), (2, 1)])) == "M0 40h40M80 40h40"
    assert inner_lines([square(0, 0)]) == ""


def test_nothing() -> None:
    """No polygon, no path."""
    assert (outline([]), inner_lines([])) == ("", "")


def test_a_letter_stands_in_the_middle() -> None:
    """Of a plus in its centre; it is as large as letters are."""
    plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]
    place = place_in([square(x, y) for x, y in plus], "X")
    assert place == TextPlace(60, 60 + 0.35 * LARGEST, LARGEST)


def test_a_name_takes_the_longest_row() -> None:
    """And not one that it would be smaller in."""
    ell = [(0, 0), (0, 1), (1, 1), (2, 1)]
    place = place_in([square(x, y) for x, y in ell], "tromino")
    assert place is not None
    assert (place.x, place.y > 60) == (60, True)


def test_what_does_not_fit_is_left_out() -> None:
    """A long name in a square, or no name."""
    assert place_in([square(0, 0)], "a very long name") is None
    assert place_in([square(0, 0)], "") is None
    assert place_in([], "A") is None


def test_cells_of_any_form() -> None:
    """A name has room in the middle of a triangle; hexagons side by side make a row."""
    high = 3**0.5 / 2
    corners = ((0.5, 0), (1, high), (0, high))
    letter, pair = place_in([corners], "A"), place_in([corners], "AB")
    assert letter is not None
    assert pair is not None
    assert letter.x == pair.x == pytest.approx(20)
    assert letter.y == pytest.approx(40 * high / 1.5 + 0.35 * letter.size)
    assert LARGEST > letter.size > pair.size
    for place, letters in ((letter, 1), (pair, 2)):  # the upper corners of the letters are inside
        half, top = 0.33 * letters * place.size, place.y - 0.7 * place.size
        assert abs(half) < top / (40 * high) * 20
    around = ((0, -1), (high, -0.5), (high, 0.5), (0, 1), (-high, 0.5), (-high, -0.5))
    row = [tuple((x + 2 * high * n, y) for x, y in around) for n in range(2)]
    name = place_in(row, "hexagons")
    assert name is not None
    assert (name.x, name.size) == pytest.approx((40 * high, 0.9 * 40 * 4 * high / (0.66 * 8)))


def test_a_letter_leaves_cells_that_are_tight() -> None:
    """For the side between two triangles, or the corner in which six meet."""
    high = 3**0.5 / 2
    corners = [(math.cos(n * math.pi / 3), math.sin(n * math.pi / 3)) for n in range(7)]
    six = [((0.0, 0.0), one, other) for one, other in pairwise(corners)]
    for cells, x, y in ((six, 0.0, 0.0), (six[1:3], -0.25, high / 2)):
        place = place_in(cells, "A")
        assert place is not None
        assert (place.x, place.y) == pytest.approx((40 * x, 40 * y + 0.35 * LARGEST), abs=1e-4)


def test_thin_cells_have_small_names() -> None:
    """No letter is higher than the cell that it stands in."""
    bar = ((0, 0), (3, 0), (3, 0.3), (0, 0.3))
    place = place_in([bar], "bar")
    assert place is not None
    assert place.size == pytest.approx(0.9 * 40 * 0.3 / 0.7)
    assert place_in([((0, 0), (3, 0), (3, 0.1), (0, 0.1))], "bar") is None
