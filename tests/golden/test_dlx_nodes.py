"""Known node counts of dancing links, exact.

Source: Busche 2018, Table 1 (P1, P2, P3) and Busche 2011, Table 2 (P-1, P-5). Columns are cells, x
slowest, then pieces; the first of the smallest is taken, in P3 only for the first piece.
"""

from __future__ import annotations

import pytest

from dovetail.harness.pytest_plugin.solution_count import SolutionCount
from dovetail.models.lattices.protocol import Cells
from dovetail.models.packing import PackingPuzzle
from dovetail.puzzles.loading import load
from oracle.answers import counted


def x_in_the_quadrant() -> PackingPuzzle:
    """pentominoes-6x10 with X held to its 8 placements in one quadrant."""
    puzzle = load("pentominoes-6x10")
    assert isinstance(puzzle, PackingPuzzle)
    x = next(piece for piece in puzzle.pieces if piece.name == "X")
    quadrant: tuple[Cells, ...] = tuple(
        tuple((a + dx, b + dy) for a, b in x.cells) for dx in range(4) for dy in range(2)
    )
    return puzzle.restricted("X", quadrant)


def test_p1() -> None:
    """P1: 2032 placements, 892,247 nodes, 2339 solutions, all of them unique."""
    finished = counted(x_in_the_quadrant(), symmetry="all")
    assert (finished.placements["before"], finished.nodes, finished.count) == (2032, 892_247, 2339)


@pytest.mark.parametrize(
    ("stages", "placements", "nodes"),
    [
        (("s",), {"before": 2056, "redundancy": 2032}, 892_247),
        (("s",), {"before": 2056, "redundancy": 2032, "volume": 1907}, 768_356),
        (("s", "f@11"), {"before": 2056, "redundancy": 2032, "volume": 1907}, 1_000_250),
    ],
    ids=["P1", "P2", "P3"],
)
def test_with_reductions(stages: tuple[str, ...], placements: dict[str, int], nodes: int) -> None:
    """X restricted, then the volume filter; in P3 min-fit places X, then cells are filled."""
    finished = counted(
        load("pentominoes-6x10"),
        symmetry="unique",
        reduce=list(placements)[1:],
        config={"stages": stages},
    )
    assert (finished.placements, finished.nodes, finished.count) == (placements, nodes, 2339)


def test_p_1_of_the_older_table() -> None:
    """P-1: no symmetry breaking, 3,615,971 nodes; attempts and fits by remaining add up to them."""
    finished = counted(load("pentominoes-6x10"), symmetry="all")
    counters = finished.counters
    assert (finished.placements["before"], finished.nodes, finished.count) == (
        2056,
        3_615_971,
        9356,
    )
    assert counters.fits_by_remaining is not None
    assert sum(counters.fits_by_remaining.values()) == finished.nodes == counters.attempts
    assert list(counters.fits_by_remaining) == list(range(12, 0, -1))
    assert counters.fits_by_remaining[1] == 9356


@pytest.mark.parametrize(
    "name",
    [
        "pentominoes-3x20",
        "soma-cube",
        "queens-8",
        "langford-7",
        "sudoku-25-clues",
        "edges-5-b4i4-1",
    ],
)
def test_nodes_do_not_change(solution_count: SolutionCount, name: str) -> None:
    """The same on every machine: counted by this project, they guard against unnoticed change."""
    assert solution_count(name, "dlx", symmetry="all").nodes is not None
