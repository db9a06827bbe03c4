"""URLs of the community's viewers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.api import solve
from dovetail.errors import FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.solution import EdgeSolution
from dovetail.models.verification.dispatch import solution_error
from dovetail.puzzles.formats.base import solutions_text
from dovetail.puzzles.formats.registry import (
    format_named,
    possible_formats,
    read_solutions,
    solution_writer,
)
from dovetail.puzzles.loading import load, load_all
from oracle.strategies import edge_puzzles

VIEWER = format_named("viewer")
# Three tiles in a row, then two rows of two.
ROW = "https://e2.bucas.name/#puzzle=row&board_w=3&board_h=1&board_edges=abaaacabaaac"
ROW_NUMBERED = f"{ROW}&board_pieces=002003001&motifs_order=jblackwood"
SQUARE = EdgePuzzle("square", 2, 2, ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1)))
SQUARE_URL = (
    "https://e2.bucas.name/#puzzle=square&board_w=2&board_h=2"
    "&board_edges=abcaaacbcbaacaab&board_pieces=001002003004&motifs_order=jblackwood"
)
SOLUTION = EdgeSolution((((2, 0), (3, 0)), ((0, 0), (1, 0))))


def written(folder: Path, content: str) -> TextFile:
    """Return a file called board.url."""
    path = folder / "board.url"
    path.write_text(content)
    return TextFile(path)


def read(folder: Path, content: str) -> EdgePuzzle:
    """Return the only puzzle of a file."""
    puzzle = load(written(folder, content).path)
    assert isinstance(puzzle, EdgePuzzle)
    return puzzle


def solutions(folder: Path, puzzle: EdgePuzzle, content: str) -> list[object]:
    """Return the solutions in a file."""
    return [solution for _, solution in read_solutions(written(folder, content), puzzle)]


def test_tiles_have_the_order_of_the_cells_or_of_their_numbers(tmp_path: Path) -> None:
    tiles = ((0, 1, 0, 0), (0, 2, 0, 1), (0, 0, 0, 2))
    assert read(tmp_path, ROW) == EdgePuzzle("row", 3, 1, tiles)
    numbered = EdgePuzzle("row", 3, 1, (tiles[2], tiles[0], tiles[1]))
    assert read(tmp_path, ROW_NUMBERED) == numbered


def test_the_first_letters_are_the_top_left_cell(tmp_path: Path) -> None:
    assert read(tmp_path, SQUARE_URL) == SQUARE
    assert VIEWER.text(SQUARE) == SQUARE_URL + "\n"
    assert solutions(tmp_path, SQUARE, SQUARE_URL) == [SOLUTION]
    assert solution_error(SQUARE, SOLUTION) is None


@pytest.mark.parametrize(
    "url",
    [
        ROW.replace("#", "?"),
        f"  {ROW}&  ".replace("&  ", "&&board_types=123&board_types=1  "),
        f"# the tiles of a row\n\n{ROW}\n\n",
    ],
)
def test_other_hosts_orders_and_keys_make_no_difference(tmp_path: Path, url: str) -> None:
    assert read(tmp_path, url) == read(tmp_path, ROW)


@given(puzzle=edge_puzzles().filter(lambda puzzle: not puzzle.signed), data=st.data())
@settings(max_examples=15)
def test_written_solutions_are_read_as_the_same(
    tmp_path_factory: pytest.TempPathFactory, puzzle: EdgePuzzle, data: st.DataObject
) -> None:
    """Without numbers of tiles they are valid, also if a hint distinguishes identical tiles."""
    found = list(solve(puzzle, symmetry="all"))
    first = data.draw(st.sampled_from(found))
    assert isinstance(first, EdgeSolution)
    x = data.draw(st.integers(0, puzzle.width - 1))
    y = data.draw(st.integers(0, puzzle.height - 1))
    laid = first.cells[y][x]
    assert laid
    hint = Hint(x, y, *laid)
    hinted = EdgePuzzle("hinted", puzzle.width, puzzle.height, puzzle.tiles, (hint,))
    found = list(solve(hinted, symmetry="all"))
    text = solutions_text(solution_writer(".url", hinted), found)
    folder = tmp_path_factory.getbasetemp()
    assert solutions(folder, hinted, text) == found
    if len(puzzle.tiles) == 1:
        return  # its tile shows nothing but the frame, as an empty cell does
    bare = solutions(folder, hinted, re.sub("&board_pieces=[0-9]+", "", text))
    assert len(bare) == len(found) > 0
    for one in bare:
        assert isinstance(one, EdgeSolution)
        assert solution_error(hinted, one) is None


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("https:", "ftp:", "'ftp://e2.bucas.name/.*…'; expected a URL: http:// or https://"),
        ("board_h=1", "board_w=3", "board_w twice in the URL; expected it once"),
        ("=002", "=004", r"cell \(0, 0\) has tile number 004; expected the numbers 001 to 003"),
    ],
)
def test_a_wrong_url_is_refused_with_its_line(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    assert before in ROW_NUMBERED
    content = f"# first a good one\n{ROW}\n{ROW_NUMBERED.replace(before, after)}\n"
    with pytest.raises(FormatError, match=message) as caught:
        load_all(written(tmp_path, content).path)
    assert caught.value.line == 3
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (EdgePuzzle("h", 1, 1, ((0,) * 4,), (Hint(0, 0, 0, 0),)), "does not support hints; use"),
        (EdgePuzzle("é" * 9_000, 1, 1, ((0,) * 4,)), "the name has 54,000 characters in a URL"),
    ],
)
def test_a_puzzle_beyond_the_viewer_is_not_written(puzzle: EdgePuzzle, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        VIEWER.text(puzzle)
    if not puzzle.hints:
        with pytest.raises(PuzzleError, match=message):
            solution_writer(".url", puzzle)


TWINS = EdgePuzzle("twins", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))
TWINS_URL = "https://e2.bucas.name/#board_w=2&board_h=1&board_edges=abaaaaab"


def test_identical_tiles_are_taken_in_ascending_order_after_hints(tmp_path: Path) -> None:
    assert solutions(tmp_path, TWINS, TWINS_URL) == [EdgeSolution((((0, 0), (1, 0)),))]
    hinted = EdgePuzzle("twins", 2, 1, TWINS.tiles, (Hint(0, 0, 1, 2),))
    assert solutions(tmp_path, hinted, TWINS_URL) == [EdgeSolution((((1, 2), (0, 2)),))]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (ROW, "the size of the board is not 2 x 1; expected a board of twins"),
        (f"{TWINS_URL}&board_pieces=001003", "has tile number 3; the puzzle has 2 tiles"),
    ],
)
def test_a_url_that_is_no_solution_is_refused_with_its_line(
    tmp_path: Path, url: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        solutions(tmp_path, TWINS, f"# good, then not\n{TWINS_URL}\n{url}")
    assert caught.value.line == 3


@pytest.mark.parametrize("placed", [(2, 0), (0, 4)])
def test_a_solution_with_an_impossible_tile_is_not_written(placed: tuple[int, int]) -> None:
    solution = EdgeSolution(((placed, (1, 0)),))
    with pytest.raises(PuzzleError, match=r"tile .* with rotation .* cannot be at \(0, 0\)"):
        solution_writer(".url", TWINS).one(1, solution)


SQUARE_WITH_HINT = (
    "https://eternity2.dev/viewer?puzzle=square&puzzle_size=2"
    "&board_edges=abcaaacbcbaacaab&board_pieces=001002003004&hints=1.0"
)


def test_urls_of_eternity2_dev_have_one_size_and_hints(tmp_path: Path) -> None:
    hinted = EdgePuzzle("square", 2, 2, SQUARE.tiles, (Hint(1, 1, 1, 0),))
    assert read(tmp_path, SQUARE_WITH_HINT) == hinted
    assert format_named("eternity2-viewer").text(hinted) == SQUARE_WITH_HINT + "\n"
    path = tmp_path / "board.e2.url"
    path.write_text(SQUARE_WITH_HINT)
    (recognised,) = possible_formats(TextFile(path))
    assert recognised.name == "eternity2-viewer"
    writer = solution_writer(".e2.url", hinted)
    assert writer.one(1, SOLUTION) == SQUARE_WITH_HINT + "\n"
    assert solutions(tmp_path, hinted, SQUARE_WITH_HINT) == [SOLUTION]


def test_a_mistake_in_a_hint_names_the_hint(tmp_path: Path) -> None:
    for hints, message in (
        ("1", "hint '1'; expected cell.turns, as in 135.2"),
        ("4.0", "hint 4.0: expected a cell from 0 to 3"),
        ("1.0-1.2", "hint 1.2: cell (1, 1) has two hints"),
    ):
        with pytest.raises(FormatError, match=re.escape(message)):
            read(tmp_path, SQUARE_WITH_HINT.replace("hints=1.0", f"hints={hints}"))
