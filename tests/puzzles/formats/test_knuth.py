"""Knuth's exact-cover text: read, written, and refused with a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import LARGEST_COLOUR, CoverProblem, Member, cover_problem
from dovetail.models.solution import CoverSolution
from dovetail.puzzles.formats import exact_cover
from dovetail.puzzles.formats.exact_cover import Knuth
from dovetail.puzzles.loading import load
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


def read(folder: Path, content: str) -> CoverProblem:
    """The problem in a file with `content`."""
    path = folder / "cover.dlx"
    path.write_bytes(content.encode())
    return Knuth().read_puzzle(TextFile(path))


def test_an_example_of_knuth_s(tmp_path: Path) -> None:
    """Its items, bounds and options, and its one solution."""
    problem = read(tmp_path, DLX3)
    assert problem.name == "cover"
    assert problem.item_names == ("A", "B", "C", "X", "Y")
    assert problem.lower.tolist() == [1, 1, 2]
    assert problem.upper.tolist() == [1, 1, 3]
    assert problem.members(1) == ("A", "C", ("X", 2), ("Y", 2))
    assert list(solve(problem)) == [CoverSolution((1, 3, 4))]


@pytest.mark.parametrize("name", ["queens-8", "langford-7", "sudoku-25-clues"])
def test_there_and_back_again(tmp_path: Path, name: str) -> None:
    """The catalogue's problems keep their content: names with blanks, symmetries, all."""
    problem = load(name)
    assert isinstance(problem, CoverProblem)
    text = Knuth().write_puzzle(problem)
    assert read(tmp_path, text).digest == problem.digest
    assert max(map(len, text.splitlines()[-problem.option_count :])) < 40


@given(problem=cover_problems(), data=st.data())
@settings(max_examples=20)
def test_random_problems(
    tmp_path_factory: pytest.TempPathFactory, problem: CoverProblem, data: st.DataObject
) -> None:
    """Whatever their bounds, colours and names."""
    name = st.text("ab i12|:\"\\é'", min_size=1, max_size=10) | st.sampled_from(["i1", "i2"])
    names = data.draw(
        st.lists(name, min_size=problem.item_count, max_size=problem.item_count, unique=True)
    )
    renamed = replace(problem, item_names=tuple(names))
    folder = tmp_path_factory.mktemp("knuth")
    for one in (problem, renamed):
        assert read(folder, Knuth().write_puzzle(one)).digest == one.digest


def test_what_is_written() -> None:
    """Bounds only where they are not 1, a letter for colour 12, stand-ins for odd names."""
    problem = cover_problem(
        "odd",
        ["a", ("i1", 2, 2), ("b b", 0, 3)],
        [["a", "i1"], ["b b", ("long secondary", 12)]],
        secondary=["long secondary"],
        symmetries=np.array([[0, 1]], np.int32),
    )
    assert Knuth().write_puzzle(problem) == (
        '| name i2: "b b"\n| name i3: "long secondary"\n| colour a: 12\n'
        "a 2|i1 0:3|i2 | i3\na i1\ni2 i3:a\n"
    )


@pytest.mark.parametrize(
    ("colours", "numbers"),
    [
        (["7", "3"], [7, 3]),
        (["7", "0"], [1, 2]),
        (["2", "02"], [1, 2]),
        (["red", "2"], [1, 2]),
        (["2147483647", "1"], [2147483647, 1]),
        (["2147483648", "1"], [1, 2]),
    ],
)
def test_colours(tmp_path: Path, colours: list[str], numbers: list[int]) -> None:
    """Numbers are themselves when all are; otherwise words are counted as they appear."""
    lines = [f"a x:{colour}" for colour in colours]
    assert read(tmp_path, "\n".join(["a | x", *lines])).colour[1::2].tolist() == numbers


def test_colours_that_a_comment_numbers(tmp_path: Path) -> None:
    """Beside them others are counted, or numbers; what only looks alike is a comment."""
    comments = "a | x\n| colour b: 2\n| colour c: the red one\n| colour unused: 7\n"
    for words, numbers in (("b 12 1", [2, 12, 1]), ("r b g", [1, 2, 3])):
        lines = [f"a x:{word}" for word in words.split()]
        assert read(tmp_path, comments + "\n".join(lines)).colour[1::2].tolist() == numbers


