"""Solutions in all formats, above all text, CSV, JSON lines and JSON."""

from __future__ import annotations

import csv
import json
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.api import solve
from dovetail.cli.commands.files import parse_fold
from dovetail.errors import ConfigError, FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.harness.run.job import Limits
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.cover import cover
from dovetail.models.lattices.kinds.square import SquareLattice
from dovetail.models.packings.packing import FixedPiece, PackingPuzzle, Piece
from dovetail.models.solution import CoverSolution, PackingSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.registry import read_solutions, solution_formats, solution_writer
from dovetail.puzzles.formats.solutions import csv_header, solution_json, solution_text
from dovetail.puzzles.loading import load
from dovetail.puzzles.polyominoes import box
from dovetail.puzzles.statements import packing

DOMINO = ((0, 0), (1, 0))
ROW_OF_FIVE = PackingPuzzle(
    "five dimensions",
    SquareLattice(5),
    box(2, 1, 1, 1, 2),
    (Piece("A", ((0,) * 5, (1, 0, 0, 0, 0)), 2, 2),),
)
WALL = (FixedPiece("*", ((0, 0), (0, 1))),)
PUZZLES: list[Puzzle] = [
    *map(load, ("pentominoes-5x6-FLNPUY", "soma-cube", "edges-4x5-b3i4-1", "queens-6")),
    PackingPuzzle("beside a wall", SquareLattice(2), box(3, 2), (Piece("A", DOMINO, 2, 2),), WALL),
    PackingPuzzle("part empty", SquareLattice(2), box(2, 2), (Piece("A", DOMINO),), (), box(2, 2)),
    load("hypercube-paths-2x3x3x5"),
    ROW_OF_FIVE,
]


def can_say(suffix: str, puzzle: Puzzle) -> bool:
    """Return True if a format can express the solutions of a puzzle."""
    if suffix.endswith(".url"):
        return isinstance(puzzle, EdgePuzzle)
    if not isinstance(puzzle, PackingPuzzle):
        return suffix != ".xmpuzzle"
    if suffix == ".xmpuzzle" and puzzle.fixed:
        return False
    return puzzle.lattice.dimension in (2, 3) or suffix not in (".txt", ".xmpuzzle")


def write(path: Path, puzzle: Puzzle, solutions: list[Solution]) -> None:
    """Write solutions as `solve -o` does."""
    text = solutions_text(solution_writer(path.suffix, puzzle), solutions)
    path.write_text(text, encoding="utf-8")


def read(path: Path, puzzle: Puzzle) -> list[Solution]:
    """Return all solutions in a file."""
    return [solution for _, solution in read_solutions(TextFile(path), puzzle)]


def content(solution: Solution) -> object:
    """Return a solution without the order of pieces in a packing."""
    if isinstance(solution, PackingSolution):
        return {(name, frozenset(cells)) for name, cells in solution.placed}
    return solution


@pytest.mark.parametrize(
    ("puzzle", "suffix"),
    [(p, s) for p in PUZZLES for s in solution_formats() if can_say(s, p)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_written_solutions_are_read_as_the_same_and_valid(
    tmp_path: Path, puzzle: Puzzle, suffix: str
) -> None:
    solutions = list(islice(solve(puzzle, symmetry="all", limits=Limits(solutions=20)), 20))
    path = tmp_path / f"solutions{suffix}"
    write(path, puzzle, solutions)
    again = read(path, puzzle)
    assert len(again) == len(solutions) > 0
    assert all(solution_error(puzzle, solution) is None for solution in again)
    assert [content(s) for s in again] == [content(s) for s in solutions]


@pytest.mark.parametrize("count", [0, 1])
def test_json_is_complete_after_any_number_of_solutions(tmp_path: Path, count: int) -> None:
    puzzle = load("queens-6")
    solutions = list(solve(puzzle, symmetry="all"))[:count]
    path = tmp_path / "solutions.json"
    write(path, puzzle, solutions)
    value = json.loads(path.read_text())
    assert (value["puzzle"], value["digest"]) == ("queens-6", puzzle.digest)
    assert value["solutions"] == [json.loads(solution_json(s)) for s in solutions]
    assert read(path, puzzle) == solutions


def test_csv_has_a_header_and_a_row_for_each_cell_or_option(tmp_path: Path) -> None:
    puzzle = load("soma-cube")
    path = tmp_path / "solutions.csv"
    write(path, puzzle, list(solve(puzzle, limits=Limits(solutions=2))))
    rows = list(csv.DictReader(path.open()))
    assert list(rows[0]) == ["solution", "piece", "copy", "x", "y", "z"]
    assert len(rows) == 2 * 27
    assert {(row["x"], row["y"], row["z"]) for row in rows if row["solution"] == "2"} == {
        (x, y, z) for x in "012" for y in "012" for z in "012"
    }
    assert csv_header(load("edges-3-2-1")) == ["solution", "x", "y", "tile", "rotation"]
    assert csv_header(load("queens-6")) == ["solution", "option"]
    assert csv_header(load("hypercube-paths-2x3x3x5"))[3:] == ["x", "y", "z", "w"]
    assert csv_header(ROW_OF_FIVE)[3:] == ["x", "y", "z", "w", "x5"]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)


@given(
    st.lists(NAMES, min_size=1, max_size=4, unique=True),
    st.sampled_from(sorted({*solution_formats()} - {".url", ".e2.url"})),
)
@settings(max_examples=35)
def test_a_piece_name_is_read_as_written_or_refused(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], suffix: str
) -> None:
    pieces = tuple(Piece(name, DOMINO) for name in names)
    puzzle = PackingPuzzle("rows", SquareLattice(2), box(2, len(names)), pieces)
    placed = tuple((name, ((0, y), (1, y))) for y, name in enumerate(names))
    solution = PackingSolution(placed)
    path = tmp_path_factory.mktemp("names") / f"solutions{suffix}"
    try:
        write(path, puzzle, [solution])
    except PuzzleError as error:
        reason = "a name that is not printable" if suffix == ".xmpuzzle" else "use JSON"
        assert reason in str(error)  # noqa: PT017
        assert suffix in (".txt", ".csv", ".xmpuzzle")
    else:
        assert [content(s) for s in read(path, puzzle)] == [content(solution)]


