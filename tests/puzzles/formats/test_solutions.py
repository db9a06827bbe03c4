"""Solutions as text and JSON lines: there and back again."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.harness.job import Limits
from dovetail.models.lattice import SquareLattice
from dovetail.models.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.solutions import read_solutions, solution_json, solution_text
from dovetail.puzzles.formats.text_file import TextFile
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box

DOMINO = ((0, 0), (1, 0))
PUZZLES: list[Puzzle] = [
    load("pentominoes-5x6-FLNPUY"),
    load("soma-cube"),
    load("edges-4x5-b3i4-1"),
    load("queens-6"),
    PackingPuzzle(
        "copies beside a wall",
        SquareLattice(2),
        box(3, 2),
        (Piece("A", DOMINO, 2, 2),),
        (FixedPiece("*", ((0, 0), (0, 1))),),
    ),
    PackingPuzzle(
        "partly empty", SquareLattice(2), box(2, 2), (Piece("A", DOMINO),), (), box(2, 2)
    ),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
@pytest.mark.parametrize("show", ["text", "json"])
def test_there_and_back_again(tmp_path: Path, puzzle: Puzzle, show: str) -> None:
    """What is written is read as the same solutions, and they are right."""
    solutions = list(solve(puzzle, symmetry="all", limits=Limits(solutions=20)))
    path = tmp_path / "solutions"
    if show == "text":
        path.write_text("# found\n" + "\n\n".join(solution_text(puzzle, s) for s in solutions))
    else:
        path.write_text("\n".join(solution_json(s) for s in solutions))
    read = [solution for _, solution in read_solutions(TextFile(path), puzzle)]
    assert len(read) == len(solutions) > 0
    assert all(solution_error(puzzle, solution) is None for solution in read)
    assert [content(s) for s in read] == [content(s) for s in solutions]


def content(solution: Solution) -> object:
    """A solution without the order in which a packing names its pieces."""
    if isinstance(solution, PackingSolution):
        return {(name, frozenset(cells)) for name, cells in solution.placed}
    return solution


def test_text_of_a_soma_cube() -> None:
    """The first line is the largest y; blocks are z = 0, 1, 2."""
    puzzle = load("soma-cube")
    text = solution_text(puzzle, next(solve(puzzle)))
    lines = text.splitlines()
    assert len(lines) == 3
    assert all(len(line.split(",")) == 3 for line in lines)
    assert set(text) - set(" ,\n") == set("VLTZPAB")


def test_names_that_cannot_stand_in_text() -> None:
    """They would not be read back."""
    for name in ("a b", "a,b", ".", "#1", "{"):
        puzzle = PackingPuzzle("row", SquareLattice(2), box(2, 1), (Piece(name, DOMINO),))
        (solution,) = solve(puzzle)
        with pytest.raises(PuzzleError, match="use JSON"):
            solution_text(puzzle, solution)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "{}\n[1]",
        '{"placed": 5}',
        '{"placed": [["A", [["x", 0]]]]}',
        '{"placed": [["F", [[0.5, 0]]]]}',
        '{"placed": [["F", [[Infinity, true]]]]}',
        "A A\nB",
        '{"placed": ' + "[" * 9_999,
    ],
)
def test_what_is_no_solution(tmp_path: Path, content: str) -> None:
    """A line and a reason, never a traceback."""
    path = tmp_path / "solutions"
    path.write_text(content)
    with pytest.raises(FormatError, match=r":[12]: "):
        list(read_solutions(TextFile(path), load("pentominoes-5x6-FLNPUY")))
