"""Layers on paper, paths around polygons, and places for names."""

from __future__ import annotations

import math
import tracemalloc
from itertools import pairwise, product

import pytest

from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells, Point
from dovetail.reports.pictures.geometry import (
    COLUMNS,
    LARGEST,
    Layers,
    Polygon,
    inner_lines,
    layers,
    outline,
    place_in,
    square,
)
from reports.present import present


def laid_out(cells: Cells) -> Layers:
    """Cells of a square lattice on paper."""
    return layers(SquareLattice(len(cells[0])), cells)


def squares(laid: Layers) -> dict[Cell, Point]:
    """The upper left corner of each cell, which is a square."""
    corners = {cell: polygon[0] for cell, polygon in laid.polygons.items()}
    assert all(laid.polygons[cell] == square(int(x), int(y)) for cell, (x, y) in corners.items())
    return corners


@pytest.mark.parametrize(
    ("cells", "corners", "titles"),
    [
        (((3,), (4,), (7,)), [(0, 0), (1, 0), (4, 0)], []),
        (((0, 0, 4), (1, 0, 4)), [(0, 0), (1, 0)], []),
        (((0, 0, 0), (0, 0, 1)), [(0, 1), (3, 1)], [("z = 0", (0, 0)), ("z = 1", (3, 0))]),
    ],
    ids=["one-dimension", "one-layer", "narrower-than-its-title"],
)
def test_places_of_cells_on_paper(
    cells: Cells, corners: list[Point], titles: list[tuple[str, Point]]
) -> None:
    laid = laid_out(cells)
    assert squares(laid) == dict(zip(cells, corners, strict=True))
    assert list(laid.titles) == titles


def test_layers_stand_side_by_side_and_go_on_below() -> None:
    """Each below its title, with a gap between; no row is wider than it may be."""
    laid = laid_out(tuple(product(range(3), range(2), (0, 2))))
    assert laid.titles == (("z = 0", (0, 0)), ("z = 2", (4, 0)))
    assert (squares(laid)[0, 1, 0], squares(laid)[2, 0, 2]) == ((0, 1), (6, 2))
    assert (laid.width, laid.height) == (7, 3)
    laid = laid_out(tuple(product(range(4), range(4), range(30))))
    assert laid.width <= COLUMNS
    assert len({y for _, (_, y) in laid.titles}) == 5
    assert len(set(squares(laid).values())) == len(laid.polygons) == 480


UPWARD: Polygon = ((0.5, 0), (1, 1), (0, 1))
DOWNWARD: Polygon = ((0.5, 0), (1.5, 0), (1, 1))
NINE_TRIANGLES: list[Polygon] = [
    tuple((x + y / 2 + right, 2 - y + down) for right, down in triangle)
    for triangle, size in ((UPWARD, 3), (DOWNWARD, 2))
    for x in range(size)
    for y in range(size - x)
]


def block(width: int, height: int, *missing: tuple[int, int]) -> list[Polygon]:
    """Squares of a rectangle but for those at some places."""
    places = ((x, y) for x in range(width) for y in range(height))
    return [square(*place) for place in places if place not in missing]


@pytest.mark.parametrize(
    ("polygons", "border", "within"),
    [
        ([], "", ""),
        (block(2, 2, (1, 0)), "M0 0H40V40H80V80H0Z", "M0 40h40M40 40v40"),
        (
            block(3, 3, (1, 1)),
            "M0 0H120V120H0ZM40 40V80H80V40Z",  # the hole the other way round: it is not filled
            "M0 40h40M80 40h40M0 80h40M80 80h40M40 0v40M40 80v40M80 0v40M80 80v40",
        ),
        (block(2, 2, (0, 0), (1, 1)), "M0 40H40V80H0ZM40 40V0H80V40Z", ""),
        (
            NINE_TRIANGLES,
            "M0 120L60 0L120 120Z",
            "M40 40h40M20 80h80M40 40l40 80M20 80l20 40M80 40l-40 80M100 80l-20 40",
        ),
    ],
)
def test_borders_and_inner_lines_are_as_long_as_can_be(
    polygons: list[Polygon], border: str, within: str
) -> None:
    assert (outline(polygons), inner_lines(polygons)) == (border, within)


def test_what_does_not_fit_is_left_out() -> None:
    """A long name in a square, or no name."""
    assert place_in([square(0, 0)], "a very long name") is None
    assert place_in([square(0, 0)], "") is None
    assert place_in([], "A") is None


def test_a_large_shape_needs_little_memory() -> None:
    """Its boundary has few sides, but each side has many cells."""
    cells = [square(x, y) for x, y in product(range(40), repeat=2)]
    tracemalloc.start()
    try:
        assert present(place_in(cells, "A")).size == LARGEST
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


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
    name = present(place_in(row, "hexagons"))
    assert (name.x, name.size) == pytest.approx((40 * high, 0.9 * 40 * 4 * high / (0.66 * 8)))


def test_a_letter_leaves_cells_that_are_tight() -> None:
    """For the side between two triangles, or the corner in which six meet."""
    high = 3**0.5 / 2
    corners = [(math.cos(n * math.pi / 3), math.sin(n * math.pi / 3)) for n in range(7)]
    six = [((0.0, 0.0), one, other) for one, other in pairwise(corners)]
    for cells, x, y in ((six, 0.0, 0.0), (six[1:3], -0.25, high / 2)):
        place = present(place_in(cells, "A"))
        assert (place.x, place.y) == pytest.approx((40 * x, 40 * y + 0.35 * LARGEST), abs=1e-4)
