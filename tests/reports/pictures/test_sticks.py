"""Edges as strokes."""

from __future__ import annotations

import re

import pytest

from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.pictures.layers import Stick, layers
from dovetail.reports.pictures.packing import piece_drawing, region_drawing, solution_drawing
from dovetail.reports.pictures.sticks import strokes

RIGHT: Stick = ((0, 0), (1, 0))
DOWN: Stick = ((0, 0), (0, 1))
EDGES = lattice_named("square-edges")
CROSS = ((0, 1, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1))  # about (1, 1)


@pytest.mark.parametrize(
    ("sticks", "wide", "expected"),
    [
        ([RIGHT], True, "M11.6 0L28.4 0"),
        ([RIGHT, DOWN], True, "M14 0L28.4 0M0 14L0 28.4M14 0Q2.8 2.8 0 14"),
        ([RIGHT, DOWN], False, "M4.8 0L28.4 0M0 4.8L0 28.4M4.8 0Q0 0 0 4.8"),
        ([RIGHT, ((0, 0), (-1, 0))], True, "M0 0L28.4 0M0 0L-28.4 0"),
        (
            [RIGHT, DOWN, ((0, 0), (-1, 0))],
            True,
            "M0 0L28.4 0M0 0L0 28.4M0 0L-28.4 0",
        ),
    ],
)
def test_a_piece(sticks: list[Stick], wide: bool, expected: str) -> None:
    """It ends short of vertices, bends where it turns, and goes through where it branches."""
    assert strokes(sticks, wide=wide) == expected


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