@pytest.mark.parametrize("suffix", [".txt", ".json", ".jsonl", ".csv"])
@pytest.mark.parametrize("between", [True, False])
def test_a_solution_without_options_is_a_solution(
    tmp_path: Path, suffix: str, between: bool
) -> None:
    problem = cover([("a", 0, 1), ("b", 0, 1)], [["a"], ["b"]], name="nothing to cover")
    solutions: list[Solution] = [CoverSolution(()), CoverSolution((0, 1))]
    if between:
        solutions = [CoverSolution((0,)), *solutions]
    path = tmp_path / f"solutions{suffix}"
    write(path, problem, solutions)
    assert read(path, problem) == solutions


def test_json_begins_with_a_solution_of_any_number() -> None:
    puzzle = load("queens-4")
    solutions = list(solve(puzzle, symmetry="all"))
    content = json.loads(solutions_text(solution_writer(".json", puzzle), solutions, first=5))
    assert len(content["solutions"]) == 2


def test_a_picture_with_a_fixed_piece_v_is_not_output_of_a_solver(tmp_path: Path) -> None:
    puzzle = packing("v . .", {"1": "#", "2": "#"})
    solutions = list(solve(puzzle))
    write(tmp_path / "solutions.txt", puzzle, solutions)
    assert (tmp_path / "solutions.txt").read_text().startswith("v 1 2")
    assert read(tmp_path / "solutions.txt", puzzle) == solutions


@pytest.mark.parametrize("name", [".", "#1"])
def test_a_piece_name_with_a_meaning_in_text_is_refused(name: str) -> None:
    puzzle = PackingPuzzle("row", SquareLattice(2), box(2, 1), (Piece(name, DOMINO),))
    with pytest.raises(PuzzleError, match="use JSON"):
        solution_text(puzzle, PackingSolution(((name, DOMINO),)))


def test_a_copy_labelled_like_another_piece_is_refused() -> None:
    pieces = (Piece("A", DOMINO, 2, 2), Piece("A/2", DOMINO), Piece("A/3", DOMINO))
    puzzle = PackingPuzzle("rows", SquareLattice(2), box(2, 4), pieces)
    solution = next(solve(puzzle))
    with pytest.raises(PuzzleError, match=r"label 'A/2' of a copy .* use JSON"):
        solution_text(puzzle, solution)


CSV = "solution,piece,copy,x,y\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('{"placed": []}\n[1]', 2, "not an object"),
        ('{"placed": [["F", [[0, 0, 0]]]]}', 1, "3 coordinates instead of 2"),
        ('{"solutions": [\n' + "[" * 99_999, 2, "not readable JSON: .* too deep"),
        ("{" + ",\n".join(f'"{n}": 0' for n in range(101)) + "}", 101, "more than 100 keys"),
        ("solution,option\n", 1, "expected solution,piece,copy,x,y$"),
        ('{"placed": [["F", [' + "[0, 0], " * 500 + "[0, 0]]]]}", 1, "more than 400 cells"),
    ],
)
def test_a_wrong_solution_is_refused_with_its_line(
    tmp_path: Path, content: str, line: int | None, message: str
) -> None:
    path = tmp_path / "solutions"
    path.write_text(content)
    with pytest.raises(FormatError, match=message) as caught:
        list(read_solutions(TextFile(path), load("pentominoes-5x6-FLNPUY")))
    assert caught.value.line == line
    assert len(caught.value.message) < 200


TILES_CSV = "solution,x,y,tile,rotation\n1,0,0,0,0"


@pytest.mark.parametrize(
    ("puzzle", "content", "message"),
    [
        ("edges-2-2-1", "0/0 1/+1\n2/0 3/0", r"'\+1' is not a whole number"),
        ("edges-2-2-1", TILES_CSV + "\n1,0,0,1,0", r"two tiles at \(0, 0\)"),
    ],
)
def test_a_wrong_board_or_choice_is_refused(
    tmp_path: Path, puzzle: str, content: str, message: str
) -> None:
    path = tmp_path / "solutions"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        read(path, load(puzzle))


def test_symbols_of_pictures_are_folded_into_pieces(tmp_path: Path) -> None:
    puzzle = PackingPuzzle("row", SquareLattice(2), box(2, 1), (Piece("A", DOMINO),))
    path = tmp_path / "solutions"
    path.write_text("a A")
    ((_, solution),) = read_solutions(TextFile(path), puzzle, {"a": "A"})
    assert solution == PackingSolution((("A", DOMINO),))
    write(path.with_suffix(".csv"), puzzle, [solution])
    with pytest.raises(FormatError, match="expected layered text"):
        list(read_solutions(TextFile(path.with_suffix(".csv")), puzzle, {"a": "A"}))


def test_fold_is_pairs_of_symbols_and_pieces() -> None:
    assert parse_fold(None) == {}
    assert parse_fold("s=S,&=7,$=4") == {"s": "S", "&": "7", "$": "4"}
    for words in ("", "s", "s=", "=S", "s=S,", ".=S", "s=*", "s=S,s=T"):
        with pytest.raises(ConfigError, match="expected"):
            parse_fold(words)
