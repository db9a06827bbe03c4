"""Edge-matching boards counted by an independent backtracker, exact.

Nodes there are those of a search that is given the first corner tile of the file at the corner
where it begins, here a hint.
"""

from __future__ import annotations

from typing import Any

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.models.outcome import Status
from golden.edge_boards import (
    COMMUNITY,
    board,
    edge_puzzle,
    needs_community,
    truth,
    with_first_corner,
    with_single_corner,
)
from oracle.answers import counted, listed

FAST = ["E_10_2.b13i13", "E_7_5.b6i6", "E_8_1.9", "E_8_2.b8i8", "E_9_1.11"]
LONG = ["E_10_1.b13i13", "E_7_1.b6i6", "E_7_3.b6i6", "E_7_9.b6i6", "E_8_1.b8i8", "E_8_2.b10i8"]
TWINS, HARD = "E_7_6.b6i6", "G_8_3.b8i7"  # HARD is too hard for rows


def cases(backend: str, fast: list[str], slow: list[str], **config: str) -> list[Any]:
    """Parameters of a backend on each board."""
    return [
        pytest.param(backend, config, name, marks=[pytest.mark.slow] if name in slow else [])
        for name in (*fast, *slow)
    ]


@pytest.mark.parametrize(
    ("backend", "config", "name"),
    [
        *cases("dlx", [], ["E_9_1.11", "E_8_1.9"]),
        *cases("rows", FAST, [TWINS, *LONG]),
        *cases("domains", [*FAST, TWINS], [*LONG, HARD]),
        # On TWINS half are lost if a cell that demands a pair twice is counted twice.
        *cases("colorpair", [FAST[1], FAST[4], TWINS], [*LONG, FAST[0], *FAST[2:4], HARD]),
        *cases("colorpair", ["E_7_5.b6i6"], [*FAST[2:], *LONG, FAST[0], TWINS, HARD], shaving="2"),
        *cases("choco", [], ["E_7_5.b6i6", TWINS, "E_9_1.11", "E_10_2.b13i13"]),
        *cases("choco", ["E_7_5.b6i6"], [TWINS], formulation="4-edges", all_different="weak"),
        *cases("choco", [], [TWINS], all_different="weak"),
        *cases("choco", [], [TWINS], formulation="4-edges"),
        *cases("cpsat", [], ["E_9_1.11", "E_10_2.b13i13"]),
        *cases("cpsat", ["E_7_5.b6i6"], [], formulation="4-edges"),
        *cases("cpsat", [], ["E_7_5.b6i6"], formulation="edge-variables"),
    ],
)
def test_unique(backend: str, config: dict[str, str], name: str) -> None:
    """Boards up to rotation, identical tiles once and labelled; a corner tile is restricted.

    By libraries only labelled, which takes them long.
    """
    columns = {"boards": False, "solutions_labelled": True}
    if backend in ("choco", "cpsat"):
        del columns["boards"]
    for column, labelled in columns.items():
        finished = counted(
            board(name), backend, "unique", labelled=labelled, reduce=["redundancy"], config=config
        )
        expected = int(truth(name)[column])
        assert (finished.status, finished.count) == (Status.EXHAUSTED, expected)


@pytest.mark.parametrize("backend", ["rows", "domains"])
@pytest.mark.parametrize("name", ["E_9_1.11", "E_10_2.b13i13"])
def test_nothing_restricted(name: str, backend: str) -> None:
    """Every board is found in all four turns, and counted once; labelled, it is listed."""
    boards, labelled = (int(truth(name)[key]) for key in ("boards", "solutions_labelled"))
    finished = counted(board(name), backend, "unique")
    assert (finished.count, finished.verified) == (boards, 4 * boards)
    finished, solutions = listed(board(name), backend, labelled=True)
    assert finished.count == finished.verified == len(solutions) == 4 * labelled


@pytest.mark.parametrize(
    ("order", "config", "name"),
    [
        *cases("top-down", FAST, [TWINS, *LONG], identical_tiles="each"),
        *cases("bottom-up", FAST, [TWINS, *LONG], identical_tiles="each"),
    ],
)
def test_nodes_of_rows(order: str, config: dict[str, str], name: str) -> None:
    """Every copy of identical tiles tried, as the independent backtracker does."""
    puzzle = with_first_corner(board(name), order)
    finished = counted(puzzle, "rows", labelled=True, config={"order": order, **config})
    expected = truth(name)
    assert finished.status == Status.EXHAUSTED
    assert finished.count == int(expected["solutions_labelled"])
    assert finished.nodes == int(expected[f"nodes_{order.replace('-', '')}"])


@pytest.mark.slow
def test_nodes_with_identical_tiles_once(solution_count: SolutionCount) -> None:
    """E_7_6, which has 1,170,949,412 nodes when each is tried; a prototype had 125.5 million."""
    puzzle = with_first_corner(board(TWINS), "top-down")
    finished = solution_count(puzzle, "rows", symmetry="all", config={"order": "top-down"})
    assert finished.count == 2 * 3  # the tile has a twin, so that each board is found twice


@pytest.mark.parametrize(
    "name", ["E_7_5.b6i6", TWINS, "E_9_1.11", FAST[0], pytest.param(HARD, marks=pytest.mark.slow)]
)
def test_nodes_of_colorpair(solution_count: SolutionCount, name: str) -> None:
    """The same on every machine, random cells included; they are recorded beside this file."""
    finished = solution_count(with_single_corner(board(name)), "colorpair", symmetry="all")
    assert finished.count == int(truth(name)["boards"])


@needs_community
def test_the_community_s_board() -> None:
    """Nodes and solutions that the puzzle's community has agreed on for its 6x6."""
    config = {"order": "top-down", "identical_tiles": "each"}
    finished = counted(edge_puzzle(COMMUNITY), "rows", config=config)
    assert (finished.count, finished.nodes) == (260, 69_284_103)


@needs_community
@pytest.mark.parametrize(
    "backend", ["rows", "domains", pytest.param("colorpair", marks=pytest.mark.slow)]
)
def test_the_community_s_board_up_to_turns(backend: str) -> None:
    """65 boards."""
    finished = counted(edge_puzzle(COMMUNITY), backend, "unique", reduce=["redundancy"])
    assert finished.count == 65
