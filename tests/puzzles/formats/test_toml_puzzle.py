"""Dovetail's own TOML: what it says, what is wrong with bad files, there and back again."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.square import SquareLattice
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.puzzles.formats.toml.reader import read_toml
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import (
    box,
    solid_pentominoes_in_box,
)
from oracle.strategies import packing_puzzles

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "puzzles" / "formats.md"
PLANE, SPACE = SquareLattice(2), SquareLattice(3)

CORNER = '''\
name = "a corner"
region = """
. . .
W . *
"""

[[piece]]
name = "L"
shape = """
# #
# .
"""

[[piece]]
like = "dominoes:I2"
count = [0, 1]
motions = "fixed"

[[piece]]
name = "one"
cells = [[0, 0]]
placements = [[[2, 1]]]
'''


def read(folder: Path, text: str) -> PackingPuzzle:
    """The puzzle that a file with `text` holds."""
    path = folder / "puzzle.toml"
    path.write_bytes(text.encode())
    return read_toml(TextFile(path))


def test_a_puzzle_by_hand(tmp_path: Path) -> None:
    """Region, fixed piece, pieces drawn, named and listed, counts, motions and placements."""
    assert read(tmp_path, CORNER) == PackingPuzzle(
        "a corner",
        PLANE,
        ((0, 0), (0, 1), (1, 0), (1, 1), (2, 1)),
        (
            Piece("L", ((0, 0), (0, 1), (1, 1))),
            Piece("I2", ((0, 0), (1, 0)), 0, 1, Motions.FIXED),
            Piece("one", ((0, 0),), placements=(((2, 1),),)),
        ),
        (FixedPiece("W", ((0, 0),)),),
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('box = [10, 6]\nsets = ["pentominoes"]', "pentominoes-6x10"),
        ('box = [30, 3]\nsets = ["one-sided-pentominoes"]', "one-sided-pentominoes-3x30"),
        ('box = [5, 4, 3]\nsets = ["pentominoes"]', "pentominoes-3x4x5"),
        ('box = [3, 3, 3]\nsets = ["soma"]', "soma-cube"),
        (
            'box = [6, 5]\nsets = ["pentominoes"]\nwithout = ["I", "T", "V", "W", "X", "Z"]',
            "pentominoes-5x6-FLNPUY",
        ),
    ],
)
def test_sets_of_pieces(tmp_path: Path, text: str, name: str) -> None:
    """Whole sets in a box are the catalogue's puzzles, one-sided sets one-sided."""
    puzzle = read(tmp_path, text)
    assert puzzle.name == "puzzle"
    assert puzzle.digest == load(name).digest


def test_many_pieces_in_one_drawing(tmp_path: Path) -> None:
    """Labels in reading order, wherever they lie; `motions` goes for all."""
    text = 'box = [3, 2]\nmotions = "one-sided"\npieces = """\n. . BB\nA . BB\n\nA A BB\n"""'
    pieces = read(tmp_path, text).pieces
    assert pieces == (
        Piece("BB", ((0, 0), (0, 1), (0, 2)), motions=Motions.ONE_SIDED),
        Piece("A", ((0, 0), (0, 1), (1, 0)), motions=Motions.ONE_SIDED),
    )


def test_cells_that_may_stay_empty(tmp_path: Path) -> None:
    """Drawn as `?`, or listed."""
    drawn = read(tmp_path, 'region = "? ?"\n[[piece]]\nname = "A"\ncells = [[0, 0]]')
    listed = read(
        tmp_path, 'box = [2, 1]\noptional = [[1, 0], [0, 0]]\n[[piece]]\nname = "A"\nshape = "#"'
    )
    assert drawn.optional == ((0, 0), (1, 0))
    assert drawn.digest == listed.digest


