"""The verifier accepts what is right and names what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dovetail.api import solve
from dovetail.errors import PuzzleError
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.lattices.protocol import Cells, Orientations
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.models.verification.packing import PackingVerifier
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box


def test_pieces_of_one_shape_are_each_used_as_they_must() -> None:
    """The one that has to be used is used before the one that may be."""
    pieces = (Piece("A", ((0, 0),), 0, 2), Piece("B", ((0, 0),)))
    puzzle = PackingPuzzle("pair", SquareLattice(2), box(2, 1), pieces)
    (solution,) = solve(puzzle, symmetry="all")
    assert solution_error(puzzle, solution) is None


def test_orientations_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each piece, not again for each solution: in six dimensions there are 23,040 turns."""
    puzzle = load("pentominoes-3x20")
    assert isinstance(puzzle, PackingPuzzle)
    solutions = [one for one in solve(puzzle) if isinstance(one, PackingSolution)]
    found: list[Cells] = []
    orientations = SquareLattice.orientations

    def counting(lattice: SquareLattice, cells: Cells, *, reflections: bool) -> Orientations:
        found.append(cells)
        return orientations(lattice, cells, reflections=reflections)

    monkeypatch.setattr(SquareLattice, "orientations", counting)
    verifier = PackingVerifier(puzzle)
    for number, solution in enumerate(solutions):
        assert verifier.add(solution.placed) is None
        row = np.arange(12, dtype=np.int32)[None, :] + 12 * number
        assert verifier.check(row, by_name=True) is None
    assert found == [piece.cells for piece in puzzle.pieces]


def packing() -> tuple[PackingPuzzle, PackingSolution]:
    """A packing of a 4x2 by an L-tetromino and two dominoes, held to one chirality."""
    ell, domino = ((0, 0), (1, 0), (2, 0), (2, 1)), ((0, 0), (1, 0))
    pieces = (
        Piece("L", ell, motions=Motions.ONE_SIDED),
        Piece("D", domino, placements=(((0, 1), (1, 1)), ((3, 0), (3, 1)))),
        Piece("E", domino),
    )
    puzzle = PackingPuzzle("4x2", SquareLattice(2), box(4, 2), pieces)
    solution = PackingSolution((("L", ell), ("D", ((0, 1), (1, 1))), ("E", ((3, 0), (3, 1)))))
    return puzzle, solution


def test_wrong_packings_are_named() -> None:
    """Every way to be wrong that a packing has."""
    puzzle, good = packing()
    assert solution_error(puzzle, good) is None
    ell, d, e = good.placed
    wrong: list[tuple[tuple[tuple[str, tuple[tuple[int, ...], ...]], ...], str]] = [
        ((ell, d), "is empty"),
        ((ell, d, e, e), "covered 2 times"),
        ((ell, d, ("Q", e[1])), "no piece 'Q'"),
        ((ell, d, ("E", ((4, 0), (4, 1)))), "not an open cell"),
        ((ell, d, ("E", ((3, 0), (2, 1)))), "cannot be placed on"),
        ((("L", ((0, 1), (1, 1), (2, 1), (2, 0))), d, e), "cannot be placed"),  # mirrored
        ((ell, ("D", ((0, 1), (0, 0))), e), "cannot be placed on"),  # not a listed place
        ((ell, ("E", d[1]), ("E", e[1])), "is used"),
        ((ell, ("E", d[1]), ("D", e[1]), ("E", ())), "cannot be placed on"),
    ]
    for placed, message in wrong:
        error = solution_error(puzzle, PackingSolution(placed))
        assert error is not None
        assert message in error
    assert solution_error(puzzle, PackingSolution((ell, ("E", d[1]), ("D", e[1])))) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "not have exactly 20 tiles"),
        (lambda rows: [[*row[:-1], (0, 0)] for row in rows], "used twice"),
        (lambda rows: [[(t, (r + 1) % 4) for t, r in row] for row in rows], "frame"),
        (lambda rows: [[(t + 100, r) for t, r in row] for row in rows], "cannot be at (0, 0)"),
        (lambda rows: [[(t, 4) for t, r in row] for row in rows], "with rotation 4 cannot be at"),
    ],
)
def test_wrong_boards_are_named(
    change: Callable[[list[list[tuple[int, int]]]], list[list[tuple[int, int]]]], message: str
) -> None:
    """Every way to be wrong that a board has."""
    puzzle = load("edges-4x5-b3i4-1")
    solution = next(solve(puzzle, symmetry="all"))
    assert isinstance(solution, EdgeSolution)
    rows = change([list(row) for row in solution.cells])
    error = solution_error(puzzle, EdgeSolution(tuple(tuple(row) for row in rows)))
    assert error is not None
    assert message in error


def test_mismatched_edges_and_missed_hints() -> None:
    """Two inner tiles exchanged do not match; a board without a hint's tile misses it."""
    puzzle = load("edges-5-b4i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    solution = next(solve(puzzle, symmetry="all"))
    assert isinstance(solution, EdgeSolution)
    rows = [list(row) for row in solution.cells]
    rows[1][1], rows[2][2] = rows[2][2], rows[1][1]
    error = solution_error(puzzle, EdgeSolution(tuple(tuple(row) for row in rows)))
    assert error is not None
    assert "does not match" in error
    tile, rotation = solution.cells[1][1]
    kept = replace(puzzle, hints=(Hint(1, 1, tile, rotation),))
    assert solution_error(kept, solution) is None
    missed = replace(puzzle, hints=(Hint(1, 1, tile, (rotation + 1) % 4),))
    assert solution_error(missed, solution) == "the hint for (1, 1) is violated"


def test_solutions_of_another_type() -> None:
    """A board is no packing."""
    cube, other = load("soma-cube"), CoverSolution(())
    with pytest.raises(PuzzleError, match="for another kind of puzzle"):
        solution_error(cube, other)
