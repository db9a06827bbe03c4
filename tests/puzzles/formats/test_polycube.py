"""Polycube definition files: read, written, and refused with a place."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.puzzles.formats.polycube import Polycube
from dovetail.puzzles.loading import load, load_all
from dovetail.puzzles.polyominoes import PLANE, SPACE, box
from dovetail.puzzles.set_puzzles import in_box
from oracle.strategies import packing_puzzles

SOMA = """\
# The Soma cube
D:xDim=3:yDim=3:zDim=3
C:name=V:type=M:layout=0 0 0, 1 0 0, 0 1 0   # the small one
C:name=L:type=M:layout=0 0 0, 1 0 0, 2 0 0, 0 1 0
C:name=T:type=M:layout=0 0 0, 1 0 0, 2 0 0, 1 1 0
C:name=Z:type=M:layout=0 0 0, 1 0 0, 1 1 0, 2 1 0
C:name=P:type=M:layout=0 0 0, 1 0 0, 0 1 0, 0 0 1
C:name=A:type=M:layout=0 0 0, 1 0 0, 1 1 0, 1 1 1
C:name=B:layout=0 0 0, 1 0 0, 1 1 0, 0 0 1
~D
"""

SQUARE = "D:xDim=2:yDim=2:zDim=1\nC:name=A:layout=0 0 0, 1 0 0\nC:name=B:layout=0 0 0, 1 0 0\n~D\n"

# An I, an L and a domino around a wall W, the corner opposite outside.
YARD = """\
D:xDim=4:yDim=3:zDim=1
L:stationary=* W       # two of them
.  . .  *
.  W W .              # y = 1
LL . . .
~L
L
I  . . .   DD DD
I . .
~L
L

LL2
LL2 LL2 , .