@pytest.mark.parametrize(
    "colours",
    [range(1, 10), range(5, 15), range(100, 161), [3, LARGEST_COLOUR], range(1, 63), range(7, 99)],
    ids=str,
)
def test_colours_of_one_character(tmp_path: Path, colours: Sequence[int]) -> None:
    """As Knuth's programs take them, up to 61; beyond, and then only, decimals."""
    options: list[list[Member]] = [["a", ("x", colour)] for colour in colours]
    problem = cover_problem("many", ["a"], options, secondary=["x"])
    text = Knuth().write_puzzle(problem)
    words = re.findall("a x:(.+)", text)
    assert len(set(words)) == len(words) == len(colours)
    assert all(len(word) == 1 for word in words) == (len(colours) <= 61)
    assert all(word == str(c) for c, word in zip(colours, words, strict=True) if c <= 9)
    assert read(tmp_path, text).digest == problem.digest


def test_options_without_a_primary_item(tmp_path: Path) -> None:
    """They are passed over and have no number: symmetries speak of the others."""
    text = "a b | x\nx\na\nx:1\nb x\n| symmetry 1: 0 1\n"
    problem = read(tmp_path, text)
    assert [problem.members(option) for option in range(problem.option_count)] == [
        ("a",),
        ("b", "x"),
    ]
    assert read(tmp_path, "a | x\nx\n").option_count == 0


def test_layout(tmp_path: Path) -> None:
    """Blanks before and between words, blank lines, comments, a bar without blanks."""
    plain = read(tmp_path, "a 2|b | x\na b x\nb\n")
    spread = read(tmp_path, "\n  | said before\n a\t 2|b  |x \r\n\n|\na  b x\n   |b x\n b")
    assert spread.digest == plain.digest
    assert read(tmp_path, "a |\na\n").digest == read(tmp_path, "a\na\n").digest


def test_symmetries(tmp_path: Path) -> None:
    """Lines of one number continue one another; other comments are only comments."""
    text = "a b\n| symmetry 1: 1\n| symmetry of the whole\na\nb\n| symmetry 1: 0\n|symmetry 2: 5\n"
    assert read(tmp_path, text).symmetries.tolist() == [[0, 1], [1, 0]]


GOOD = 'a 2:3|b | x\na x:red\na b\nb x\n| symmetry 1: 0 1 2\n| name b: "B B"\n'

