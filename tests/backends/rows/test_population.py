"""Estimates of the tree: the kernel beside its twin, and beside whole searches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from backends.rows.twin import Twin
from dovetail.backends.base import Budget
from dovetail.backends.rows.backend import Rows, RowsConfig
from dovetail.backends.rows.tables import IdenticalTiles
from dovetail.models.board_orders import cells_in_order
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.request import Reduction, Request, Symmetry
from dovetail.models.task import Task, build_task
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load
from dovetail.random_stream import RandomStream

Node = dict[tuple[int, int], tuple[int, int]]  # copy and option by cell


class PopulationTwin(Twin):
    """Samples of the levels of its tree."""

    def solve(self) -> None:
        """Nothing is searched."""
        self.all_copies = [list(copies) for copies in self.unused]

    def sizes(self, capacity: int, random: RandomStream) -> list[float]:
        """An estimate of the nodes of each level."""
        nodes, weight, found = [Node()], 1.0, list[float]()
        for cell in self.order:
            sample, born = list[Node](), 0
            for node in nodes:
                for child in self.children(node, cell):
                    born += 1
                    if born <= capacity:
                        sample.append(child)
                    elif (place := random.below(born)) < capacity:
                        sample[place] = child
            found.append(weight * born)
            weight *= max(1.0, born / capacity)
            nodes = sample
        return found

    def children(self, node: Node, cell: tuple[int, int]) -> list[Node]:
        """What becomes of a node when a tile is put into a cell."""
        self.placed = node
        used = [(copy, self.type_of[option]) for copy, option in node.values()]
        self.unused = [
            [copy for copy in copies if (copy, kind) not in used]
            for kind, copies in enumerate(self.all_copies)
        ]
        return [node | {cell: candidate} for candidate in self.candidates(cell)]


def task_of(puzzle: EdgePuzzle, *reductions: str) -> Task:
    """All boards of a puzzle, symmetry broken or not."""
    reduce = tuple(map(Reduction.parse, reductions))
    return build_task(puzzle, Request(Symmetry.UNIQUE, reductions=reduce))


def levels(task: Task, config: RowsConfig, estimates: int, capacity: int) -> NDArray[np.float64]:
    """So many estimates, seed 1."""
    found = Rows().tree_estimator(task, config, 1, capacity).levels(estimates)
    assert found is not None
    return found


@pytest.mark.parametrize("order", ["bottom-up", "spiral"])
@pytest.mark.parametrize("identical_tiles", ["once", "each"])
@pytest.mark.parametrize("capacity", [1, 7])
def test_like_its_twin(order: str, identical_tiles: IdenticalTiles, capacity: int) -> None:
    """A board with copies, a hint and a corner tile that breaks symmetry."""
    puzzle = random_board(4, 4, 2, seed=3)
    hinted = EdgePuzzle("hinted", 4, 4, puzzle.tiles, (Hint(0, 0, *_corner(puzzle)),))
    for task in (task_of(puzzle, "redundancy"), task_of(hinted)):
        assert task.edges is not None
        cells, stream = cells_in_order((order,), 4, 4), RandomStream(1)
        twin = PopulationTwin(task.edges, cells, identical_tiles)
        expected = [twin.sizes(capacity, stream) for _ in range(3)]
        found = levels(task, RowsConfig((order,), identical_tiles), 3, capacity)
        assert found[:, :-1].tolist() == expected


def _corner(puzzle: EdgePuzzle) -> tuple[int, int]:
    """A tile that fits the bottom left corner, and its rotation."""
    task = task_of(puzzle)
    assert task.edges is not None
    _, _, tile, rotation = task.edges.placed(int(np.flatnonzero(task.edges.cell == 0)[0]))
    return tile, rotation


@pytest.mark.parametrize("identical_tiles", ["once", "each"])
def test_a_tree_without_large_levels_is_visited(identical_tiles: IdenticalTiles) -> None:
    """Then the levels are those of the search, and the last column has its solutions."""
    task, config = (
        task_of(random_board(3, 3, 2, seed=2)),
        RowsConfig(("bottom-up",), identical_tiles),
    )
    search = Rows().prepare(task, config)
    search.advance(Budget(work=10**6))
    estimator = Rows().tree_estimator(task, config, 1, 1_000)
    (row,) = estimator.levels(1)
    assert estimator.probes == 0
    assert estimator.nodes == search.nodes
    fits = search.counters.fits_by_remaining
    assert fits is not None
    assert row[:-1].tolist() == [fits[remaining] for remaining in range(9, 0, -1)]
    assert row[-1] == pytest.approx(search.count)


def test_large_trees_are_estimated() -> None:
    """Nodes and solutions within four standard errors, which are a few percent."""
    puzzle = load("edges-5-b3i2-1")
    assert isinstance(puzzle, EdgePuzzle)
    task = task_of(puzzle, "redundancy")
    config = RowsConfig()
    search = Rows().prepare(task, config)
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
        Rows().expected_levels(task, RowsConfig((order,)))
        for task, order in ((task_of(puzzle), "best"), (task_of(puzzle, "redundancy"), "spiral"))
    )
    assert whole is not None
    assert broken is not None
    assert whole.shape == (36,)
    assert whole / 4 == pytest.approx(broken)
    probed = levels(task_of(puzzle), RowsConfig(("spiral",)), 20, 1_000)
    assert 0.4 < whole.sum() / probed[:, :-1].sum(axis=1).mean() < 2.5
