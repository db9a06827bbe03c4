"""0/1 matrices: read, written, and distinguished from boards."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.command import dovetail
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.cover import CoverProblem, Member, cover_problem
from dovetail.models.edges import EdgePuzzle
from dovetail.models.task import as_cover
from dovetail.puzzles.formats import exact_cover
from dovetail.puzzles.formats.registry import read_puzzles
from dovetail.puzzles.loading import load

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
    lambda width: st.lists(
        st.lists(st.integers(0, 1), min_size=width, max_size=width).filter(any),
        min_size=1,
        max_size=9,
    )
)


def read(content: str, name: str = "cover.matrix", format_name: str | None = None) -> CoverProblem:
    """The exact cover in a file with `content`."""
    (problem,) = read_puzzles(TextFile(Path(name), content.encode()), format_name)
    assert isinstance(problem, CoverProblem)
    return problem


def exact_covers(rows: list[list[int]]) -> int:
    """How many sets of rows have exactly one 1 in each column."""
    numbers = range(len(rows))
    sets = (chosen for size in numbers for chosen in combinations(rows, size + 1))
    return sum(all(sum(column) == 1 for column in zip(*chosen, strict=True)) for chosen in sets)


@given(ROWS, st.sampled_from([" ", "", ",", ", ", "\t", " , ", "  "]))
def test_rows_are_options_and_columns_items(rows: list[list[int]], separator: str) -> None:
    """However the digits are separated; what is written is read as the same problem."""
    lines = [separator.join(map(str, row)) for row in rows]
    problem = read("# rows\n\n" + "\n".join(f" {line} # option" for line in lines))
    columns = range(len(rows[0]))
    options = [[str(column) for column in columns if row[column]] for row in rows]
    assert problem == cover_problem("cover", list(map(str, columns)), options)
    written = exact_cover.Matrix().write_puzzle(problem)
    for name in ("again.matrix", "again.csv", "again.txt", "again"):
        assert read(written, name) == problem


@given(ROWS)
def test_counts(rows: list[list[int]]) -> None:
    """As many solutions as by trying all sets of rows."""
    from dovetail.api import count

    problem = read("\n".join("".join(map(str, row)) for row in rows))
    assert count(problem, "dlx", symmetry="all").count == exact_covers(rows)


@pytest.mark.parametrize("name", ["pentominoes-5x6-FLNPUY", "langford-3", "soma-cube"])
def test_catalogue_puzzles_without_their_symmetries(name: str) -> None:
    """The options are those of the cover problem, in the same order, as sets of items."""
    cover = as_cover(load(name))
    problem = read(exact_cover.Matrix().write_puzzle(cover))
    assert problem.start.tolist() == cover.start.tolist()
    sets = [
        [sorted(part.tolist()) for part in np.split(one.item, one.start[1:-1])]
        for one in (problem, cover)
    ]
    assert sets[0] == sets[1]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("1 0\n0 2\n", 2, "'2'; expected zeros and ones"),
        ("10\n01x\n", 2, "'01x'; expected zeros and ones"),
        ("10 01\n", 1, "'10'; expected zeros and ones"),
        ("1,0,\n", 1, "''; expected zeros and ones"),
        ("1,,0\n", 1, "''; expected zeros and ones"),
        ("1 0\n\n1 0 0\n", 3, "3 columns; expected 2 as in the first row"),
        ("1 0 # one\n0 0\n", 2, "a row without a one"),
        ("# nothing\n", None, "there are no rows; expected rows of zeros and ones"),
        (" \n", None, "the file is empty; expected a puzzle"),
    ],
)
def test_what_is_no_matrix(content: str, line: int | None, message: str) -> None:
    """Is refused with its place."""
    with pytest.raises(FormatError, match=message) as refused:
        read(content)
    assert refused.value.line == line


def test_too_many_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is said."""
    monkeypatch.setattr(exact_cover, "MAX_ONES", 3)
    with pytest.raises(FormatError, match="4 ones; expected at most 3"):
        read("11\n11\n")


