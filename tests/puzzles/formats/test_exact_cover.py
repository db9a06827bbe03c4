"""Exact covers in Knuth's text and as 0/1 matrices."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.command import dovetail
from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem, Member, cover
from dovetail.models.solution import CoverSolution
from dovetail.models.task import lower
from dovetail.puzzles.formats import exact_cover
from dovetail.puzzles.formats.exact_cover import Knuth, Matrix
from dovetail.puzzles.formats.registry import read_puzzles
from dovetail.puzzles.statements import packing
from oracle.strategies import cover_problems

# The example of Knuth's program DLX3, with the solution that he states.
DLX3 = """\
| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
"""


def read_knuth(content: str) -> CoverProblem:
    """Return the problem in a file with `content`."""
    return Knuth().read_puzzle(TextFile(Path("cover.dlx"), content.encode()))


def test_a_piece_with_the_name_of_a_cell_gets_another_name() -> None:
    """The cells of a row are called 0, 1 and so on, as numbered pieces may be."""
    bar, square = {"name": "1", "shape": "##"}, {"name": "2", "shape": "#", "count": 2}
    puzzle = packing(box=[4], piece=[bar, square])
    problem = read_knuth(Knuth().text(puzzle))
    assert problem.item_names == ("0", "1", "2", "3", "1'", "2'")
    assert len(list(solve(problem, symmetry="all"))) == 3


def test_copies_with_the_same_name_are_written_as_different_items() -> None:
    """Labelled copies of a piece have its name; only the first of them keeps the name."""
    domino = {"name": "a domino", "shape": "##", "count": 2}
    labelled = lower(packing(box=[2, 2], piece=[domino]), labelled=True).options.cover
    problem = read_knuth(Knuth().text(labelled))
    assert problem.item_names[-2:] == ("a domino", "i2")
    assert len(list(solve(problem, symmetry="all"))) == 4


def test_the_example_of_dlx3_has_knuths_solution() -> None:
    problem = read_knuth(DLX3)
    assert problem.name == "cover"
    assert problem.item_names == ("A", "B", "C", "X", "Y")
    assert problem.lower.tolist() == [1, 1, 2]
    assert problem.upper.tolist() == [1, 1, 3]
    assert problem.members(1) == ("A", "C", ("X", 2), ("Y", 2))
    assert list(solve(problem)) == [CoverSolution((1, 3, 4))]


@given(problem=cover_problems(), data=st.data())
@settings(max_examples=20)
def test_a_written_problem_is_read_as_the_same(problem: CoverProblem, data: st.DataObject) -> None:
    name = st.text("ab i12|:\"\\é'", min_size=1, max_size=10) | st.sampled_from(["i1", "i2"])
    names = data.draw(
        st.lists(name, min_size=problem.item_count, max_size=problem.item_count, unique=True)
    )
    renamed = replace(problem, item_names=tuple(names))
    for one in (problem, renamed):
        assert read_knuth(Knuth().write_puzzle(one)).digest == one.digest


def test_bounds_colours_and_stand_ins_are_written_where_necessary() -> None:
    problem = cover(
        ["a", ("i1", 2, 2), ("b b", 0, 3)],
        [["a", "i1"], ["b b", ("long secondary", 12)]],
        secondary=["long secondary"],
        symmetries=np.array([[0, 1]], np.int32),
        name="odd",
    )
    assert Knuth().write_puzzle(problem) == (
        '| name i2: "b b"\n| name i3: "long secondary"\n| colour a: 12\n'
        "a 2|i1 0:3|i2 | i3\na i1\ni2 i3:a\n"
    )


COMMENTS = "| colour b: 2\n| colour c: the red one\n| colour unused: 7\n"


@pytest.mark.parametrize(
    ("comments", "colours", "numbers"),
    [("", "2 02", [1, 2]), ("", "red 2", [1, 2]), (COMMENTS, "b 12 1", [2, 12, 1])],
)
def test_colours_have_their_numbers_or_those_that_others_leave(
    comments: str, colours: str, numbers: list[int]
) -> None:
    lines = [f"a x:{colour}\n" for colour in colours.split()]
    assert read_knuth("a | x\n" + comments + "".join(lines)).colour[1::2].tolist() == numbers


@pytest.mark.parametrize("colours", [range(5, 15), range(7, 99)], ids=str)
def test_up_to_61_colours_are_single_characters(colours: Sequence[int]) -> None:
    options: list[list[Member]] = [["a", ("x", colour)] for colour in colours]
    problem = cover(["a"], options, secondary=["x"], name="many")
    text = Knuth().write_puzzle(problem)
    words = re.findall("a x:(.+)", text)
    assert len(set(words)) == len(words) == len(colours)
    assert all(len(word) == 1 for word in words) == (len(colours) <= 61)
    assert all(word == str(c) for c, word in zip(colours, words, strict=True) if c <= 9)
    assert read_knuth(text).digest == problem.digest


def test_blanks_and_comments_are_ignored() -> None:
    plain = read_knuth("a 2|b | x\na b x\nb\n")
    spread = read_knuth("\n  | said before\n a\t 2|b  |x \r\n\n|\na  b x\n   |b x\n b")
    assert spread.digest == plain.digest
    assert read_knuth("a |\na\n").digest == read_knuth("a\na\n").digest


def test_symmetry_lines_of_one_number_are_parts_of_one_permutation() -> None:
    text = "a b\n| symmetry 1: 1\n| symmetry of the whole\na\nb\n| symmetry 1: 0\n|symmetry 2: 5\n"
    assert read_knuth(text).symmetries.tolist() == [[0, 1], [1, 0]]


GOOD = 'a 2:3|b | x\na x:red\na b\nb x\n| symmetry 1: 0 1 2\n| name b: "B B"\n'

BAD = [
    ("", 1, "no items"),
    (GOOD.replace("b |", "a |"), 1, "two items are called 'a'"),
    (GOOD.replace("2:3|b", "3:2|b"), 1, "expected low <= high"),
    (GOOD.replace("| x", "| 2|x"), 1, "without bounds if it is secondary"),
    (GOOD.replace("a b\n", "a c\n"), 3, "unknown item 'c'"),
    (GOOD.replace("a b\n", "a b a\n"), 3, "item 'a' appears twice"),
    (GOOD.replace("a b\n", "a:red b\n"), 3, "'a' is primary; expected no colour"),
    (GOOD + "| colour red: 3\n| colour red: 3\n", 8, "'red' is given a number twice"),
    (GOOD.replace("0 1 2", "0 1"), 5, "has 2 numbers; expected each of the 3"),
    (GOOD.replace("0 1 2", "1 0 2"), 5, "does not map items to items"),
    (GOOD.replace('"B B"', '"B'), 6, "expected a printable JSON string"),
    (GOOD.replace('"B B"', '"x"'), 1, "two items are called 'x'"),
]


@pytest.mark.parametrize(("content", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_a_mistake_in_knuths_text_is_refused_with_its_line(
    tmp_path: Path, content: str, line: int, message: str
) -> None:
    read_knuth(GOOD)
    with pytest.raises(FormatError, match=message) as caught:
        read_knuth(content)
    assert str(caught.value).startswith(f"cover.dlx:{line}:")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("bound", "content"),
    [("MAX_OPTIONS", "a\na\na\na\n"), ("MAX_SYMMETRY_STEPS", "a\na\n| symmetry 1: 0\n")],
)
def test_problems_beyond_the_bounds_are_refused(
    monkeypatch: pytest.MonkeyPatch, bound: str, content: str
) -> None:
    monkeypatch.setattr(exact_cover, bound, 2)
    with pytest.raises(FormatError, match=r"too (large|many)"):
        read_knuth(content)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (cover([], [], secondary=["x"], name="none"), "without primary items"),
        (cover(["a" * 100_000], [], name="long"), "a line of 100,013 characters"),
    ],
    ids=lambda value: value.name if isinstance(value, CoverProblem) else "",
)
def test_a_problem_beyond_knuths_text_is_not_written(problem: CoverProblem, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Knuth().write_puzzle(problem)


# The matrix of jlaire/dlx-cpp#3 and jwg4/exact_cover#87 in our own wording: as an exact cover it
# has the solutions 0 1 and 1 2 3; as a board of four tiles it has none.
MATRIX = """\
1 0 0 1
0 1 1 0
1 0 0 0
0 0 0 1
"""
AMBIGUOUS = (
    "the format is ambiguous: as format edges it is a board of 2 x 2 tiles; as format matrix it is "
    "an exact cover of 4 items by 4 options; choose format_name (--from): 'edges' or 'matrix'"
)

ROWS = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 1)] * width).filter(any), min_size=1)
)


def read(content: str, name: str = "cover.matrix", format_name: str | None = None) -> CoverProblem:
    """Return the exact cover in a file with `content`."""
    (problem,) = read_puzzles(TextFile(Path(name), content.encode()), format_name)
    assert isinstance(problem, CoverProblem)
    return problem


@given(ROWS, st.sampled_from([" ", "", ",", ", ", "\t", " , ", "  "]))
def test_rows_are_options_and_columns_items(rows: list[tuple[int, ...]], separator: str) -> None:
    """The digits may be separated in several ways, and a written matrix is read as the same."""
    lines = [separator.join(map(str, row)) for row in rows]
    problem = read("# rows\n\n" + "\n".join(f" {line} # option" for line in lines))
    columns = range(len(rows[0]))
    options = [[str(column) for column in columns if row[column]] for row in rows]
    assert problem == cover(list(map(str, columns)), options, name="cover")
    written = Matrix().write_puzzle(problem)
    for name in ("again.matrix", "again.csv", "again.txt", "again"):
        assert read(written, name) == problem


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("1 0\n0 2\n", 2, "'2'; expected zeros and ones"),
        ("1 0 # one\n0 0\n", 2, "a row without a one"),
    ],
)
def test_a_mistake_in_a_matrix_is_refused_with_its_line(
    content: str, line: int | None, message: str
) -> None:
    with pytest.raises(FormatError, match=message) as refused:
        read(content)
    assert refused.value.line == line


def test_a_problem_beyond_matrices_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    options: list[list[Member]] = [["a", "b"]]
    small = cover(["a", "b"], options, name="x")
    for problem, message in (
        (cover(["a"], options, secondary=["b"], name="x"), "secondary items"),
        (cover([("a", 0, 1), "b"], options, name="x"), "covered exactly once"),
        (cover(["a", "b"], [], name="x"), "no options"),
        (small, "1 x 2 is larger than a file may be"),
    ):
        monkeypatch.setattr(exact_cover, "LARGEST_FILE_BYTES", 3 if problem is small else 99)
        with pytest.raises(PuzzleError, match=f"0/1 matrix .*{message}"):
            Matrix().write_puzzle(problem)


@pytest.mark.parametrize("rows", range(1, 10))
def test_a_square_number_of_rows_of_four_is_ambiguous(rows: int) -> None:
    text = "1 0 0 1\n" * rows
    for name in ("cover.txt", "cover", "-"):
        if rows in (1, 4, 9):
            with pytest.raises(FormatError, match="the format is ambiguous"):
                read_puzzles(TextFile(Path(name), text.encode()))
        else:
            assert read(text, name).option_count == rows
    assert read(text, "cover.txt", "matrix") == read(text)
    assert read(text.replace(" ", ","), "cover.txt") == read(text.replace(" ", ""), "cover.txt")


def test_the_reader_that_gets_furthest_explains_the_mistake() -> None:
    for text, message in (
        ("0110\n01x0\n", "puzzle.txt:2: '01x0'; expected zeros and ones"),
        ("0 0 1 1\n" + "0 0 1 2\n" * 7 + "0 0 x 1\n", "puzzle.txt:9: a colour is 'x'"),
    ):
        with pytest.raises(FormatError, match=message):
            read_puzzles(TextFile(Path("puzzle.txt"), text.encode()))


def test_every_command_refuses_an_ambiguous_file_and_takes_its_format(tmp_path: Path) -> None:
    path, copy = tmp_path / "matrix01.txt", tmp_path / "copy.matrix"
    path.write_text(MATRIX)
    refused = dovetail("count", path, "--from", "edges")
    assert (refused.returncode, "no cell of a 2 x 2 board" in refused.stderr) == (2, True)
    listed = dovetail("solve", f"{path}#1", "--from", "matrix", "-b", "dlx")
    assert sorted(listed.stdout.split("\n\n")) == ["", "0 1", "1 2 3"]
    solutions = tmp_path / "solutions.txt"
    solutions.write_text(listed.stdout)
    for words, status in (
        (("count", path), 0),
        (("verify", path, solutions), 0),
        (("bench", path, "-b", "dlx"), 0),
        (("convert", path, copy), 0),
        (("convert", solutions, tmp_path / "solutions.json", "--solutions-of", path), 0),
        (("trace", path), 2),  # for packings
        (("improve", path), 2),  # for boards
    ):
        assert dovetail(*words).stderr == f"dovetail: {path}: {AMBIGUOUS}\n", words
        chosen = dovetail(*words, "--from", "matrix")
        assert (chosen.returncode, "ambiguous" in chosen.stderr) == (status, False), words
    assert dovetail("count", copy, "-b", "dlx").stdout.startswith("copy: 2 solutions")


def test_a_matrix_has_a_bound_on_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_cover, "MAX_ONES", 3)
    with pytest.raises(FormatError, match="4 ones; expected at most 3"):
        read("11\n11\n")
