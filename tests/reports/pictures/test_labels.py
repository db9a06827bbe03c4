"""Where names stand."""

from __future__ import annotations

from dovetail.reports.pictures.labels import LARGEST, Place, place_in


def test_a_letter_stands_in_the_middle() -> None:
    """Of a plus in its centre; it is as large as letters are."""
    plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]
    place = place_in(plus, "X")
    assert place == Place(60, 60 + 0.35 * LARGEST, LARGEST)


def test_a_name_takes_the_longest_row() -> None:
    """And not one that it would be smaller in."""
    place = place_in([(0, 0), (0, 1), (1, 1), (2, 1)], "tromino")
    assert place is not None
    assert (place.x, place.y > 60) == (60, True)


def test_what_does_not_fit_is_left_out() -> None:
    """A long name in a square, or no name."""
    assert place_in([(0, 0)], "a very long name") is None
    assert place_in([(0, 0)], "") is None
    assert place_in([], "A") is None
