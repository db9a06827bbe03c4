"""Spheres that lie far from one another, and regions of many: found in time, or refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from lattices.by_distance import PackingOracle
from oracle.answers import counted

SPHERES = lattice_named("spheres")
FAR = 300
NEAR_AND_FAR = ((0, 0, 0), (1, 1, 0), (FAR, 0, 0))


@pytest.mark.parametrize("vector", [(3, 1, 0), (6, 3, 1)])
@pytest.mark.parametrize("reflections", [False, True])
def test_every_copy_is_found(vector: tuple[int, int, int], reflections: bool) -> None:
    """Beside a search through all pairs of vectors, with a third sphere that fixes the hand."""
    piece = ((0, 0, 0), vector, (1, -1, 2), (0, 2, 0))
    reach = range(-6, 7)
    cells = np.array(
        [(x, y, z) for x in reach for y in reach for z in reach if (x + y + z) % 2 == 0]
    )
    expected = {SPHERES.normalise(piece)}
    vectors = np.array(piece[1:])
    images = [cells[(cells**2).sum(axis=1) == (one**2).sum()] for one in vectors]
    for first in images[0]:
        for second in images[1][images[1] @ first == vectors[1] @ vectors[0]]:
            fits = images[2] @ first == vectors[2] @ vectors[0]
            fits &= images[2] @ second == vectors[2] @ vectors[1]
            for third in images[2][fits]:
                image = np.array([first, second, third])
                turned = np.linalg.det(image) * np.linalg.det(vectors) > 0
                if reflections or turned:
                    expected.add(SPHERES.normalise([(0, 0, 0), *map(tuple, image.tolist())]))
    assert set(SPHERES.orientations(piece, reflections=reflections)) == expected


def test_a_scattered_piece() -> None:
    """Three of them fill two clusters; the oracle finds as many ways."""
    step = np.array([[0, 0, 0], [0, 1, 1], [0, -1, 1]])
    copies = (step[:, None] + np.array(NEAR_AND_FAR)).reshape(-1, 3)
    region: Cells = tuple(map(tuple, copies.tolist()))
    puzzle = PackingPuzzle("far", SPHERES, region, (Piece("A", NEAR_AND_FAR, 3, 3),))
    for symmetry, expected in PackingOracle(puzzle).counts().items():
        assert counted(puzzle, "dlx", symmetry).count == expected >= 1


@pytest.mark.parametrize(
    "piece", [((0, 0, 0), (1002, 0, 0)), ((0, 0, 0), (1, 1, 0), (8, 0, 10**6))]
)
def test_too_far(piece: Cells) -> None:
    """Pieces and regions whose copies cannot be found exactly, with the limit."""
    message = r"cells of a piece are \(.*\) apart, which is too far.* limit is a distance of 1,000"
    with pytest.raises(PuzzleError, match=message):
        SPHERES.orientations(piece, reflections=False)
    with pytest.raises(PuzzleError, match=message):
        SPHERES.symmetries(np.array(piece), reflections=True)


def test_a_far_sphere_of_a_solid_piece() -> None:
    """Only the nearest spheres decide; a million is the largest coordinate."""
    heap = ((0, 0, 0), (1, 1, 0), (0, 1, 1), (1, 0, 1))
    piece = (*heap, (10**6, 10**6, 10**6))
    assert len(SPHERES.orientations(piece, reflections=False)) == 8
    assert len(SPHERES.symmetries(np.array(piece), reflections=True)) == 6
