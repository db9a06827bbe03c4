"""What people see of puzzles on other lattices than squares: pictures, text, files, refusals."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from dovetail.api import solve
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.sublattice import HEIGHT
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.registry import read_solutions, solution_writer
from dovetail.reports.pictures.drawing import svg_text
from dovetail.reports.pictures.packing import solution_drawing
from lattices.test_packings import HOLE, RHOMBUS, STICKS


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


@pytest.mark.parametrize("suffix", [".txt", ".json"])
@pytest.mark.parametrize("puzzle", [STICKS, HOLE], ids=lambda puzzle: puzzle.name)
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
