"""Published counts with `bitset`: the cubes take seconds and are slow tests."""

from __future__ import annotations

import pytest

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
        pytest.param("bedlam-cube", "T", 19186, 29_815_470, marks=pytest.mark.slow),
    ],
)
def test_counts(name: str, piece: str, count: int, nodes: int | None) -> None:
    """Counts are published; nodes are those of dancing links with the fewest-choices rule."""
    finished = counted(load(name), "bitset", "unique", reduce=[f"redundancy={piece}"])
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)
    if nodes is None:
        nodes = counted(load(name), "dlx", "unique", reduce=[f"redundancy={piece}"]).nodes
    assert finished.nodes == nodes
