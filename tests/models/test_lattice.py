"""Square lattices: neighbours, isometries, standard positions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

from dovetail.errors import PuzzleError
from dovetail.models.lattice import Cell, Cells, Isometry, SquareLattice


def box(*sides: int) -> Cells:
    """The cells of a box."""
    return tuple(product(*map(range, sides)))


# Flat along some axes, along none, symmetric and not.
SHAPES = [
    ((2,),),
    box(3, 2),
    box(4, 1),
    ((0, 0), (0, 1), (1, 1)),
    box(2, 2, 1),
    ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)),
    ((0, 5, 0, 0), (1, 5, 0, 0), (1, 5, 0, 1)),
    box(2, 1, 2, 1, 2),
    ((0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (1, 0, 1, 0, 0), (1, 0, 2, 0, 0)),
]


@pytest.mark.parametrize(
    ("dimension", "rotations"), [(1, 1), (2, 4), (3, 24), (4, 192), (5, 1_920)]
)
def test_isometries(dimension: int, rotations: int) -> None:
    """Half of the signed permutations are rotations; the identity comes first."""
    lattice = SquareLattice(dimension)
    everything = lattice.isometries(reflections=True)
    assert len(set(everything)) == len(everything) == 2 * rotations
    assert lattice.isometries(reflections=False) == tuple(t for t in everything if t.proper)
    assert len(lattice.isometries(reflections=False)) == rotations
    cells = np.arange(3 * dimension).reshape(3, dimension)
    assert (everything[0].apply(cells) == cells).all()
    units = np.eye(dimension, dtype=np.int64)
    for isometry in everything:  # the images of the unit vectors are the columns of its matrix
        assert isometry.proper == (np.linalg.det(isometry.apply(units).T) > 0)


@pytest.mark.parametrize("dimension", [0, 7, 16])
def test_the_limit_on_dimensions(dimension: int) -> None:
    """Seven have more isometries than can be gone through."""
    with pytest.raises(PuzzleError, match=f"{dimension} dimensions; expected 1 to 6"):
        SquareLattice(dimension)


@pytest.mark.parametrize("cells", SHAPES, ids=str)
@pytest.mark.parametrize("reflections", [False, True])
def test_the_twin_of_orientations(cells: Cells, reflections: bool) -> None:
    """Every isometry applied in turn finds the same ones in the same order."""
    lattice = SquareLattice(len(cells[0]))
    isometries = lattice.isometries(reflections=reflections)
    images = [lattice.normalise(turn.apply(np.array(cells)).tolist()) for turn in isometries]
    assert lattice.orientations(cells, isometries) == tuple(dict.fromkeys(images))


@pytest.mark.parametrize("cells", SHAPES, ids=str)
@pytest.mark.parametrize("reflections", [False, True])
def test_the_twin_of_possible_symmetries(cells: Cells, reflections: bool) -> None:
    """None that carries the cells onto themselves is missing; no two move them alike."""
    lattice = SquareLattice(len(cells[0]))
    array = np.array(cells)

    def moved(turns: Iterable[Isometry]) -> list[tuple[Cell, ...]]:
        """Where each turn carries every cell."""
        aligned = (lattice.aligned(turn.apply(array), array).tolist() for turn in turns)
        return [tuple(map(tuple, image)) for image in aligned]

    possible = moved(lattice.possible_symmetries(array, reflections=reflections))
    assert possible[0] == cells
    assert len(set(possible)) == len(possible)
    every = moved(lattice.isometries(reflections=reflections))
    assert {image for image in every if set(image) == set(cells)} <= set(possible)


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
