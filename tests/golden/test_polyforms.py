"""Published counts of polyforms on triangles, hexagons and edges; `polyforms` is the whole suite.

Source: Polyform Puzzler (D. Goodger), class descriptions.
"""

from __future__ import annotations

import pytest

from dovetail.models.outcome import Status
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.request import Request, Symmetry
from dovetail.models.task import build_task
from dovetail.puzzles.loading import load
from lattices.test_solvers import TAKES
from oracle.answers import counted

# puzzle, all, symmetries, unique
COUNTS = [
    ("hexiamonds-6x6", 624, 4, 156),
    ("hexiamonds-trefoil", 3840, 6, 640),
    ("hexiamonds-x1", 44, 4, 11),
    ("hexiamonds-spinner-6", 3, 3, 1),
    ("hexiamonds-tri-level", 2, 2, 1),
    ("polyiamonds-1-5-elongated-hex-on-hex-2", 1240, 4, 310),
    ("tetrahexes-4x7", 18, 2, 9),
    ("tetrahexes-7x7-triangle", 0, 6, 0),
    ("tetrahexes-coin", 16, 4, 4),
    ("polyhexes-3-4-hexagram", 2004, 12, 167),
    ("polysticks-1-3-4x4-clipped-corners-1", 84, 4, 21),
    ("one-sided-tritrigs-trilobed-cuboid", 54, 6, 9),
    ("tritrigs-heart-1", 100, 2, 50),
    ("polytrigs-2-3-trefoil-2", 210, 3, 70),
    ("one-sided-tetratwigs-arch-1", 2, 2, 1),
    ("pentatwigs-trefoil", 24, 6, 4),
    ("polytwigs-1-4-hex-1", 4700, 4, 1175),
]


# The places where pieces cross on triangles do not fit its window.
TOO_WIDE_FOR_FRONTIER = {
    "one-sided-tritrigs-trilobed-cuboid",
    "tritrigs-heart-1",
    "polytrigs-2-3-trefoil-2",
}


@pytest.mark.parametrize(("name", "every", "symmetries", "unique"), COUNTS)
def test_published(name: str, every: int, symmetries: int, unique: int) -> None:
    """All solutions, and those that differ, by every solver that takes them."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    assert len(build_task(puzzle, Request()).options.symmetries(Symmetry.UNIQUE)) == symmetries
    assert counted(puzzle, "bitset", "all").count == every
    for solver in ("bitset", "frontier"):
        finished = counted(puzzle, solver, "unique")
        refuses = solver == "frontier" and name in TOO_WIDE_FOR_FRONTIER
        if refuses or not TAKES[puzzle.lattice.name, solver]:
            assert finished.status == Status.SKIPPED
        else:
            assert (finished.status, finished.count) == (Status.EXHAUSTED, unique), solver


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "unique"),
    [("tetrasticks-6x6", 1795), ("one-sided-hexiamonds-obeirne-hexagon", 124_519)],
)
def test_long_ones(name: str, unique: int) -> None:
    """Over all choices of 15 tetrasticks; O'Beirne's hexagon."""
    finished = counted(load(name), "bitset", "unique", reduce=["redundancy"])
    assert (finished.status, finished.count) == (Status.EXHAUSTED, unique)
