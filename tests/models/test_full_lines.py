"""Lines that boxes must fill are full in every solution, which no count depends on."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.impossibility.packing import on_full_lines
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.options.packing import PackingOptions
from dovetail.models.outcome import Status
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.request import Request, Symmetry

Sides = tuple[int, ...]


def boxes(extent: Sides, *pieces: Sides) -> PackingPuzzle:
    """Return a puzzle of boxes that leave cells of a box empty."""
    region = tuple(product(*map(range, extent)))
    made = [
        Piece(f"P{number}", tuple(product(*map(range, sides))), count, count)
        for number, (sides, count) in enumerate(sorted(Counter(pieces).items()))
    ]
    return PackingPuzzle("boxes", SquareLattice(len(extent)), region, tuple(made), optional=region)


SQUARE = boxes((5, 5), *[(2, 3)] * 4)
OBLONG = boxes((5, 7), (2, 2), *[(2, 3)] * 5)
CUBE = boxes((5, 5, 5), *[(2, 2, 3)] * 4, *[(2, 3, 3)] * 4)


@pytest.mark.parametrize(("puzzle", "lines"), [(SQUARE, 16), (OBLONG, 23), (CUBE, 44)])
def test_lines(puzzle: PackingPuzzle, lines: int) -> None:
    """Every solution that `dlx` finds without the argument fills the lines; the counts agree."""
    placements = bounded_placements(puzzle)
    full = on_full_lines(placements)
    assert full.sum() == lines
    search = DlxSearch(PackingOptions(puzzle, placements).cover, None)
    found = 0
    while True:
        status = search.advance(Budget(work=10**7))
        for row in search.take():
            found += 1
            covered = placements.cells[row[row >= 0]]
            assert full[covered[covered >= 0]].sum() == lines
        if status is not None:
            break
    assert (status, found > 0) == (Status.EXHAUSTED, True)
    for backend in ("dlx", "bitset", "skyline", "cpsat"):
        result = finish(execute(Job(puzzle, Request(Symmetry.ALL), backend)))
        if result.status != Status.SKIPPED:
            assert (backend, result.status, result.count) == (backend, Status.EXHAUSTED, found)


@pytest.mark.parametrize(
    "puzzle",
    [
        boxes((5, 5), *[(2, 3)] * 3),
        boxes((5, 5), (2, 2), *[(2, 3)] * 3),
        boxes((6, 6), *[(2, 3)] * 4),
        PackingPuzzle(
            "L", SquareLattice(2), SQUARE.region[:-1], SQUARE.pieces, optional=SQUARE.region[:-1]
        ),
    ],
)
def test_no_lines(puzzle: PackingPuzzle) -> None:
    """Fewer or smaller pieces, another extent or another outline leave all cells open."""
    assert not on_full_lines(bounded_placements(puzzle)).any()


@pytest.mark.slow
def test_hoffman() -> None:
    """27 blocks of 4x5x6 are in a cube of side 15 in 21 ways, 1,008 with their images."""
    puzzle = boxes((15, 15, 15), *[(4, 5, 6)] * 27)
    result = finish(execute(Job(puzzle, Request(Symmetry.MIRROR), "bitset")))
    assert (result.status, result.count, result.other_counts) == (
        Status.EXHAUSTED,
        21,
        {Symmetry.ALL: 1008},
    )


def test_a_piece_whose_first_and_last_cells_span_its_volume_is_no_box() -> None:
    """Two copies of it fit, but leave a cell of the middle row empty."""
    cells = ((0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 2))
    piece = Piece("H", cells, 2, 2, Motions.FIXED)
    region = tuple(product(range(5), range(3)))
    puzzle = PackingPuzzle("no boxes", SquareLattice(2), region, (piece,), optional=region)
    assert not on_full_lines(bounded_placements(puzzle)).any()
    assert finish(execute(Job(puzzle, Request(Symmetry.ALL), "dlx"))).count == 1
