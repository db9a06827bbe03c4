"""Puzzles that several tests draw."""

from __future__ import annotations

from itertools import islice

from dovetail.api import solve
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import EdgeSolution, PackingSolution
from dovetail.puzzles.loading import load

HOSTILE = "<script>alert('1')</script> \"quoted\" & \n\x00\ud800"

# 3 x 2 with a fixed cell and one that stays empty:
#   A A o
#   A B #
SMALL = PackingPuzzle(
    "small",
    SquareLattice(2),
    tuple((x, y) for x in range(3) for y in range(2)),
    (Piece("A", ((0, 0), (0, 1), (1, 1))), Piece("B", ((0, 0),))),
    (FixedPiece("wall", ((2, 0),)),),
    ((2, 1),),
)
SMALL_SOLUTION = PackingSolution((("A", ((0, 0), (0, 1), (1, 1))), ("B", ((1, 0),))))

# Two tiles side by side, the left one named by a hint.
SIGNED = EdgePuzzle("two", 2, 1, ((0, 5, 0, 0), (0, 0, 0, -5)), (Hint(0, 0, 0, 0),), signed=True)
SIGNED_SOLUTION = EdgeSolution((((0, 0), (1, 0)),))


def hostile_packing() -> tuple[PackingPuzzle, PackingSolution]:
    """A puzzle and its solution whose names would be markup, or cannot be written."""
    cells = ((0, 0), (1, 0), (2, 0), (3, 0))
    puzzle = PackingPuzzle(HOSTILE, SquareLattice(2), cells, (Piece(HOSTILE, cells),))
    return puzzle, PackingSolution(((HOSTILE, cells),))


def solved(name: str, count: int = 1) -> tuple[PackingPuzzle, list[PackingSolution]]:
    """A packing puzzle of the catalogue, and solutions of it."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    found = islice(solve(puzzle), count)
    return puzzle, [one for one in found if isinstance(one, PackingSolution)]


def solved_board(name: str) -> tuple[EdgePuzzle, EdgeSolution]:
    """A board of the catalogue, and a solution of it."""
    puzzle = load(name)
    solution = next(solve(puzzle))
    assert isinstance(puzzle, EdgePuzzle)
    assert isinstance(solution, EdgeSolution)
    return puzzle, solution
