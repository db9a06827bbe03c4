"""Solids seen from above and aside."""

from __future__ import annotations

import re
from itertools import product
from xml.etree.ElementTree import Element

import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.pictures.packing import (
    lies_in_layers,
    oblique,
    piece_drawing,
    region_drawing,
    solution_drawing,
)

RHOMBIC = lattice_named("rhombic")
CUBE = tuple(
    (x, y, z) for x in range(5) for y in range(5) for z in range(5) if RHOMBIC.is_cell((x, y, z))
)


def of_class(shapes: tuple[Element, ...], style: str) -> list[Element]:
    """Those of a class."""
    return [shape for shape in shapes if style in shape.get("class", "").split()]


def test_a_cube_of_cubes() -> None:
    """Three squares on each side that is seen, lines around the whole and its three edges alone."""
    cells = tuple((x, y, z) for x in range(2) for y in range(2) for z in range(2))
    width, height, shapes = oblique(SquareLattice(3), [("A", cells, "piece-3")])
    faces = of_class(shapes, "face")
    assert len(faces) == 12
    assert {face.findtext("title") for face in faces} == {"A"}
    assert {face.get("class") for face in faces} == {"face piece-3"}
    assert len({shade.get("style") for shade in of_class(shapes, "shade")}) == 3
    assert sum(ridge.get("d", "").count("M") for ridge in of_class(shapes, "ridge")) == 3 * 8
    numbers = [float(n) for face in faces for n in re.findall(r"-?[\d.]+", face.get("d", ""))]
    assert (min(numbers[::2]), max(numbers[::2])) == pytest.approx((0, width), abs=0.01)
    assert (min(numbers[1::2]), max(numbers[1::2])) == pytest.approx((0, height), abs=0.01)


def test_no_seams_within_a_piece() -> None:
    """Each two faces between which there is no line lie in one path, and all lie in their own."""
    cells = tuple((x, y, 0) for x in range(2) for y in range(2))
    for pieces, expected in (
        ([("A", cells, "piece-0")], 8 + 4 + 1 + 1),  # four on top, two on each side that is seen
        ([("A", cells[:2], "piece-0"), ("B", cells[2:], "piece-1")], 8 + 2 + 1),
    ):
        _, _, shapes = oblique(SquareLattice(3), pieces)
        faces = [face.get("d", "") for face in of_class(shapes, "face")]
        assert sum(path.count("M") for path in faces) == expected
        assert len({path.split("Z")[0] for path in faces}) == len(faces) == 8
        assert faces == [shade.get("d", "") for shade in of_class(shapes, "shade")]


def test_all_pieces_are_named() -> None:
    """Below the picture, once each, a hidden one too, as each is coloured; it all fits in."""
    inner = CUBE  # in the middle of 27 cubes
    cells = tuple(
        tuple(c + 5 * by for c, by in zip(cell, move, strict=True))
        for move in product((-1, 0, 1), repeat=3)
        for cell in CUBE
    )
    outer = tuple(cell for cell in cells if cell not in CUBE)
    name = "a name of more than twenty-four letters"
    puzzle = PackingPuzzle("c", RHOMBIC, cells, (Piece("in", inner),), (FixedPiece(name, outer),))
    drawing = solution_drawing(puzzle, PackingSolution((("in", inner),)), "")
    assert {face.get("class") for face in of_class(drawing.shapes, "face")} == {"face fixed"}
    (legend,) = of_class(drawing.shapes, "legend")
    assert [text.text for text in legend.iter("text")] == [f"{name[:23]}…", "in"]
    assert [rect.get("class") for rect in legend.iter("rect")] == ["swatch fixed", "swatch piece-0"]
    assert drawing.width >= 24 * 11
    places = [(rect.get("x"), rect.get("y")) for rect in legend.iter("rect")]
    assert places == [("0", "0"), ("0", "30")]


def test_pieces_are_parted() -> None:
    """By a line from both, though the surface goes on; the nearer one comes last."""
    cells = ((0, 0, 0), (1, 0, 0))
    for solids, lines in (
        ([("A", cells, "piece-0")], 16),
        ([("A", cells[:1], "piece-0"), ("B", cells[1:], "piece-1")], 20),
    ):
        _, _, shapes = oblique(SquareLattice(3), solids)
        ridges = of_class(shapes, "ridge")
        assert sum(ridge.get("d", "").count("M") for ridge in ridges) == lines
    _, _, shapes = oblique(SquareLattice(3), [("A", ((0, 0, 0),), "a"), ("B", ((0, 0, 1),), "b")])
    assert of_class(shapes, "face")[-1].findtext("title") == "B"


def test_puzzles_of_solids() -> None:
    """Regions, pieces and solutions, with fixed pieces and without what stays empty."""
    pieces = (Piece("A", CUBE[:4], 0, 1), Piece("B", CUBE[-4:]))
    fixed = (FixedPiece("wall", CUBE[10:14]),)
    puzzle = PackingPuzzle("c", RHOMBIC, CUBE, pieces, fixed, CUBE[4:10] + CUBE[14:-4])
    solution = PackingSolution((("B", CUBE[-4:]),))
    drawn = of_class(solution_drawing(puzzle, solution, "").shapes, "face")
    assert {face.get("class") for face in drawn} <= {"face piece-1", "face fixed"}
    region = of_class(region_drawing(puzzle).shapes, "face")
    assert {"face blank"} <= {face.get("class") for face in region}
    assert len(region) == 3 * 4
    assert of_class(piece_drawing(RHOMBIC, pieces[1], 1).shapes, "piece-1")


class _Bare(PointLattice):
    """Without anything to draw."""

    footprint = Lattice.footprint
    solid = Lattice.solid


def test_which_are_drawn_so() -> None:
    """Those that do not lie in layers; what has neither is refused."""
    assert [name for name in OWN if not lies_in_layers(lattice_named(name))] == [
        "rhombic",
        "tetra-octa",
    ]
    with pytest.raises(PuzzleError, match="cannot show cells"):
        lies_in_layers(_Bare(RHOMBIC.tiling))  # type: ignore[attr-defined]  # it is of points
