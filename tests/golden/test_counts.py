"""Known solution counts, exact.

Source: Busche 2011 and 2018, Knuth's and OEIS's tables; `facts/counts.json` of the project. The
nodes of `bitset` are those of dancing links with the fewest-choices rule, published for two puzzles
(Busche 2018, P1 and TC1). What `solution_count` adds is recorded beside these tests: the nodes, and
counts that nobody published.
"""

from __future__ import annotations

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.models.outcome import Status
from dovetail.models.request import SymmetryValue
from dovetail.puzzles.loading import load
from oracle.answers import counted

# puzzle, all, unique, mirror; None: not run here
COUNTS = [
    ("pentominoes-3x20", 8, 2, 2),
    ("pentominoes-4x15", None, 368, None),
    ("pentominoes-5x12", 4040, None, None),
    ("pentominoes-6x10", None, 2339, None),
    ("pentominoes-8x8-hole", 520, 65, 65),  # D. S. Scott 1958
    ("soma-cube", 11520, 480, 240),
    ("diabolical-cube", None, 26, 13),  # comment on Busche 2011
    ("langford-7", 52, 26, 26),
    ("queens-8", 92, 12, 12),  # 12 up to symmetry: OEIS A002562
    ("sudoku-25-clues", 1, 1, 1),
    ("pentominoes-1x60", 0, 0, 0),
]

# n queens, n = 1 to 10: OEIS A000170.
QUEENS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724]


@pytest.mark.parametrize(
    ("name", "symmetry", "count"),
    [
        (name, symmetry, count)
        for name, *counts in COUNTS
        for symmetry, count in zip(("all", "unique", "mirror"), counts, strict=True)
        if count is not None
    ],
)
def test_dlx(solution_count: SolutionCount, name: str, symmetry: SymmetryValue, count: int) -> None:
    """`dlx` counts what is known, in as many nodes as ever."""
    finished = solution_count(name, "dlx", symmetry=symmetry)
    assert (finished.status, finished.count) == (Status.EXHAUSTED, count)


@pytest.mark.slow
def test_solid_pentominoes() -> None:
    """3940 in the 3x4x5 box up to rotations and reflections (C. J. Bouwkamp 1969)."""
    puzzle = load("pentominoes-3x4x5")
    assert counted(puzzle, symmetry="mirror").count == 3940
    assert counted(puzzle, symmetry="unique").count == 7880


@pytest.mark.slow
def test_diamond() -> None:
    """51,184 up to symmetry (Busche 2018, PT); about 8 minutes."""
    finished = counted(load("tetro-pentominoes-diamond-13"), symmetry="unique")
    fits = finished.counters.fits_by_remaining
    assert (finished.status, finished.count) == (Status.EXHAUSTED, 51_184)
    assert fits is not None
    assert fits[1] == 204_736  # all of them


@pytest.mark.slow
def test_hypercube_paths(solution_count: SolutionCount) -> None:
    """Counted by this project; no count is published."""
    for symmetry in ("all", "unique"):
        solution_count("hypercube-paths-2x3x3x5", "dlx", symmetry=symmetry)


def test_queens() -> None:
    """The table, from one queen on."""
    assert [counted(load(f"queens-{n}")).count for n in range(1, 11)] == QUEENS


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


@pytest.mark.parametrize("name", ["sudoku-25-clues", "edges-5-b4i4-1"])
def test_nodes_do_not_change(solution_count: SolutionCount, name: str) -> None:
    """The same on every machine: counted by this project, they guard against unnoticed change."""
    assert solution_count(name, "dlx", symmetry="all").nodes is not None
