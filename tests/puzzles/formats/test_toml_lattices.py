"""TOML on every lattice: drawings typed by hand, cells listed, there and back again, mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.models.lattices.registry import lattice_named, lattice_names
from dovetail.models.packing import FixedPiece, Motions, PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.registry import read_solutions
from dovetail.puzzles.formats.solutions import solution_text
from dovetail.puzzles.formats.toml.format import TomlPuzzle
from dovetail.puzzles.formats.toml.reader import read_toml
from lattices.grown import grown_puzzle
from oracle.answers import counted

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "puzzles" / "formats.md"
SECTION = DOCUMENTATION.read_text().partition("### Lattices\n")[2].partition("\n### ")[0]
EXAMPLES = [
    re.sub("^ {4}", "", example, flags=re.MULTILINE)
    for example in re.findall(r"(?:^(?: {4}.*)?\n)+", SECTION, re.MULTILINE)
    if "lattice =" in example
]
LISTING_IS_QUICK = [name for name in lattice_names() if name not in ("square-5", "square-6")]
SHOWN_IN_TEXT = [name for name in LISTING_IS_QUICK if name not in ("square-1", "square-4")]


def read(text: str) -> PackingPuzzle:
    """The puzzle that a file with `text` holds."""
    return read_toml(TextFile(Path("puzzle.toml"), text.encode()))


def test_the_table_of_the_documentation() -> None:
    """It has all lattices but squares by name, and what it calls coordinates are the axes."""
    rows = dict(re.findall(r"^\| `([\w-]+)` \| \(([\w, ]+)\)", SECTION, re.MULTILINE))
    assert rows == {
        name: ", ".join(lattice_named(name).axes)
        for name in lattice_names()
        if not name.startswith("square-") or name == "square-edges"
    }


@pytest.mark.parametrize(
    ("example", "name", "expected"),
    [
        (EXAMPLES[0], "triangular", 1),
        (EXAMPLES[1], "hexagonal", 1),
        (EXAMPLES[2], "square-edges", 1),
        (EXAMPLES[3], "triangular-edges", 3),
        (EXAMPLES[4], "hexagonal-edges", 3),
        (EXAMPLES[5], "half-squares", 1),
        (EXAMPLES[6], "triangular-prisms", 1),
    ],
)
def test_the_examples_of_the_documentation(example: str, name: str, expected: int) -> None:
    """One of each planar lattice, with as many solutions as one finds on paper."""
    puzzle = read(example)
    assert puzzle.lattice.name == name
    assert counted(puzzle, "dlx", "unique").count == expected
    assert read(TomlPuzzle().write_puzzle(puzzle)).digest == puzzle.digest


def test_drawn_by_hand() -> None:
    """Places from the bottom left, blanks counted; a fixed piece, an empty cell, an origin."""
    puzzle = read(
        """
lattice = "triangular"
origin = [3, -1, 0]
region = '''
* . . W
* ? . .
'''
pieces = '''
* A A .
. B C .
'''
motions = "fixed"
"""
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


@pytest.mark.parametrize("name", LISTING_IS_QUICK)
@pytest.mark.parametrize("seed", range(3))
def test_there_and_back_again(name: str, seed: int) -> None:
    """Same digest, same name; drawn and listed, fixed pieces, empty cells and listed places."""
    puzzle, _ = grown_puzzle(lattice_named(name), seed)
    found = read(TomlPuzzle().write_puzzle(puzzle))
    assert (found.name, found.digest) == (puzzle.name, puzzle.digest)


@pytest.mark.parametrize("name", SHOWN_IN_TEXT)
@pytest.mark.parametrize("seed", range(3))
def test_solutions_in_text(name: str, seed: int) -> None:
    """They are read as they were written, and are solutions."""
    puzzle, solution = grown_puzzle(lattice_named(name), seed)
    file = TextFile(Path("solutions.txt"), solution_text(puzzle, solution).encode())
    ((_, found),) = read_solutions(file, puzzle)
    assert isinstance(found, PackingSolution)
    assert sorted(found.placed) == sorted(solution.placed)
    assert solution_error(puzzle, found) is None


TRIANGLES = """\
lattice = "triangular"
region = '''
* . . .
* . . .
'''
[[piece]]
name = "pair"
shape = "# #"
count = 3
"""
EDGES = """\
lattice = "square-edges"
region = '''
+ . +
. * .
+ . +
'''
[[piece]]
name = "one"
shape = "+ #"
count = 4
"""
BAD = [
    (TRIANGLES.replace("triangular", "triangulr"), 1, "'triangulr'; did you mean 'triangular'?"),
    (TRIANGLES.replace("triangular", "cubes"), 1, "unknown lattice 'cubes'; valid: "),
    ("dimension = 2\n" + TRIANGLES, 1, "dimension = 2 and lattice triangular; expected one"),
    ('lattice = "square-3"\ndimension = 2\nbox = [1, 1]', 2, "and lattice square-3; expected"),
    ('lattice = "square-3"\nbox = [1, 1]', 2, "a box of 2 sides; expected 3"),
    ('lattice = "spheres"\nbox = [1, 1, 1]', 2, "a box has squares, not cells of the spheres"),
    (TRIANGLES.replace('shape = "# #"', "cells = [[0, 0, 2]]"), 6, "piece pair has (0, 0, 2), whi"),
    (TRIANGLES.replace('shape = "# #"', "cells = [[0, 0]]"), 6, "2 coordinates; expected 3"),
    (TRIANGLES.replace("* . . .\n'''", "* . . ., .\n'''"), 4, "2 layers; expected 1"),
    (
        TRIANGLES.replace("# #", "#, #"),
        8,
        "the drawing has more dimensions than the puzzle; expected 2",
    ),
    (TRIANGLES + "[[piece]]\nlike = 'soma:V'", 11, "the set soma has cells in 3 dimensions; expec"),
    ("sets = ['pentominoes']\n" + TRIANGLES, 1, "expected cells of the triangular lattice"),
    ("origin = [1, 0]\n" + TRIANGLES, 1, "an origin of 2 coordinates; expected 3"),
    ("origin = [1, 0, 1]\n" + TRIANGLES, 1, "(1, 0, 1) is not a translation of the triangular"),
    (EDGES.replace(". * .", ". . ."), 4, "label '.' where there is no cell of the square-edges"),
    (EDGES.replace(". * .", ". W ."), 4, "label 'W' where there is no cell"),
    (EDGES.replace("+ #", "  #"), 9, "or + (leading * or . count as places, spaces do not)"),
    (
        'lattice = "triangular"\ncells = [[0, 0, 2]]',
        2,
        "the region has (0, 0, 2), which is not a cell of the triangular lattice; expected "
        "(0, 0, 0), (0, 0, 1), or one of them translated",
    ),
    ('lattice = "spheres"\ncells = [[0, 0, 1]]', 2, "(0, 0, 1), which is not a cell of the sph"),
    ('lattice = "rhombic"\ncells = [[2, 2, 2]]', 2, "(2, 2, 2), which is not a cell of the rho"),
    ('lattice = "tetra-octa"\ncells = [[0, 0, 0]]', 2, "(0, 0, 0), which is not a cell of the"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_mistakes_are_placed(text: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one short line."""
    assert read(TRIANGLES).pieces
    assert read(EDGES).pieces
    with pytest.raises(FormatError) as caught:
        read(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"puzzle.toml:{line}:")
    assert len(str(caught.value)) < 400
