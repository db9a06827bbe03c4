"""Square lattices: neighbours, isometries, standard positions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattices.kinds.square import SquareLattice, signed_permutations
from dovetail.models.lattices.protocol import LARGEST_COORDINATE
from dovetail.models.lattices.registry import lattice_named, lattice_names


@pytest.mark.parametrize(
    ("dimension", "rotations"), [(1, 1), (2, 4), (3, 24), (4, 192), (5, 1_920)]
)
def test_isometries(dimension: int, rotations: int) -> None:
    """Half of the signed permutations are rotations; the identity comes first."""
    everything = signed_permutations(dimension, reflections=True)
    assert len(set(everything)) == len(everything) == 2 * rotations
    proper = signed_permutations(dimension, reflections=False)
    assert proper == tuple(isometry for isometry in everything if isometry.proper)
    assert len(proper) == rotations
    cells = np.arange(3 * dimension).reshape(3, dimension)
    assert (everything[0](cells) == cells).all()
    units = np.eye(dimension, dtype=np.int64)
    for isometry in everything:  # the images of the unit vectors are the columns of its matrix
        assert isometry.proper == (np.linalg.det(isometry(units).T) > 0)


@pytest.mark.parametrize("dimension", [0, 7, 16])
def test_the_limit_on_dimensions(dimension: int) -> None:
    """Seven have more isometries than can be gone through."""
    with pytest.raises(PuzzleError, match=f"{dimension} dimensions; expected 1 to 6"):
        SquareLattice(dimension)


@pytest.mark.parametrize("name", lattice_names())
@pytest.mark.parametrize("far", [0, LARGEST_COORDINATE])
def test_orientations_as_a_set(name: str, far: int) -> None:
    """Orientations are found among their translates, also in boxes whose keys exceed 64 bits."""
    lattice = lattice_named(name)
    home = lattice.fundamental_cells[0]
    cells = tuple(dict.fromkeys((home, *lattice.neighbours(home), *lattice.fundamental_cells)))[:9]
    if name == "spheres" or (far and lattice.dimension > 4):
        return  # frames of spheres are short; too many isometries for coordinates of this size
    vectors = lattice.translations(home, np.array([home]) + far)
    moved = [tuple(map(int.__add__, home, vector)) for vector in vectors.tolist() if far]
    orientations = lattice.orientations((*cells, *moved), reflections=True)
    every = tuple(orientations)
    assert len(set(every)) == len(every)
    assert every[0] == lattice.normalise((*cells, *moved))
    targets = np.array(list(product((0, 60), repeat=len(home))), dtype=np.int64) + home
    vector = lattice.translations(home, targets)[-1]
    images = np.array(every) + vector
    assert orientations.find(images).tolist() == list(range(len(every)))
    assert all(cells in orientations for cells in every)
    last = lattice.orientations(every[-1], reflections=True)
    assert last.identity == orientations.identity
    images[:, 0] = images[:, 1]
    assert set(orientations.find(images).tolist()) == {-1}
