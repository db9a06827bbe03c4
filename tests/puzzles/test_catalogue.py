"""Puzzles of the catalogue, and references to puzzles: names, files, puzzles of a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dovetail.errors import ConfigError, DovetailError, PuzzleError
from dovetail.models.boards.edges import EdgePuzzle, turned
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.puzzles.catalogue import catalogue, catalogue_puzzle
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.loading import is_file, load, load_all
from lattices.by_distance import PackingOracle
from oracle.answers import counted


@pytest.mark.parametrize("name", [name for entry in catalogue() for name in entry.examples])
def test_examples_load_under_their_names(name: str) -> None:
    assert catalogue_puzzle(name).name == name


def test_two_numbers_are_height_and_width() -> None:
    puzzle = load("pentominoes-6x10")
    assert max(puzzle.region) == (9, 5)  # type: ignore[union-attr]
    board = load("edges-4x5-b3i4-1")
    assert isinstance(board, EdgePuzzle)
    assert (board.width, board.height) == (5, 4)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nonsense", "no puzzle is called 'nonsense'.*valid: pentominoes-HxW"),
        ("pentominoes-5x5-ABCDE", "pentominoes has no piece 'A'"),
        ("edges-4-0-1", "inner colours is 0"),
        ("queens-N", "no puzzle is called 'queens-N'.*did you mean 'queens-8'"),
        ("bell-17", "the number of elements is 17; expected 1 to 16"),
    ],
)
def test_a_wrong_name_is_refused_in_one_short_line(name: str, message: str) -> None:
    with pytest.raises(DovetailError, match=message) as caught:
        load(name)
    assert isinstance(caught.value, ConfigError | PuzzleError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


# OEIS A000110, A001147, A002860, A030128, A004003, and a Kirkman system of 3 girls on one day.
COUNTS = {
    "bell-7": 877,
    "matchings-7": 0,
    "matchings-10": 945,
    "latin-4": 576,
    "steiner-7": 30,
    "steiner-8": 0,
    "kirkman-9": 20_160,
    "dominoes-6x6": 6_728,
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_covers_are_the_published_numbers(name: str) -> None:
    assert counted(load(name), "bitset").count == COUNTS[name]


# Own counts: all, and up to rotation (in the plane up to reflection too).
LATTICE_COUNTS = [
    ("triangular-prisms-hexagon-3", 12, 2),
    ("spheres-pyramid-20", 24, 2),
    ("rhombic-cube-24", 144, 6),
    ("tetra-octa-slab-20", 2, 1),
    ("half-squares-triangle-16", 2, 1),
]


@pytest.mark.parametrize(("name", "every", "unique"), LATTICE_COUNTS)
def test_counts_on_other_lattices_are_those_of_brute_force(
    name: str, every: int, unique: int
) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    oracle = PackingOracle(puzzle)
    assert (len(oracle.packings()), oracle.up_to_symmetry()) == (every, unique)
    for solver in ("dlx", "bitset"):
        assert counted(puzzle, solver, "all").count == every
        assert counted(puzzle, solver, "unique").count == unique


def test_own_counts_in_summaries_are_up_to_symmetry_as_published_counts_are() -> None:
    own = {
        entry.pattern: int(found[1])
        for entry in catalogue()
        if (found := re.search(r"\((\d+)( solutions?)?, own count\)", entry.summary))
    }
    assert own.keys() > {name for name, _, _ in LATTICE_COUNTS}
    assert own == {name: counted(load(name), "bitset", "unique").count for name in own}


# Content digests: a change here breaks every recorded result on these boards.
DIGESTS = {
    "edges-7-b6i6-1": "9d027add92e88153",
    "edges-8-9-1": "a8791484d6874e74",
    "edges-4x5-b3i4-1": "3ad469d7185a2d84",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_random_boards_never_change(name: str) -> None:
    assert load(name).digest == DIGESTS[name]


def test_border_colours_are_their_own() -> None:
    """In b6i6 boards, edges along the frame have colours 1 to 6, all others 7 to 12."""
    board = random_board(7, 7, 6, seed=3, border_colours=6)
    for tile in board.tiles:
        zeros = tile.count(0)
        inner = [colour for colour in tile if colour > 6]
        assert len(inner) == {0: 4, 1: 1, 2: 0}[zeros]


def test_tiles_of_random_boards_are_sorted_and_in_their_least_turn() -> None:
    board = load("edges-8-9-1")
    assert isinstance(board, EdgePuzzle)
    assert list(board.tiles) == sorted(board.tiles)
    assert all(tile == min(turned(tile, r) for r in range(4)) for tile in board.tiles)
    assert sum(tile.count(0) for tile in board.tiles) == 4 * 8


# puzzle, cells, pieces, extents along x and y, cells that are left out within
REGIONS = [
    ("pentominoes-8x8-hole", 60, 12, (8, 8), [(3, 3), (4, 4)]),
    ("tetro-pentominoes-diamond-13", 80, 17, (13, 13), [(4, 6), (8, 6), (0, 0)]),
    ("hexominoes-9x12-8x12-without-I", 204, 34, (12, 18), [(0, 8), (11, 8)]),
    ("hexominoes-parallelogram-15x14", 210, 35, (28, 14), [(0, 1), (15, 0), (12, 13)]),
    ("hexominoes-box-in-a-diamond", 210, 35, (23, 23), [(6, 9), (16, 13), (1, 0)]),
    ("hexominoes-rifle", 210, 35, (56, 6), [(35, 2), (20, 3)]),
    ("heptominoes-33x23", 756, 108, (33, 23), [(5, 11), (16, 11), (27, 11)]),
]


@pytest.mark.parametrize(("name", "cells", "pieces", "extents", "left_out"), REGIONS)
def test_regions_have_the_area_of_their_pieces_and_the_right_outline(
    name: str,
    cells: int,
    pieces: int,
    extents: tuple[int, int],
    left_out: list[tuple[int, int]],
) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, PackingPuzzle)
    assert (len(puzzle.region), len(puzzle.pieces)) == (cells, pieces)
    assert sum(len(piece.cells) for piece in puzzle.pieces) == cells
    assert min(puzzle.region) >= (0, 0)
    assert tuple(max(along) + 1 for along in zip(*puzzle.region, strict=True)) == extents
    assert not set(left_out) & set(puzzle.region)


def test_the_box_in_a_diamond_has_parity_22() -> None:
    """35 hexominoes can balance no more (Busche 2011, Figure 11)."""
    puzzle = load("hexominoes-box-in-a-diamond")
    assert isinstance(puzzle, PackingPuzzle)
    assert abs(sum(1 - 2 * (sum(cell) % 2) for cell in puzzle.region)) == 22


TWO = "".join(
    f"D:xDim={x}:yDim=1:zDim=1\nC:name=A:layout={layout}\n~D\n"
    for x, layout in ((1, "0 0 0"), (2, "0 0 0, 1 0 0"))
)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Return a file with two puzzles."""
    path = tmp_path / "two.def"
    path.write_text(TWO)
    return path


@pytest.mark.parametrize("as_path", [True, False])
def test_a_number_behind_a_file_names_one_of_its_puzzles(two: Path, as_path: bool) -> None:
    for number in (1, 2):
        reference = f"{two}#{number}"
        (puzzle,) = load_all(Path(reference) if as_path else reference)
        assert puzzle.name == f"two#{number}"
        assert puzzle.digest == load_all(two)[number - 1].digest
        assert load(reference) == puzzle


@pytest.mark.parametrize(
    ("end", "message"), [("#3", "holds 2 puzzles; #3 does not exist"), ("#", "there is no file")]
)
def test_a_reference_to_no_single_puzzle_is_refused(two: Path, end: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load(f"{two}{end}")
    assert is_file(Path(f"{two}{end}")) == ("file" not in message)
