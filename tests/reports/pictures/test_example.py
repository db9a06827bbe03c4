"""The solution in a record, drawn."""

from __future__ import annotations

import pytest

from dovetail.api import solve
from dovetail.harness.records.outline import example_of, outline
from dovetail.models.edges import EdgePuzzle
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.loading import load
from dovetail.reports.pictures.board import board_drawing
from dovetail.reports.pictures.drawing import Drawing, svg_element
from dovetail.reports.pictures.example import example_drawing
from dovetail.reports.pictures.packing import solution_drawing
from reports.pictures.puzzles import SIGNED, SIGNED_SOLUTION, SMALL, SMALL_SOLUTION


def drawn(puzzle: Puzzle, solution: Solution) -> Drawing:
    """The picture of a solution, made of what a record keeps."""
    example, kept = example_of(puzzle, solution), outline(puzzle)
    assert example is not None
    assert kept is not None
    return example_drawing(example, kept)


def pieces(drawing: Drawing) -> set[tuple[str, str, str]]:
    """The class, the name and the path of each piece."""
    return {
        (shape.get("class", ""), shape.findtext("title", ""), shape.get("d", ""))
        for shape in drawing.shapes
        if shape.get("class", "").startswith("piece")
    }


@pytest.mark.parametrize("name", ["pentominoes-6x10", "tetro-pentominoes-diamond-13", "soma-cube"])
def test_a_packing(name: str) -> None:
    """Each piece where `dovetail solve` draws it, and in the same colour."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    solution = next(solve(puzzle))
    assert isinstance(solution, PackingSolution)
    drawing = drawn(puzzle, solution)
    expected = solution_drawing(puzzle, solution, "")
    assert pieces(drawing) == pieces(expected)
    assert len(pieces(drawing)) == len(puzzle.pieces)
    assert (drawing.width, drawing.height) == (expected.width, expected.height)
    assert drawing.title == f"a solution in a region of {len(puzzle.open_cells)} cells"
    assert drawing.alt_text == expected.alt_text
    assert svg_element(drawing).get("role") == "img"


def test_empty_cells_and_fixed_pieces() -> None:
    """A cell that stays empty has a dot; fixed pieces are left out, as in the outline."""
    styles = [shape.get("class") for shape in drawn(SMALL, SMALL_SOLUTION).shapes]
    assert styles == [
        "blank",
        "lines",
        "empty",
        "piece piece-0",
        "letter",
        "piece piece-1",
        "letter",
    ]


def test_a_board() -> None:
    """All paints and motifs of the board that `dovetail solve` draws, without numbers."""
    puzzle = load("edges-4x5-b3i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    solution = next(solve(puzzle))
    assert isinstance(solution, EdgeSolution)
    assert paths(drawn(puzzle, solution)) == paths(board_drawing(puzzle, solution, ""))
    signed = drawn(SIGNED, SIGNED_SOLUTION)
    assert paths(signed)["hollow"]
    assert signed.title == "a solution of a board, 2 wide and 1 high"
    assert {shape.tag for shape in signed.shapes} == {"path"}


def paths(drawing: Drawing) -> dict[str, list[str]]:
    """The parts of each path but hints', by class."""
    return {
        style: sorted(shape.get("d", "").split("M"))
        for shape in drawing.shapes
        if shape.tag == "path" and (style := shape.get("class", "")) != "hint"
    }
