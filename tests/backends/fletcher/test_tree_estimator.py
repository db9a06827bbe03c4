"""Estimates of the trees of `fletcher` beside what its search counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from dovetail.backends.base import Budget, TreeEstimator
from dovetail.backends.fletcher.backend import Fletcher, FletcherConfig
from dovetail.backends.fletcher.search import Sifting
from dovetail.models.packing import PackingPuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Puzzle, Task, build_task
from dovetail.puzzles.loading import load
from oracle.strategies import packing_puzzles

EVERYTHING = 10**6  # a prefix as wide as any tree here
SIFTINGS: tuple[Sifting, ...] = ("tree", "list")


def task_of(puzzle: Puzzle, *reductions: str) -> Task:
    """Return the task of all solutions, after reductions."""
    reduced = tuple(map(Reduction.parse, reductions))
    return build_task(puzzle, Request(Symmetry.ALL, reductions=reduced))


def searched(task: Task, sifting: Sifting) -> list[int]:
    """Return the fits of a whole search, from all pieces remaining down, and its solutions."""
    search = Fletcher().prepare(task, FletcherConfig(sifting))
    while search.advance(Budget(10**7)) is None:
        search.take()
    fits = search.counters.fits_by_remaining
    assert fits is not None
    return [*fits.values(), search.count]


def estimator_of(
    task: Task, sifting: Sifting, prefix_width: int, population: int = 0
) -> TreeEstimator:
    """Return the estimator of a task, from one seed."""
    return Fletcher().tree_estimator(task, FletcherConfig(sifting), 3, prefix_width, population)


@given(packing_puzzles())
@settings(max_examples=15)
def test_a_wide_prefix_is_the_whole_tree(puzzle: PackingPuzzle) -> None:
    """On random puzzles; some have a piece that is placed first."""
    for reductions in ((), ("redundancy",)):
        task = task_of(puzzle, *reductions)
        for sifting in SIFTINGS:
            if Fletcher().refuses(task, FletcherConfig(sifting)) is None:
                estimator = estimator_of(task, sifting, EVERYTHING)
                assert estimator.levels(2).tolist() == [searched(task, sifting)] * 2
                assert estimator.probes == 0


@pytest.mark.parametrize(("prefix_width", "population"), [(1, 0), (20, 0), (1, 25)])
@pytest.mark.parametrize("reductions", [(), ("redundancy",)])
@pytest.mark.parametrize("sifting", SIFTINGS)
def test_many_descents_come_near_the_tree(
    sifting: Sifting, reductions: tuple[str, ...], prefix_width: int, population: int
) -> None:
    """The mean is within five standard errors of what the search counts."""
    task = task_of(load("pentominoes-5x6-FLNPUY"), *reductions)
    truth = searched(task, sifting)
    estimator = estimator_of(task, sifting, prefix_width, population)
    rows = estimator.levels(400)
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    known = np.count_nonzero(rows, axis=0) >= 10
    assert (np.abs(rows.mean(axis=0) - truth) <= 5 * error + 1e-9)[known].all()
    assert known[:4].all()


def test_many_descents_come_near_the_solutions() -> None:
    """Of a puzzle that has so many, 11,520, that all levels and they have an error."""
    task = task_of(load("soma-cube"))
    rows = estimator_of(task, "tree", 60).levels(4000)
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    assert np.count_nonzero(rows[:, -1]) >= 10
    assert (np.abs(rows.mean(axis=0) - searched(task, "tree")) <= 5 * error + 1e-9).all()
