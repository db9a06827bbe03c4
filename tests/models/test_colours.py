"""Colours of cells: pieces lie only where their colours and the region's agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dovetail
from dovetail.errors import PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Lattice
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.lattices.wrapped import WrappedLattice
from dovetail.models.packings.colours import as_colouring, chequered
from dovetail.models.packings.packing import Motions, PackingPuzzle, Piece
from dovetail.puzzles.formats.burrtools.format import BurrTools
from dovetail.puzzles.formats.polycube import Polycube
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.puzzles.formats.toml.reader import read_toml
from dovetail.reports.describe.puzzle import describe_puzzle
from dovetail.reports.pictures.drawing import svg_text
from dovetail.reports.pictures.packing import region_drawing
from dovetail.reports.viewer.data import viewer_data
from oracle.answers import counted
from oracle.boxes import Box, Shown, cells_of

SOLVERS = ("bitset", "dlx", "fila", "frontier", "zdd")


def coloured(piece: Shown) -> tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]:
    """The colouring of a piece."""
    names = sorted({its for _, its in piece if its})
    return tuple((n, tuple(cell for cell, its in piece if its == n)) for n in names)


def as_puzzle(box: Box) -> PackingPuzzle:
    """The puzzle of a box."""
    lattice: Lattice = SquareLattice(len(box.sides))
    if any(box.wrapped):
        periods = (side * wraps for side, wraps in zip(box.sides, box.wrapped, strict=True))
        lattice = WrappedLattice(lattice, tuple(periods))
    motions = Motions.FREE if box.reflect or len(box.sides) == 3 else Motions.ONE_SIDED
    pieces = tuple(
        Piece(f"p{n}", cells_of(piece), motions=motions, colours=coloured(piece))
        for n, piece in enumerate(box.pieces)
    )
    colours = {
        name: tuple(cell for cell, its in box.colours.items() if its == name)
        for name in set(box.colours.values()) - {""}
    }
    return PackingPuzzle("box", lattice, tuple(box.colours), pieces, colours=as_colouring(colours))


@st.composite
def boxes(draw: Callable[..., object]) -> Box:
    """A box, wrapped along some axes, cut into pieces of 1 to 4 cells; some are coloured."""
    sides = draw(st.sampled_from([(3, 2), (4, 2), (3, 3), (4, 3), (2, 2, 2)]))
    assert isinstance(sides, tuple)
    wrapped = tuple(bool(draw(st.booleans())) for _ in sides)
    names = draw(st.sampled_from(["", "BW", "BWR"]))
    assert isinstance(names, str)
    every = list(product(*map(range, sides)))
    colours = {cell: str(draw(st.sampled_from(names))) if names else "" for cell in every}
    box = Box(sides, wrapped, colours, (), reflect=len(sides) == 2 and bool(draw(st.booleans())))
    left, pieces = set(every), []
    while left:
        grown = [min(left)]
        left.discard(grown[0])
        size = draw(st.integers(2, 4))
        assert isinstance(size, int)
        while len(grown) < size:
            near = {
                tuple(c + step * (a == axis) for a, c in enumerate(cell))
                for cell in grown
                for axis in range(len(sides))
                for step in (-1, 1)
            }
            free = sorted(place for place in near if box.cell(place) in left)
            if not free:
                break
            place = draw(st.sampled_from(free))
            assert isinstance(place, tuple)
            grown.append(place)
            left.discard(box.cell(place))
        shows = bool(draw(st.booleans())) and bool(names)
        pieces.append(tuple((p, colours[box.cell(p)] if shows else "") for p in sorted(grown)))
    return replace(box, pieces=tuple(pieces))


@given(boxes(), st.sampled_from(SOLVERS))
@settings(max_examples=16, deadline=None)
def test_three_counts_against_brute_force(box: Box, solver: str) -> None:
    """All, unique and mirror, for every solver; and the file is read as the same puzzle."""
    puzzle = as_puzzle(box)
    everything = len(box.solutions())
    flat = len(box.sides) == 2
    assert counted(puzzle, solver).count == everything
    assert counted(puzzle, solver, "unique").count == box.classes(reflect=flat)
    assert counted(puzzle, solver, "mirror").count == box.classes(reflect=True)
    assert read(TomlPuzzle().write_puzzle(puzzle)).digest == puzzle.digest


def read(text: str) -> PackingPuzzle:
    """The puzzle of a file."""
    return read_toml(TextFile(Path("puzzle.toml"), text.encode()))


# `shared/data/cases/coloured-4x4.toml`: 4 in all, 2 up to the half turn, by trying everything.
FOUR = """
name = "four coloured pieces"
motions = "one-sided"
interchangeable = false
colours = '''
B W B W
W B W B
B W B W
W B W B
'''
""" + "".join(
    f"[[piece]]\nname = '{name}'\ncolours = '''\n{rows}\n'''\n"
    for name, rows in zip("abcd", ["W B W\nB . .", "B W B\nW . ."] * 2, strict=True)
)


def test_four_coloured_pieces() -> None:
    """Drawn with colours; the picture, the description and the viewer show them."""
    puzzle = read(FOUR)
    counts = [counted(puzzle, symmetry=symmetry).count for symmetry in ("all", "unique", "mirror")]
    assert counts == [4, 2, 2]
    assert "W B W\nB" in describe_puzzle(puzzle)
    assert svg_text(region_drawing(puzzle)).count('class="sign"') == 16
    assert viewer_data(puzzle, [])["colours"] == ["W", "B", "W", "B", "B", "W", "B", "W"] * 2
    for form in (BurrTools(), Polycube()):
        with pytest.raises(PuzzleError, match="colours of cells"):
            form.write_puzzles([puzzle])


@pytest.mark.parametrize(("chequers", "kinds"), [("true", 7), ('"one"', 5)])
def test_a_set_is_chequered(chequers: str, kinds: int) -> None:
    """With all colourings that differ, of which there are 7 of tetrominoes, or one of each."""
    text = f'box = [7, 4]\nchequered = {chequers}\nsets = ["tetrominoes"]\n'
    if kinds == 5:
        with pytest.raises(PuzzleError, match="the pieces fill 20 cells; expected 28"):
            read(text)
        text = text.replace("[7, 4]", "[5, 4]")
    puzzle = read(text)
    assert len(puzzle.pieces) == kinds
    assert puzzle.colours == chequered(SquareLattice(2), puzzle.region)
    assert counted(puzzle).count == (48 if kinds == 7 else 0)  # parity: one T has 3 of a colour
    made = dovetail.packing(box=[2, 1], pieces={"I": "##"}, chequered=True)
    assert made.pieces[0].colours == (("B", ((0, 0),)), ("W", ((1, 0),)))


@pytest.mark.parametrize("chequers", [False, True, "one"])
def test_the_parts_of_a_piece_are_chequered_alike(chequers: bool | str) -> None:
    """Parts that are not connected, of pieces and of regions that wrap, are on one chessboard."""
    triangles = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)]
    stated: dict[str, object] = {"chequered": chequers, "lattice": "triangular"}
    pieces = {"A": [triangles[0], triangles[3]], "C": triangles[1:3]}
    puzzle = dovetail.packing(cells=triangles, pieces=pieces, **stated)  # type: ignore[arg-type]
    assert [counted(puzzle, symmetry=its).count for its in ("all", "unique")] == [1, 1]
    apart = [(0, 0), (2, 1)]
    for wrap in ({"x": 6}, {"x": 4, "y": 4}, {"x": 5}):
        ring = dovetail.packing(cells=apart, pieces={"A": apart}, chequered=True, wrap=wrap)
        assert counted(ring).count == 1


@pytest.mark.parametrize("name", ["hexagonal-edges", "triangular", "half-squares", "rhombic"])
def test_other_lattices(name: str) -> None:
    """A piece lies on the cells of its colours only, turned by every isometry."""
    lattice = lattice_named(name)
    home = lattice.fundamental_cells[0]
    region = (home, *lattice.neighbours(home))
    colours = as_colouring({"X": (home,), "Y": region[1:]})
    piece = Piece("p", region[:2], 0, 9, colours=as_colouring({"X": (home,), "Y": region[1:2]}))
    rest = Piece("r", (home,), 0, 99)
    puzzle = PackingPuzzle("star", lattice, region, (piece, rest), colours=colours)
    assert puzzle.pieces[0].placements is not None
    assert {home in cells for cells in puzzle.pieces[0].placements} == {True}
    assert read(TomlPuzzle().write_puzzle(puzzle)).digest == puzzle.digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chequered = 'two'\nbox = [1]", "chequered is 'two'; expected true, false or \"one\""),
        ("box = [1]\ncolours = {B = [[1]]}", "colour B is on (1,), outside the region"),
        ("box = [2, 1]\ncolours = {B = [[0, 0]]}\n[[piece]]\nname = 'a'\ncolours = 'B B'",
         "piece a: cell (1, 0) of the region has no colour"),
        ("lattice = 'spheres'\ncolours = {B = [[0, 0, 0]]}\n[[piece]]\nname = 'a'\n"
         "colours = {B = [[0, 0, 0]]}", "have no common motions"),
    ],
)  # fmt: skip
def test_bad_colours_are_named(text: str, message: str) -> None:
    """In one line, with what was expected."""
    with pytest.raises(PuzzleError) as caught:
        read(text)
    assert message in str(caught.value)
