"""`domains` beside brute force by `rows`, a corner given and identical tiles once.

Boards where brute force wins are among them. Run with `pytest benchmarks -s`. Nothing is asserted
about time; what they find is, and how many nodes they make.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from benchmarks.edge_contenders import G_8_3_NODES, contender, print_nodes
from benchmarks.timing import beside, in_turn

from dovetail.models.boards.edges import EdgePuzzle
from golden.edge_boards import (
    COMMUNITY,
    board,
    edge_puzzle,
    needs_community,
    with_first_corner,
    with_single_corner,
)

ROUNDS = 3
CHOICES: dict[str, dict[str, object]] = {
    "domains": {},
    "fewest": {"choice": "fewest"},
    "no single places": {"single_place": False},
    "never lazy": {"lazy_colours": 10**6, "lazy_candidates": 10**6},
}


@pytest.mark.parametrize(
    ("name", "hinted", "boards"),
    [
        ("E_7_6.b6i6", with_single_corner, 3),
        ("E_7_6.b6i6", with_first_corner, 6),  # the tile has a twin: each board is found twice
        ("E_8_1.b8i8", with_single_corner, 1),
        ("E_8_1.9", with_single_corner, 1),
        ("E_9_1.11", with_single_corner, 1),
        ("E_10_1.b13i13", with_single_corner, 1),
        pytest.param("community", with_single_corner, 65, marks=needs_community),
    ],
)
def test_beside_rows(name: str, hinted: Callable[[EdgePuzzle], EdgePuzzle], boards: int) -> None:
    """Targets on E_7_6: at most 1/250 of the nodes and 0.4 of the time."""
    puzzle = hinted(edge_puzzle(COMMUNITY) if name == "community" else board(name))
    contenders = {"rows": contender("rows", {}, puzzle)}
    contenders |= {label: contender("domains", each, puzzle) for label, each in CHOICES.items()}
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    print(f"\n{name}, {hinted.__name__}, rounds: {ROUNDS}, prepare + solve:")
    nodes = {label: print_nodes(label, each, boards) for label, each in timings.items()}
    for label in CHOICES:
        print(f"  {label} / rows: {beside(timings[label], timings['rows'])}")
    if name == "E_7_6.b6i6":
        assert nodes["rows"] > 250 * nodes["domains"]


def test_a_hard_board() -> None:
    """G_8_3, once, the same corner at the top left. Target: at least 30 times faster than `rows`.

    That takes minutes, so it is stopped after two billion nodes: its time is an estimate.
    """
    puzzle, part = with_first_corner(board("G_8_3.b8i7"), "top-down"), 2 * 10**9
    contenders = {
        "rows": contender("rows", {"order": "top-down"}, puzzle, part),
        "domains": contender("domains", {}, puzzle),
    }
    timings = in_turn(contenders, 1)
    print("\nG_8_3, prepare + solve:")
    print_nodes("domains", timings["domains"], 1)
    rows_s = timings["rows"][0].solve_s * G_8_3_NODES / part
    ratio = rows_s / timings["domains"][0].solve_s
    print(f"  rows, estimated by its first {part:,} of {G_8_3_NODES:,} nodes: {rows_s:.0f} s")
    print(f"  domains / rows, estimated: 1/{ratio:.0f}")
