"""The dancing-links kernel against its twin in plain Python, node for node."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings

from backends.bounds_checked import bounds_checked
from backends.cover_searches import searched
from backends.dlx.twin import Twin
from dovetail.backends.dlx.search import DlxSearch
from dovetail.models.cover import CoverProblem, cover_problem
from oracle.brute_force import covers
from oracle.strategies import cover_problems


@given(cover_problems())
@settings(max_examples=240)
def test_kernel_equals_its_twin(problem: CoverProblem) -> None:
    """Solutions in the same order, and the same number of nodes at every depth."""
    twin = Twin(problem)
    search, solutions = searched(DlxSearch(problem, None))
    assert solutions == twin.solutions
    depths = np.flatnonzero(search._fits)
    assert {int(d): int(search._fits[d]) for d in depths} == dict(twin.nodes)


BOUNDS_CHECKED = """
from dovetail.backends.base import Budget
from dovetail.backends.dlx.search import DlxSearch
from dovetail.backends.shared.schedule import SearchSchedule
from dovetail.models.cover import cover_problem
from dovetail.models.request import Request
from dovetail.models.task import build_task
from dovetail.puzzles.cover_classics import langford, queens
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import load

bounded = cover_problem(
    "bounded",
    [("a", 1, 2), ("b", 0, 3), "c"],
    [["a", "c"], ["a", "b"], ["b", ("s", 1)], ["b", ("s", 2)], ["a", "b", ("s", 1)], ["c", "s"]],
    secondary=["s"],
)
board = build_task(random_board(5, 5, 4, 1, 4), Request("all")).cover
for problem in (queens(6), langford(4), bounded, queens(20), board):
    search = DlxSearch(problem, None)
    while search.counters.nodes < 20_000 and search.advance(Budget(50)) is None:
        search.take()
    print(problem.name, search.count)
for name, stop in (("pentominoes-5x6-FLNPUY", None), ("soma-cube", 3)):
    options = build_task(load(name), Request("all")).options
    stages = SearchSchedule.parse(["R", "e@4", "s@2"], ["dlx"]).stages
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
