"""Sets of pieces and polyforms: published numbers, names and lattices."""

from __future__ import annotations

import re
import tomllib

import pytest

from dovetail.errors import ConfigError, PuzzleError
from dovetail.harness.suite.suite_file import bundled_suites
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import Motions
from dovetail.puzzles import piece_sets
from dovetail.puzzles.piece_sets import (
    canonical_form,
    drawn_cells,
    piece_set,
    polyforms,
    set_lattice,
    set_motions,
    set_names,
)
from dovetail.puzzles.set_puzzles import in_box, published_regions

FREE, ONE_SIDED = Motions.FREE, Motions.ONE_SIDED

# set, dimension, cells of a piece, motions
WHOLE = [
    ("dominoes", 2, 2, FREE),
    ("tetrominoes", 2, 4, FREE),
    ("pentominoes", 2, 5, FREE),
    ("hexominoes", 2, 6, FREE),
    ("heptominoes", 2, 7, FREE),
    ("one-sided-tetrominoes", 2, 4, ONE_SIDED),
    ("one-sided-pentominoes", 2, 5, ONE_SIDED),
    ("tetracubes", 3, 4, FREE),
    ("pentacubes", 3, 5, FREE),
]


@pytest.mark.parametrize(("name", "dimension", "size", "motions"), WHOLE)
def test_every_polyform_of_a_size_has_exactly_one_name(
    name: str, dimension: int, size: int, motions: Motions
) -> None:
    lattice = SquareLattice(dimension)
    pieces = piece_set(name)
    forms = [canonical_form(lattice, cells, motions) for cells in pieces.values()]
    assert len(set(forms)) == len(forms)
    assert set(forms) == set(polyforms(lattice, size, motions))


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("pentominoes", "F I L N P T U V W X Y Z"),
        ("hexominoes", "1 2 3 4 5 6 7 8 9 " + " ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
        ("soma", "V L T Z P A B"),
    ],
)
def test_pieces_have_their_customary_names(name: str, names: str) -> None:
    assert list(piece_set(name)) == names.split()


def test_an_unknown_set_is_refused_with_a_similar_name() -> None:
    with pytest.raises(
        ConfigError,
        match="pieces 'hexominos'; did you mean 'hexominoes'",
    ):
        piece_set("hexominos")


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


def test_every_generated_set_has_a_published_size() -> None:
    generated = {name for name in set_names() if "forms" in piece_sets._tables()[name]}
    assert generated - {name for name, *_ in WHOLE} == SIZES.keys()


@pytest.mark.parametrize("name", SIZES)
def test_sets_have_the_published_sizes_and_no_equal_pieces(name: str) -> None:
    pieces, lattice = piece_set(name), set_lattice(name)
    assert len(pieces) == SIZES[name]
    forms = {canonical_form(lattice, cells, set_motions(name)) for cells in pieces.values()}
    assert len(forms) == len(pieces)


def test_the_names_of_generated_sets_say_their_sizes() -> None:
    for name in filter(re.compile(r".*-(\d)-(\d)").fullmatch, set_names()):
        first, last = map(int, name.split("-")[-2:])
        assert {len(cells) for cells in piece_set(name).values()} == {*range(first, last + 1)}
    for name, size in {"hexiamonds": 6, "pentatwigs": 5, "tritans": 6, "tetratans": 8}.items():
        assert {len(cells) for cells in piece_set(name).values()} == {size}


def test_mirror_images_in_one_sided_sets_have_lower_case_letters() -> None:
    pieces, lattice = piece_set("one-sided-hexiamonds"), lattice_named("triangular")
    for name in "IPHFGJS":
        images = lattice.orientations(pieces[name], reflections=True)
        assert pieces[name.lower()] in images
    assert not {"v", "c", "x", "e", "o"} & set(pieces)


def test_a_mark_without_a_cell_is_refused() -> None:
    with pytest.raises(PuzzleError, match="'-' in column 1, row 1 is at no cell"):
        drawn_cells(lattice_named("square-edges"), " -\n.")


def test_numbers_of_polyaboloes_are_published() -> None:
    """OEIS A006074."""
    lattice = lattice_named("half-squares")
    assert [len(polyforms(lattice, size, FREE)) for size in range(1, 6)] == [1, 3, 4, 14, 30]
    with pytest.raises(ConfigError, match="the size of the polyforms is 0"):
        polyforms(lattice, 0, FREE)


def test_the_suite_and_the_catalogue_have_the_same_counts() -> None:
    suite = tomllib.loads(bundled_suites()["polyforms"].read_text(encoding="utf-8"))
    expected = dict[str, int]()
    for run in suite["run"]:
        assert set(run["puzzles"]) == set(run["expected"])
        assert expected.keys().isdisjoint(run["puzzles"])
        expected |= run["expected"]
    assert expected == {
        f"{name}-{shape}": region.solutions for (name, shape), region in published_regions().items()
    }


# OEIS A000105, A000988, A001168 and A000162.
FREE_FORMS = [1, 1, 2, 5, 12, 35, 108]
ONE_SIDED_FORMS = [1, 1, 2, 7, 18, 60, 196]
FIXED = [1, 2, 6, 19, 63, 216]
POLYCUBES = [1, 1, 2, 8, 29]


@pytest.mark.parametrize(
    ("dimension", "motions", "numbers"),
    [
        (2, Motions.FREE, FREE_FORMS),
        (2, Motions.ONE_SIDED, ONE_SIDED_FORMS),
        (2, Motions.FIXED, FIXED),
        (3, Motions.FREE, POLYCUBES),
    ],
)
def test_numbers_of_polyforms_are_published(
    dimension: int, motions: Motions, numbers: list[int]
) -> None:
    lattice = SquareLattice(dimension)
    sizes = range(1, len(numbers) + 1)
    assert [len(polyforms(lattice, size, motions)) for size in sizes] == numbers


def form(cells: Cells) -> Cells:
    """Return a form that is equal for pieces that can be turned into one another."""
    return canonical_form(SquareLattice(4), cells, Motions.FREE)


def mirrored(cells: Cells) -> Cells:
    """Return the mirror image."""
    return tuple((-x, *others) for x, *others in cells)


def test_there_are_26_pentominoes_in_four_dimensions() -> None:
    """1, 11, 11 and 3 need one to four dimensions."""
    pieces = piece_set("pentominoes-4d")
    path = pieces["0D"]
    needed = [sum(max(along) > 0 for along in zip(*c, strict=True)) for c in pieces.values()]
    assert [needed.count(d) for d in (1, 2, 3, 4)] == [1, 11, 11, 3]
    forms = {form(cells) for cells in (*pieces.values(), mirrored(path))}
    assert forms == set(polyforms(SquareLattice(4), 5, Motions.FREE))
    assert len(forms) == 27


def test_two_pieces_of_a_set_have_different_names(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {"twice": {"forms": "hexagonal 2 2"}, "letters": {"hexagonal-2": "I"}}
    monkeypatch.setattr(piece_sets, "_tables", lambda: tables)
    with pytest.raises(PuzzleError, match="two pieces of twice are called I2"):
        piece_set("twice")


def test_solid_pieces_are_refused_in_the_plane() -> None:
    with pytest.raises(PuzzleError, match="piece F has a cell of 3 coordinates; expected 2"):
        in_box("flat", "solid-pentominoes", (6, 10))
