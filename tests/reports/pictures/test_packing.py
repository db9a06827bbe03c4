"""Packings drawn: regions, solutions and pieces, of cells and of edges."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations, product
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cells, Lattice
from dovetail.models.lattices.registry import OWN, lattice_named
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.pictures.colours import picture_style
from dovetail.reports.pictures.drawing import SvgDrawing, svg_element
from dovetail.reports.pictures.geometry import SIDE, Layers, Stick, layers
from dovetail.reports.pictures.packing import (
    cells_drawing,
    lies_in_layers,
    oblique,
    region_drawing,
    solution_drawing,
    strokes,
)
from reports.pictures.puzzles import SMALL, SMALL_SOLUTION


def styles(shapes: Iterable[Element]) -> list[str]:
    """The classes of all shapes, in order."""
    return [shape.get("class", "") for shape in shapes]


def letters(drawing: SvgDrawing) -> list[str | None]:
    """The names written on pieces."""
    return [shape.text for shape in drawing.shapes if shape.get("class") == "letter"]


def test_a_solution() -> None:
    """The region, the cell that stays empty, the fixed piece, the pieces and their names."""
    drawing = solution_drawing(SMALL, SMALL_SOLUTION, "a title")
    assert styles(drawing.shapes) == [
        *("blank", "lines", "empty"),
        *("fixed", "hatch", "letter"),
        *("piece piece-0", "letter"),
        *("piece piece-1", "letter"),
    ]
    assert letters(drawing) == ["wall", "A", "B"]
    assert (drawing.title, drawing.alt_text.split("\n")[0].split()) == ("a title", ["A", "A", "."])
    assert [shape.findtext("title") for shape in drawing.shapes if shape.get("d")] == [
        *(None, None, "wall", None, "A", "B")
    ]


SQUARES = SquareLattice(2)


def test_a_region() -> None:
    """Its outline, its lines, and words for those who do not see it."""
    svg = svg_element(cells_drawing(SQUARES, ((0, 0), (1, 0), (1, 1))))
    assert svg.get("role") == "img"
    assert svg.findtext("title") == "a region of 3 cells"
    assert svg.get("viewBox") == "-4 -4 88 88"
    paths = {path.get("class"): path.get("d") for path in svg.findall("path")}
    assert paths == {"blank": "M0 40H40V0H80V80H0Z", "lines": "M40 40h40M40 40v40"}


RIGHT: Stick = ((0, 0), (1, 0))
DOWN: Stick = ((0, 0), (0, 1))
EDGES = lattice_named("square-edges")
MARGIN = 0.01  # between borders, in sides of a square
CROSS = ((0, 1, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1))  # about (1, 1)


@pytest.mark.parametrize(
    ("sticks", "wide", "expected"),
    [
        ([RIGHT], True, "M14.2 0L25.8 0"),
        ([RIGHT, DOWN], False, "M4.8 0L28.4 0M0 4.8L0 28.4M4.8 0C0 0 0 0 0 4.8"),
        (
            [RIGHT, DOWN, ((0, 0), (-1, 0))],
            True,
            "M0 0L25.8 0M0 0L0 25.8M0 0L-25.8 0",
        ),
    ],
)
def test_the_path_of_a_piece_of_edges(sticks: list[Stick], wide: bool, expected: str) -> None:
    """It ends short of vertices, bends where it turns, and goes through where it cannot."""
    assert strokes(sticks, wide=wide) == expected


def widths() -> tuple[float, float]:
    """The widths of strokes without and with their border, in sides of a square."""
    found = re.findall(r"\.stick-border {[^}]*stroke-width: ([\d.]+);", picture_style())
    within, whole = (float(width) / SIDE for width in found)
    return within, whole


def along(path: str) -> NDArray[np.float64]:
    """Points on a path of lines and curves, no farther apart than 0.02 sides of a square."""
    share = np.linspace(0, 1, 50)[:, None]
    points = []
    for text in re.findall(r"M[^M]*", path):
        begin, *control, end = np.array(re.findall(r"-?[\d.]+", text), float).reshape(-1, 2)
        if control:
            one, other = control
            there = 3 * share * (1 - share) * ((1 - share) * one + share * other)
            points.append((1 - share) ** 3 * begin + there + share**3 * end)
        else:
            points.append((1 - share) * begin + share * end)
    return np.vstack(points) / SIDE


def nearest(laid: Layers, pieces: Iterable[Cells]) -> float:
    """The least distance between the middle lines of strokes of different pieces."""
    paths = [
        along(strokes([laid.sticks[cell] for cell in cells], wide=laid.wide)) for cells in pieces
    ]
    return min(
        float(np.linalg.norm(one[:, None] - other[None], axis=2).min())
        for one, other in combinations(paths, 2)
    )


@pytest.mark.parametrize("name", ["square-edges", "hexagonal-edges"])
def test_pieces_keep_apart_at_every_vertex(name: str) -> None:
    """Whatever two pieces meet at it and do not cross: their borders do not touch."""
    lattice = lattice_named(name)
    assert isinstance(lattice, PointLattice)
    home = lattice.fundamental_cells[0]
    near = (home, *lattice.neighbours(home))
    vertex = lattice.corner_points(home)[0]
    about = [cell for cell in near if vertex in lattice.corner_points(cell)]
    laid = layers(lattice, tuple(about))
    crossings = cache(lattice.crossings)
    parts = [part for size in range(1, 6) for part in combinations(about, size)]
    pairs = [
        (one, other)
        for one, other in combinations(parts, 2)
        if not set(one) & set(other) and not set(crossings(one)) & set(crossings(other))
    ]
    assert len(pairs) == {3: 6, 4: 24, 6: 240}[len(about)]
    assert min(nearest(laid, pair) for pair in pairs) > widths()[1] + MARGIN


def test_a_solution_of_edges() -> None:
    """A line for each edge, border and colour of each piece, then the names, on an edge."""
    pieces = (Piece("A", CROSS[:2]), Piece("long", CROSS[2:3]))
    puzzle = PackingPuzzle("c", EDGES, CROSS, pieces, (FixedPiece("w", CROSS[3:]),))
    solution = PackingSolution((("A", CROSS[:2]), ("long", CROSS[2:3])))
    shapes = solution_drawing(puzzle, solution, "").shapes
    assert [shape.get("class") for shape in shapes] == [
        "track",
        *("stick-border", "stick fixed", "stick-hatch"),
        *("stick-border", "stick piece-0", "stick-border", "stick piece-1"),
        *("stick-name", "stick-name"),
    ]
    assert [
        shape.findtext("title") for shape in shapes if shape.get("class", "")[:6] == "stick "
    ] == [*("w", "A", "long")]
    assert [shape.text for shape in shapes if shape.get("class") == "stick-name"] == ["w", "A"]
    assert [shape.get("class") for shape in region_drawing(puzzle).shapes][:2] == [
        "track",
        "stick-border",
    ]


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
