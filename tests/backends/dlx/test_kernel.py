"""The dancing-links kernel against its twin in plain Python, node for node."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from backends.bounds_checked import bounds_checked
from backends.dlx.twin import Twin
from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.cover import CoverProblem, cover_problem
from dovetail.models.outcome import Status
from dovetail.puzzles.cover_classics import langford, queens
from oracle.brute_force import covers
from oracle.strategies import cover_problems


def searched(problem: CoverProblem, work: int = 10**6) -> tuple[DlxSearch, list[list[int]]]:
    """A search run to its end, `work` at a time, and its solutions in order."""
    search = DlxSearch(problem, None)
    solutions, status = list[list[int]](), None
    while status is None:
        status = search.advance(Budget(work))
        solutions += [[o for o in row if o >= 0] for row in search.take().tolist()]
    assert status == Status.EXHAUSTED
    return search, solutions


@given(cover_problems())
@settings(max_examples=400)
def test_kernel_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, and the same number of nodes at every depth."""
    twin = Twin(problem)
    search, solutions = searched(problem)
    assert solutions == twin.solutions
    depths = np.flatnonzero(search._fits)
    assert {int(d): int(search._fits[d]) for d in depths} == dict(twin.nodes)


@pytest.mark.parametrize("work", [1, 7, 100])
def test_slices_change_nothing(work: int) -> None:
    """A search cut into the smallest slices makes the same nodes and solutions."""
    problem = langford(7)
    whole, solutions = searched(problem)
    sliced, same = searched(problem, work)
    assert same == solutions
    assert sliced.counters == whole.counters


def test_node_limit_is_exact_and_resumable() -> None:
    """The search stops at the node asked for, and goes on from there as if it had not."""
    search = DlxSearch(queens(8), None)
    assert search.advance(Budget(10**6, nodes=100)) == Status.NODE_LIMIT
    assert search.counters.nodes == 100
    assert search.advance(Budget(10**6, nodes=0)) == Status.NODE_LIMIT
    assert search.counters.nodes == 100
    assert search.advance(Budget(10**6)) == Status.EXHAUSTED
    assert (search.counters.nodes, search.count) == (1198, 92)


def test_solution_limit_is_exact() -> None:
    """No solution more than asked for is found."""
    search = DlxSearch(queens(8), None)
    assert search.advance(Budget(10**6, solutions=5)) == Status.SOLUTION_LIMIT
    assert search.count == len(search.take()) == 5


def test_a_full_buffer_ends_the_slice() -> None:
    """Solutions beyond the buffer wait until it is emptied; none is lost."""
    search = DlxSearch(queens(8), None)
    search._solutions = search._solutions[:10]
    taken, status = 0, None
    while status is None:
        status = search.advance(Budget(10**9))
        if status is None:
            assert search.advance(Budget(10**9)) is None, "nothing happens until it is emptied"
        taken += len(search.take())
    assert taken == search.count == 92


def test_progress_grows_to_the_end() -> None:
    """The share of the tree done never falls."""
    search = DlxSearch(langford(7), None)
    shares = list[float]()
    while search.advance(Budget(200)) is None:
        search.take()
        share = search.progress()
        assert share is not None
        shares.append(share)
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert shares[-1] > 0.8


BOUNDS_CHECKED = """
from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.stages import Stages
from dovetail.models.cover import cover_problem
from dovetail.models.request import Request
from dovetail.models.task import lower
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load

bounded = cover_problem(
    "bounded",
    [("a", 1, 2), ("b", 0, 3), "c"],
    [["a", "c"], ["a", "b"], ["b", ("s", 1)], ["b", ("s", 2)], ["a", "b", ("s", 1)], ["c", "s"]],
    secondary=["s"],
)
board = lower(random_board(5, 5, 4, 1, 4), Request("all")).cover
for problem in (queens(6), langford(4), bounded, queens(20), board):
    search = DlxSearch(problem, None)
    while search.counters.nodes < 20_000 and search.advance(Budget(50)) is None:
        search.take()
    print(problem.name, search.count)
for name, stop in (("pentominoes-5x6-FLNPUY", None), ("soma-cube", 3)):
    options = lower(load(name), Request("all")).options
    stages = Stages.parse(["R", "e@4", "s@2"], ["dlx"]).stages
    search = DlxSearch(
        options.cover, options.placements_per_solution, stages, options.cells, stop
    )
    while search.counters.nodes < 2_000 and search.advance(Budget(50)) is None:
        search.take(), search.left
    print(name, search.counters.nodes >= 50)
"""


BOUNDED = cover_problem(
    "bounded",
    [("a", 1, 2), ("b", 0, 3), "c"],
    [["a", "c"], ["a", "b"], ["b", ("s", 1)], ["b", ("s", 2)], ["a", "b", ("s", 1)], ["c", "s"]],
    secondary=["s"],
)


def test_kernel_stays_within_its_arrays(tmp_path: Path) -> None:
    """With bounds checking on no index is out of bounds."""
    lines = bounds_checked(BOUNDS_CHECKED, tmp_path)
    assert lines[:3] == ["queens-6 4", "langford-4 2", f"bounded {len(covers(BOUNDED))}"]
    assert [line.split()[0] for line in lines[3:5]] == ["queens-20", "edges-5-b4i4-1"]
    assert lines[5:] == ["pentominoes-5x6-FLNPUY True", "soma-cube True"]
