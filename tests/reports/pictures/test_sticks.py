"""Edges as strokes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.api import load, solve
from dovetail.models.lattices.points import PointLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.pictures.layers import Layers, Stick, layers
from dovetail.reports.pictures.outline import SIDE
from dovetail.reports.pictures.packing import piece_drawing, region_drawing, solution_drawing
from dovetail.reports.pictures.sticks import FONTS, stick_names, strokes
from dovetail.reports.pictures.style import picture_style

RIGHT: Stick = ((0, 0), (1, 0))
DOWN: Stick = ((0, 0), (0, 1))
EDGES = lattice_named("square-edges")
MARGIN = 0.01  # between borders, in sides of a square
CROSS = ((0, 1, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1))  # about (1, 1)


@pytest.mark.parametrize(
    ("sticks", "wide", "expected"),
    [
        ([RIGHT], True, "M14.2 0L25.8 0"),
        ([RIGHT, DOWN], True, "M14.8 0L25.8 0M0 14.8L0 25.8M14.8 0C8.8 0 0 8.8 0 14.8"),
        ([RIGHT, DOWN], False, "M4.8 0L28.4 0M0 4.8L0 28.4M4.8 0C0 0 0 0 0 4.8"),
        ([RIGHT, ((0, 0), (-1, 0))], True, "M0 0L25.8 0M0 0L-25.8 0"),
        (
            [RIGHT, DOWN, ((0, 0), (-1, 0))],
            True,
            "M0 0L25.8 0M0 0L0 25.8M0 0L-25.8 0",
        ),
        (
            [RIGHT, ((0, 0), (0.5, 0.75**0.5)), ((0, 0), (-0.5, 0.75**0.5))],
            True,
            "M14.8 0L25.8 0M2.58 4.46L12.9 22.34M-7.4 12.82L-12.9 22.34"
            "M14.8 0C8.8 0 -4.4 7.62 -7.4 12.82",
        ),
    ],
)
def test_a_piece(sticks: list[Stick], wide: bool, expected: str) -> None:
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


@pytest.mark.parametrize("name", ["square-edges", "triangular-edges", "hexagonal-edges"])
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


@pytest.mark.parametrize("name", ["tritrigs-heart-1", "tetrasticks-6x6", "tetratwigs-arch"])
def test_pieces_of_a_solution_keep_apart(name: str) -> None:
    """By the same margin, on a board of each lattice."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    solution = next(solve(puzzle, "bitset"))
    assert isinstance(solution, PackingSolution)
    laid = layers(puzzle.lattice, puzzle.region)
    assert nearest(laid, [cells for _, cells in solution.placed]) > widths()[1] + MARGIN


def test_names_are_smaller_than_strokes() -> None:
    """Nothing around them cuts a piece in two: capitals are 0.73 of a font high."""
    assert 0.73 * max(FONTS) / SIDE < widths()[0]
    assert "stroke" not in re.findall(r"\.stick-name {([^}]*)}", picture_style())[0]


def test_longer_names_lie_along_edges() -> None:
    """On edges that lead down, too, from left to right."""
    cells = ((0, 0, 1),)
    laid = layers(EDGES, cells)
    (name,) = stick_names(laid, [("AB", cells)])
    assert name.get("transform") == "rotate(-90 6 20)"
    (name,) = stick_names(laid, [("A", cells)])
    assert name.get("transform") is None


@pytest.mark.parametrize(
    ("name", "wide"),
    [("square-edges", True), ("triangular-edges", True), ("hexagonal-edges", False)],
)
def test_wide_bends(name: str, wide: bool) -> None:
    """Where two pieces can turn about one vertex."""
    lattice = lattice_named(name)
    assert layers(lattice, (lattice.fundamental_cells[0],)).wide is wide


def test_a_solution() -> None:
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


def test_a_piece_by_itself() -> None:
    """Without a name: that stands below it."""
    drawing = piece_drawing(EDGES, Piece("X", CROSS), 2)
    assert [shape.get("class") for shape in drawing.shapes] == ["stick-border", "stick piece-2"]
    path = drawing.shapes[1].get("d", "")
    assert re.findall(r"[MLQ]", path) == ["M", "L"] * 4
