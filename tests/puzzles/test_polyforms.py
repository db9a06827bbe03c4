"""Polyforms: the published numbers, and the names of the pentominoes."""

from __future__ import annotations

import pytest

from dovetail.errors import ConfigError
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions
from dovetail.puzzles.polyforms import canonical_form, polyforms
from dovetail.puzzles.polyominoes import ONE_SIDED_PENTOMINOES, PENTOMINOES, PLANE

# OEIS A000105, A000988, A001168 and A000162.
FREE = [1, 1, 2, 5, 12, 35, 108, 369]
ONE_SIDED = [1, 1, 2, 7, 18, 60, 196, 704]
FIXED = [1, 2, 6, 19, 63, 216, 760]
POLYCUBES = [1, 1, 2, 8, 29, 166]


@pytest.mark.parametrize(
    ("dimension", "motions", "numbers"),
    [
        (2, Motions.FREE, FREE),
        (2, Motions.ONE_SIDED, ONE_SIDED),
        (2, Motions.FIXED, FIXED),
        (3, Motions.FREE, POLYCUBES),
    ],
)
def test_numbers_of_polyforms(dimension: int, motions: Motions, numbers: list[int]) -> None:
    """As many of each size as are known."""
    lattice = SquareLattice(dimension)
    sizes = range(1, len(numbers) + 1)
    assert [len(polyforms(lattice, size, motions)) for size in sizes] == numbers


@pytest.mark.parametrize(
    ("named", "motions"), [(PENTOMINOES, Motions.FREE), (ONE_SIDED_PENTOMINOES, Motions.ONE_SIDED)]
)
def test_named_pentominoes_are_all_of_them(
    named: dict[str, tuple[tuple[int, ...], ...]], motions: Motions
) -> None:
    """Every pentomino has exactly one name."""
    forms = {canonical_form(PLANE, cells, motions) for cells in named.values()}
    assert forms == set(polyforms(PLANE, 5, motions))
    assert len(named) == len(forms)


def test_no_polyform_of_nothing() -> None:
    """Sizes begin at 1."""
    with pytest.raises(ConfigError, match="at least 1"):
        polyforms(PLANE, 0, Motions.FREE)