def test_three_dimensions_and_more(tmp_path: Path) -> None:
    """Blocks are z = 0, 1, …; a flat piece lies in the first of any further layers."""
    text = '''
origin = [5, 0, -1]
region = """
. .,* .
A .,. .
"""
[[piece]]
name = "B"
shape = "# #, . #"
[[piece]]
name = "C"
like = "trominoes:L3"
'''
    puzzle = read(tmp_path, text)
    assert puzzle.fixed == (FixedPiece("A", ((5, 0, -1),)),)
    assert len(puzzle.region) == 7
    assert (5, 1, 0) not in puzzle.region
    assert puzzle.pieces[0].cells == ((0, 0, 0), (1, 0, 0), (1, 0, 1))
    assert puzzle.pieces[1].cells == ((0, 0, 0), (0, 1, 0), (1, 0, 0))
    four = read(tmp_path, 'box = [2, 1, 1, 2]\n[[piece]]\nname = "A"\nshape = "# #"\ncount = 2')
    assert four.pieces == (Piece("A", ((0, 0, 0, 0), (1, 0, 0, 0)), 2, 2),)


EXAMPLES = re.findall(r"(?:^(?: {4}.*)?\n)+", DOCUMENTATION.read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "text", [e for e in EXAMPLES if re.search(r"^ {4}(box|region) =", e, re.M)]
)
def test_the_examples_of_the_documentation(tmp_path: Path, text: str) -> None:
    """They are puzzles, and what is written of them is read as the same."""
    puzzle = read(tmp_path, re.sub("^ {4}", "", text, flags=re.MULTILINE))
    assert puzzle.pieces
    assert read(tmp_path, TomlPuzzle().write_puzzle(puzzle)).digest == puzzle.digest


