"""Estimates of the tree beside the twin, and beside the whole tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from backends.domains.test_against_twin import BOARDS, CONFIGS, is_small
from backends.domains.twin import Twin
from backends.searches import near
from dovetail.backends.domains.backend import Domains
from dovetail.backends.domains.config import DomainsConfig
from dovetail.harness.estimating import STEERED, estimate
from dovetail.harness.planning.tree_size import EstimateSource
from dovetail.harness.run.job import Job
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load

WHOLE = 1_000_000


@given(puzzle=BOARDS, config=CONFIGS)
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


@pytest.mark.parametrize("population", [0, 7])
@pytest.mark.parametrize("board", [random_board(4, 5, 3, seed=5), load("edges-5-b3i2-1")])
def test_samples_come_near_the_tree(board: EdgePuzzle, population: int) -> None:
    """The means are within five standard errors of the whole tree."""
    request = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))
    task, config = build_task(board, request), DomainsConfig()
    truth = Domains().tree_estimator(task, config, 1, WHOLE).levels(1)[0]
    estimator = Domains().tree_estimator(task, config, 1, 1, population)
    rows = estimator.levels(1000)
    assert estimator.probes == 1000 * max(1, population)
    assert np.count_nonzero(near(rows, truth, 20)) > 3


def test_a_tree_that_failures_steer() -> None:
    """All of it was visited, and yet a search may make other nodes."""
    result = estimate(Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "domains"))
    assert (result.source, result.why, result.descents) == (EstimateSource.TREE, STEERED, 0)
