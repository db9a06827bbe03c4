"""Regions and boards without anything in them."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree

import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.reports.pictures.region import board_svg, region_svg

SQUARES = SquareLattice(2)


def test_a_region() -> None:
    """Its outline, its lines, and words for those who do not see it."""
    svg = region_svg(SQUARES, ((0, 0), (1, 0), (1, 1)))
    assert svg.get("role") == "img"
    assert svg.findtext("title") == "a region of 3 cells"
    assert svg.get("viewBox") == "-4 -4 88 88"
    paths = {path.get("class"): path.get("d") for path in svg.findall("path")}
    assert paths == {"blank": "M0 40H40V0H80V80H0Z", "lines": "M40 40h40M40 40v40"}


@pytest.mark.parametrize(("dimension", "titles"), [(1, 0), (2, 0), (3, 2), (4, 4)])
def test_every_dimension_up_to_four(dimension: int, titles: int) -> None:
    """Layers have titles where there are several."""
    svg = region_svg(SquareLattice(dimension), tuple(product(range(2), repeat=dimension)))
    assert len(svg.findall("text")) == titles


def test_two_thousand_cells_are_small() -> None:
    """Lines go all the way through."""
    svg = region_svg(SQUARES, tuple(product(range(50), range(40))))
    assert len(ElementTree.tostring(svg)) < 2_000


def test_a_region_of_edges() -> None:
    """A line for each, from vertex to vertex."""
    svg = region_svg(lattice_named("square-edges"), ((0, 0, 0), (0, 0, 1)))
    (path,) = svg.findall("path")
    assert (path.get("class"), path.get("d")) == ("track", "M6 40L46 40M6 40L6 0")


def test_a_region_of_solids() -> None:
    """Seen from outside."""
    svg = region_svg(lattice_named("rhombic"), ((0, 1, 2), (0, 2, 1)))
    assert {path.get("class") for path in svg.findall("path")} == {"face blank", "shade", "ridge"}


def test_no_cells() -> None:
    """An empty picture, and no error."""
    assert region_svg(SQUARES, ()).findtext("title") == "a region without cells"


def test_five_dimensions() -> None:
    """Cannot be drawn."""
    with pytest.raises(PuzzleError, match="up to 4 dimensions"):
        region_svg(SquareLattice(5), ((0, 0, 0, 0, 0),))


def test_a_board() -> None:
    """As wide and high as it is said to be."""
    svg = board_svg(3, 2)
    assert (svg.get("viewBox"), svg.findtext("title")) == (
        "-4 -4 128 88",
        "a board, 3 wide and 2 high",
    )
