"""Packing puzzles in TOML, on all lattices."""

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
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Cells
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.packings.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.puzzles.formats.toml.reader import read_toml
from dovetail.puzzles.loading import load
from dovetail.puzzles.statements import packing
from lattices.grown import grown_puzzle
from oracle.answers import counted
from oracle.strategies import packing_puzzles

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "puzzles" / "formats.md"
EXAMPLES = re.findall(r"(?:^(?: {4}.*)?\n)+", DOCUMENTATION.read_text(), re.MULTILINE)
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


def read(text: str) -> PackingPuzzle:
    """Return the puzzle in a file with `text`."""
    return read_toml(TextFile(Path("puzzle.toml"), text.encode()))


def test_a_puzzle_has_its_region_pieces_counts_motions_and_placements() -> None:
    assert read(CORNER) == PackingPuzzle(
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
        ('box = [5, 4]\nsets = ["pentominoes"]\nwithout = WITHOUT', "pentominoes-4x5-TVWZ"),
    ],
)
def test_a_set_in_a_box_is_the_puzzle_of_the_catalogue(text: str, name: str) -> None:
    puzzle = read(text.replace("WITHOUT", str([*"FILNPUXY"])))
    assert puzzle.name == "puzzle"
    assert puzzle.digest == load(name).digest


def test_one_drawing_can_hold_all_pieces() -> None:
    text = 'box = [3, 2]\nmotions = "one-sided"\npieces = """\n. . BB\nA . BB\n\nA A BB\n"""'
    pieces = read(text).pieces
    assert pieces == (
        Piece("BB", ((0, 0), (0, 1), (0, 2)), motions=Motions.ONE_SIDED),
        Piece("A", ((0, 0), (0, 1), (1, 0)), motions=Motions.ONE_SIDED),
    )


def test_optional_cells_are_drawn_or_listed() -> None:
    drawn = read('region = "? ?"\n[[piece]]\nname = "A"\ncells = [[0, 0]]')
    listed = read('box = [2, 1]\noptional = [[1, 0], [0, 0]]\n[[piece]]\nname = "A"\nshape = "#"')
    assert drawn.optional == ((0, 0), (1, 0))
    assert drawn.digest == listed.digest


def test_blocks_are_layers_and_flat_pieces_lie_in_the_first() -> None:
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
    puzzle = read(text)
    assert puzzle.fixed == (FixedPiece("A", ((5, 0, -1),)),)
    assert len(puzzle.region) == 7
    assert (5, 1, 0) not in puzzle.region
    assert puzzle.pieces[0].cells == ((0, 0, 0), (1, 0, 0), (1, 0, 1))
    assert puzzle.pieces[1].cells == ((0, 0, 0), (0, 1, 0), (1, 0, 0))
    four = read('box = [2, 1, 1, 2]\n[[piece]]\nname = "A"\nshape = "# #"\ncount = 2')
    assert four.pieces == (Piece("A", ((0, 0, 0, 0), (1, 0, 0, 0)), 2, 2),)


OPTIONAL = 'region = """\n???\n???\n???\n"""\n'


def tight(text: str) -> str:
    """Return `text` without the spaces in its drawings."""
    return re.sub(r'"""[^"]*"""', lambda drawing: drawing[0].replace(" ", ""), text)


def test_a_drawing_is_tight_or_spaced_on_every_lattice() -> None:
    examples = [e.replace("\n    ", "\n").strip() for e in EXAMPLES if "lattice =" in e]
    assert len(examples) == 7
    for example in [CORNER, *examples]:
        assert tight(example) != example
        assert read(tight(example)) == read(example)


def test_the_only_pieces_of_sets() -> None:
    puzzle = read('box = [3, 3]\nsets = ["monominoes", "tetrominoes"]\nonly = ["I1", "O4", "L4"]')
    assert [piece.name for piece in puzzle.pieces] == ["I1", "L4", "O4"]
    assert counted(puzzle, symmetry="unique").count == 1


@pytest.mark.parametrize(
    ("drawing", "cells"),
    [
        ("II\nII", ((0, 0), (0, 1), (1, 0), (1, 1))),
        ("  #.#\n  ###", ((0, 0), (0, 1), (1, 0), (2, 0), (2, 1))),
    ],
)
def test_the_label_of_a_shape_has_no_meaning(drawing: str, cells: Cells) -> None:
    puzzle = read(f'{OPTIONAL}[[piece]]\nname = "A"\ncount = [0, 1]\nshape = """\n{drawing}\n"""')
    assert puzzle.pieces[0].cells == cells


