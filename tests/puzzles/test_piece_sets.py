"""Sets of pieces: as many as there are, each with one name."""

from __future__ import annotations

import pytest

from dovetail.errors import ConfigError
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions
from dovetail.puzzles.piece_sets import PIECE_SETS, piece_set
from dovetail.puzzles.polyforms import canonical_form, polyforms

FREE, ONE_SIDED = Motions.FREE, Motions.ONE_SIDED

# set, dimension, cells of a piece, motions
WHOLE = [
    ("dominoes", 2, 2, FREE),
    ("trominoes", 2, 3, FREE),
    ("tetrominoes", 2, 4, FREE),
    ("pentominoes", 2, 5, FREE),
    ("hexominoes", 2, 6, FREE),
    ("heptominoes", 2, 7, FREE),
    ("one-sided-tetrominoes", 2, 4, ONE_SIDED),
    ("one-sided-pentominoes", 2, 5, ONE_SIDED),
    ("one-sided-hexominoes", 2, 6, ONE_SIDED),
    ("one-sided-heptominoes", 2, 7, ONE_SIDED),
    ("tetracubes", 3, 4, FREE),
    ("pentacubes", 3, 5, FREE),
]


@pytest.mark.parametrize(("name", "dimension", "size", "motions"), WHOLE)
def test_whole_sets(name: str, dimension: int, size: int, motions: Motions) -> None:
    """Every polyform of its size has exactly one name."""
    lattice = SquareLattice(dimension)
    pieces = piece_set(name)
    forms = [canonical_form(lattice, cells, motions) for cells in pieces.values()]
    assert len(set(forms)) == len(forms)
    assert set(forms) == set(polyforms(lattice, size, motions))


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("tetrominoes", "I4 L4 O4 S4 T4"),
        ("pentominoes", "F I L N P T U V W X Y Z"),
        ("hexominoes", "1 2 3 4 5 6 7 8 9 " + " ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
        ("soma", "V L T Z P A B"),
        ("solid-pentominoes", "F I L N P T U V W X Y Z"),
    ],
)
def test_customary_names(name: str, names: str) -> None:
    """Pieces keep the names that people know them by."""
    assert list(piece_set(name)) == names.split()


def test_numbered_names() -> None:
    """Two hexadecimal digits from 01 where there are no customary names."""
    names = list(piece_set("heptominoes"))
    assert names[:2] + names[9:11] + names[-1:] == ["01", "02", "0A", "0B", "6C"]


def test_one_sided_tetrominoes_are_mirrored_by_letter() -> None:
    """J mirrors L, Z mirrors S."""
    pieces = piece_set("one-sided-tetrominoes")
    lattice = SquareLattice(2)
    for name, mirrored in (("L4", "J4"), ("S4", "Z4")):
        image = tuple((-x, y) for x, y in pieces[name])
        assert canonical_form(lattice, image, ONE_SIDED) == canonical_form(
            lattice, pieces[mirrored], ONE_SIDED
        )


def test_a_set_may_be_changed_by_who_asked_for_it() -> None:
    """The next one who asks gets it whole."""
    for name in PIECE_SETS:
        piece_set(name).clear()
        assert piece_set(name)


def test_unknown_names_are_explained() -> None:
    """With the valid ones."""
    with pytest.raises(
        ConfigError,
        match="pieces 'hexominos'; did you mean 'hexominoes'",
    ):
        piece_set("hexominos")
