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
from backends.frontier.twin import Twin, covered_cells
from dovetail.backends.frontier.problem import (
    best_order,
    fixed_problem,
    orders,
    packing_problem,
    shapes_expected,
    sweep_cells,
    window_needed,
)
from dovetail.backends.frontier.search import SweepCounting
from dovetail.backends.shared.burnside import solutions_for_each
from dovetail.backends.shared.memory_budget import MemoryBudget, RepresentationLimitError
from dovetail.models.options.packing import PackingOptions
from dovetail.models.packing import Motions, PackingPuzzle, Piece
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box, pentominoes_in_rectangle
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


@given(packing_puzzles() | loose_packings())
@settings(max_examples=15)
def test_moves_are_placements(puzzle: PackingPuzzle) -> None:
    """Each placement is a move once, on the same cells by their ranks, of its shape and weight."""
    task = task_of(puzzle)
    problem, placements = packing_problem(task), task.placements
    assert placements is not None
    rank, _ = best(placements)
    assert sorted(problem.option.tolist()) == list(range(len(placements)))
    for move, cells in enumerate(covered_cells(problem)):
        option = problem.option[move]
        taken = placements.cells[option]
        assert cells == {int(rank[cell]) for cell in taken if cell >= 0}
        uses = problem.uses[problem.move_class[move]]
        assert uses.tolist() == np.eye(len(placements.shapes))[placements.shape[option]].tolist()
        assert problem.weight[problem.move_class[move]] == 1
    assert np.array_equal(problem.optional[rank], placements.optional)
    near = [{int(rank[n]) for n in row if n >= 0} for row in placements.neighbours]
    assert [
        {n for n in problem.neighbours[rank[c]].tolist() if n >= 0} for c in range(len(near))
    ] == near


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


def test_lines_across_the_plane_suit_other_lattices_better() -> None:
    """A triangle of triangles is not swept along its axes only; orders of squares are those."""
    p = placements_of("hexiamonds-delta-3")
    neighbours, (rank, _) = p.neighbours.astype(np.int64), best(p)
    by_axes = orders(p.coordinates, p.positions)[:6]
    assert shapes_expected(rank, neighbours) * 50 < min(
        shapes_expected(one, neighbours) for one in by_axes
    )
    p = placements_of("pentominoes-6x10")
    assert len(orders(p.coordinates, p.positions)) == 2


def test_a_piece_restricted_by_half_of_the_symmetries() -> None:
    """In a square the orbits of one piece are of several sizes: it has a kind for each."""
    task = task_of(pentominoes_in_rectangle(5, 5, "FPUXY"), "redundancy=X", symmetry=Symmetry.ALL)
    assert task.placements is not None
    is_x = task.placements.shape == [s.name for s in task.placements.shapes].index("X")
    assert sorted(solutions_for_each(task)[is_x].tolist()) == [1, 4, 4]
    assert sorted(packing_problem(task).weight.tolist()) == [1, 1, 1, 1, 1, 4]