def test_long_names_in_a_single_column_are_not_read_as_cells() -> None:
    named = read('region = """\nA1\nA1\n ?\n"""')
    assert named.fixed == (FixedPiece("A1", ((0, 1), (0, 2))),)
    alone = replace(named, region=((0, 1), (0, 2)), optional=())
    text = TomlPuzzle().write_puzzle(alone)
    assert read(text).digest == alone.digest


BAD = [
    (CORNER.replace("shape", "shap"), 9, "unknown key 'shap' in piece 'L'; did you mean 'shape'?"),
    (
        CORNER.replace('"one"', "'one'\ncount = 'x'"),
        21,
        "piece 'one': count is 'x'; expected a num",
    ),
    (CORNER.replace('name = "L"\n', ""), 7, "the piece has no name"),
    (CORNER.replace("shape =", 'like = "dominoes:I2"\nshape ='), 9, "shape and like given; exp"),
    (CORNER.replace("W . *", "W . * *"), 4, "4 cells in a row; expected 3 as in the first"),
    ('region = """\n...\n..\n"""', 3, "2 cells in a row; expected 3 as in the first"),
    ('region = """\n..\n  ..\n"""', 3, "begins with 2 spaces, the first with 0; expected . or *"),
    (CORNER.replace("# #\n# .", "I5\nI5"), 9, "the drawing shows 2 labels other than .; expec"),
    (CORNER.replace("dominoes:I2", "dominos:I2"), 15, "did you mean 'dominoes'?"),
    (CORNER.replace("[0, 1]", "[2, 1]"), 14, "used 2 to 1 times"),
    (CORNER.replace('"fixed"', '"mirrored"'), 17, "'free', 'one-sided' or 'fixed'"),
    (CORNER.replace("[[[2, 1]]]", "[[[2, 0]]]"), 22, "leaves the region"),
    (CORNER.replace('"one"', '"L"'), 19, "two pieces are called L"),
    (CORNER.replace("region", "optional = [[9, 9]]\nregion"), 2, "optional cell (9, 9) is not"),
    ("box = [1000, 1000]", 1, "more than 250,000 cells"),
    ("cells = [[0, 0, 0, 0, 0, 0, 0]]", 1, "a cell of 7 coordinates; expected at most 6"),
    ("cells = []", 1, "the region has no cells"),
    ("name = 'x'", 1, "none given; expected one of box, region, cells"),
    ('box = [2, 1]\nsets = ["soma"]\nwithout = ["Q"]', 3, "unknown piece of the sets 'Q'; valid"),
    ('box = [2, 1]\nsets = ["soma"]\nonly = ["v"]', 3, "unknown piece of the sets 'v'; valid: A"),
    ("box = [1]\nbox = [1]", 2, "not TOML"),
    ('b = """\n\n"""\n' + '"a".' * 20_000 + "a = 1", 4, "a key of more than 17 parts"),
    ("x = 1\n" * 100_000, None, "600,000 characters; the limit is 500,000"),
    ("x = [[[[1]]]]\ny = " + "9" * 9_000, 2, "not readable TOML"),
]


TRIANGLES = """\
lattice = "triangular"
region = '''
* . . .
* . . .
'''
[[piece]]
name = "pair"
shape = "# #"
"""
EDGES = 'lattice = "square-edges"\nregion = """\n+ . +\n. * .\n+ . +\n"""\n'
EDGES += '[[piece]]\nname = "A"\nshape = "+ #"\n'
BAD += [
    (TRIANGLES.replace("triangular", "triangulr"), 1, "'triangulr'; did you mean 'triangular'?"),
    ("dimension = 2\n" + TRIANGLES, 1, "dimension = 2 and lattice triangular; expected one"),
    ('lattice = "spheres"\nbox = [1, 1, 1]', 2, "a box has squares, not cells of the spheres"),
    ("sets = ['pentominoes']\n" + TRIANGLES, 1, "expected cells of the triangular lattice"),
    ("origin = [1, 0, 1]\n" + TRIANGLES, 1, "(1, 0, 1) is not a translation of the triangular"),
    (EDGES.replace(". * .", ". . ."), 4, "label '.' where there is no cell of the square-edges"),
    (EDGES.replace("+ #", "  #"), 9, "or + (leading * or . count as places, spaces do not)"),
]


