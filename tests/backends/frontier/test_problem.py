"""The problem that a puzzle is, its order of cells, and the problems of symmetric solutions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from backends.frontier.problems import (
    CORNER,
    DOMINO,
    EVERYTHING,
    PUZZLES,
    packing,
    several,
    task_of,
)
from backends.frontier.twin import Twin
from dovetail.backends.frontier.problem import (
    best_order,
    fixed_problem,
    packing_problem,
    sweep_cells,
    window_needed,
)
from dovetail.backends.frontier.search import SweepCounting
from dovetail.backends.shared.state_search import MemoryBudget, RepresentationLimitError
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.strategies import loose_packings, packing_puzzles

# Solutions that are symmetric in every way there is: the numbers of the identity come first.
SYMMETRIC = [
    # Half turns, quarter turns and all four reflections of a square.
    packing("dominoes-4x4", box(4, 4), several("A", DOMINO, 8)),
    packing(
        "corners-and-cells-4x4", box(4, 4), several("A", CORNER, 4), several("B", ((0, 0),), 4)
    ),
    packing(
        "windmill-5x5",
        tuple(cell for cell in box(5, 5) if cell != (2, 2)),
        several("A", box(2, 3), 4),
    ),
    # Pieces that a reflection turns into one another.
    packing(
        "both-hands-4x4",
        box(4, 4),
        Piece("A", ((0, 0), (1, 0), (2, 0), (2, 1)), 2, 2, Motions.ONE_SIDED),
        Piece("B", ((0, 0), (1, 0), (2, 0), (0, 1)), 2, 2, Motions.ONE_SIDED),
    ),
    # Solids: 24 rotations and 24 reflections of a cube, with cells that may stay empty.
    packing("bricks-2x2x2", box(2, 2, 2), several("A", ((0, 0, 0), (1, 0, 0)), 4)),
    packing(
        "bricks-in-a-ring",
        tuple(cell for cell in box(3, 3, 2) if cell[:2] != (1, 1)),
        several("A", ((0, 0, 0), (1, 0, 0)), 6, 8),
        optional=((0, 0, 0), (2, 2, 0), (0, 0, 1), (2, 2, 1)),
    ),
]


def compare(puzzle: PackingPuzzle) -> list[int]:
    """The numbers of solutions that the symmetries leave as they are, each counted both ways."""
    task = task_of(puzzle)
    options = task.options
    assert isinstance(options, PackingOptions)
    problem = packing_problem(task)
    solutions = {
        frozenset(problem.option[list(moves)].tolist()) for moves in Twin(problem).solutions()
    }
    found = []
    for symmetry in options.symmetries(Symmetry.MIRROR):
        images = ({int(symmetry[option]) for option in one} for one in solutions)
        unchanged = sum(image == one for image, one in zip(images, solutions, strict=True))
        counting = SweepCounting(fixed_problem(options, symmetry), MemoryBudget(EVERYTHING))
        for step in (counting.expand, counting.meet):
            for _ in step():
                pass
        assert counting.total == unchanged
        found.append(unchanged)
    return found


@pytest.mark.parametrize("puzzle", [*SYMMETRIC, *PUZZLES[1:]], ids=lambda puzzle: puzzle.name)
def test_all_symmetries(puzzle: PackingPuzzle) -> None:
    """Rotations and reflections in two and three dimensions."""
    compare(puzzle)


@given(packing_puzzles() | loose_packings())
@settings(max_examples=15)
def test_random_puzzles(puzzle: PackingPuzzle) -> None:
    """Holes, optional cells, repeats and ranges of copies, in one to four dimensions."""
    compare(puzzle)


def test_a_window_too_wide() -> None:
    """Two placements that lie far apart, and are one move: it spans what no window holds."""
    long = packing("strip", box(130, 1), several("A", DOMINO, 65))
    options = task_of(long).options
    assert isinstance(options, PackingOptions)
    for symmetry in options.symmetries(Symmetry.MIRROR)[1:]:
        problem = fixed_problem(options, symmetry)  # folded, it is half as long
        assert problem.cell_count <= 65
    moved = np.arange(options.option_count, dtype=np.int32)
    moved[[0, 100]] = 100, 0
    with pytest.raises(
        RepresentationLimitError, match=r"needs a window of 1[0-9][0-9] cells; the limit is 64"
    ):
        fixed_problem(options, moved)


def best(p: Placements) -> tuple[NDArray[np.int64], int]:
    """The best order for some placements."""
    return best_order(sweep_cells(p))


def placements_of(name: str) -> Placements:
    """Those of a puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    return bounded_placements(puzzle)


@pytest.mark.parametrize(
    ("name", "window"),
    [("pentominoes-3x20", 13), ("pentominoes-6x10", 25), ("one-sided-pentominoes-9x10", 37)],
)
def test_the_narrow_side_is_filled_first(name: str, window: int) -> None:
    """A straight piece along the long side spans four times the narrow one, and a cell."""
    p = placements_of(name)
    assert window_needed(p) == window
    rank, _ = best(p)
    long_side = int(np.argmax(p.coordinates.max(axis=0)))
    assert np.all(np.diff(p.coordinates[np.argsort(rank), long_side]) >= 0)
