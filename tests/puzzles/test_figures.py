"""Figures of publications.

The figures are not part of the repository; without them the tests are skipped.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.files.text_file import TextFile
from dovetail.models.lattices.protocol import Cell
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import PackingSolution
from dovetail.models.text_drawing import OPEN, OUTSIDE
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.polycube import read_picture
from dovetail.puzzles.formats.registry import read_solutions
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import hexominoes
from dovetail.puzzles.verification import named_by_shape

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "papers" / "figures"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the figures are not at {FOLDER}")

# 11 pieces are drawn with a symbol for black and one for white cells.
TWO_SYMBOLS = dict(zip("shckouyw&$%", "SHCKOUYW745", strict=True))

SOLUTIONS = {
    "heptominoes-33x23-three-holes-solution": "heptominoes-33x23",
    "hexominoes-box-in-a-diamond-solution": "hexominoes-box-in-a-diamond",
    "hexominoes-parallelogram-15x14-solution": "hexominoes-parallelogram-15x14",
    "hexominoes-rifle-solution": "hexominoes-rifle",
    "one-sided-pentominoes-30x3-solution": "one-sided-pentominoes-3x30",
    "pentominoes-10x6-solution": "pentominoes-6x10",
    "tetris-cube-solution-1": "tetris-cube",
    "tetris-cube-solution-2": "tetris-cube",
    "tetris-cube-solution-3": "tetris-cube",
}

# Figures that show a part of a solution, or nothing but the region.
PARTIAL = {
    "hexominoes-box-in-a-diamond-checkerboard": "hexominoes-box-in-a-diamond",
    "hexominoes-box-in-a-diamond-partition": "hexominoes-box-in-a-diamond",
    "hexominoes-parallelogram-landmine": "hexominoes-parallelogram-15x14",
    "pentominoes-10x6-fit-violations": "pentominoes-6x10",
    "pentominoes-10x6-volume-violations": "pentominoes-6x10",
}


def packing(name: str) -> PackingPuzzle:
    """Return a packing puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return puzzle


def figure(name: str) -> TextFile:
    """Return a figure."""
    return TextFile(FOLDER / f"{name}.txt")


def labels_of(file: TextFile) -> dict[Cell, str]:
    """Return the labels of the cells in a picture, without the cells outside the region."""
    picture = read_picture([line for line in file.lines if line.strip()])
    return {cell: label for cell, label in picture.labels.items() if label != OUTSIDE}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_figures_of_solutions_are_valid(name: str) -> None:
    puzzle = packing(SOLUTIONS[name])
    fold = TWO_SYMBOLS if "box-in-a-diamond" in name else {}
    ((_, solution),) = read_solutions(figure(name), puzzle, fold)
    assert isinstance(solution, PackingSolution)
    assert solution_error(puzzle, named_by_shape(puzzle, solution)) is None
    # The names of the heptominoes are their publication's alone.
    assert (solution_error(puzzle, solution) is None) == (puzzle.name != "heptominoes-33x23")


@pytest.mark.parametrize("name", sorted(PARTIAL))
def test_other_figures_show_the_region_and_no_solution(name: str) -> None:
    puzzle = packing(PARTIAL[name])
    labels = labels_of(figure(name))
    assert {cell[:2] for cell in labels} == set(puzzle.region)
    ((_, solution),) = read_solutions(figure(name), puzzle)
    assert solution_error(puzzle, solution) is not None


def test_the_hexominoes_are_those_of_the_figure() -> None:
    drawn: dict[str, set[tuple[int, ...]]] = {}
    labels = labels_of(figure("hexominoes-35-pieces"))
    for cell, name in labels.items():
        assert name != OPEN
        drawn.setdefault(name, set()).add(cell[:2])
    assert drawn == {name: set(cells) for name, cells in hexominoes().items()}
