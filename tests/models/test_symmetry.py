"""Symmetry groups and canonical forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from dovetail.harness.run.job import Limits
from dovetail.models import symmetry as symmetries
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.request import Request, Symmetry
from dovetail.models.symmetry import RowNumbers, SolutionClasses, canonical_forms
from dovetail.models.task import Puzzle, build_task
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.answers import counted, listed
from oracle.strategies import packing_puzzles

# Order of the group that `unique` and `mirror` count up to.
GROUPS = [
    ("pentominoes-6x10", 4, 4),
    ("soma-cube", 24, 48),
    ("pentominoes-3x4x5", 4, 8),
    ("edges-4-b3i3-1", 4, 4),
    ("queens-8", 8, 8),
    ("sudoku-25-clues", 1, 1),
]


@pytest.mark.parametrize(("name", "unique", "mirror"), GROUPS, ids=[g[0] for g in GROUPS])
def test_order_of_the_group(name: str, unique: int, mirror: int) -> None:
    """Rotations, and reflections where the pieces allow them."""
    puzzle = load(name)
    assert len(build_task(puzzle, Request(Symmetry.ALL)).group) == 1
    assert len(build_task(puzzle, Request(Symmetry.UNIQUE)).group) == unique
    assert len(build_task(puzzle, Request(Symmetry.MIRROR)).group) == mirror


# From knutj42/square_8x8_puzzle and taylorjg/DraughtBoardPuzzle, made as small as possible.
PLACES = ((1, 3), (2, 0)), ((3, 2), (0, 1))


def test_a_quarter_turn_relabels_no_pieces() -> None:
    """It carries the placements of a onto those of b, which is another piece; half turns remain."""
    region = (*PLACES[0], *PLACES[1])
    pieces = tuple(
        Piece(name, ((0, 0),), placements=((first,), (second,)))
        for name, (first, second) in zip("abcd", PLACES * 2, strict=True)
    )
    puzzle = PackingPuzzle("pinwheel", SquareLattice(2), region, pieces)
    for interchangeable, classes in ((False, 2), (True, 1)):
        puzzle = replace(puzzle, interchangeable=interchangeable)
        for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR):
            assert len(build_task(puzzle, Request(symmetry)).group) == 2
            assert counted(puzzle, symmetry=symmetry).count == classes


def assert_classes_are_orbits(puzzle: Puzzle, symmetry: str) -> None:
    """`unique` counts the orbits of the group on the listed solutions."""
    finished, solutions = listed(puzzle, limits=Limits(solutions=3_000))
    if finished.status != Status.EXHAUSTED:  # too many to compare
        return
    group = build_task(puzzle, Request(Symmetry(symmetry))).group
    orbits = {
        frozenset(tuple(sorted(int(g[o]) for o in solution)) for g in group)
        for solution in solutions
    }
    assert all(orbit <= solutions for orbit in orbits), "the group keeps the set of solutions"
    assert counted(puzzle, symmetry=symmetry).count == len(orbits)


@given(packing_puzzles())
@settings(max_examples=20)
def test_unique_packings_are_orbits(puzzle: PackingPuzzle) -> None:
    """On random regions and pieces, in one to four dimensions."""
    assert_classes_are_orbits(puzzle, "unique")
    assert_classes_are_orbits(puzzle, "mirror")


def test_canonical_form_against_its_twin() -> None:
    """The least sorted image, with rows of different lengths."""
    random = np.random.default_rng(1)
    group = np.stack([np.arange(9), *(random.permutation(9) for _ in range(5))]).astype(np.int32)
    rows = np.array([[3, 1, 8, -1], [0, 2, 5, 7], [6, -1, -1, -1]], dtype=np.int32)
    expected = [
        min(sorted(int(g[o]) if o >= 0 else -1 for o in row) for g in group) for row in rows
    ]
    assert canonical_forms(rows, group).tolist() == expected


def test_classes_let_one_of_each_through() -> None:
    """Images of what was seen are held back, the empty solution included."""
    classes = SolutionClasses(np.array([[0, 1, 2], [2, 1, 0]], dtype=np.int32))
    first = classes.first_of_class(np.array([[0, 1], [1, 2], [0, 2]], dtype=np.int32))
    assert first.tolist() == [[0, 1], [0, 2]]
    assert len(classes.first_of_class(np.array([[2, 1]], dtype=np.int32))) == 0
    empty = SolutionClasses(np.zeros((1, 0), dtype=np.int32))
    assert len(empty.first_of_class(np.zeros((2, 0), dtype=np.int32))) == 1


@pytest.mark.parametrize("factor", [symmetries.FIRST_FACTOR, 1])
def test_numbers_of_rows(factor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are found by content, also if keys of a first factor are the same for several rows."""
    monkeypatch.setattr(symmetries, "FIRST_FACTOR", factor)
    random = np.random.default_rng(1)
    table = random.integers(-1, 4, (200, 4), dtype=np.int32)
    rows = random.integers(-1, 4, (300, 4), dtype=np.int32)
    first = {row: n for n, row in reversed(list(enumerate(map(tuple, table.tolist()))))}
    numbers = RowNumbers(table)
    assert numbers.of(rows).tolist() == [first.get(tuple(row), -1) for row in rows.tolist()]
    assert RowNumbers(table[:0]).of(rows[:2]).tolist() == [-1, -1]


@pytest.mark.parametrize("swapped", [False, True])
def test_pieces_with_equal_orientations_keep_their_names(swapped: bool) -> None:
    """Four T that cannot be turned lie on places that the region's symmetries exchange.

    A reflection makes one of another that looks the same, a half turn does not: as only the first
    is refused, what is left would be no group, unless neither counts.
    """
    places = [[(0, y), (1, y), (2, y), (1, y + 1)] for y in (0, 2)]
    pieces = []
    for name, flip_x, flip_y in (("s", 0, 0), ("t", 1, 0), ("u", 1, 1), ("v", 0, 1)):
        moved = tuple(
            tuple(
                (9 - x if flip_x else x, 9 - y if flip_y else y)[:: -1 if swapped else 1]
                for x, y in place
            )
            for place in places
        )
        pieces.append(Piece(name, moved[0], placements=moved, motions=Motions.FIXED))
    region = tuple(box(10, 10))
    puzzle = PackingPuzzle("four T", SquareLattice(2), region, tuple(pieces), optional=region)
    options = build_task(puzzle, Request(Symmetry.ALL)).options
    for symmetry in (Symmetry.UNIQUE, Symmetry.MIRROR):
        assert len(options.symmetries(symmetry)) == 1