def test_what_a_matrix_cannot_represent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secondary items, other bounds, no options, more than a file holds."""
    options: list[list[Member]] = [["a", "b"]]
    pairs = [
        (cover_problem("x", ["a"], options, secondary=["b"]), "secondary items"),
        (cover_problem("x", [("a", 0, 1), "b"], options), "other than once"),
        (cover_problem("x", ["a", "b"], []), "no options"),
    ]
    for problem, message in pairs:
        with pytest.raises(PuzzleError, match=f"a 0/1 matrix .*{message}"):
            exact_cover.Matrix().write_puzzle(problem)
    monkeypatch.setattr(exact_cover, "LARGEST_FILE_BYTES", 3)
    with pytest.raises(PuzzleError, match="1 x 2 is larger than a file may be"):
        exact_cover.Matrix().write_puzzle(cover_problem("x", ["a", "b"], options))


@pytest.mark.parametrize("rows", range(1, 10))
def test_four_columns(rows: int) -> None:
    """Only a square number of tiles makes a board; then the user has to choose."""
    text = "1 0 0 1\n" * rows
    for name in ("cover.txt", "cover", "-"):
        if rows in (1, 4, 9):
            with pytest.raises(FormatError, match="the format is ambiguous"):
                read_puzzles(TextFile(Path(name), text.encode()))
        else:
            assert read(text, name).option_count == rows
    assert read(text, "cover.txt", "matrix") == read(text)
    assert read(text.replace(" ", ","), "cover.txt") == read(text.replace(" ", ""), "cover.txt")


def test_boards_of_few_colours() -> None:
    """They are no matrices if another number occurs, however late, or if the size comes first."""
    late = "0 0 1 1\n" * 8 + "0 0 1 2\n"
    for text in (late, "0\n0 0 1 1\n", "1 1\n0 0 1 1\n"):
        (board,) = read_puzzles(TextFile(Path("board.txt"), text.encode()))
        assert isinstance(board, EdgePuzzle)


def test_the_reader_that_gets_furthest_explains_the_mistake() -> None:
    """Where no format can read the file."""
    for text, message in (
        ("0110\n01x0\n", "puzzle.txt:2: '01x0'; expected zeros and ones"),
        ("0 0 1 1\n" + "0 0 1 2\n" * 7 + "0 0 x 1\n", "puzzle.txt:9: a colour is 'x'"),
    ):
        with pytest.raises(FormatError, match=message):
            read_puzzles(TextFile(Path("puzzle.txt"), text.encode()))


def test_commands(tmp_path: Path) -> None:
    """Both readings are named; the option decides, in every command that reads a puzzle."""
    path = tmp_path / "matrix01.txt"
    path.write_text(MATRIX)
    refused = dovetail("count", path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"dovetail: {path}: {AMBIGUOUS}\n"
    assert dovetail("count", path, "--from", "matrix").stdout.startswith("matrix01: 2 solutions")
    assert dovetail("count", path, "--from", "edges").stdout.startswith("matrix01: 0 unique")
    listed = dovetail("solve", f"{path}#1", "--from", "matrix", "-b", "dlx")
    assert sorted(listed.stdout.split("\n\n")) == ["", "0 1", "1 2 3"]
    solutions = tmp_path / "solutions.txt"
    solutions.write_text(listed.stdout)
    copy = tmp_path / "copy.matrix"
    for words, status in (
        (("show", path), 0),
        (("explain", path), 0),
        (("estimate", path, "--descents", "10"), 0),
        (("sample", path), 0),
        (("verify", path, solutions), 0),
        (("bench", path, "-b", "dlx"), 0),
        (("convert", path, copy), 0),
        (("convert", solutions, tmp_path / "solutions.json", "--solutions-of", path), 0),
        (("trace", path), 2),  # for packings
        (("trials", path, "--trials", "1", "--remaining", "1"), 2),
        (("improve", path), 2),  # for boards
    ):
        assert dovetail(*words).stderr.endswith(f"{AMBIGUOUS}\n"), words
        chosen = dovetail(*words, "--from", "matrix")
        assert (chosen.returncode, "ambiguous" in chosen.stderr) == (status, False), words
    assert dovetail("count", copy, "-b", "dlx").stdout.startswith("copy: 2 solutions")
    unknown = dovetail("count", path, "--from", "matrx")
    assert unknown.stderr.startswith("dovetail: unknown format 'matrx'; did you mean 'matrix'")
    board = dovetail("convert", path, "-", "--to", "edges", "--sides", "tlbr")
    assert board.stdout.startswith("2 2\n1 1 0 0\n")


def test_a_warning_of_lost_symmetries(tmp_path: Path) -> None:
    """A matrix has no place for them."""
    path = tmp_path / "queens.matrix"
    converted = dovetail("convert", "soma-cube", path)
    assert converted.returncode == 0
    assert converted.stderr == (
        f"wrote {path}\n"
        "dovetail: soma-cube is written without its symmetries; for the matrix, --symmetry unique "
        "gives the same count as all\n"
    )
