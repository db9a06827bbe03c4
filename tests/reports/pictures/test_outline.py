"""Paths around squares and between them."""

from __future__ import annotations

from collections.abc import Iterable

from dovetail.reports.pictures.layers import Polygon
from dovetail.reports.pictures.outline import inner_lines, outline, square


def squares(places: Iterable[tuple[int, int]]) -> list[Polygon]:
    """Squares by their columns and rows."""
    return [square(column, row) for column, row in places]


def test_one_square() -> None:
    """Clockwise from its upper left corner, an axis at a time."""
    assert outline([square(1, 2)]) == "M40 80H80V120H40Z"


def test_corners_only() -> None:
    """Sides in a row are one line: an L has six corners."""
    assert outline(squares([(0, 0), (0, 1), (1, 1)])) == "M0 0H40V40H80V80H0Z"


def test_a_hole_is_another_loop() -> None:
    """Around it the other way, so that it is not filled."""
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert outline(squares(ring)) == "M0 0H120V120H0ZM40 40V80H80V40Z"


def test_squares_that_touch_in_a_corner() -> None:
    """Each has a loop of its own, on either diagonal."""
    assert outline(squares([(0, 0), (1, 1)])) == "M0 0H40V40H0ZM40 40H80V80H40Z"
    assert outline(squares([(0, 1), (1, 0)])) == "M0 40H40V80H0ZM40 40V0H80V40Z"


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
        inner_lines(squares((x, y) for x in range(3) for y in range(2)))
        == "M0 40h120M40 0v80M80 0v80"
    )
    assert inner_lines(squares([(0, 0), (2, 0), (0, 1), (2, 1)])) == "M0 40h40M80 40h40"
    assert inner_lines([square(0, 0)]) == ""


def test_nothing() -> None:
    """No polygon, no path."""
    assert (outline([]), inner_lines([])) == ("", "")
