"""The verifier accepts what is right, names what is wrong, one by one and in batches."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.api import solve
from dovetail.errors import PuzzleError
from dovetail.harness.run.events import Found
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.cover import cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.models.verification.cover import CoverVerifier
from dovetail.models.verification.dispatch import solution_error, verifier_for
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.brute_force import is_cover


def test_pieces_of_one_shape_are_each_used_as_they_must() -> None:
    """The one that has to be used is used before the one that may be."""
    pieces = (Piece("A", ((0, 0),), 0, 2), Piece("B", ((0, 0),)))
    puzzle = PackingPuzzle("pair", SquareLattice(2), box(2, 1), pieces)
    (solution,) = solve(puzzle, symmetry="all")
    assert solution_error(puzzle, solution) is None


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
        (lambda rows: [[*row[:-1], (0, 0)] for row in rows], "used too often"),
        (lambda rows: [[(t, (r + 1) % 4) for t, r in row] for row in rows], "frame"),
        (lambda rows: [[(t + 100, r) for t, r in row] for row in rows], "cannot be at (0, 0)"),
    ],
)
def test_wrong_boards_are_named(
    change: Callable[[list[list[tuple[int, int]]]], list[list[tuple[int, int]]]], message: str
) -> None:
    """Every way to be wrong that a board has."""
    puzzle = load("edges-4x5-b3i4-1")
    solution = next(solve(puzzle, symmetry="all"))
    assert isinstance(solution, EdgeSolution)
    rows = change([[laid for laid in row if laid] for row in solution.cells])
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
    assert solution.cells[1][1]
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


COLOURED = cover(
    ["a", ("b", 1, 2), ("c", 0, 3)],
    [
        ["a", ("s", 1)],
        ["a", ("s", 2), "t"],
        ["b", ("s", 1)],
        ["b", ("s", 2)],
        ["b", "c", ("t", 1)],
        ["c", "t"],
        ["b", ("t", 1)],
    ],
    secondary=["s", "t"],
    name="coloured",
)


PUZZLES: list[Puzzle] = [
    load("queens-6"),
    load("langford-7"),
    COLOURED,
    load("pentominoes-5x6-FLNPUY"),
    load("trominoes-6x6"),
    load("soma-cube"),
    load("edges-5-b3i3-1"),
]


DAMAGED = 300


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([0, 0], "an option is chosen twice"),
        ([99], "there is no option 99"),
        ([0], "item b is covered 0 times; expected 1 to 2"),
        ([0, 3], "item s has different colours, or no colour, in two options"),
    ],
)
def test_wrong_covers_are_named(
    options: list[int], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one and in batches, however few are counted at once."""
    assert CoverVerifier(COLOURED).error_in(options) == message
    monkeypatch.setattr("dovetail.models.verification.cover.COUNTED_AT_ONCE", 1)
    row = np.pad(np.array(options, dtype=np.int32), (0, 2 - len(options)), constant_values=-1)
    rows = np.stack([np.array([0, 2], dtype=np.int32), row])
    assert CoverVerifier(COLOURED).check(rows) == message


def is_right(task: Task, row: NDArray[np.int32]) -> bool:
    """The twin of the verifier of a task: whether options cover each item as often as they must."""
    cover, chosen = task.all_options.cover, row[row != -1].tolist()
    known = all(0 <= option < cover.option_count for option in chosen)
    return known and len(set(chosen)) == len(chosen) and is_cover(cover, tuple(chosen))


def solutions_of(puzzle: Puzzle) -> NDArray[np.int32]:
    """All solutions, at most some hundreds, as options, padded with −1."""
    job = Job(puzzle, Request(Symmetry.ALL, listing=True), "dlx")
    rows = [event.options for event in execute(job) if isinstance(event, Found)]
    width = max(part.shape[1] for part in rows)
    padded = [np.pad(p, ((0, 0), (0, width - p.shape[1])), constant_values=-1) for p in rows]
    return np.concatenate(padded)[:400]


def damaged(row: NDArray[np.int32], options: int, draw: random.Random) -> NDArray[np.int32]:
    """A solution with one or two of its options exchanged for others, doubled or left out."""
    worse = row.copy()
    for _ in range(draw.randint(1, 2)):
        other = draw.choice([draw.randrange(options), int(draw.choice(row)), -1, options, -2])
        worse[draw.randrange(len(row))] = other
    return worse


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_batches_are_checked_as_their_rows_are(puzzle: Puzzle) -> None:
    """Right solutions among wrong ones, in any order and over several batches."""
    task, draw = build_task(puzzle, Request(Symmetry.ALL)), random.Random(26)
    good = solutions_of(puzzle)
    options = task.all_options.option_count
    bad = [damaged(good[draw.randrange(len(good))], options, draw) for _ in range(DAMAGED)]
    verifier, wrong = verifier_for(task), 0
    for row in bad:
        right = is_right(task, row)
        assert (verifier.check(row[None, :]) is None) == right
        wrong += not right
        mixed = np.stack([good[0], row, good[-1]])
        assert verifier.check(mixed) == verifier.check(row[None, :])
    assert wrong > DAMAGED // 2
    assert verifier.check(good) is None
    assert verifier_for(task).check(good) is None
    assert all(is_right(task, row) for row in good)


def test_a_bad_line_is_never_kept() -> None:
    """A verifier that several parts of a search share finds it again."""
    puzzle = load("pentominoes-5x6-FLNPUY")
    assert isinstance(puzzle, PackingPuzzle)
    task, good = build_task(puzzle, Request(Symmetry.ALL)), solutions_of(puzzle)
    options = task.all_options
    assert isinstance(options, PackingOptions)
    verifier = verifier_for(task)
    place, elsewhere = type(options).placed, ((0, 0), (0, 2))
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(type(options), "placed", lambda own, o: (place(own, o)[0], elsewhere))
        first = verifier.check(good)
        assert first is not None
        assert "cannot be placed on" in first
        assert verifier.check(good) == first
    assert verifier.check(good) is None


def test_nothing_placed() -> None:
    """A solution without a placement is one where every piece and every cell may be left out."""
    pieces = (Piece("A", ((0, 0),), 0, 1),)
    loose = PackingPuzzle("loose", SquareLattice(2), ((0, 0),), pieces, optional=((0, 0),))
    assert solution_error(loose, PackingSolution(())) is None
    strict = replace(loose, optional=())
    assert solution_error(strict, PackingSolution(())) == "cell (0, 0) is empty"
