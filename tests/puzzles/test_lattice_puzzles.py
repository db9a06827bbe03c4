"""Puzzles on the lattices without published counts: two solvers and brute force agree."""

from __future__ import annotations

import pytest

from dovetail.models.packing import PackingPuzzle
from dovetail.puzzles.loading import load
from lattices.by_distance import PackingOracle
from oracle.answers import counted

# Own counts: all, and up to rotation (in the plane up to reflection too).
COUNTS = [
    ("triangular-prisms-hexagon-3", 12, 2),
    ("hexagonal-prisms-flower-3", 288, 24),
    ("spheres-pyramid-20", 24, 2),
    ("rhombic-cube-24", 144, 6),
    ("tetra-octa-slab-20", 2, 1),
    ("half-squares-triangle-16", 2, 1),
]


@pytest.mark.parametrize(("name", "every", "unique"), COUNTS)
def test_counts(name: str, every: int, unique: int) -> None:
    """All solutions, and those that differ."""
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    oracle = PackingOracle(puzzle)
    assert (len(oracle.packings()), oracle.up_to_symmetry()) == (every, unique)
    for solver in ("dlx", "bitset"):
        assert counted(puzzle, solver, "all").count == every
        assert counted(puzzle, solver, "unique").count == unique
