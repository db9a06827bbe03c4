"""Edge-matching boards counted by an independent backtracker, exact.

Nodes there are those of a search that is given the first corner tile of the file at the corner
where it begins, here a hint.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.harness.run.job import Job
from dovetail.harness.run.result import Result
from dovetail.harness.workers.runs import execute, finish
from dovetail.models.edges import EdgePuzzle
from dovetail.models.outcome import Status
from dovetail.models.request import Request, Symmetry
from golden.edge_boards import (
    COMMUNITY,
    board,
    edge_puzzle,
    needs_community,
    truth,
    with_first_corner,
)
from oracle.answers import counted, listed

FAST = ("E_10_2.b13i13", "E_7_5.b6i6", "E_8_1.9", "E_8_2.b8i8", "E_9_1.11")
SLOW = ["E_10_1.b13i13", "E_7_1.b6i6", "E_7_3.b6i6", "E_7_6.b6i6", "E_7_9.b6i6"]
SLOW += ["E_8_1.b8i8", "E_8_2.b10i8"]
SLOWLY = [pytest.param(name, marks=pytest.mark.slow) for name in SLOW]
HARD = pytest.param("G_8_3.b8i7", marks=pytest.mark.slow)  # too hard for rows


def check_unique(name: str, backend: str) -> None:
    """Boards up to rotation, identical tiles once and labelled; a corner tile is restricted."""
    for column, labelled in (("boards", False), ("solutions_labelled", True)):
        finished = counted(board(name), backend, "unique", labelled=labelled, reduce=["redundancy"])
        expected = int(truth(name)[column])
        assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["E_9_1.11", "E_8_1.9"])
def test_dlx(name: str) -> None:
    """The boards that are few enough nodes."""
    check_unique(name, "dlx")


@pytest.mark.parametrize("name", [*FAST, *SLOWLY])
def test_rows(name: str) -> None:
    """All but the hardest, of 39 billion nodes."""
    check_unique(name, "rows")


@pytest.mark.parametrize("name", [*FAST, *SLOW, HARD])
def test_domains(name: str) -> None:
    """All of them."""
    check_unique(name, "domains")


@pytest.mark.parametrize("backend", ["rows", "domains"])
@pytest.mark.parametrize("name", ["E_9_1.11", "E_10_2.b13i13"])
def test_nothing_restricted(name: str, backend: str) -> None:
    """Every board is found in all four turns, and counted once; labelled, it is listed."""
    boards, labelled = (int(truth(name)[key]) for key in ("boards", "solutions_labelled"))
    finished = counted(board(name), backend, "unique")
    assert (finished.count, finished.verified) == (boards, 4 * boards)
    finished, solutions = listed(board(name), backend, labelled=True)
    assert finished.count == finished.verified == len(solutions) == 4 * labelled


def by_rows(puzzle: EdgePuzzle, request: Request, config: Mapping[str, str]) -> Result:
    """A count by `rows`."""
    return finish(execute(Job(puzzle, request, "rows", config)))


@pytest.mark.parametrize("order", ["top-down", "bottom-up"])
@pytest.mark.parametrize("name", [*FAST, *SLOWLY])
def test_nodes_of_rows(name: str, order: str) -> None:
    """Every copy of identical tiles tried, as the independent backtracker does."""
    finished = by_rows(
        with_first_corner(board(name), order),
        Request(Symmetry.ALL, labelled=True),
        {"order": order, "identical_tiles": "each"},
    )
    expected = truth(name)
    assert finished.status == Status.EXHAUSTED
    assert finished.count == int(expected["solutions_labelled"])
    assert finished.nodes == int(expected[f"nodes_{order.replace('-', '')}"])


@pytest.mark.slow
def test_nodes_with_identical_tiles_once(solution_count: SolutionCount) -> None:
    """E_7_6, which has 1,170,949,412 nodes when each is tried; a prototype had 125.5 million."""
    puzzle = with_first_corner(board("E_7_6.b6i6"), "top-down")
    finished = solution_count(puzzle, "rows", symmetry="all", config={"order": "top-down"})
    assert finished.count == 2 * 3  # the tile has a twin, so that each board is found twice


@needs_community
def test_the_community_s_board() -> None:
    """Nodes and solutions that the puzzle's community has agreed on for its 6x6."""
    puzzle = edge_puzzle(COMMUNITY)
    config = {"order": "top-down", "identical_tiles": "each"}
    finished = by_rows(puzzle, Request(Symmetry.ALL), config)
    assert (finished.count, finished.nodes) == (260, 69_284_103)


@needs_community
@pytest.mark.parametrize("backend", ["rows", "domains"])
def test_the_community_s_board_up_to_turns(backend: str) -> None:
    """65 boards."""
    finished = counted(edge_puzzle(COMMUNITY), backend, "unique", reduce=["redundancy"])
    assert finished.count == 65