BAD = [
    (
        CORNER.replace("count =", "cuont ="),
        16,
        "unknown key 'cuont' in piece[1]; did you mean 'count'? expected one of cells",
    ),
    (
        CORNER.replace("name = ", "nmae = ", 1),
        1,
        "unknown key 'nmae'; did you mean 'name'? expected one of box, cells",
    ),
    (CORNER.replace('name = "L"\n', ""), 7, "the piece has no name"),
    (CORNER.replace("shape =", 'like = "dominoes:I2"\nshape ='), 9, "shape and like given; exp"),
    (CORNER.replace("cells = [[0, 0]]", ""), 19, "none given; expected one of shape, cells, like"),
    (CORNER.replace("region =", "box = [2, 2]\nregion ="), 3, "box and region given; expected one"),
    (CORNER.replace("W . *", "W . * *"), 4, "4 cells in a row; expected 3 as in the first"),
    (CORNER.replace("W . *", "W . *, ."), 4, "2 layers; expected 1 as in the first"),
    (CORNER.replace("W . *", "W.*"), 4, "label 'W.*'; expected white space between cells"),
    (CORNER.replace("# #", "##"), 10, "label '##'; expected white space between cells"),
    (CORNER.replace("# #", "A B"), 9, "the drawing shows 3 labels other than .; expected one"),
    (CORNER.replace("# #\n# .\n", "\n"), 9, "the drawing is empty"),
    (CORNER.replace("# #\n", "# #, # #\n").replace("# .\n", "# ., # .\n"), 9, "more dimensions"),
    (
        CORNER.replace("dominoes:I2", "dominos:I2"),
        15,
        "pieces 'dominos'; did you mean 'dominoes'?",
    ),
    (CORNER.replace("dominoes:I2", "dominoes:I3"), 15, "set dominoes 'I3'; valid: I2"),
    (CORNER.replace("[0, 1]", "[2, 1]"), 14, "used 2 to 1 times"),
    (CORNER.replace("[0, 1]", "0"), 14, "used 0 to 0 times"),
    (CORNER.replace("[0, 1]", "true"), 16, "expected a whole number"),
    (CORNER.replace("[0, 1]", "[0, 9999999]"), 16, "a whole number from 0 to 1,000,000"),
    (CORNER.replace("[0, 1]", "[0, 1, 2]"), 16, "expected a list of 2 or fewer"),
    (CORNER.replace('"fixed"', '"mirrored"'), 17, "'free', 'one-sided' or 'fixed'"),
    (CORNER.replace("[[[2, 1]]]", "[[[2, 1], [1, 1]]]"), 19, "not congruent"),
    (CORNER.replace("[[[2, 1]]]", "[[[2, 0]]]"), 22, "leaves the region"),
    (CORNER.replace("[[0, 0]]", "[[0, 0.5]]"), 21, "expected a whole number"),
    (CORNER.replace("[[0, 0]]", "[[0, 1" + "0" * 4000 + "]]"), 21, "from -1,000,000 to 1,000,000"),
    (CORNER.replace("[[0, 0]]", "[[0, 0, 0]]"), 19, "a cell of 3 coordinates; expected 2"),
    (CORNER.replace('"one"', '"L"'), 19, "two pieces are called L"),
    (CORNER.replace('"one"', '"W"'), 19, "two pieces are called W"),
    (CORNER + "[[fixed]]\nname = 'L'\ncells = []\n", 23, "two pieces are called L"),
    ("box = [2, 1]\npieces = 'A'\n[[fixed]]\nname = 'A'\ncells = []", 3, "two pieces are called A"),
    (CORNER.replace("region", "optional = [[9, 9]]\nregion"), 2, "optional cell (9, 9) is not"),
    (CORNER.replace("[[[2, 1]]]", "[[[2, 1, 0]]]"), 22, "a placement of one has a cell of 3"),
    (CORNER.replace("[[0, 0]]", "[[0, 0], [0, 1]]").replace("placements", "#"), 2, "cells; exp"),
    ("box = [2, 0]", 1, "expected a whole number from 1 to 250,000"),
    ("box = [999999999]", 1, "from 1 to 250,000"),
    ("box = [1000, 1000]", 1, "more than 250,000 cells"),
    ("box = [2, 2]\norigin = [1]", 2, "1 coordinate; expected 2"),
    ("box = [2, 2]\ndimension = 3", 1, "2 sides; expected 3"),
    ("dimension = 99\nbox = [2, 2]", 1, "expected 6 or less"),
    ("box = [1, 1, 1, 1, 1, 1, 1]", 1, "expected a list of 6 or fewer"),
    ("cells = [[0, 0, 0, 0, 0, 0, 0]]", 1, "a cell of 7 coordinates; expected at most 6"),
    ("cells = [[0]]\norigin = [1]", 2, "expected no origin with cells"),
    ("cells = []", 1, "the region has no cells"),
    ("cells = [[]]", 1, "0 coordinates"),
    ("name = 'x'", 1, "none given; expected one of box, region, cells"),
    ('box = [2, 1]\nsets = ["soma"]\nwithout = ["Q"]', 3, "unknown piece of the sets 'Q'; valid"),
    ('box = [2, 1]\nsets = ["soma", "soma"]', 2, "named twice"),
    ('box = [2, 1]\nsets = ["soma"]', 2, "more dimensions than the puzzle"),
    (
        'region = ". *\\n* *"\n[[fixed]]\nname = "a\\nb"\ncells = [[1, 1]]',
        3,
        "fixed[0].name: 'a\\nb'; expected printable characters",
    ),
    ('box = [1]\nname = "\\u009b"', 2, "name: '\\x9b'; expected printable characters"),
    ('region = """\n. a\u202e b\n"""', 2, "label 'a\\u202e'; expected printable characters"),
    ('box = [1]\n"b\\nc" = 1', 1, "unknown key 'b\\nc'"),
    ("box = [1]\nbox = [1]", 2, "not TOML"),
    ("box = [1", 1, "not TOML"),
    ("\n" + "a." * 40_000 + "a = 1", 2, "a key of more than 17 parts"),
    ('b = """\n\n"""\n' + '"a".' * 20_000 + "a = 1", 4, "a key of more than 17 parts"),
    ("x = 1\n" * 100_000, None, "600,000 characters; expected at most 500,000"),
    ("y = [1]\nx = " + "[" * 50_000, 2, "not readable TOML"),
    ("y = '''\n" + "[" * 99_000 + "'''\nx = [\n" + "[" * 50_000, 4, "not readable TOML"),
    ("x = [[[[1]]]]\ny = " + "9" * 9_000, 2, "not readable TOML"),
]


