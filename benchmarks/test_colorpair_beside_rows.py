"""`colorpair` beside brute force by `rows` and beside `domains`, a corner given.

Rules are switched off one at a time, and cells shaven. Run with `pytest benchmarks -s`. Nothing is
asserted about time; what they find is, and how many nodes they make.
"""

from __future__ import annotations

from statistics import median

import pytest
from benchmarks.edge_contenders import G_8_3_NODES, contender, print_nodes
from benchmarks.timing import beside, in_turn

from golden.edge_boards import board, with_first_corner, with_single_corner

ROUNDS = 3
SETTINGS: dict[str, dict[str, object]] = {
    "colorpair": {},
    "no backjumping": {"backjumping": False},
    "no preemption": {"preemption": False},
    "no rules on remaining tiles": {"shared_edges": False, "cycles": False},
    "no instantiation": {"instantiation": False},
    "no opposite pairs": {"opposite": False},
    "no patterns": {"patterns": "none"},
    "MinOffer": {"choice": "min-offer"},
    **{f"shaving {limit}": {"shaving": limit} for limit in ("2", "3", "4", "5")},
}


@pytest.mark.parametrize(
    ("name", "boards"),
    [("E_7_6.b6i6", 3), ("E_8_1.b8i8", 1), ("E_8_1.9", 1), ("E_9_1.11", 1), ("E_10_1.b13i13", 1)],
)
def test_beside_rows(name: str, boards: int) -> None:
    """Targets: 1.5 million nodes a second; on E_7_6 at most a tenth of the nodes of `rows`."""
    puzzle = with_single_corner(board(name))
    contenders = {one: contender(one, {}, puzzle) for one in ("rows", "domains")}
    contenders |= {label: contender("colorpair", each, puzzle) for label, each in SETTINGS.items()}
    in_turn(contenders, 1)  # compiles
    timings = in_turn(contenders, ROUNDS)
    print(f"\n{name}, rounds: {ROUNDS}, prepare + solve:")
    nodes = {label: print_nodes(label, each, boards) for label, each in timings.items()}
    solve_s = median(timing.solve_s for timing in timings["colorpair"])
    print(f"  colorpair: {nodes['colorpair'] / solve_s / 1e6:.2f} million nodes a second")
    for label in ("rows", "domains"):
        ratio = nodes[label] / nodes["colorpair"]
        print(f"  colorpair / {label}: {beside(timings['colorpair'], timings[label])}")
        print(f"  nodes, {label} / colorpair: {ratio:.3g}")
    for label in list(SETTINGS)[1:]:
        change = nodes[label] / nodes["colorpair"] - 1
        print(f"  {label}: nodes {change:+.1%}, {beside(timings[label], timings['colorpair'])}")
    if name == "E_7_6.b6i6":
        assert nodes["rows"] > 10 * nodes["colorpair"]


def test_a_hard_board() -> None:
    """G_8_3, once, the same corner at the top left: at most a hundredth of the nodes of `rows`."""
    puzzle = with_first_corner(board("G_8_3.b8i7"), "top-down")
    contenders = {
        "colorpair": contender("colorpair", {}, puzzle),
        "shaving 2": contender("colorpair", {"shaving": "2"}, puzzle),
        "domains": contender("domains", {}, puzzle),
    }
    timings = in_turn(contenders, 1)
    print("\nG_8_3, prepare + solve:")
    nodes = {label: print_nodes(label, each, 1) for label, each in timings.items()}
    print(f"  nodes, rows / colorpair: {G_8_3_NODES / nodes['colorpair']:.0f}")
    assert 100 * nodes["colorpair"] < G_8_3_NODES