BAD = [
    ("", 1, "no items"),
    ("| nothing\n\n", 3, "no items"),
    ("| a b\n", 2, "no items"),
    (GOOD.replace("b |", "a |"), 1, "two items are called 'a'"),
    (GOOD.replace("x\n", "x | y\n", 1), 1, "a second bar"),
    (GOOD.replace("2:3|b", "2:3|"), 1, "expected an item"),
    (GOOD.replace("2:3|b", "2:3|b|c"), 1, "expected an item"),
    (GOOD.replace("2:3|b", "2:3"), 1, "expected an item"),
    (GOOD.replace("2:3|b", "2|3:b"), 1, "expected an item"),
    (GOOD.replace("2:3|b", "3:2|b"), 1, "expected low <= high"),
    (GOOD.replace("2:3|b", "0|b"), 1, "expected low <= high"),
    (GOOD.replace("2:3|b", "2:99999999999|b"), 1, "high <= 2,147,483,647"),
    (GOOD.replace("2:3|b", "9" * 5000 + "|b"), 1, "expected an item"),
    (GOOD.replace("2:3|b", "-1:3|b"), 1, "expected an item"),
    (GOOD.replace("2:3|b", ":3|b"), 1, "expected an item"),
    (GOOD.replace("2:3|b", "٣|b"), 1, "expected an item"),
    (GOOD.replace("| x", "| 2|x"), 1, "without bounds if it is secondary"),
    (GOOD.replace("a b\n", "a c\n"), 3, "unknown item 'c'"),
    (GOOD.replace("a b\n", "a " + "c" * 9000 + "\n"), 3, "unknown item 'ccc"),
    (GOOD.replace("a b\n", "a b a\n"), 3, "item 'a' appears twice"),
    (GOOD.replace("a x:red", "a x x:red"), 2, "item 'x' appears twice"),
    (GOOD.replace("a b\n", "a:red b\n"), 3, "'a' is primary; expected no colour"),
    (GOOD.replace("x:red", "x:"), 2, "expected a colour"),
    (GOOD + "x x:red\n", 7, "item 'x' appears twice"),
    (GOOD.replace("b x\n", "x\n"), 5, "has 3 numbers; expected each of the 2 options"),
    (GOOD + "| colour red: 0\n", 7, "expected 1 to 2,147,483,647"),
    (GOOD + "| colour red: " + "9" * 5000, 7, "expected 1 to 2,147,483,647"),
    (GOOD + "| colour red: 3\n| colour red: 3\n", 8, "'red' is given a number twice"),
    (GOOD + "a x:3\n| colour red: 3\n", 8, "'red' and '3' are both 3"),
    (GOOD + "a x:a\n| colour red: 3\n| colour a: 3\n", 9, "'a' and 'red' are both 3"),
    (GOOD.replace("0 1 2", "0 1"), 5, "has 2 numbers; expected each of the 3"),
    (GOOD.replace("0 1 2", "0 1 1"), 5, "numbered from 0, once"),
    (GOOD.replace("0 1 2", "0 1 3"), 5, "numbered from 0, once"),
    (GOOD.replace("0 1 2", "0 1 x"), 5, "'x' in a symmetry"),
    (GOOD.replace("0 1 2", "0 1 -2"), 5, "'-2' in a symmetry"),
    (GOOD.replace("0 1 2", "1 2 0"), 5, "a product of two is missing"),
    (GOOD.replace("0 1 2", "1 0 2"), 5, "does not map items to items"),
    (GOOD.replace("symmetry 1:", "symmetry 1"), 5, "expected a number from 1 and a colon"),
    (GOOD.replace("symmetry 1:", "symmetry 0:"), 5, "expected a number from 1 and a colon"),
    (GOOD.replace("name b", "name c"), 6, "unknown item 'c'"),
    (GOOD.replace('"B B"', '"B'), 6, "expected a printable JSON string"),
    (GOOD.replace('"B B"', '""'), 6, "expected a printable JSON string"),
    (GOOD.replace('"B B"', '"\\n"'), 6, "expected a printable JSON string"),
    (GOOD.replace('"B B"', '"\\ud800"'), 6, "expected a printable JSON string"),
    (GOOD.replace('"B B"', '"x"'), 1, "two items are called 'x'"),
    (GOOD + '| name b: "C"\n', 7, "'b' is given a name twice"),
    (GOOD.replace("a b\n", "a\0b\n"), 3, "not text"),
]


@pytest.mark.parametrize(("content", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_mistakes_are_placed(tmp_path: Path, content: str, line: int, message: str) -> None:
    """File, line, what is wrong and what was expected, in one short line."""
    read(tmp_path, GOOD)
    with pytest.raises(FormatError, match=message) as caught:
        read(tmp_path, content)
    assert str(caught.value).startswith(f"{tmp_path / 'cover.dlx'}:{line}:")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("bound", "content"),
    [
        ("MAX_OPTIONS", "a\na\na\na\n"),
        ("MAX_MEMBERS", "a b c\na b c\n"),
        ("MAX_COLOURED", "a | x\na x:1\na x:2\na x:3\n"),
        ("MAX_SYMMETRIES", "a\n| symmetry 1: 0\n| symmetry 2: 0\n| symmetry 3: 0\n"),
        ("MAX_SYMMETRY_NUMBERS", "a\na\n| symmetry 1: 0 0 0\n"),
        ("MAX_SYMMETRY_STEPS", "a\na\n| symmetry 1: 0\n"),
    ],
)
def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, content: str) -> None:
    """What is too large is refused before it costs time."""
    monkeypatch.setattr(exact_cover, bound, 2)
    with pytest.raises(FormatError, match=r"too (large|many)"):
        read(tmp_path, content)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (cover_problem("none", [], [], secondary=["x"]), "without primary items"),
        (cover_problem("empty name", ["a", ""], []), "expected printable"),
        (cover_problem("two lines", ["a\nb"], []), "expected printable"),
        (cover_problem("long", ["a" * 100_000], []), "a line of 100,013 characters"),
        (cover_problem("wide", [f"n{i}" for i in range(20_000)], []), "a line of"),
    ],
    ids=lambda value: value.name if isinstance(value, CoverProblem) else "",
)
def test_what_the_text_cannot_say(problem: CoverProblem, message: str) -> None:
    """It is refused, with the reason."""
    with pytest.raises(PuzzleError, match=message):
        Knuth().write_puzzle(problem)
