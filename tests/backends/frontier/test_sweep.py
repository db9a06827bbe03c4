"""The order in which cells are filled, and the problem that a puzzle is in this order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from backends.frontier.problems import problem_of, task_of
from backends.frontier.twin import covered_cells
from dovetail.backends.frontier.problem import (
    best_order,
    orders,
    packing_problem,
    shapes_expected,
    span,
    sweep_cells,
    window_needed,
)
from dovetail.backends.shared.state_search import solutions_for_each
from dovetail.models.packing import PackingPuzzle
from dovetail.models.placements import Placements, bounded_placements
from dovetail.models.request import Symmetry
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import pentominoes_in_rectangle
from oracle.strategies import loose_packings, packing_puzzles


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


@given(packing_puzzles() | loose_packings())
@settings(max_examples=15)
def test_orders_are_of_the_axes(puzzle: PackingPuzzle) -> None:
    """Every cell has a rank of its own; the best order is one of them, with its span."""
    p = bounded_placements(puzzle)
    found = orders(p.coordinates, p.positions)
    assert all(sorted(rank.tolist()) == list(range(p.cell_count)) for rank in found)
    rank, window = best(p)
    assert any(np.array_equal(rank, one) for one in found)
    ranks = [[int(rank[cell]) for cell in row if cell >= 0] for row in p.cells]
    assert (
        window
        == span(rank, p.cells.astype(np.int64))
        == max((max(r) - min(r) + 1 for r in ranks), default=0)
    )


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


def test_a_restricted_piece_weighs_as_much_as_its_orbit() -> None:
    """The weights of its places add up to those it had before."""
    puzzle = pentominoes_in_rectangle(6, 10)
    task = task_of(puzzle, "redundancy=X")
    assert task.placements is not None
    shapes = [shape.name for shape in task.placements.shapes]
    is_x = task.placements.shape == shapes.index("X")
    assert solutions_for_each(task)[is_x].tolist() == [4] * 8
    assert set(solutions_for_each(task)[~is_x].tolist()) == {1}
    problem = problem_of(puzzle, "redundancy=X")
    assert len(problem.weight) == 12
    assert sorted(problem.weight.tolist()) == [1] * 11 + [4]


def test_a_piece_restricted_by_half_of_the_symmetries() -> None:
    """In a square the orbits of one piece are of several sizes: it has a kind for each."""
    task = task_of(pentominoes_in_rectangle(5, 5, "FPUXY"), "redundancy=X", symmetry=Symmetry.ALL)
    assert task.placements is not None
    is_x = task.placements.shape == [s.name for s in task.placements.shapes].index("X")
    assert sorted(solutions_for_each(task)[is_x].tolist()) == [1, 4, 4]
    assert sorted(packing_problem(task).weight.tolist()) == [1, 1, 1, 1, 1, 4]
