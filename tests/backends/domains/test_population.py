"""Estimates of the tree: the kernel beside its twin, and beside whole searches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from backends.domains.twin import Candidate, Record, Twin
from dovetail.backends.base import Budget
from dovetail.backends.domains.arrays import Choice
from dovetail.backends.domains.backend import Domains, DomainsConfig
from dovetail.harness.estimating import STEERED, estimate
from dovetail.harness.planning.tree_size import Source
from dovetail.harness.run.job import Job
from dovetail.models.edges import EdgePuzzle
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.random_stream import RandomStream


class PopulationTwin(Twin):
    """Samples of the levels of its tree."""

    def _search(self) -> None:
        """Nothing is searched."""

    def sizes(self, capacity: int, random: RandomStream) -> list[float]:
        """An estimate of the nodes by cells that have several candidates left; and of solutions."""
        self.weight.clear()
        self.found, weight = [0.0] * (len(self.order) + 1), 1.0
        self.queue = set(self.order)
        nodes = self._branching(self._first_record(), weight)
        while nodes:
            sample, born = list[tuple[Record, int, Candidate]](), 0
            for record, cell in nodes:
                for candidate in sorted(record.domain[cell]):
                    self.found[len(self.order) - len(record.several)] += weight
                    born += 1
                    if born <= capacity:
                        sample.append((record, cell, candidate))
                    elif (place := random.below(born)) < capacity:
                        sample[place] = (record, cell, candidate)
            weight *= max(1.0, born / capacity)
            nodes = []
            for record, cell, candidate in sample:
                nodes += self._branching(self._placed(record, cell, candidate), weight)
        return self.found

    def _branching(self, record: Record, weight: float) -> list[tuple[Record, int]]:
        """The record and the cell to branch on, once all is concluded; nothing if there is none."""
        if not self._settle(record):
            return []
        if not record.several:
            self.found[-1] += weight
            return []
        return [(record, self._best_cell(record))]


def task_of(puzzle: EdgePuzzle) -> Task:
    """All boards of a puzzle, symmetry broken by a tile."""
    return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=(Reduction.parse("redundancy"),)))


def levels(task: Task, config: DomainsConfig, estimates: int, capacity: int) -> NDArray[np.float64]:
    """So many estimates, seed 1."""
    return Domains().tree_estimator(task, config, 1, capacity).levels(estimates)


@pytest.mark.parametrize("choice", ["per-edge", "fewest"])
@pytest.mark.parametrize("capacity", [1, 5, 1_000])
def test_like_its_twin(choice: Choice, capacity: int) -> None:
    """On a board with copies of tiles, from a sample of one to whole levels."""
    task, config = task_of(random_board(4, 5, 3, seed=5)), DomainsConfig(choice=choice)
    assert task.edges is not None
    twin, stream = PopulationTwin(task.edges, config), RandomStream(1)
    expected = [twin.sizes(capacity, stream) for _ in range(3)]
    assert max(map(max, expected)) > 5
    np.testing.assert_allclose(levels(task, config, 3, capacity), expected, rtol=1e-12)


def test_a_tree_that_failures_steer() -> None:
    """All of it was visited, and yet a search may make other nodes."""
    found = estimate(Job(load("edges-4-b3i3-1"), Request(Symmetry.ALL), "domains"))
    assert (found.source, found.why, found.descents) == (Source.TREE, STEERED, 0)


def test_large_trees_are_estimated() -> None:
    """Nodes and solutions within five standard errors, which are a few percent."""
    puzzle = load("edges-5-b3i2-1")
    assert isinstance(puzzle, EdgePuzzle)
    task = task_of(puzzle)
    search = Domains().prepare(task, DomainsConfig())
    while search.advance(Budget(work=10**9)) is None:
        search.take()
    found = levels(task, DomainsConfig(), 400, 50)
    nodes, solutions = found[:, :-1].sum(axis=1), found[:, -1]
    for numbers, truth in ((nodes, search.counters.nodes), (solutions, search.count)):
        assert truth is not None
        error = numbers.std(ddof=1) / 20
        assert truth > 100
        assert error < 0.1 * truth
        assert abs(numbers.mean() - truth) < 5 * error
