"""Sets of polyforms that are not made of squares: as many as there are, each with one name."""

from __future__ import annotations

import tomllib

import pytest

from dovetail.errors import ConfigError, PuzzleError
from dovetail.harness.suite.suite_file import bundled_suites
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import Motions
from dovetail.puzzles.lattice_puzzles import drawn_cells, published_puzzle, published_regions
from dovetail.puzzles.piece_sets import POLYFORM_SETS, PolyformSet, piece_set, set_lattice
from dovetail.puzzles.polyforms import canonical_form, polyaboloes

# Of each set how many pieces it has: OEIS A000577, A006534 (iamonds), A000228, A006535 (hexes),
# A019988, A151537 (sticks), A006074 (tans); trigs and twigs: Polyform Puzzler.
SIZES = {
    "hexiamonds": 12,
    "one-sided-hexiamonds": 19,
    "heptiamonds": 24,
    "polyiamonds-1-5": 10,
    "tetrahexes": 7,
    "pentahexes": 22,
    "one-sided-pentahexes": 33,
    "polyhexes-3-4": 10,
    "polyhexes-1-4": 12,
    "tetrasticks": 16,
    "one-sided-tetrasticks": 25,
    "polysticks-1-3": 8,
    "polysticks-1-4": 24,
    "tritrigs": 12,
    "one-sided-tritrigs": 19,
    "polytrigs-2-3": 15,
    "polytrigs-1-3": 16,
    "tetratwigs": 4,
    "one-sided-tetratwigs": 6,
    "pentatwigs": 12,
    "polytwigs-1-4": 9,
    "tritans": 4,
    "tetratans": 14,
}


@pytest.mark.parametrize("name", POLYFORM_SETS)
def test_sizes(name: str) -> None:
    """No two pieces are alike, by the motions that the set allows."""
    its, pieces = POLYFORM_SETS[name], piece_set(name)
    assert len(pieces) == SIZES[name]
    forms = {canonical_form(its.lattice, cells, its.motions) for cells in pieces.values()}
    assert len(forms) == len(pieces)
    assert set_lattice(name) == its.lattice
    per_form = 2 if its.lattice_name == "half-squares" else 1
    assert {len(cells) // per_form for cells in pieces.values()} == set(its.sizes)


def test_hands() -> None:
    """In a one-sided set the mirror image of a piece has its letter in lower case."""
    pieces, lattice = piece_set("one-sided-hexiamonds"), lattice_named("triangular")
    for name in "IPHFGJS":
        images = lattice.orientations(pieces[name], reflections=True)
        assert pieces[name.lower()] in images
    assert not {"v", "c", "x", "e", "o"} & set(pieces)


def test_equal_names_are_refused() -> None:
    """A piece that has the name of another one would be lost."""
    with pytest.raises(PuzzleError, match="two pieces of hexagonal are called I2"):
        PolyformSet("hexagonal", (2, 2))()


def test_letters_are_the_publications() -> None:
    """The hexagon is O, the bar I, the butterfly X."""
    pieces, lattice = piece_set("hexiamonds"), lattice_named("triangular")
    around = [((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0))]
    bar = tuple((x, 0, t) for x in range(3) for t in range(2))
    for name, cells in (("O", around[0]), ("I", bar)):
        form = canonical_form(lattice, cells, Motions.FREE)
        assert canonical_form(lattice, pieces[name], Motions.FREE) == form


def test_sets_of_squares_have_their_lattice() -> None:
    """By the dimension of their cells."""
    assert set_lattice("pentacubes") == SquareLattice(3)
    assert set_lattice("hexominoes") == SquareLattice(2)


def test_polyaboloes() -> None:
    """1, 3, 4, 14, 30 (OEIS A006074), none of no half squares."""
    lattice = lattice_named("half-squares")
    assert [len(polyaboloes(lattice, size)) for size in range(1, 6)] == [1, 3, 4, 14, 30]
    with pytest.raises(ConfigError, match="polyabolo of 0 half squares"):
        polyaboloes(lattice, 0)


def test_published_regions_have_the_area_of_their_pieces() -> None:
    """Or of those that are used: of the tetrasticks one is left out."""
    for (name, shape), region in published_regions().items():
        puzzle = published_puzzle(name, shape)
        pieces = sorted(len(piece.cells) for piece in puzzle.pieces)
        assert len(puzzle.region) == sum(pieces[region.pieces_left_out :])


def test_the_suite_has_the_published_counts() -> None:
    """Of all regions: the catalogue and the suite state the same counts."""
    suite = tomllib.loads(bundled_suites()["polyforms"].read_text(encoding="utf-8"))
    expected = dict[str, int]()
    for run in suite["run"]:
        assert set(run["puzzles"]) == set(run["expected"])
        assert expected.keys().isdisjoint(run["puzzles"])
        expected |= run["expected"]
    assert expected == {
        f"{name}-{shape}": region.solutions for (name, shape), region in published_regions().items()
    }


def test_unknown_shapes_are_explained() -> None:
    """With one that is meant."""
    with pytest.raises(ConfigError, match="'trefoyl'; did you mean 'trefoil"):
        published_puzzle("hexiamonds", "trefoyl")


def test_marks_where_no_cell_is() -> None:
    """Between the edges of a grid."""
    with pytest.raises(PuzzleError, match="'-' in column 1, row 1 is at no cell"):
        drawn_cells(lattice_named("square-edges"), " -\n.")
