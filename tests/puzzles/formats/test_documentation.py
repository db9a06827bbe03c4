"""The examples of docs/puzzles/formats.md, except for TOML."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.api import solve
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import CoverProblem
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.registry import (
    format_named,
    possible_formats,
    puzzle_formats,
    read_solutions,
    solution_formats,
    solution_writer,
)
from dovetail.puzzles.formats.solver_files.solver_input import SolverInput
from dovetail.puzzles.loading import load
from guide.pages import run_page

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "puzzles" / "formats.md"
TEXT = DOCUMENTATION.read_text()
SECTIONS = {
    title: re.findall(r"^(?: {4}.*\n|\n(?= {4}))+", body, re.MULTILINE)
    for title, body in re.findall(r"^##+ (.*)\n((?:(?!##).*\n)*)", TEXT, re.MULTILINE)
}


def examples(title: str) -> list[str]:
    """Return the indented parts of a section, without their indentation."""
    return [re.sub("^ {4}", "", e, flags=re.MULTILINE).strip("\n") + "\n" for e in SECTIONS[title]]


def file_of(text: str, name: str = "example") -> TextFile:
    """Return a file with `text`."""
    return TextFile(Path(name), text.encode())


def read(text: str, format_name: str) -> Puzzle:
    """Return the only puzzle in `text`."""
    puzzle: Puzzle
    (puzzle,) = format_named(format_name).read(file_of(text)).puzzles
    return puzzle


def test_the_page_has_a_row_for_each_format_and_a_section_for_each_kind_of_solutions() -> None:
    rows = re.findall(r"^\|.*`\..*\|$", TEXT[: TEXT.index("## Layered text")], re.MULTILINE)
    suffixes = {tuple(re.findall(r"`(\.[\w.]+)`", row)) for row in rows}
    assert suffixes == {one.suffixes for one in puzzle_formats().values()}
    sections = re.findall(r"^### .*, `(\.[\w.]+)`$", TEXT, re.MULTILINE)
    assert sorted(sections) == sorted(solution_formats())


def test_the_format_on_the_page_is_one_file_and_one_line(tmp_path: Path) -> None:
    assert run_page(DOCUMENTATION, tmp_path) == 5


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("JSON of eternity2.dev", "eternity2"),
        ("Edge-matching CSV", "csv"),
        ("Edge-matching text", "edges"),
        ("Edge-matching TOML", "edges-toml"),
        ("Polycube definition files", "polycube"),
        ("0/1 matrices", "matrix"),
        ("Knuth's exact-cover text", "knuth"),
        ("BurrTools", "burrtools"),
    ],
)
def test_examples_are_recognised_and_have_a_solution(title: str, name: str) -> None:
    for example in examples(title):
        assert format_named(name) in possible_formats(file_of(example))
        assert next(solve(read(example, name)))


def test_example_boards_are_what_is_written_of_them() -> None:
    """The URLs show the board in JSON, one of them without its hint."""
    (text,), (url,) = examples("Edge-matching JSON"), examples("Viewer URLs")
    board, shown = read(text, "json"), read(url, "viewer")
    assert isinstance(board, EdgePuzzle)
    assert format_named("json").text(board) == text
    assert shown == replace(board, hints=())
    assert format_named("viewer").text(shown) == url.splitlines()[1] + "\n"
    (url,) = examples("Viewer URLs of eternity2.dev")
    assert read(url, "eternity2-viewer") == board
    assert format_named("eternity2-viewer").text(board) == url


def test_knuth_s_example_has_his_solution_and_comments_their_meaning() -> None:
    first, second = examples("Knuth's exact-cover text")
    assert list(solve(read(first, "knuth"))) == [CoverSolution((1, 3, 4))]
    problem = read(second, "knuth")
    assert isinstance(problem, CoverProblem)
    assert problem.members(0) == ("row 0: 1", ("X", 10))
    assert problem.symmetries.tolist() == [[0, 1], [1, 0]]


def test_input_of_solvers_is_what_is_written_and_output_is_read_as_solutions() -> None:
    problem = read(examples("Input of solvers")[0], "knuth")
    for one in (one for one in puzzle_formats().values() if isinstance(one, SolverInput)):
        (shown,) = examples(one.title)
        assert one.text(problem) == shown
    for text in re.split("\n\n", examples("Output of solvers")[0]):
        ((_, solution),) = read_solutions(file_of(text), problem)
        assert solution == CoverSolution((1,))


SOLUTIONS: list[Solution] = [
    PackingSolution((("L", ((0, 0), (0, 1), (1, 0))), ("L", ((1, 1), (2, 0), (2, 1))))),
    EdgeSolution((((0, 2), (3, 3)), ((1, 1), (2, 0)))),
    CoverSolution((1, 7, 8, 14)),
]


@pytest.fixture
def puzzles() -> list[Puzzle]:
    """Return the three puzzles whose solutions the page shows."""
    return [
        read("".join(examples("Solutions")), "toml"),
        load("edges-2-2-1"),
        load("queens-4"),
    ]


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("Text, `.txt`", [0, 1, 2]),
        ("JSON lines, `.jsonl`", [0, 1, 2]),
        ("CSV, `.csv`", [0, 1, 2]),
        ("JSON, `.json`", [0]),
        ("Viewer URLs, `.url`", [1]),
        ("Viewer URLs of eternity2.dev, `.e2.url`", [1]),
    ],
)
def test_example_solutions_are_right_and_what_is_written(
    puzzles: list[Puzzle], title: str, numbers: list[int]
) -> None:
    shown = "\n".join(examples(title)).rstrip("\n")
    blocks = shown.split("\n\n") if len(numbers) > 1 else [shown]
    for number, block in zip(numbers, blocks, strict=True):
        puzzle, solution = puzzles[number], SOLUTIONS[number]
        ((_, found),) = read_solutions(file_of(block + "\n"), puzzle)
        assert found == solution
        assert solution_error(puzzle, found) is None
        written = solutions_text(solution_writer(title.split("`")[1], puzzle), [solution])
        assert written.strip() == re.sub("^#.*\n", "", block).strip()
