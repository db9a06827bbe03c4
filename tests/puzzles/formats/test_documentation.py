"""The examples of formats other than TOML in docs/puzzles/formats.md: they are what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.api import solve
from dovetail.errors import FormatError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.models.packing import PackingPuzzle
from dovetail.models.solution import CoverSolution, EdgeSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.registry import (
    format_named,
    possible_formats,
    puzzle_formats,
    read_solutions,
    solution_formats,
    solution_writer,
)
from dovetail.puzzles.formats.solver_input import SolverInput
from dovetail.puzzles.loading import load, load_all
from guide.pages import run_page

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "puzzles" / "formats.md"
TEXT = DOCUMENTATION.read_text()
SECTIONS = {
    title: re.findall(r"^(?: {4}.*\n|\n(?= {4}))+", body, re.MULTILINE)
    for title, body in re.findall(r"^##+ (.*)\n((?:(?!##).*\n)*)", TEXT, re.MULTILINE)
}


def examples(title: str) -> list[str]:
    """The indented parts of a section, without their indentation."""
    return [re.sub("^ {4}", "", e, flags=re.MULTILINE).strip("\n") + "\n" for e in SECTIONS[title]]


def test_the_table_of_suffixes() -> None:
    """It has a row for each format."""
    rows = re.findall(r"^\|.*`\..*\|$", TEXT[: TEXT.index("## Layered text")], re.MULTILINE)
    suffixes = {tuple(re.findall(r"`(\.[\w.]+)`", row)) for row in rows}
    assert suffixes == {one.suffixes for one in puzzle_formats().values()}


def test_the_sections_on_solutions() -> None:
    """There is one for each format."""
    suffixes = re.findall(r"^### .*, `(\.[\w.]+)`$", TEXT, re.MULTILINE)
    assert sorted(suffixes) == sorted(solution_formats())


def test_a_format_is_one_file_and_one_line(tmp_path: Path) -> None:
    """That of the documentation is read, refuses to write, and is in the help."""
    assert run_page(DOCUMENTATION, tmp_path) == 5


@pytest.mark.parametrize(
    ("title", "suffix"), [("JSON of eternity2.dev", ".json"), ("Edge-matching CSV", ".csv")]
)
def test_the_communitys_files(tmp_path: Path, title: str, suffix: str) -> None:
    """Each is a pair of tiles with a hint."""
    path = tmp_path / f"pair{suffix}"
    path.write_text(examples(title)[0])
    tile = (0, 1, 0, 0)
    assert load(path) == EdgePuzzle("pair", 2, 1, (tile, tile), (Hint(1, 0, 1, 2),))


def test_the_polycube_file(tmp_path: Path) -> None:
    """It is one puzzle."""
    path = tmp_path / "example.def"
    path.write_text(examples("Polycube definition files")[0])
    assert len(load_all(path)) == 1


def test_the_edge_boards(tmp_path: Path) -> None:
    """With a size, signed, and with a mark: all have a solution."""
    path = tmp_path / "example.txt"
    boards = []
    for example in examples("Edge-matching text"):
        path.write_text(example)
        assert list(solve(path))
        boards.append(load(path))
    assert [isinstance(board, EdgePuzzle) and board.signed for board in boards] == [
        False,
        True,
        False,
    ]


def test_the_matrix(tmp_path: Path) -> None:
    """It has the solutions that the page names; with blanks alone it might be a board."""
    example = examples("0/1 matrices")[0]
    path = tmp_path / "example.txt"
    path.write_text(example)
    assert sorted(map(str, solve(path))) == ["0 1", "1 2 3"]
    path.write_text("1 0 0 1\n0 1 1 0\n1 0 0 0\n0 0 0 1\n")
    with pytest.raises(FormatError, match="ambiguous"):
        load(path)
    assert load(path, "matrix") == load(tmp_path / "example.txt", "matrix")


def test_the_edge_board_as_json(tmp_path: Path) -> None:
    """It is what is written of it, and its hint is a possible one."""
    (example,) = examples("Edge-matching JSON")
    path = tmp_path / "example.json"
    path.write_text(example)
    board = load(path)
    assert format_named("json").text(board) == example
    assert list(solve(path))


def test_the_viewer_url(tmp_path: Path) -> None:
    """It shows the tiles of the board in JSON, and is what is written of them."""
    (example,) = examples("Viewer URLs")
    path = tmp_path / "example.url"
    path.write_text(example)
    shown = load(path)
    path = tmp_path / "example.json"
    path.write_text(examples("Edge-matching JSON")[0])
    board = load(path)
    assert isinstance(board, EdgePuzzle)
    assert shown == replace(board, hints=())
    assert format_named("viewer").text(shown) == example.splitlines()[1] + "\n"
    assert list(solve(shown))


def test_the_other_viewer_url(tmp_path: Path) -> None:
    """It shows the board in JSON with its hint."""
    (example,) = examples("Viewer URLs of eternity2.dev")
    path = tmp_path / "example.url"
    path.write_text(example)
    shown = load(path)
    path = tmp_path / "example.json"
    path.write_text(examples("Edge-matching JSON")[0])
    assert shown == load(path)
    assert format_named("eternity2-viewer").text(shown) == example


def test_a_solution_as_a_url(tmp_path: Path, puzzles: list[Puzzle]) -> None:
    """The board that the other formats show."""
    (example,) = examples("Viewer URLs, `.url`")
    path = tmp_path / "solutions"
    path.write_text(example)
    assert [solution for _, solution in read_solutions(TextFile(path), puzzles[1])] == [
        SOLUTIONS[1]
    ]
    assert solution_writer(".url", puzzles[1]).one(1, SOLUTIONS[1]) == example
    (example,) = examples("Viewer URLs of eternity2.dev, `.e2.url`")
    assert solution_writer(".e2.url", puzzles[1]).one(1, SOLUTIONS[1]) == example


def test_knuth_s_text(tmp_path: Path) -> None:
    """The first has the one solution that Knuth states, the second what our comments say."""
    first, second = examples("Knuth's exact-cover text")
    path = tmp_path / "example.dlx"
    path.write_text(first)
    assert list(solve(path)) == [CoverSolution((1, 3, 4))]
    path.write_text(second)
    problem = load(path)
    assert isinstance(problem, CoverProblem)
    assert problem.members(0) == ("row 0: 1", ("X", 10))
    assert problem.symmetries.tolist() == [[0, 1], [1, 0]]


def test_input_and_output_of_solvers(tmp_path: Path) -> None:
    """The files are what is written of the problem; the output is read as its solutions."""
    path = tmp_path / "example.dlx"
    path.write_text(examples("Input of solvers")[0])
    problem = load(path)
    formats = puzzle_formats().values()
    for one in (one for one in formats if isinstance(one, SolverInput)):
        (shown,) = examples(one.title)
        assert one.text(problem) == shown
    for text in re.split("\n\n", examples("Output of solvers")[0]):
        path.write_text(text)
        ((_, solution),) = read_solutions(TextFile(path), problem)
        assert solution == CoverSolution((1,))


def test_the_burrtools_file(tmp_path: Path) -> None:
    """Recognised by its first line, with the solution that is in it."""
    path = tmp_path / "example"
    path.write_text(examples("BurrTools")[0])
    file = TextFile(path)
    assert [one.name for one in possible_formats(file)] == ["burrtools"]
    puzzle = load(path)
    ((_, solution),) = read_solutions(file, puzzle)
    assert solution_error(puzzle, solution) is None


SOLUTIONS: list[Solution] = [
    PackingSolution((("L", ((0, 0), (0, 1), (1, 0))), ("L", ((1, 1), (2, 0), (2, 1))))),
    EdgeSolution((((0, 2), (3, 3)), ((1, 1), (2, 0)))),
    CoverSolution((1, 7, 8, 14)),
]


@pytest.fixture
def puzzles(tmp_path: Path) -> list[Puzzle]:
    """The three that solutions are shown of."""
    path = tmp_path / "corners.toml"
    path.write_text("".join(examples("Solutions")))
    return [load(path), load("edges-2-2-1"), load("queens-4")]


@pytest.mark.parametrize("title", ["Text, `.txt`", "JSON lines, `.jsonl`", "CSV, `.csv`"])
def test_solutions(tmp_path: Path, puzzles: list[Puzzle], title: str) -> None:
    """They are read, are right, and are what is written of them."""
    suffix = title.split("`")[1]
    shown = "\n".join(examples(title))
    blocks = [block + "\n" for block in shown.rstrip("\n").split("\n\n") if block]
    for puzzle, solution, block in zip(puzzles, SOLUTIONS, blocks, strict=True):
        path = tmp_path / "solutions"
        path.write_text(block)
        ((_, read),) = read_solutions(TextFile(path), puzzle)
        assert read == solution
        assert solution_error(puzzle, read) is None
        writer = solution_writer(suffix, puzzle)
        written = writer.head + writer.one(1, solution) + writer.tail
        assert written.strip() == re.sub("^#.*\n", "", block).strip()


def test_solutions_as_json(puzzles: list[Puzzle]) -> None:
    """What is written, digest included."""
    (shown,) = examples("JSON, `.json`")
    writer = solution_writer(".json", puzzles[0])
    assert isinstance(puzzles[0], PackingPuzzle)
    assert writer.head + writer.one(1, SOLUTIONS[0]) + writer.tail == shown