~L
C:name=M:layout=0 0 0
~D
"""


def read(folder: Path, text: str) -> PackingPuzzle:
    """Return the only puzzle in a file with `text`."""
    (puzzle,) = Polycube().read_puzzles(TextFile(written(folder, text)))
    return puzzle


def written(folder: Path, content: str | bytes) -> Path:
    """Return the path of a file with `content`."""
    path = folder / "puzzle.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_soma_in_a_file_is_the_puzzle_of_the_catalogue(tmp_path: Path) -> None:
    for text in (SOMA, SOMA.replace("zDim=3", "zDim=3:oneSide")):
        assert read(tmp_path, text).digest == load("soma-cube").digest


def test_a_flat_box_is_a_puzzle_in_the_plane(tmp_path: Path) -> None:
    puzzle = read(tmp_path, SQUARE)
    assert (puzzle.name, puzzle.lattice) == ("puzzle", PLANE)
    assert {piece.motions for piece in puzzle.pieces} == {Motions.FREE}
    one_sided = read(tmp_path, SQUARE.replace("zDim=1", "zDim=1:oneSide"))
    assert {piece.motions for piece in one_sided.pieces} == {Motions.ONE_SIDED}
    fixed = read(tmp_path, SQUARE.replace("name=B:layout", "name=B:type=S:layout"))
    assert fixed.open_cells == ((0, 1), (1, 1))


def test_drawings_have_stationary_and_moving_pieces_and_ragged_lines(tmp_path: Path) -> None:
    puzzle = read(tmp_path, YARD)
    assert set(box(4, 3)) - set(puzzle.region) == {(3, 2)}
    assert puzzle.fixed == (FixedPiece("W", ((1, 1), (2, 1))),)
    assert puzzle.pieces == (
        Piece("LL", ((0, 0),)),
        Piece("I", ((0, 0), (0, 1))),
        Piece("DD", ((0, 0), (1, 0))),
        Piece("LL2", ((0, 0), (0, 1), (1, 0))),
        Piece("M", ((0, 0),)),
    )


@pytest.mark.parametrize(
    ("text", "region", "pieces"),
    [
        ("C:name=*:type=S:layout=1 0 0\nC:name=A:layout=0 0 0", 1, ["A"]),
        ("C:name=*:layout=0 0 0, 1 0 0", 2, ["*"]),
    ],
)
def test_a_stationary_star_is_outside_and_a_moving_star_is_a_piece(
    tmp_path: Path, text: str, region: int, pieces: list[str]
) -> None:
    puzzle = read(tmp_path, f"D:xDim=2:yDim=1:zDim=1\n{text}\n~D\n")
    assert len(puzzle.region) == region
    assert [piece.name for piece in puzzle.pieces] == pieces
    assert puzzle.fixed == ()


DOMINO = ((0, 0), (1, 0))
SAYABLE = [
    in_box("pentominoes-3x4x5", "pentominoes", (5, 4, 3)),
    PackingPuzzle(
        "stairs\nD:",
        SPACE,
        ((0, 0, 0), (0, 0, 1), (0, 1, 1)),
        (Piece("*2", ((0, 0, 0),)),),
        (FixedPiece("B/2", ((0, 0, 1), (0, 1, 1))),),
    ),
]


def test_written_puzzles_are_read_as_the_same_in_their_order(tmp_path: Path) -> None:
    puzzles = Polycube().read_puzzles(TextFile(written(tmp_path, Polycube().text(*SAYABLE))))
    assert [puzzle.digest for puzzle in puzzles] == [puzzle.digest for puzzle in SAYABLE]


@given(puzzle=packing_puzzles())
@settings(max_examples=50)
def test_a_random_puzzle_is_read_as_the_same_or_refused(
    tmp_path_factory: pytest.TempPathFactory, puzzle: PackingPuzzle
) -> None:
    try:
        text = Polycube().text(puzzle)
    except PuzzleError:
        dimension = puzzle.lattice.dimension
        thin = dimension == 3 and all(cell[2] == puzzle.region[0][2] for cell in puzzle.region)
        turned = all(piece.motions != Motions.FIXED for piece in puzzle.pieces)
        assert dimension not in (2, 3) or thin or not turned
        return
    corner = [min(axis) for axis in zip(*puzzle.region, strict=True)]
    pieces = puzzle.pieces
    if puzzle.lattice == SPACE:
        pieces = tuple(replace(piece, motions=Motions.FREE) for piece in pieces)
    region = tuple(
        tuple(c - o for c, o in zip(cell, corner, strict=True)) for cell in puzzle.region
    )
    expected = replace(puzzle, region=region, pieces=pieces)
    assert read(tmp_path_factory.getbasetemp(), text).digest == expected.digest


def test_copies_become_pieces_with_names_of_their_own(tmp_path: Path) -> None:
    puzzle = PackingPuzzle("twins", PLANE, box(2, 2), (Piece("A", DOMINO, 2, 2),))
    assert read(tmp_path, Polycube().text(puzzle)).pieces == (
        Piece("A", DOMINO),
        Piece("A/2", DOMINO),
    )


def single(**changes: object) -> PackingPuzzle:
    """Return a domino in its box, changed."""
    plain = PackingPuzzle("plain", PLANE, DOMINO, (Piece("A", DOMINO),))
    return replace(plain, **changes)  # type: ignore[arg-type]


UNSAYABLE = [
    (single(pieces=(Piece("A", DOMINO, 0, 1),), optional=DOMINO), "may stay empty"),
    (single(pieces=(Piece("A", DOMINO, 0, 1), Piece("B", DOMINO))), "number of copies (piece 'A'"),
    (single(pieces=(Piece("A", DOMINO, motions=Motions.FIXED),)), "must not be turned ('A')"),
    (
        single(pieces=(Piece("A", DOMINO[:1]), Piece("B", DOMINO[:1], motions=Motions.ONE_SIDED))),
        "a mix of free and one-sided pieces",
    ),
    (
        single(pieces=(Piece("A", DOMINO[:1], 2, 2), Piece("A/2", DOMINO[:1])), region=box(3, 1)),
        "copies of a piece whose name 'A/2' is taken",
    ),
    (single(pieces=(Piece("A", ((0, 0), (5, 0))),)), "does not fit into the box of 2x1"),
    *(
        (single(pieces=(Piece(name, DOMINO),)), "do not support the piece name")
        for name in (".", "a b", "~D", "\n")
    ),
    (single(region=((0, 0), (0, 2000))), "a box of 1x2001; expected at most"),
    (in_box("pentominoes-1x6x10", "pentominoes", (10, 6, 1)), "solid puzzle of a single layer"),
    (
        PackingPuzzle("one", SquareLattice(1), ((0,),), (Piece("A", ((0,),)),)),
        "of 1 dimension; exp",
    ),
]


@pytest.mark.parametrize(("puzzle", "message"), UNSAYABLE)
def test_a_puzzle_beyond_the_format_is_not_written(puzzle: PackingPuzzle, message: str) -> None:
    with pytest.raises(PuzzleError, match="expected at least one"):
        Polycube().text()
    with pytest.raises(PuzzleError) as caught:
        Polycube().text(SAYABLE[0], puzzle)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


BAD = [
    (SOMA.replace("~D\n", ""), 10, "expected ~D"),
    (SOMA.replace("zDim=3", "zDim=0"), 2, "zDim is '0'; expected a whole number from 1 to 1000"),
    (SOMA.replace("zDim=3", "wDim=3"), 2, "unknown key 'wDim'; expected one of xDim"),
    (SOMA.replace("2 0 0", "9 0 0", 1), 4, "does not fit into the box"),
    (SOMA.replace("1 0 0", "1 0", 1), 3, "expected x y z"),
    (SOMA.replace("1 0 0", "0 0 0", 1), 3, "names a cell twice"),
    (SOMA.replace("name=L", "name=V"), 4, "two pieces are called 'V'"),
    (YARD.replace("~L\nC", "C"), 16, "labels, or ~L to end the drawing that begins on line 11"),
    (YARD.replace("yDim=3", "yDim=4"), 2, "is 4x3x1; expected the size of the box, 4x4x1"),
    (YARD.replace("W W .", "W W"), 4, "3 cells in a row; expected 4 as in the first"),
    ("D:xDim=1:yDim=1:zDim=1\nL:stationary=*\n*\n~L\n~D", 1, "the region has no cells"),
    ("# nothing\n\n", None, "there are only comments; expected a puzzle"),
]


@pytest.mark.parametrize(("content", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_a_mistake_is_refused_with_its_line(
    tmp_path: Path, content: str | bytes, line: int | None, message: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        load_all(path)
    place = str(path) if line is None else f"{path}:{line}:"
    assert str(caught.value).startswith(place)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
