"""Estimates of the tree beside whole searches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from backends.searches import run_out
from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.backends.rows.search import RowsTreeEstimator
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load


def task_of(puzzle: EdgePuzzle, *reductions: str) -> Task:
    """All boards of a puzzle, symmetry broken or not."""
    reduce = tuple(map(Reduction.parse, reductions))
    return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=reduce))


def levels(task: Task, config: RowsConfig, estimates: int, capacity: int) -> NDArray[np.float64]:
    """So many estimates, seed 1."""
    return RowsBackend().tree_estimator(task, config, 1, 1, capacity).levels(estimates)


def test_descents_leave_the_search_at_its_beginning() -> None:
    """The search finds everything afterwards, and descents in between read the buffer often."""
    task, config = task_of(random_board(4, 4, 2, seed=2)), RowsConfig()
    searches = [RowsBackend().prepare(task, config) for _ in range(2)]
    estimator = RowsTreeEstimator(searches[0], 1, 1, 10**6)
    levels = estimator.levels(1)
    for search in searches:
        run_out(search)
    assert searches[0].counters == searches[1].counters
    assert levels[0, -1] == searches[1].count


def test_large_trees_are_estimated() -> None:
    """Nodes and solutions within four standard errors, which are a few percent."""
    puzzle = load("edges-5-b3i2-1")
    assert isinstance(puzzle, EdgePuzzle)
    task = task_of(puzzle, "redundancy")
    config = RowsConfig()
    search = RowsBackend().prepare(task, config)
    run_out(search)
    found = levels(task, config, 400, 100)
    nodes, solutions = found[:, :-1].sum(axis=1), found[:, -1]
    for numbers, truth in ((nodes, search.nodes), (solutions, search.count)):
        error = numbers.std(ddof=1) / 20
        assert truth > 100
        assert error < 0.1 * truth
        assert abs(numbers.mean() - truth) < 4 * error


def test_what_the_model_expects() -> None:
    """A level for each cell; a fourth of it where a tile breaks the symmetry of the square."""
    puzzle = load("edges-6-b4i4-1")
    assert isinstance(puzzle, EdgePuzzle)
    whole, broken = (
        RowsBackend().expected_levels(task, RowsConfig((order,)))
        for task, order in ((task_of(puzzle), "best"), (task_of(puzzle, "redundancy"), "spiral"))
    )
    assert whole is not None
    assert broken is not None
    assert whole.shape == (36,)
    assert whole / 4 == pytest.approx(broken)
    probed = levels(task_of(puzzle), RowsConfig(("spiral",)), 20, 1_000)
    assert 0.4 < whole.sum() / probed[:, :-1].sum(axis=1).mean() < 2.5
