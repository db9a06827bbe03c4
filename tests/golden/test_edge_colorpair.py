"""Boards with ground truth counted by `colorpair`, with all rules on, and its own nodes."""

from __future__ import annotations

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.harness.run.job import Job
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.outcome import Status
from dovetail.models.request import Reduction, Request, Symmetry
from golden.edge_boards import (
    COMMUNITY,
    board,
    edge_puzzle,
    needs_community,
    truth,
    with_single_corner,
)

FAST = ["E_7_5.b6i6", "E_7_6.b6i6", "E_8_1.9", "E_8_2.b8i8", "E_9_1.11"]
SLOW = ["E_10_1.b13i13", "E_10_2.b13i13", "E_7_1.b6i6", "E_7_3.b6i6", "E_7_9.b6i6"]
SLOW += ["E_8_1.b8i8", "E_8_2.b10i8"]
SLOWLY = [pytest.param(name, marks=pytest.mark.slow) for name in [*SLOW, "G_8_3.b8i7"]]
REDUNDANCY = (Reduction.parse("redundancy"),)


@pytest.mark.parametrize(
    ("shaving", "column"),
    [("none", "boards"), ("none", "solutions_labelled"), ("2", "solutions_labelled")],
)
@pytest.mark.parametrize("name", [*FAST, *SLOWLY])
def test_all_rules(name: str, shaving: str, column: str) -> None:
    """Boards up to rotation, identical tiles once and labelled; a corner tile is restricted.

    On E_7_6 half of them are lost if a cell that demands a pair twice is counted twice.
    """
    request = Request(Symmetry.UNIQUE, column == "solutions_labelled", reductions=REDUNDANCY)
    finished = finish(execute(Job(board(name), request, "colorpair", {"shaving": shaving})))
    expected = int(truth(name)[column])
    assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)


@pytest.mark.parametrize(
    "name",
    [
        "E_7_5.b6i6",
        "E_7_6.b6i6",
        "E_9_1.11",
        "E_10_2.b13i13",
        pytest.param("G_8_3.b8i7", marks=pytest.mark.slow),
    ],
)
def test_nodes(solution_count: SolutionCount, name: str) -> None:
    """The same on every machine, random cells included; they are recorded beside this file."""
    finished = solution_count(with_single_corner(board(name)), "colorpair", symmetry="all")
    assert finished.count == int(truth(name)["boards"])


@needs_community
@pytest.mark.slow
def test_the_community_s_board() -> None:
    """65 boards up to turns; `domains` counts them in a quick test."""
    request = Request(Symmetry.UNIQUE, reductions=REDUNDANCY)
    assert finish(execute(Job(edge_puzzle(COMMUNITY), request, "colorpair"))).count == 65
