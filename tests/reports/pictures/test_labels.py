"""Where names stand."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from dovetail.reports.pictures.labels import LARGEST, Place, place_in
from dovetail.reports.pictures.outline import square


def test_a_letter_stands_in_the_middle() -> None:
    """Of a plus in its centre; it is as large as letters are."""
    plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]
    place = place_in([square(x, y) for x, y in plus], "X")
    assert place == Place(60, 60 + 0.35 * LARGEST, LARGEST)


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