@pytest.mark.parametrize(("content", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_a_mistake_is_refused_with_its_line(content: str, line: int | None, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(content)
    assert message in str(caught.value)
    place = "" if line is None else f"{line}:"
    assert str(caught.value).startswith(f"puzzle.toml:{place}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + '"",\n' * 120_000 + "]",
        '# """' + '\\"""\n' * 90_000,
        "cells = [[0,0,0,0,0,0]]\n[[piece]]\nname = 'A'\n"
        "cells = [[0,0,0,0,0,0]]\nplacements = [[[0,0,0,0,0,0]]]",
    ],
    ids=range(3),
)
def test_hostile_files_are_refused_in_seconds(text: str) -> None:
    began = time.thread_time()
    with pytest.raises(FormatError) as caught:
        read(text)
    assert time.thread_time() - began < 5  # of processor time; 2 s on an idle machine
    assert len(str(caught.value)) < 400


@st.composite
def varied(draw: st.DrawFn) -> PackingPuzzle:
    """Draw a puzzle with pieces fixed, moved, listed, or in ranges of copies."""
    puzzle = draw(packing_puzzles())
    dimension = puzzle.lattice.dimension
    origin = draw(st.tuples(*[st.integers(-3, 3)] * dimension))

    def moved(cells: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(c + o for c, o in zip(cell, origin, strict=True)) for cell in cells)

    pieces, fixed = list[Piece](), list[FixedPiece]()
    text = st.text(max_size=3).filter(str.isprintable) | st.sampled_from(["?", "*", 'q"', "\\n"])
    names = draw(st.lists(text, min_size=len(puzzle.pieces), unique=True))
    for piece, name in zip(puzzle.pieces, names, strict=False):
        cells = moved(piece.cells)
        kind = draw(st.sampled_from(["plain", "fixed", "listed", "range"]))
        if kind == "fixed" or not name:
            fixed.append(FixedPiece(name, cells))
        elif kind == "listed":
            pieces.append(Piece(name, piece.cells, motions=piece.motions, placements=(cells,)))
        else:
            counts = draw(st.sampled_from([(0, 1), (1, 2)])) if kind == "range" else (1, 1)
            pieces.append(Piece(name, piece.cells, *counts, draw(st.sampled_from(Motions))))
    inside = set(moved(puzzle.region)) - {cell for piece in fixed for cell in piece.cells}
    firsts = [moved(piece.cells)[0] for piece in pieces if dimension == 2]
    optional = [cell for cell in firsts if cell in inside]
    return PackingPuzzle(
        draw(st.sampled_from(["p", 'a "b"', ""])),
        puzzle.lattice,
        moved(puzzle.region),
        tuple(pieces),
        tuple(fixed),
        tuple(optional),
    )


@given(puzzle=varied())
@settings(max_examples=25)
def test_a_written_puzzle_is_read_as_the_same(puzzle: PackingPuzzle) -> None:
    found = read(TomlPuzzle().write_puzzle(puzzle))
    assert (found.name, found.digest) == (puzzle.name, puzzle.digest)


def test_a_wrap_is_written_before_the_fixed_pieces() -> None:
    fixed = {"a name": [[0, 0]]}
    puzzle = packing(box=[4, 2], wrap=["x"], fixed=fixed, pieces={"I": {"shape": "#", "count": 7}})
    assert read(TomlPuzzle().write_puzzle(puzzle)).digest == puzzle.digest


@pytest.mark.parametrize("region", ["W . . . .", "W . . . .\nW * * * *", "W\n.\n.\n.\n."])
def test_colours_of_some_cells_are_drawn_at_their_places(region: str) -> None:
    colours = region.replace(". . . .", "r b r b").replace(".\n.\n.\n.", "r\nb\nr\nb")
    piece = {"colours": "r b", "count": 2}
    puzzle = packing(region, {"A": piece}, colours=colours.replace("W", "."))
    found = read(TomlPuzzle().write_puzzle(puzzle))
    assert (found.digest, found.colours) == (puzzle.digest, puzzle.colours)


def test_regions_and_pieces_are_written_as_drawings() -> None:
    text = (
        'name = "drawn"\nregion = """\n. . ?\nW . *\n"""\n\n'
        '[[piece]]\nname = "L"\ncount = [0, 1]\nshape = """\n# #\n# .\n"""\n'
    )
    assert TomlPuzzle().write_puzzle(read(text)) == text


def test_a_puzzle_too_large_to_be_read_is_not_written() -> None:
    far = tuple((7 * x, 11 * x % 999_983, x) for x in range(40_000))
    with pytest.raises(PuzzleError, match="too large for TOML"):
        TomlPuzzle().write_puzzle(PackingPuzzle("far", SPACE, far, (Piece("A", far),)))
    six, pair = ((0,) * 6,), ((0,) * 6, (1, *[0] * 5))
    pieces = (Piece("A", pair, 0, 1, placements=()), Piece("B", six))
    listed = PackingPuzzle("six", SquareLattice(6), six, pieces)
    with pytest.raises(PuzzleError, match="too many listed placements"):
        TomlPuzzle().write_puzzle(listed)
    pieces = (replace(pieces[0], placements=None), pieces[1])
    assert TomlPuzzle().write_puzzle(replace(listed, pieces=pieces))


@pytest.mark.parametrize("name", ["\ud800", "a\nb", "\x1b[31m"])
def test_unprintable_names_are_not_written(name: str) -> None:
    piece = Piece("A", ((0, 0),))
    for puzzle in (
        PackingPuzzle(name, PLANE, ((0, 0),), (piece,)),
        PackingPuzzle("p", PLANE, ((0, 0),), (replace(piece, name=name),)),
        PackingPuzzle("p", PLANE, ((0, 0), (1, 0)), (piece,), (FixedPiece(name, ((1, 0),)),)),
    ):
        with pytest.raises(PuzzleError, match="expected printable characters"):
            TomlPuzzle().write_puzzle(puzzle)


def test_places_in_a_drawing_of_triangles_count_from_the_bottom_left() -> None:
    puzzle = read(
        'lattice = "triangular"\norigin = [3, -1, 0]\nmotions = "fixed"\n'
        'region = """\n* . . W\n* ? . .\n"""\npieces = """\n* A A .\n. B C .\n"""\n'
    )
    assert puzzle == PackingPuzzle(
        "puzzle",
        lattice_named("triangular"),
        ((3, -1, 1), (4, -1, 0), (4, -1, 1), (3, 0, 0), (3, 0, 1), (4, 0, 0)),
        (
            Piece("A", ((0, 0, 0), (0, 0, 1)), motions=Motions.FIXED),
            Piece("B", ((0, 0, 1),), motions=Motions.FIXED),
            Piece("C", ((0, 0, 0),), motions=Motions.FIXED),
        ),
        (FixedPiece("W", ((4, 0, 0),)),),
        ((3, -1, 1),),
    )


@pytest.mark.parametrize("name", sorted(set(lattice_names()) - {"square-5", "square-6"}))
@pytest.mark.parametrize("seed", [1])
def test_a_written_puzzle_on_any_lattice_is_read_as_the_same(name: str, seed: int) -> None:
    puzzle, _ = grown_puzzle(lattice_named(name), seed)
    found = read(TomlPuzzle().write_puzzle(puzzle))
    assert (found.name, found.digest) == (puzzle.name, puzzle.digest)


# Numbers of solutions of the examples of the documentation that have another lattice.
COUNTS = {
    "triangular": 1,
    "hexagonal": 1,
    "square-edges": 1,
    "triangular-edges": 3,
    "hexagonal-edges": 3,
    "half-squares": 1,
    "triangular-prisms": 1,
}


@pytest.mark.parametrize(
    "text", [e for e in EXAMPLES if re.search(r"^ {4}(box|region) =", e, re.MULTILINE)]
)
def test_the_examples_of_the_documentation_are_puzzles(text: str) -> None:
    """The expected numbers of solutions were found on paper."""
    puzzle = read(re.sub("^ {4}", "", text, flags=re.MULTILINE))
    assert read(TomlPuzzle().write_puzzle(puzzle)).digest == puzzle.digest
    if expected := COUNTS.get(puzzle.lattice.name):
        assert counted(puzzle, "dlx", "unique").count == expected
