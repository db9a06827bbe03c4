"""The contract of every format, recognition, and the catalogue in every format."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dovetail.errors import ConfigError, FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.lattices.protocol import Lattice
from dovetail.models.packings.packing import PackingPuzzle
from dovetail.models.packings.placements import bounded_placements
from dovetail.models.task import Puzzle, as_cover
from dovetail.puzzles.catalogue import catalogue
from dovetail.puzzles.formats.base import Document, Format
from dovetail.puzzles.formats.burrtools.grids import grids
from dovetail.puzzles.formats.registry import possible_formats, puzzle_formats, registry
from dovetail.puzzles.loading import load, load_all

EXAMPLES = [name for entry in catalogue() for name in entry.examples[:1]]
# Formats that keep symmetries; `test_matrix` tests the other one.
READABLE = [one for one in puzzle_formats().values() if one.readable and one.keeps_symmetries]
HEPTOMINOES = "heptominoes"
# Beginnings of the names of puzzles that take half a second or more.
LARGE = {
    "knuth": (
        *(HEPTOMINOES, "hexominoes", "pentominoes-4d", "tetris", "bedlam"),
        *("partridge", "squares-32x33"),
    ),
    "burrtools": (HEPTOMINOES, "hexominoes", "partridge", "squares-32x33"),
}

# Why a format cannot say a catalogue puzzle: (format, beginning of the name) and the reason.
REFUSALS = {
    ("polycube", "hypercube-paths"): "expected two or three",
    ("polycube", "pentominoes-4d"): "expected two or three",
    ("polycube", "trominoes"): "a variable number of copies",
    ("burrtools", "hypercube-paths"): "cells in 4 dimensions",
    ("burrtools", "pentominoes-4d"): "cells in 4 dimensions",
    ("burrtools", "one-sided"): "one-sided motions",
}


def refusal(puzzle_format: Format, puzzle: Puzzle) -> str | None:
    """Return the reason why a format refuses `puzzle`, or None."""
    if puzzle_format.puzzle_type is not CoverProblem and not puzzle_format.is_for(puzzle):
        return "cannot represent|do not support"
    if isinstance(puzzle, PackingPuzzle) and not isinstance(puzzle.lattice, SquareLattice):
        kept = {
            "burrtools": {grid.lattice for grid in grids().values()},
            "polycube": set[Lattice](),
        }
        if puzzle.lattice not in kept.get(puzzle_format.name, {puzzle.lattice}):
            return f"not? support cells {puzzle.lattice.phrase}|supports square cells only"
    for (name, beginning), reason in REFUSALS.items():
        if puzzle_format.name == name and puzzle.name.startswith(beginning):
            return reason
    return None


def copies(puzzle: PackingPuzzle) -> Counter[object]:
    """Return the number of pieces of each shape."""
    return Counter(
        piece.cells for piece in puzzle.pieces for _ in range(piece.max_count or piece.min_count)
    )


def placed(puzzle: PackingPuzzle) -> Counter[object]:
    """Return the numbers of placements, with flat puzzles as one layer of space."""
    placements = bounded_placements(puzzle)
    corner = [min(axis) for axis in zip(*puzzle.region, strict=True)]
    return Counter(
        (
            placements.shapes[placements.shape[number]],
            tuple(
                (*(c - offset for c, offset in zip(cell, corner, strict=True)), 0)[:3]
                for cell in placements.cell_tuples(number)
            ),
        )
        for number in range(len(placements))
    )


@pytest.mark.parametrize(
    ("name", "puzzle_format"),
    [
        pytest.param(
            name,
            one,
            id=f"{name}-{one.name}",
            marks=[pytest.mark.slow] if name.startswith(LARGE.get(one.name, HEPTOMINOES)) else [],
        )
        for name in EXAMPLES
        for one in READABLE
    ],
)
def test_catalogue_puzzles_are_read_as_they_were_written_or_refused(
    tmp_path: Path, name: str, puzzle_format: Format
) -> None:
    puzzle = load(name)
    reason = refusal(puzzle_format, puzzle)
    if reason is not None:
        with pytest.raises(PuzzleError, match=reason):
            puzzle_format.text(puzzle)
        return
    path = tmp_path / f"puzzle{puzzle_format.suffixes[0]}"
    path.write_text(puzzle_format.text(puzzle))
    back = load(path)
    if puzzle_format.puzzle_type is CoverProblem:
        assert back.digest == as_cover(puzzle).digest
    elif puzzle_format.name == "burrtools":  # shapes are moved home, flat ones are a layer
        assert isinstance(back, PackingPuzzle)
        assert isinstance(puzzle, PackingPuzzle)
        assert placed(back) == placed(puzzle)
    elif puzzle_format.name == "polycube" and name.startswith(("dominoes", "partridge")):
        # a line for each copy
        assert isinstance(back, PackingPuzzle)
        assert isinstance(puzzle, PackingPuzzle)
        assert (back.region, copies(back)) == (puzzle.region, copies(puzzle))
    else:
        assert back.digest == puzzle.digest


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", "# comment\n\nD:xDim=2:yDim=1:zDim=1", "polycube"),
        ("a.json", '{"width": 1,\n"pieces": [[0,0,0,0]]}', "eternity2"),
        ("a", "2\n1111111111111111,0000000000000001", "csv edges"),
        ("a.txt", "bounded = 2", "toml"),
        ("a.xml", '<instance format="XCSP3" type="CSP">', "xcsp3"),
        ("a.txt", "| comment\na b\na b", "knuth"),
        ("a.txt", "0 0 1 1\n", "edges matrix"),
    ],
)
def test_formats_are_recognised_by_suffix_or_first_line(
    tmp_path: Path, name: str, content: str, expected: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert [one.name for one in possible_formats(TextFile(path))] == expected.split()


def test_a_file_without_a_puzzle_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n\nhello\n")
    with pytest.raises(
        FormatError, match=r"a\.txt:3: 'hello' is not the beginning of a puzzle; expected D:"
    ):
        load(path)
    path.write_text("# nothing\n")
    with pytest.raises(FormatError, match="there are only comments; expected a puzzle"):
        load(path)


def test_a_named_format_is_used_and_an_unknown_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "cover.txt"
    path.write_text("1 2\n1 2\n")
    assert isinstance(load(path, "knuth"), CoverProblem)
    with pytest.raises(
        ConfigError,
        match="unknown format 'knut'; did you mean 'knuth'",
    ):
        load_all(path, "knut")


FORMATS = list(registry().found.values())
NAMES = ["pentominoes-3x20", "edges-2-2-1", "queens-4", "tetrahexes-coin"]
PUZZLES = list(map(load, NAMES))
# Beginnings of files of every format, and what cannot go on.
WRONG = [
    "",
    "hello\n",
    "{",
    '{"placed": [["A", [[0, "x"]]]]}',
    '{"width": 1, "height": 1, "pieces": [[0]], "hints": 3}',
    "solution,piece,copy,x,y\n1,A\n",
    "0/0 x\n- 1/7\n",
    "v 1 -1 0\n",
    '<puzzle version="2"><gridType type="9"/></puzzle>',
    "http://e2.bucas.name/#board_w=1&board_h=1&board_edges=aaaa&board_pieces=009",
    "2\n1111111111111111,0\n",
    "D:xDim=1:yDim=1\nC:name=A\n",
    "\x01\ufffe\n",
]


def parts(document: Document) -> list[object]:
    return [*document.puzzles, *(document.solutions or ()), *(document.boards or ())]


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
@pytest.mark.parametrize("puzzle", [None, *PUZZLES], ids=lambda puzzle: puzzle and puzzle.name)
def test_every_format_refuses_wrong_files_with_a_format_error(
    each: Format, puzzle: Puzzle | None
) -> None:
    for content in WRONG:
        file = TextFile(Path("file.x"), content.encode())
        try:
            parts(each.read(file, puzzle))
        except FormatError as error:
            assert error.path == "file.x"  # noqa: PT017


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_a_format_reads_only_the_parts_that_it_holds(each: Format) -> None:
    file = TextFile(Path("file.x"), b"hello\n")
    if each.puzzle_type is None:
        with pytest.raises(FormatError, match=f"format {each.name} .* has no puzzles"):
            each.read(file)
    if each.readable and not (each.holds_solutions or each.holds_boards):
        for puzzle in PUZZLES:
            with pytest.raises(FormatError, match=f"format {each.name} .* has no solutions of"):
                list(each.read(file, puzzle).solutions or ())


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_other_puzzles_are_written_as_cover_problems_or_refused(each: Format) -> None:
    for puzzle in PUZZLES:
        try:
            text = each.write(Document([puzzle]))
        except PuzzleError:
            assert each.puzzle_type is not CoverProblem or each.name == "matrix"
        else:
            assert text == each.text(puzzle)
        if not isinstance(puzzle, EdgePuzzle):
            with pytest.raises(PuzzleError, match=f"format {each.name} .* has no boards of"):
                each.write(Document([puzzle], boards=[]))
    if not each.several:
        for puzzles in ([], PUZZLES):
            with pytest.raises(PuzzleError):
                each.write(Document(puzzles))
