"""Partial boards in files of every format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import DovetailError, FormatError, PuzzleError
from dovetail.files.text_file import TextFile
from dovetail.improvers.shared.board import board_arrays, fill
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.boards.partial_board import (
    PartialBoard,
    mismatched_edges,
    score,
    tiles_in_order,
)
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.base import Document
from dovetail.puzzles.formats.edge_documents import board_hash
from dovetail.puzzles.formats.registry import board_formats, read_board
from dovetail.puzzles.verification import Verification, verify_file

SQUARE = EdgePuzzle("square", 2, 2, ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1)))
BOARD = PartialBoard((((2, 0), (3, 0)), ((0, 0), None)))


def text_of(suffix: str, puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """Return a board as the content of a file."""
    return board_formats()[suffix].write(Document([puzzle], boards=[(1, board)]))


def written(folder: Path, suffix: str, content: str) -> TextFile:
    """Return a file with `content`."""
    path = folder / f"board{suffix}"
    path.write_text(content)
    return TextFile(path)


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(sorted(board_formats())), st.tuples(*[st.integers(2, 5)] * 2), st.data())
def test_a_written_board_is_read_as_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    suffix: str,
    size: tuple[int, int],
    data: st.DataObject,
) -> None:
    puzzle = random_board(*size, 5, data.draw(st.integers(0, 100)))
    arrays = board_arrays(puzzle)
    lies = arrays.fixed.copy()
    fill(arrays, lies)
    lies[list(data.draw(st.sets(st.integers(0, len(lies) - 1))))] = -1
    board = arrays.partial_board(lies)
    assert (arrays.placed(board) == lies).all()
    file = written(tmp_path_factory.mktemp("board"), suffix, text_of(suffix, puzzle, board))
    read = read_board(file, puzzle)
    if not suffix.endswith(".url"):
        assert read == board
        return
    # Turns of a tile may look the same.
    assert score(puzzle, read) == score(puzzle, board)
    assert {cell: tile for cell, (tile, _) in read.laid.items()} == {
        cell: tile for cell, (tile, _) in board.laid.items()
    }


def test_a_board_in_json_goes_from_the_top_left_with_clockwise_turns() -> None:
    turned_board = PartialBoard((((2, 0), (1, 3)), ((0, 0), None)))
    values = json.loads(text_of(".json", SQUARE, turned_board))
    assert values["board"] == [0, -1, 8, 5]
    assert values["size"] == 2
    assert values["score"] == score(SQUARE, turned_board)
    assert values["breaks"] == len(mismatched_edges(SQUARE, turned_board))
    assert values["board_pieces"] == "001000003002"
    assert values["board_edges"][4:8] == "aaaa"
    assert values["url"].startswith("https://eternity2.dev/viewer?puzzle=square&puzzle_size=2&")


@pytest.mark.parametrize(
    ("numbers", "expected"), [((), 0xCBF29CE484222325), ((-1, 553), 0xBF3DD8CB77C6AA4E)]
)
def test_the_hash_of_a_board_is_fnv_of_its_numbers(numbers: tuple[int, ...], expected: int) -> None:
    """The last two hashes were computed by another program."""
    assert board_hash(numbers) == expected


def test_a_board_beyond_the_viewer_has_no_letters_and_no_url() -> None:
    many = EdgePuzzle("many", 1, 2, ((0, 0, 99, 0), (99, 0, 0, 0)))
    board = PartialBoard((((1, 0),), ((0, 0),)))
    values = json.loads(text_of(".json", many, board))
    assert values.pop("board_hash") == board_hash([0, 4])
    assert values == {"name": "many", "size": [1, 2], "score": 1, "breaks": 0, "board": [0, 4]}
    with pytest.raises(PuzzleError, match="colours up to"):
        text_of(".url", many, board)


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (".txt", "0/0 1/0\n2/0\n", ":2: 1 cell; expected 2"),
        (".json", '{"board": [0, 1]}', "board has 2 numbers; expected 4"),
        (".url", "https://e2.bucas.name/#board_w=1&board_h=1&board_edges=aaaa", "not 2 x 2"),
    ],
)
def test_a_wrong_board_is_refused(tmp_path: Path, suffix: str, content: str, message: str) -> None:
    with pytest.raises(DovetailError) as raised:
        read_board(written(tmp_path, suffix, content), SQUARE)
    assert message in str(raised.value)


@pytest.mark.parametrize("suffix", sorted(board_formats()))
@pytest.mark.parametrize("name", ["board", "board.json"])
def test_a_board_is_read_whatever_its_file_is_called(
    tmp_path: Path, suffix: str, name: str
) -> None:
    path = tmp_path / name
    path.write_text(text_of(suffix, SQUARE, BOARD))
    assert read_board(TextFile(path), SQUARE) == BOARD


@pytest.mark.parametrize("suffix", sorted(board_formats()))
def test_a_full_board_is_a_solution_and_a_partial_board_is_not(tmp_path: Path, suffix: str) -> None:
    full = PartialBoard((((2, 0), (3, 0)), ((0, 0), (1, 0))))
    file = written(tmp_path, suffix, text_of(suffix, SQUARE, full))
    assert verify_file(SQUARE, file) == Verification(1, 1)
    partial = written(tmp_path, suffix, text_of(suffix, SQUARE, BOARD))
    with pytest.raises(FormatError, match=r"1: .*; expected a solution of square"):
        verify_file(SQUARE, partial)


def test_a_board_of_many_cells_is_read(tmp_path: Path) -> None:
    large = EdgePuzzle("large", 130, 130, ((1, 1, 1, 1),) * 130**2, unbounded=True)
    plain = replace(large, unbounded=False)
    board = tiles_in_order(large)
    file = written(tmp_path, ".json", text_of(".json", plain, board))
    assert [read for _, read in board_formats()[".json"].read(file, plain).boards or ()] == [board]


def test_a_board_without_a_hinted_tile_is_refused(tmp_path: Path) -> None:
    hinted = EdgePuzzle("hinted", 2, 2, SQUARE.tiles, (Hint(1, 1, 1, 0),))
    with pytest.raises(PuzzleError, match="hint for"):
        read_board(written(tmp_path, ".txt", str(BOARD)), hinted)