@pytest.mark.parametrize(("content", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_mistakes_are_placed(tmp_path: Path, content: str, line: int | None, message: str) -> None:
    """File, line, what is wrong and what was expected, in one short line."""
    with pytest.raises(FormatError) as caught:
        read(tmp_path, content)
    assert message in str(caught.value)
    place = "" if line is None else f"{line}:"
    assert str(caught.value).startswith(f"{tmp_path / 'puzzle.toml'}:{place}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + '"",\n' * 120_000 + "]",
        "cells = [" + '"",\n' * 120_000 + "]",
        "cells = [" + "[0,0],\n" * 70_000 + "]",
        "sets = [" + '"soma",\n' * 60_000 + "]\nbox = [1]",
        "box = [500, 500]\n[[fixed]]\nname = 'A'\ncells = [" + "[0, 0],\n" * 50_000 + "]",
        '# """' + '\\"""\n' * 90_000,
        "region = '''\n" + ". *\n" * 90_000 + "'''",
        "cells = [[0,0,0,0,0,0]]\n[[piece]]\nname = 'A'\n"
        "cells = [[0,0,0,0,0,0]]\nplacements = [[[0,0,0,0,0,0]]]",
    ],
    ids=range(8),
)
def test_hostile_files_are_refused_soon(tmp_path: Path, text: str) -> None:
    """Long lists, much to compare: an error, and never a long wait."""
    began = time.thread_time()
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    assert time.thread_time() - began < 5  # of processor time; 2 s on an idle machine
    assert len(str(caught.value)) < 400


COPIES = (Piece("A", ((0, 0), (1, 0)), 0, 3), Piece("B ", ((1, 1),), 2, 2, Motions.FIXED))
PUZZLES = [
    load("pentominoes-6x10"),
    load("one-sided-pentominoes-3x30"),
    load("tetris-cube"),
    solid_pentominoes_in_box(1, 6, 10),
    PackingPuzzle("", PLANE, box(4, 2), COPIES, (), box(4, 2)),
    PackingPuzzle('q"\\ ü\\n', PLANE, ((-5, 7), (-5, 8)), (Piece("é", ((-1, 2), (-1, 1))),)),
    PackingPuzzle(
        "hole", PLANE, box(3, 1), (Piece("A", ((0, 0),)),), (FixedPiece("#", ((0, 0), (2, 0))),)
    ),
    PackingPuzzle(
        "order",
        PLANE,
        box(4, 1),
        (Piece("A", ((0, 0),), placements=(((0, 0),),)),),
        (FixedPiece("X", ((3, 0),)), FixedPiece("Y", ((1, 0), (2, 0)))),
    ),
    PackingPuzzle(
        "names",
        PLANE,
        box(3, 1),
        (Piece("A", ((0, 0),)),),
        (FixedPiece("?", ((1, 0),)), FixedPiece("*", ((2, 0),)), FixedPiece("none", ())),
    ),
    PackingPuzzle(
        "scattered", SPACE, ((0, 0, 0), (900, 900, -900)), (Piece("A", ((0, 0, 5),), 0, 9),)
    ),
    PackingPuzzle("line", SquareLattice(1), ((3,), (5,)), (Piece("A", ((0,), (2,))),)),
    PackingPuzzle(
        "four",
        SquareLattice(4),
        box(2, 2, 1, 2),
        (Piece("A", ((0, 0, 0, 0), (0, 0, 0, 1)), 4, 4, Motions.ONE_SIDED),),
        (),
        ((0, 0, 0, 0),),
    ),
    PackingPuzzle("six", SquareLattice(6), box(*[1] * 6), (Piece("A", box(*[1] * 6)),)),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: repr(puzzle.name))
def test_there_and_back_again(tmp_path: Path, puzzle: PackingPuzzle) -> None:
    """Same digest, same name, whatever the dimension, the names and the order."""
    found = read(tmp_path, TomlPuzzle().write_puzzle(puzzle))
    assert (found.name, found.digest) == (puzzle.name, puzzle.digest)


