"""Pieces matched by their shapes: names found, misfits explained, pieces of one shape matched."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.verification import named_by_shape

PLANE = SquareLattice(2)
WIDTH = 5
# Upright dominoes side by side: every one of them can lie in every column.
COLUMNS: tuple[Cells, ...] = tuple(((x, 0), (x, 1)) for x in range(WIDTH))


def laid(columns: tuple[Cells, ...] = COLUMNS) -> PackingSolution:
    """Dominoes under names of their own."""
    return PackingSolution(tuple((f"?{n}", cells) for n, cells in enumerate(columns)))


def dominoes(*pieces: Piece) -> PackingPuzzle:
    """A row of columns to be filled by `pieces`."""
    return PackingPuzzle("columns", PLANE, box(WIDTH, 2), pieces)


def names(solution: PackingSolution) -> list[str]:
    """The names in the order of the columns."""
    return [name for name, _ in solution.placed]


def test_copies_and_ranges() -> None:
    """Pieces that must be used come first, others fill up."""
    puzzle = dominoes(
        Piece("may", COLUMNS[0], 0, 4), Piece("must", COLUMNS[0], 2, 2), Piece("one", COLUMNS[0])
    )
    found = names(named_by_shape(puzzle, laid()))
    assert sorted(found) == ["may", "may", "must", "must", "one"]


@given(st.lists(st.sets(st.integers(0, WIDTH - 1), min_size=1), min_size=WIDTH, max_size=WIDTH))
def test_listed_places_are_matched_if_they_can_be(chosen: list[set[int]]) -> None:
    """Same-shaped pieces held to different columns: found exactly when there is a way."""
    puzzle = dominoes(
        *(
            Piece(str(n), COLUMNS[0], placements=tuple(COLUMNS[x] for x in columns))
            for n, columns in enumerate(chosen)
        )
    )
    ways = any(
        all(x in chosen[n] for x, n in enumerate(order)) for order in permutations(range(WIDTH))
    )
    try:
        solution = named_by_shape(puzzle, laid())
    except PuzzleError:
        assert not ways
    else:
        assert ways
        assert solution_error(puzzle, solution) is None


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        (
            PackingSolution((("Q", ((0, 0), (2, 0))),)),
            "'Q' on .* does not match the shape of any piece",
        ),
        (PackingSolution((("Q", ()),)), "'Q' on .* does not match the shape of any piece"),
        (PackingSolution((("Q", ((0, 0), (0, 0))),)), "does not match the shape of any piece"),
        (laid((COLUMNS[1],)), "may not be placed there"),
        (laid((COLUMNS[0], COLUMNS[0])), "too few pieces with the shape of .[?]1."),
        (PackingSolution((("Q" * 999, ((0, 0),)),)), "does not match the shape of any piece"),
    ],
)
def test_misfits(solution: PackingSolution, message: str) -> None:
    """Say what fits nowhere, in one short line."""
    puzzle = PackingPuzzle(
        "one of them",
        PLANE,
        box(WIDTH, 2),
        (Piece("A", COLUMNS[0], placements=COLUMNS[:1]),),
        optional=box(WIDTH, 2),
    )
    with pytest.raises(PuzzleError, match=message) as caught:
        named_by_shape(puzzle, solution)
    assert len(str(caught.value)) < 200
