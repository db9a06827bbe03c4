"""The problem that a puzzle is, its order of cells, and the problems of symmetric solutions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from backends.frontier.problems import (
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
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from oracle.strategies import loose_packings, packing_puzzles

# All four quarter turns leave a solution as it is.
WINDMILL = packing(
    "windmill-5x5",
    tuple(cell for cell in box(5, 5) if cell != (2, 2)),
    several("A", box(2, 3), 4),
)


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


@pytest.mark.parametrize("puzzle", [WINDMILL, *PUZZLES], ids=lambda puzzle: puzzle.name)
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
