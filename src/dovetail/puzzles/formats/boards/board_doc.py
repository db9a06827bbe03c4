"""`BoardDoc`, the JSON in which eternity2.dev keeps boards.

    {
      "name": "e2-16x16-v00", "size": 16, "score": 455, "breaks": 25,
      "board": [553, 722, -1, …], "board_hash": 8193,
      "board_edges": "abca…", "board_pieces": "139181000…", "url": "https://…"
    }

`board` has a number for each cell, row by row from the top left: tile · 4 + quarter turns
clockwise, −1 for an empty cell. The others follow from it and from the puzzle: a reader goes by
`board`. `size` is the width of a square board, and the width and the height of another.
`board_hash` is FNV-1a of 64 bits (G. Fowler, L. Noll, K.-P. Vo) of the numbers of `board`, four
bytes each, the lowest first; it is not compared, since other programs write others. Source: the
module `format.rs` of eternity2.dev (github.com/raphael-anjou/eternity2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from dovetail.errors import PuzzleError
from dovetail.files.json_file import JsonReader
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle
from dovetail.models.partial_board import Laid, PartialBoard, mismatched_edges, score
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Document, Format
from dovetail.puzzles.formats.viewer import (
    check_showable,
    edge_letters,
    eternity2_url_of,
    reading_order,
    tile_digits,
)

EMPTY = -1
FNV_OFFSET, FNV_PRIME = 0xCBF2_9CE4_8422_2325, 0x100_0000_01B3


class BoardDoc(Format):
    """Boards of eternity2.dev; letters, digits and URL only where the viewer can show the tiles."""

    name = "board"
    summary = "boards: JSON of eternity2.dev"
    suffixes = (".json",)
    holds_boards = True

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        assert isinstance(puzzle, EdgePuzzle)
        return Document(boards=[read_board_doc(file, puzzle)])

    def write(self, document: Document) -> str:
        (puzzle,) = document.puzzles
        return "".join(write_board_doc(puzzle, board) for board in document.boards)


def read_board_doc(file: TextFile, puzzle: EdgePuzzle) -> PartialBoard:
    """The board in `file`; raises `FormatError` at the first mistake."""
    reader = JsonReader(file, "an object with a board")
    board: PartialBoard | None = None
    for line, key in reader.members():
        value = reader.value()
        if key == "board":
            if board is not None:
                raise file.error("a second 'board'; expected one", line)
            board = _board(file, line, puzzle, value)
    reader.end()
    if board is None:
        raise file.error("no 'board'; expected a list with a number for each cell")
    return board


def write_board_doc(puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """`board` as an object; letters, digits and URL only where the viewer can show the tiles."""
    width, height = puzzle.width, puzzle.height
    laid = board.laid
    numbers = [_number(laid.get(cell)) for cell in reading_order(width, height)]
    values: dict[str, object] = {
        "name": puzzle.name,
        "size": width if width == height else [width, height],
        "score": score(puzzle, board),
        "breaks": len(mismatched_edges(puzzle, board)),
        "board": numbers,
        "board_hash": board_hash(numbers),
    }
    try:
        check_showable(puzzle)
    except PuzzleError:
        return json.dumps(values) + "\n"
    shown = {
        "board_edges": edge_letters(puzzle, laid),
        "board_pieces": tile_digits(puzzle, laid),
        "url": eternity2_url_of(puzzle, laid),
    }
    return json.dumps(values | shown) + "\n"


def board_hash(numbers: Iterable[int]) -> int:
    """FNV-1a of 64 bits of these numbers as int32, the lowest byte first."""
    found = FNV_OFFSET
    for number in numbers:
        for byte in number.to_bytes(4, "little", signed=True):
            found = (found ^ byte) * FNV_PRIME % 2**64
    return found


def _board(file: TextFile, line: int, puzzle: EdgePuzzle, value: object) -> PartialBoard:
    cells, largest = puzzle.width * puzzle.height, 4 * len(puzzle.tiles) - 1
    if not isinstance(value, list) or len(value) != cells:
        raise file.error(f"the board is not a list of {cells} numbers", line)
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int) or not -1 <= number <= largest:
            raise file.error(f"{number!r:.60} on the board; expected −1 to {largest}", line)
    rows = [
        tuple(_laid(number) for number in value[start : start + puzzle.width])
        for start in range(0, cells, puzzle.width)
    ]
    return PartialBoard(tuple(reversed(rows)))


def _laid(number: int) -> Laid | None:
    """Tile and rotation; a turn clockwise is three anticlockwise."""
    return None if number == EMPTY else (number // 4, -number % 4)


def _number(laid: Laid | None) -> int:
    return EMPTY if laid is None else laid[0] * 4 + -laid[1] % 4
