"""What people see of puzzles on other lattices than squares: pictures, text, files, refusals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dovetail.api import solve
from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness.records.outline import (
    LatticeOutline,
    check_example,
    example_of,
    outline,
    size,
)
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.sublattice import HEIGHT
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import PackingSolution
from dovetail.models.task import build_task
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.registry import format_named, read_solutions, solution_writer
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.reports.pictures.drawing import svg_text
from dovetail.reports.pictures.packing import placed_drawing, region_drawing, solution_drawing
from dovetail.reports.pictures.picture import example_drawing
from lattices.test_packings import DIAMONDS, HOLE, LOOSE, RHOMBUS, STICKS
from oracle.answers import counted


def solved(puzzle: PackingPuzzle) -> PackingSolution:
    """A solution."""
    solution = next(solve(puzzle))
    assert isinstance(solution, PackingSolution)
    return solution


def paths(text: str, style: str) -> list[str]:
    """The path data of all shapes of a class in a drawing."""
    root = ElementTree.fromstring(text)
    shapes = root.iter("{http://www.w3.org/2000/svg}path")
    return [shape.get("d", "") for shape in shapes if style in shape.get("class", "").split()]


def test_the_rhombus_drawn() -> None:
    """Four corners, lines through the grid in three directions, twelve pieces with their names."""
    drawing = solution_drawing(RHOMBUS, solved(RHOMBUS), "hexiamonds")
    text = svg_text(drawing)
    assert (drawing.width, round(drawing.height, 6)) == (40 * 9, round(40 * 6 * HEIGHT, 6))
    assert paths(text, "blank") == ["M0 207.85L120 0H360L240 207.85Z"]
    (lines,) = paths(text, "lines")
    assert (lines.count("M"), lines.count("h")) == (5 + 5 + 11, 5)
    pieces = paths(text, "piece")
    assert len(pieces) == 12
    assert all(path.count("M") == 1 for path in pieces)
    names = [shape.text for shape in drawing.shapes if shape.get("class") == "letter"]
    assert names == [piece.name for piece in RHOMBUS.pieces]


def test_fixed_and_empty_cells_drawn() -> None:
    """Lines across the wall, a dot in every triangle that stays empty."""
    wall = svg_text(region_drawing(HOLE))
    assert [path.count("M") for path in paths(wall, "hatch")] == [6]
    loose = LOOSE
    drawing = solution_drawing(loose, solved(loose), "")
    dots = [shape for shape in drawing.shapes if shape.get("class") == "empty"]
    assert len(dots) == 4


def test_edges_drawn() -> None:
    """Strokes, one for each edge, and a curve at each bend."""
    solution = solved(STICKS)
    drawn = paths(svg_text(solution_drawing(STICKS, solution, "")), "stick")
    parts = {
        name: (path.count("L"), path.count("C"))
        for (name, _), path in zip(solution.placed, drawn, strict=True)
    }
    assert (parts["I1"], parts["I3"], parts["V2"], parts["Z3"]) == ((1, 0), (3, 0), (2, 1), (3, 2))


def test_a_solution_alone_is_drawn_on_its_lattice() -> None:
    """As solved and as read from a file."""
    solution = solved(DIAMONDS)
    drawn = svg_text(placed_drawing(solution))
    assert len(paths(drawn, "piece")) == 12
    assert {1 + sum(map(path.count, "HVL")) for path in paths(drawn, "piece")} == {4}
    named = placed_drawing(replace(solution, lattice=None))  # squares, for all it says
    assert svg_text(named) != drawn


def test_the_rhombus_in_text() -> None:
    """Rows of triangles that point up and down, one row a step to the left of the one above."""
    text = solution_text(RHOMBUS, solved(RHOMBUS))
    rows = [row.split() for row in text.split("\n")]
    assert [len(row) for row in rows] == [17] * 6
    assert [[n for n, word in enumerate(row) if word != "*"] for row in rows] == [
        list(range(y, y + 12)) for y in range(5, -1, -1)
    ]


@pytest.mark.parametrize("suffix", [".txt", ".json", ".jsonl", ".csv"])
@pytest.mark.parametrize("puzzle", [RHOMBUS, STICKS, HOLE, LOOSE], ids=lambda puzzle: puzzle.name)
def test_solutions_are_read_back(tmp_path: Path, suffix: str, puzzle: PackingPuzzle) -> None:
    """From every kind of file, on the lattice of the puzzle."""
    written = [solution for solution, _ in zip(solve(puzzle), range(3), strict=False)]
    path = tmp_path / f"solutions{suffix}"
    text = solutions_text(solution_writer(suffix, puzzle), written)
    path.write_text(text, encoding="utf-8")
    read = [solution for _, solution in read_solutions(TextFile(path), puzzle)]
    for one, other in zip(read, written, strict=True):
        assert isinstance(one, PackingSolution)
        assert isinstance(other, PackingSolution)
        assert one.lattice == puzzle.lattice
        assert sorted((n, sorted(c)) for n, c in one.placed) == sorted(
            (n, sorted(c)) for n, c in other.placed
        )


def test_text_where_no_cell_is(tmp_path: Path) -> None:
    """A label in the middle of a square of edges is an error, not a cell."""
    text = solution_text(STICKS, solved(STICKS)).split("\n")
    words = text[1].split()
    words[words.index("*", 1)] = "I1"
    path = tmp_path / "wrong.txt"
    path.write_text("\n".join([text[0], " ".join(words), *text[2:]]) + "\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match="is at a place without a cell"):
        list(read_solutions(TextFile(path), STICKS))


def test_as_an_exact_cover(tmp_path: Path) -> None:
    """Knuth's format has no cells, and says everything else: crossings are secondary items."""
    path = tmp_path / "sticks.xc"
    path.write_text(format_named("knuth").text(STICKS), encoding="utf-8")
    (read,) = format_named("knuth").read(TextFile(path)).puzzles
    assert isinstance(read, CoverProblem)
    assert any(name.startswith("crossing@") for name in read.item_names)
    assert counted(read, "dlx", "all").count == 84


def test_what_a_record_keeps() -> None:
    """How large it is, its cells in text, and a solution of it; both can be drawn."""
    assert size(RHOMBUS) == {"pieces": 12, "cells": 72}
    kept = outline(RHOMBUS)
    assert isinstance(kept, LatticeOutline)
    assert kept.lattice == "triangular"
    assert kept.text.split("\n")[-1].split() == [*"............", *"*****"]
    solution = solved(RHOMBUS)
    example = example_of(RHOMBUS, solution)
    assert example is not None
    check_example(example, kept)
    drawn, expected = example_drawing(example, kept), solution_drawing(RHOMBUS, solution, "")
    assert paths(svg_text(drawn), "piece") == paths(svg_text(expected), "piece")
    assert len(build_task(RHOMBUS, Request()).options.symmetries(Symmetry.UNIQUE)) == 4