@st.composite
def varied(draw: st.DrawFn) -> PackingPuzzle:
    """A random puzzle with some pieces fixed, moved about, listed, or in ranges of copies."""
    puzzle = draw(packing_puzzles())
    dimension = puzzle.lattice.dimension
    origin = draw(st.tuples(*[st.integers(-3, 3)] * dimension))

    def moved(cells: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(c + o for c, o in zip(cell, origin, strict=True)) for cell in cells)

    pieces, fixed = list[Piece](), list[FixedPiece]()
    names = draw(
        st.lists(
            st.text(max_size=3).filter(str.isprintable),
            min_size=len(puzzle.pieces),
            max_size=len(puzzle.pieces),
            unique=True,
        )
    )
    for piece, name in zip(puzzle.pieces, names, strict=True):
        cells = moved(piece.cells)
        kind = draw(st.sampled_from(["plain", "fixed", "listed", "range"]))
        if kind == "fixed" or not name:
            fixed.append(FixedPiece(name, cells))
        elif kind == "listed":
            pieces.append(Piece(name, piece.cells, motions=piece.motions, placements=(cells,)))
        else:
            min_count, max_count = (
                draw(st.sampled_from([(0, 1), (1, 2)])) if kind == "range" else (1, 1)
            )
            pieces.append(
                Piece(name, piece.cells, min_count, max_count, draw(st.sampled_from(Motions)))
            )
    optional = [c for piece in pieces for c in moved(piece.cells)[:1] if dimension == 2]
    inside = set(moved(puzzle.region)) - {cell for piece in fixed for cell in piece.cells}
    optional = [cell for cell in optional if cell in inside]
    return PackingPuzzle(
        draw(st.sampled_from(["p", 'a "b"', ""])),
        puzzle.lattice,
        moved(puzzle.region),
        tuple(pieces),
        tuple(fixed),
        tuple(optional),
    )


@given(puzzle=varied())
@settings(max_examples=50)
def test_random_puzzles_there_and_back_again(
    tmp_path_factory: pytest.TempPathFactory, puzzle: PackingPuzzle
) -> None:
    """Same digest and name, for anything that a puzzle may be."""
    found = read(tmp_path_factory.getbasetemp(), TomlPuzzle().write_puzzle(puzzle))
    assert (found.name, found.digest) == (puzzle.name, puzzle.digest)


def test_drawings_are_used_where_they_can_be() -> None:
    """A region with a fixed piece, and a piece, as one would draw them."""
    puzzle = PackingPuzzle(
        "drawn",
        PLANE,
        tuple(cell for cell in box(3, 2) if cell != (2, 0)),
        (Piece("L", ((0, 0), (0, 1), (1, 1))), Piece("I", ((0, 0), (1, 0)), 0, 1)),
        (FixedPiece("W", ((0, 0),)),),
        ((2, 1),),
    )
    assert (
        TomlPuzzle().write_puzzle(puzzle)
        == '''\
name = "drawn"
region = """
. . ?
W . *
"""

[[piece]]
name = "L"
shape = """
# #
# .
"""

[[piece]]
name = "I"
count = [0, 1]
shape = """
# #
"""
'''
    )


def test_what_is_too_large_to_be_read() -> None:
    """A reason instead of a file that would be refused."""
    far = tuple((7 * x, 11 * x % 999_983, x) for x in range(40_000))
    with pytest.raises(PuzzleError, match="too large for TOML"):
        TomlPuzzle().write_puzzle(PackingPuzzle("far", SPACE, far, (Piece("A", far),)))
    six = ((0,) * 6,)
    patient = Piece("A", tuple((x, *six[0][1:]) for x in range(2)), 0, 1)
    listed = replace(patient, placements=())
    assert TomlPuzzle().write_puzzle(
        PackingPuzzle("six", SquareLattice(6), six, (patient, Piece("B", six)))
    )
    with pytest.raises(PuzzleError, match="too many listed placements"):
        TomlPuzzle().write_puzzle(
            PackingPuzzle("six", SquareLattice(6), six, (listed, Piece("B", six)))
        )


@pytest.mark.parametrize("name", ["\ud800", "a\nb", "\x1b[31m", "\u202e"])
def test_names_that_are_not_printable(name: str) -> None:
    """They would not be read, and are not written."""
    piece = Piece("A", ((0, 0),))
    for puzzle in (
        PackingPuzzle(name, PLANE, ((0, 0),), (piece,)),
        PackingPuzzle("p", PLANE, ((0, 0),), (replace(piece, name=name),)),
        PackingPuzzle("p", PLANE, ((0, 0), (1, 0)), (piece,), (FixedPiece(name, ((1, 0),)),)),
    ):
        with pytest.raises(PuzzleError, match="expected printable characters"):
            TomlPuzzle().write_puzzle(puzzle)
