"""Estimates of the tree beside the twin, and beside the whole tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from backends.domains.test_against_twin import CONFIGS, boards_of_any_class, is_small
from backends.domains.twin import Twin
from dovetail.backends.domains.backend import Domains
from dovetail.backends.domains.config import DomainsConfig
from dovetail.harness.estimating import STEERED, estimate
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.run.job import Job
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load

WHOLE = 1_000_000


def levels(task: Task, config: DomainsConfig, estimates: int, sampled: int) -> NDArray[np.float64]:
    """Return estimates that sample some nodes of each level, seed 1."""
    return Domains().tree_estimator(task, config, 1, 1, sampled).levels(estimates)


@given(puzzle=boards_of_any_class(), config=CONFIGS)
@settings(max_examples=35)
def test_a_tree_that_is_visited_whole(puzzle: EdgePuzzle, config: DomainsConfig) -> None:
    """Its nodes and solutions are those of the twin with the failures of the first nodes."""
    task = build_task(puzzle, Request(Symmetry.ALL))
    if not is_small(task, config):
        return
    assert task.edges is not None
    whole = Twin(task.edges, config)
    twin = Twin(task.edges, config, whole.weight)
    estimator = Domains().tree_estimator(task, config, 1, WHOLE)
    *nodes, solutions = estimator.levels(2)[1].tolist()
    assert nodes == [twin.fits[len(nodes) - filled] for filled in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(twin.solutions), 0)


@pytest.mark.parametrize("population", [0, 1, 3, 7])
@pytest.mark.parametrize("board", [random_board(4, 5, 3, seed=5), load("edges-5-b3i2-1")])
def test_samples_come_near_the_tree(board: EdgePuzzle, population: int) -> None:
    """The means are within five standard errors of the whole tree."""
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    task, config = build_task(board, request), DomainsConfig()
    truth = levels(task, config, 1, WHOLE)[0]
    estimator = Domains().tree_estimator(task, config, 1, 1, population)
    rows = estimator.levels(1000)
    assert estimator.probes == 1000 * max(1, population)
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    # An error is known where many samples come; few reach the last levels.
    known = np.count_nonzero(rows, axis=0) >= 20
    assert (np.abs(rows.mean(axis=0) - truth) <= 5 * error + 1e-9)[known].all()
    assert np.count_nonzero(known) > 3


def test_a_tree_that_failures_steer() -> None:
    """All of it was visited, and yet a search may make other nodes."""
    result = estimate(Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "domains"))
    assert (result.source, result.why, result.descents) == (EstimateSource.TREE, STEERED, 0)
