"""The classical constraint models on boards counted by an independent backtracker."""

from __future__ import annotations

import pytest

from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from golden.edge_boards import board, truth


@pytest.mark.parametrize(
    ("backend", "config"),
    [
        ("choco", {}),
        ("choco", {"formulation": "4-edges", "all_different": "weak"}),
        ("cpsat", {"formulation": "4-edges"}),
        ("cpsat", {"formulation": "edge-variables"}),
    ],
)
def test_a_seven_by_seven(backend: str, config: dict[str, str]) -> None:
    """Solved by every model in about a second."""
    check("E_7_5.b6i6", backend, config, labelled=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["E_9_1.11", "E_10_2.b13i13"])
@pytest.mark.parametrize("backend", ["choco", "cpsat"])
def test_larger_boards(backend: str, name: str) -> None:
    """With edge variables in Choco, the cover problem in CP-SAT."""
    check(name, backend, {}, labelled=False)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["4-edges", "edge-variables"])
@pytest.mark.parametrize("all_different", ["complete", "weak"])
def test_three_boards_with_twins(model: str, all_different: str) -> None:
    """The cardinality constraint at work, in up to two million nodes."""
    check(
        "E_7_6.b6i6", "choco", {"formulation": model, "all_different": all_different}, labelled=True
    )


def check(name: str, backend: str, config: dict[str, str], labelled: bool) -> None:
    """Boards up to rotation, or all labelled solutions up to it; a corner tile is restricted."""
    request = Request(
        Symmetry.UNIQUE, labelled=labelled, reductions=(Reduction.parse("redundancy"),)
    )
    finished = finish(execute(Job(board(name), request, backend, config)))
    expected = truth(name)["solutions_labelled" if labelled else "boards"]
    assert (finished.status, finished.count) == (Status.EXHAUSTED, int(expected))
