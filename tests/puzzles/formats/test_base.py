"""The contract of every registered format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Document, Format, LazyPuzzles
from dovetail.puzzles.formats.registry import registry
from dovetail.puzzles.loading import load

FORMATS = list(registry().found.values())
NAMES = ["pentominoes-3x20", "edges-2-2-1", "queens-4", "tetrahexes-coin"]
PUZZLES = list(map(load, NAMES))
# Beginnings of files of every format, and what cannot go on.
WRONG = [
    "",
    "hello\n",
    "{",
    "{}",
    "5",
    '{"board": [0, 1]}',
    '{"placed": [["A", [[0, "x"]]]]}',
    '{"cells": [[[0]]]}',
    '{"puzzle": "a", "solutions": [5]}',
    '{"width": 1, "height": 1, "tiles": [[0]]}',
    '{"width": 1, "height": 1, "pieces": [[0]], "hints": 3}',
    "solution,option\n1,x\n",
    "solution,piece,copy,x,y\n1,A\n",
    "0/0 x\n- 1/7\n",
    "0 5 99999\n",
    "v 1 -1 0\n",
    "x = [0, 2];\n",
    "<instantiation><list>y x[99]</list><values>0 5</values></instantiation>\n",
    '<puzzle version="2"><gridType type="9"/></puzzle>',
    "http://e2.bucas.name/#board_w=1&board_h=1&board_edges=aaaa&board_pieces=009",
    "2 2\n0 0 0\n",
    "2\n1111111111111111,0\n",
    "1 0\n1\n",
    "D:xDim=1:yDim=1\nC:name=A\n",
    "box = [0, 2]\n",
    "a b | c\na:x d\n",
    "p cnf 3 2\n1 0\n",
    "\x01\ufffe\n",
    "٣ ٣\n",
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


def test_lazy_puzzles_are_a_sequence_and_read_on_access() -> None:
    read = list[int]()

    def puzzle(number: int) -> Puzzle:
        read.append(number)
        return PUZZLES[number]

    lazy: Sequence[Puzzle] = LazyPuzzles(TextFile(Path("file.x"), b""), 3, puzzle)
    assert lazy[-1] == PUZZLES[2]
    assert lazy[1:] == PUZZLES[1:3]
    assert read == [2, 1, 2]
    assert list(reversed(lazy)) == PUZZLES[2::-1]
    with pytest.raises(IndexError):
        lazy[3]
