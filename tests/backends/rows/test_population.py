"""Estimates of the tree beside whole searches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.backends.base import Budget
from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.backends.rows.search import RowsTreeEstimator
from dovetail.backends.rows.tables import IdenticalTiles
from dovetail.models.edges import EdgePuzzle, Hint
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


def _corner(puzzle: EdgePuzzle) -> tuple[int, int]:
    """A tile that fits the bottom left corner, and its rotation."""
    task = task_of(puzzle)
    assert task.edges is not None
    _, _, tile, rotation = task.edges.placed(int(np.flatnonzero(task.edges.cell == 0)[0]))
    return tile, rotation


@pytest.mark.parametrize("order", ["bottom-up", "spiral", "columns"])
@pytest.mark.parametrize("identical_tiles", ["once", "each"])
@pytest.mark.parametrize("population", [0, 20, 10**6])
def test_levels_are_those_of_the_search(
    order: str, identical_tiles: IdenticalTiles, population: int
) -> None:
    """Exactly if levels are visited whole; else the sampled levels are unbiased."""
    puzzle = random_board(4, 4, 3, seed=3)
    hinted = EdgePuzzle("hinted", 4, 4, puzzle.tiles, (Hint(0, 0, *_corner(puzzle)),))
    config = RowsConfig((order,), identical_tiles)
    for task in (task_of(puzzle, "redundancy"), task_of(hinted)):
        search = RowsBackend().prepare(task, config)
        while search.advance(Budget(work=10**7)) is None:
            search.take()
        fits = search.counters.fits_by_remaining
        assert fits is not None
        truth = [fits[remaining] for remaining in range(16, 0, -1)]
        estimator = RowsBackend().tree_estimator(task, config, 1, 1, population)
        found = estimator.levels(1 if population == 10**6 else 100)
        if population == 10**6:
            assert estimator.probes == 0
            assert found[0, :-1].tolist() == truth
            assert found[0, -1] == pytest.approx(search.count)
        else:
            totals = found[:, :-1].sum(axis=1)
            error = totals.std(ddof=1) / len(totals) ** 0.5
            assert abs(totals.mean() - sum(truth)) < 4 * error + 1e-9 * sum(truth)


def test_descents_leave_the_search_at_its_beginning() -> None:
    """The search finds everything afterwards, and descents in between read the buffer often."""
    task, config = task_of(random_board(4, 4, 2, seed=2)), RowsConfig()
    searches = [RowsBackend().prepare(task, config) for _ in range(2)]
    estimator = RowsTreeEstimator(searches[0], 1, 1, 10**6)
    levels = estimator.levels(1)
    for search in searches:
        while search.advance(Budget(work=10**6)) is None:
            search.take()
    assert searches[0].counters == searches[1].counters
    assert levels[0, -1] == searches[1].count


def test_large_trees_are_estimated() -> None:
    """Nodes and solutions within four standard errors, which are a few percent."""
    puzzle = load("edges-5-b3i2-1")
    assert isinstance(puzzle, EdgePuzzle)
    task = task_of(puzzle, "redundancy")
    config = RowsConfig()
    search = RowsBackend().prepare(task, config)
    while search.advance(Budget(work=10**9)) is None:
        search.take()
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
