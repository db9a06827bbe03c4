"""Both kernels beside their twin, the two programs in plain Python; and Fletcher's tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.backends.fletcher.board import board_for
from dovetail.backends.fletcher.orientations import (
    NONE,
    Orientation,
    TreeStep,
    orientations_of,
    tree_of,
)
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cell, Cells
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.strategies import packing_puzzles

SIFTINGS = ("tree", "list")
PLANE = SquareLattice(2)
BAR = tuple((0, y) for y in range(4))


def plane(name: str, region: Cells, *pieces: tuple[Cells, int]) -> PackingPuzzle:
    """A packing puzzle in the plane; each piece with its number of copies."""
    made = tuple(
        Piece(str(n), cells, count, count, Motions.FREE if n < 2 else Motions.ONE_SIDED)
        for n, (cells, count) in enumerate(pieces)
    )
    return PackingPuzzle(name, PLANE, region, made)


BOARDS = [
    # 64 bits from a target to the last cell of a bar, and 70
    plane("one word", box(4, 20), (BAR, 20)),
    plane("two words", box(4, 22), (BAR, 22)),
    # 197 cells of wall between two places
    plane("far apart", ((0, 0), (0, 1), (0, 199), (0, 200)), (box(1, 2), 2)),
    # pieces in two parts, which reach over a wall
    plane("in parts", box(4, 4), (((0, 0), (2, 0)), 4), (((0, 0), (1, 2)), 4)),
    plane("of several sizes", box(3, 4), (box(1, 1), 2), (box(1, 2), 2), (box(1, 3), 2)),
]


class Twin:
    """Counts cell tests, attempts and fits by pieces remaining, and solutions."""

    def __init__(self, puzzle: PackingPuzzle, sifting: str, *, labelled: bool = False) -> None:
        placements = bounded_placements(puzzle, labelled=labelled)
        shapes = range(len(placements.shapes))
        self.orientations = orientations_of(PackingOptions(puzzle, placements), shapes)
        self.sifting = sifting
        self.steps = tree_of(self.orientations, puzzle.lattice)
        board = board_for(placements.coordinates, self.orientations, puzzle.lattice)
        self.strides, self.place = board.strides, board.place.tolist()
        self.open = set(self.place)
        self.left = [shape.max_count for shape in placements.shapes]
        self.tests, self.solutions = 0, 0
        self.attempts, self.fits = Counter[int](), Counter[int]()
        self.solve(sum(self.left))

    def offset(self, cell: Cell) -> int:
        """How far behind its target a cell lies."""
        return sum(x * stride for x, stride in zip(cell, self.strides, strict=True))

    def is_open(self, target: int, cell: Cell) -> bool:
        """One test of a cell."""
        self.tests += 1
        return target + self.offset(cell) in self.open

    def leaves(self, target: int) -> Iterator[int]:
        """The orientations whose leaves are reached and of which a copy is left."""
        at = 0
        while at < len(self.steps):
            step = self.steps[at]
            at = at + 1
            if not self.is_open(target, step.cell):
                at = step.skip
            elif step.orientation != NONE and self.left[self.orientations[step.orientation].shape]:
                yield step.orientation

    def listed(self, target: int, remaining: int) -> Iterator[int]:
        """The orientations that fit and of which a copy is left."""
        for number, one in enumerate(self.orientations):
            if self.left[one.shape]:
                self.attempts[remaining] += 1
                if all(self.is_open(target, cell) for cell in one.cells):
                    yield number

    def solve(self, remaining: int) -> None:
        """One level of the search."""
        if remaining == 0:
            self.solutions += 1
            return
        target = min(self.open)
        by_tree = self.sifting == "tree"
        found = self.leaves(target) if by_tree else self.listed(target, remaining)
        for number in list(found):
            one = self.orientations[number]
            cells = {target, *(target + self.offset(cell) for cell in one.cells)}
            self.fits[remaining] += 1
            self.open -= cells
            self.left[one.shape] -= 1
            self.solve(remaining - 1)
            self.left[one.shape] += 1
            self.open |= cells


def assert_like_twin(puzzle: PackingPuzzle, sifting: str, *, labelled: bool = False) -> None:
    """The same solutions, fits, attempts and cell tests."""
    request = Request(Symmetry.ALL, labelled=labelled)
    finished = finish(execute(Job(puzzle, request, "fletcher", {"sifting": sifting})))
    twin = Twin(puzzle, sifting, labelled=labelled)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, twin.solutions)
    counters = finished.counters
    assert counters.native == {"cell_tests": twin.tests}
    assert counters.fits_by_remaining is not None
    assert Counter(counters.fits_by_remaining) == twin.fits
    if sifting == "tree":
        assert (counters.attempts, counters.attempts_by_remaining) == (None, None)
    else:
        assert counters.attempts_by_remaining is not None
        assert Counter(counters.attempts_by_remaining) == twin.attempts


@pytest.mark.parametrize("sifting", SIFTINGS)
@given(puzzle=packing_puzzles(), labelled=st.booleans())
@settings(max_examples=15)
def test_random_puzzles(sifting: str, puzzle: PackingPuzzle, labelled: bool) -> None:
    """One to four dimensions, pieces that are alike, holes."""
    assert_like_twin(puzzle, sifting, labelled=labelled)


@pytest.mark.parametrize("sifting", SIFTINGS)
@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: puzzle.name)
def test_boards_and_pieces_of_every_sort(puzzle: PackingPuzzle, sifting: str) -> None:
    """Windows of one word and more, walls longer than a word, pieces in parts."""
    assert_like_twin(puzzle, sifting)


def test_the_published_search() -> None:
    """P-11 of the older article's second table, de Bruijn with X restricted: 2,455,947 fits."""
    request = Request(reductions=(Reduction.parse("redundancy"),))
    job = Job(load("pentominoes-6x10"), request, "fletcher", {"sifting": "list"})
    finished = finish(execute(job))
    assert (finished.count, finished.nodes) == (2339, 2_455_947)


def every_orientation(puzzle: PackingPuzzle, *, labelled: bool = False) -> Sequence[Orientation]:
    """Those of all shapes of a puzzle."""
    options = PackingOptions(puzzle, bounded_placements(puzzle, labelled=labelled))
    return orientations_of(options, range(len(options.placements.shapes)))


def leaves(steps: Sequence[TreeStep]) -> int:
    """How many of some steps are leaves."""
    return sum(step.orientation != NONE for step in steps)


def test_the_shape_for_the_pentominoes() -> None:
    """63 leaves under 90 tests; what stands below each test of the cells next to the target."""
    puzzle = load("pentominoes-6x10")
    assert isinstance(puzzle, PackingPuzzle)
    orientations = every_orientation(puzzle)
    steps = tree_of(orientations, puzzle.lattice)
    assert (len(orientations), leaves(steps), len(steps)) == (63, 63, 90)
    skipped = [(step.cell, leaves(steps[at : step.skip])) for at, step in enumerate(steps)]
    assert skipped[0] == ((0, 1), 29)
    assert [count for cell, count in skipped if cell == (1, 0)] == [1, 4, 10, 34]
