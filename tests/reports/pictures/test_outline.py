"""Paths around squares and between them."""

from __future__ import annotations

from dovetail.reports.pictures.outline import inner_lines, outline


def test_one_square() -> None:
    """Clockwise from its upper left corner, an axis at a time."""
    assert outline([(1, 2)]) == "M40 80H80V120H40Z"


def test_corners_only() -> None:
    """Sides in a row are one line: an L has six corners."""
    assert outline([(0, 0), (0, 1), (1, 1)]) == "M0 0H40V40H80V80H0Z"


def test_a_hole_is_another_loop() -> None:
    """Around it the other way, so that it is not filled."""
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert outline(ring) == "M0 0H120V120H0ZM40 40V80H80V40Z"


def test_squares_that_touch_in_a_corner() -> None:
    """Each has a loop of its own, on either diagonal."""
    assert outline([(0, 0), (1, 1)]) == "M0 0H40V40H0ZM40 40H80V80H40Z"
    assert outline([(0, 1), (1, 0)]) == "M0 40H40V80H0ZM40 40V0H80V40Z"


def test_inner_lines_are_as_long_as_can_be() -> None:
    """One across and two down in 3 x 2; none where a square is missing."""
    squares = [(x, y) for x in range(3) for y in range(2)]
    assert inner_lines(squares) == "M0 40h120M40 0v80M80 0v80"
    assert inner_lines([(0, 0), (2, 0), (0, 1), (2, 1)]) == "M0 40h40M80 40h40"
    assert inner_lines([(0, 0)]) == ""


def test_nothing() -> None:
    """No square, no path."""
    assert (outline([]), inner_lines([])) == ("", "")
