"""Solutions as text, and what statuses mean."""

from __future__ import annotations

import pytest

import dovetail
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution
from dovetail.puzzles.formats.solutions import solution_text


@pytest.mark.parametrize(
    "puzzle", ["pentominoes-8x8-hole", "soma-cube", "edges-4x5-b3i4-1", "queens-8"]
)
def test_the_drawing_is_what_solve_prints(puzzle: str) -> None:
    """In the plane, in space, on a board, and of a cover."""
    solution = next(dovetail.solve(puzzle, "dlx", symmetry="all"))
    assert str(solution) == solution_text(dovetail.load(puzzle), solution)


def test_copies_and_gaps() -> None:
    """Copies have numbers; cells that nothing covers are `*`."""
    placed = (("A", ((0, 0),)), ("B", ((2, 0), (2, 1))), ("A", ((0, 1),)))
    assert str(PackingSolution(placed)) == "A/2   *   B\nA/1   *   B"


@pytest.mark.parametrize("cells", [((0,),), ((0, 0, 0, 0),), ((0, 0, 0, 0, 0),)])
def test_what_text_cannot_show(cells: tuple[tuple[int, ...], ...]) -> None:
    """Is shown as `repr` shows it; so is a solution without pieces."""
    solution = PackingSolution((("A", cells),), SquareLattice(len(cells[0])))
    assert str(solution) == repr(solution)
    assert str(PackingSolution(())) == "PackingSolution(placed=())"


def test_names_from_anywhere() -> None:
    """Control characters do not reach a terminal."""
    assert str(PackingSolution((("\x1b[2J", ((0, 0),)),))) == "\ufffd[2J"


def test_boards_and_covers() -> None:
    """The top row first; numbers in a line."""
    board = EdgeSolution((((0, 1), (10, 2)), ((2, 0), (3, 3))))
    assert str(board) == " 2/0  3/3\n 0/1 10/2"
    assert str(CoverSolution((0, 5, 11))) == "0 5 11"
