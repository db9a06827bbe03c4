"""Published counts with `bitset`: the cubes take seconds and are slow tests.

The nodes are those of dancing links with the fewest-choices rule, which are published for two
puzzles (Busche 2018, P1 and TC1); those of all are recorded beside this file.
"""

from __future__ import annotations

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.models.outcome import Status
from dovetail.puzzles.loading import load
from oracle.answers import counted


@pytest.mark.parametrize(
    ("name", "piece", "count", "nodes"),
    [
        ("pentominoes-6x10", "X", 2339, 892_247),
        ("pentominoes-3x20", "X", 2, None),
        ("soma-cube", "Z", 480, None),
        pytest.param("tetris-cube", "L", 9839, 30_255_329, marks=pytest.mark.slow),
        pytest.param("bedlam-cube", "T", 19186, None, marks=pytest.mark.slow),
    ],
)
def test_counts(
    solution_count: SolutionCount, name: str, piece: str, count: int, nodes: int | None
) -> None:
    """What is published."""
    finished = solution_count(name, "bitset", reduce=[f"redundancy={piece}"])
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    if nodes is not None:
        assert finished.nodes == nodes


@pytest.mark.parametrize(("name", "piece"), [("pentominoes-3x20", "X"), ("soma-cube", "Z")])
def test_nodes_are_those_of_dancing_links(
    solution_count: SolutionCount, name: str, piece: str
) -> None:
    """Where they are not published either."""
    finished = solution_count(name, "bitset", reduce=[f"redundancy={piece}"])
    links = counted(load(name), "dlx", "unique", reduce=[f"redundancy={piece}"])
    assert finished.nodes == links.nodes
