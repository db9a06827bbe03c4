"""Estimates of the tree beside whole searches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dovetail.backends.rows.backend import RowsBackend, RowsConfig
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.loading import load


def task_of(puzzle: EdgePuzzle, *reductions: str) -> Task:
    """All boards of a puzzle, symmetry broken or not."""
    reduce = tuple(map(Reduction.parse, reductions))
    return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=reduce))


def levels(task: Task, config: RowsConfig, estimates: int, capacity: int) -> NDArray[np.float64]:
    """So many estimates, seed 1."""
    return RowsBackend().tree_estimator(task, config, 1, 1, capacity).levels(estimates)


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
