"""Square lattices: neighbours, isometries, standard positions."""

from __future__ import annotations

import numpy as np
import pytest

from dovetail.models.lattice import SquareLattice


@pytest.mark.parametrize(("dimension", "rotations"), [(1, 1), (2, 4), (3, 24), (4, 192)])
def test_isometries(dimension: int, rotations: int) -> None:
    """Half of the signed permutations are rotations; the identity comes first."""
    lattice = SquareLattice(dimension)
    everything = lattice.isometries(reflections=True)
    assert len(set(everything)) == len(everything) == 2 * rotations
    assert lattice.isometries(reflections=False) == tuple(t for t in everything if t.proper)
    assert len(lattice.isometries(reflections=False)) == rotations
    cells = np.arange(3 * dimension).reshape(3, dimension)
    assert (everything[0].apply(cells) == cells).all()


def test_neighbours_come_in_the_order_of_the_ilsi() -> None:
    """−x, −y, −z, +x, +y, +z."""
    assert SquareLattice(3).neighbours((5, 5, 5)) == (
        (4, 5, 5),
        (5, 4, 5),
        (5, 5, 4),
        (6, 5, 5),
        (5, 6, 5),
        (5, 5, 6),
    )


def test_normalise_is_the_same_for_translates() -> None:
    """Translates have one standard position; congruent shapes have several."""
    plane = SquareLattice(2)
    assert plane.normalise([(5, -3), (4, -3)]) == plane.normalise([(0, 7), (1, 7)])
    assert plane.normalise([(0, 0), (0, 1)]) != plane.normalise([(0, 0), (1, 0)])


def test_orientations_are_distinct() -> None:
    """A domino has two, an L-tetromino eight with reflections."""
    plane = SquareLattice(2)
    everything = plane.isometries(reflections=True)
    assert len(plane.orientations(((0, 0), (1, 0)), everything)) == 2
    assert len(plane.orientations(((0, 0), (1, 0), (2, 0), (2, 1)), everything)) == 8
