"""Estimates of the tree beside the twin, and beside searches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from backends.colorpair.strategies import configs
from backends.colorpair.twin import DescentsTwin
from backends.searches import near
from dovetail.backends.base import Budget
from dovetail.backends.colorpair.backend import ColorPair
from dovetail.backends.colorpair.config import ColorPairConfig
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from oracle.strategies import laid_boards

WHOLE = 1_000_000
BROKEN = Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),))


@given(puzzle=laid_boards([(3, 3), (3, 4)]), config=configs())
@settings(max_examples=25)
def test_a_tree_that_is_visited_whole(puzzle: EdgePuzzle, config: ColorPairConfig) -> None:
    """Its nodes and solutions are those of the twin, and again after descents.

    One kernel serves all: boards with inner cells, whose candidates are not ordered.
    """
    config = replace(config, contradiction=True, single_colours=False, value_order="given")
    task = build_task(puzzle, Request(Symmetry.ALL))
    assert task.edges is not None
    twin = DescentsTwin(task.edges, config)
    estimator = ColorPair().tree_estimator(task, config, 1, WHOLE)
    *nodes, solutions = estimator.levels(2)[1].tolist()
    assert nodes == [twin.fits[len(nodes) - filled] for filled in range(len(nodes))]
    assert (solutions, estimator.probes) == (len(twin.solutions), 0)


@pytest.mark.parametrize(
    ("population", "config"),
    [
        (1, ColorPairConfig()),
        (30, ColorPairConfig(value_order="probability", single_colours=True)),
        (30, ColorPairConfig(shaving="2")),
    ],
)
def test_samples_come_near_the_tree(population: int, config: ColorPairConfig) -> None:
    """The means are within five standard errors of the whole tree."""
    task = build_task(load("edges-5-b3i3-1"), BROKEN)
    truth = ColorPair().tree_estimator(task, config, 1, WHOLE).levels(1)[0]
    estimator = ColorPair().tree_estimator(task, config, 1, 1, population)
    rows = estimator.levels(500)
    assert estimator.probes == 500 * population
    assert np.count_nonzero(near(rows, truth, 20)) > 3


def test_estimates_of_searches() -> None:
    """The tree has the solutions of a search, and about its nodes without backjumping."""
    task, nodes = build_task(load("edges-5-b3i3-1"), BROKEN), []
    rows = ColorPair().tree_estimator(task, ColorPairConfig(), 1, WHOLE).levels(1)
    for backjumping in (True, False):
        search = ColorPair().prepare(task, ColorPairConfig(backjumping=backjumping))
        while search.advance(Budget(work=10**9)) is None:
            search.take()
        assert rows[0, -1] == search.count == 98
        nodes.append(search.counters.nodes or 0)
    assert nodes[0] < nodes[1]
    assert rows[0, :-1].sum() == pytest.approx(nodes[1], rel=0.03)
