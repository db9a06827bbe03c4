"""Edge-matching puzzles as JSON and TOML, and boards as JSON.

JSON (`EdgeJson`) has everything that a puzzle has:

    {
      "name": "a pair",
      "width": 2,
      "height": 1,
      "tiles": [
        [0, 1, 0, 0],
        [0, 1, 0, 0]
      ],
      "hints": [
        {"x": 0, "y": 0, "tile": 1, "rotation": 0}
      ]
    }

A tile is its colours on top, right, bottom and left, 0 being the frame. A hint says that tile
number `tile`, from 0, lies in column `x` and row `y` from the bottom left, turned anticlockwise
`rotation` times by one side. `"signed": true` says that colours meet their negatives. The other
words before the size in text are keys, too: `"unbounded": true`, `"frame": 0`, `"fixed": true`,
`"flippable": true`, `"matches": [[1, 2]]`, `"counts": [[0, 9], 1]`, `"holes": [[1, 1]]`,
`"lattice": "hexagonal"`, and `"region": "hexagon-2"` instead of the size and the holes.

JSON of eternity2.dev (`Eternity2Json`):

    {
      "id": "e2-16x16-v00", "width": 16, "height": 16,
      "pieces": [[0, 0, 1, 3], [0, 0, 1, 4], …],
      "hints": [{"pos": 135, "piece": 138, "rot": 0}, …]
    }

A tile is its colours on top, right, bottom and left, 0 being the frame. A hint says that tile
number `piece`, from 0, lies in cell `pos`, row by row from the top left, turned clockwise by `rot`
quarter turns. The writer adds `numColors` (the number of colours with the frame's) and `maxScore`
(the number of inner edges). The reader ignores these and all other keys.

Boards of eternity2.dev (`BoardDoc`):

    {
      "name": "e2-16x16-v00", "size": 16, "score": 455, "breaks": 25,
      "board": [553, 722, -1, …], "board_hash": 8193,
      "board_edges": "abca…", "board_pieces": "139181000…", "url": "https://…"
    }

`board` has a number for each cell, row by row from the top left: tile · 4 + quarter turns
clockwise, −1 for an empty cell. The other keys follow from `board` and the puzzle, and the reader
ignores them. `size` is the width of a square board, and `[width, height]` of another board.
`board_hash` is the 64-bit hash FNV-1a (G. Fowler, L. Noll, K.-P. Vo) of the numbers of `board`, as
four bytes each, the lowest byte first. The reader does not compare it, since other programs write
other hashes. Source: the module `format.rs` of eternity2.dev (github.com/raphael-anjou/eternity2).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from dovetail.errors import FormatError, PuzzleError, how_many
from dovetail.files.text_file import LONGEST_LINE, TextFile, check_name
from dovetail.models.boards.edges import EdgePuzzle, Hint
from dovetail.models.boards.partial_board import (
    Laid,
    PartialBoard,
    max_score,
    mismatched_edges,
    score,
)
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Format, check_plain
from dovetail.puzzles.formats.viewer import (
    check_showable,
    edge_letters,
    eternity2_url_of,
    hint_place,
    reading_order,
    tile_digits,
)

HINT_KEYS = ("x", "y", "tile", "rotation")
MAX_TILES = 250_000


class EdgeJson(Format):
    """JSON of edge-matching puzzles."""

    name = "json"
    summary = "edge matching: JSON, with hints and signed colours"
    suffixes = (".json",)
    begins = r"\{"
    first_line = "{"
    puzzle_type = EdgePuzzle

    def read_puzzle(self, file: TextFile) -> EdgePuzzle:
        from dovetail.files.validation import parse_json
        from dovetail.puzzles.formats.json_documents import edge_puzzle

        content = "an object with width, height and tiles"
        value = parse_json(file, "\n".join(file.lines), content)
        return edge_puzzle(value, file.stem)

    def write_puzzle(self, puzzle: EdgePuzzle) -> str:
        """Return `puzzle` as JSON in ASCII, with a line for every tile and every hint.

        Raises `PuzzleError` for too many tiles, and for a name that is too long or not printable.
        """
        check_size(puzzle)
        hints = [{key: getattr(hint, key) for key in HINT_KEYS} for hint in puzzle.hints]
        return object_text(
            _members(puzzle), {"tiles": puzzle.tiles} | ({"hints": hints} if hints else {})
        )


class EdgeToml(Format):
    """TOML with the keys of `EdgeJson`."""

    name = "edges-toml"
    summary = "edge matching: TOML, with the keys of JSON"
    suffixes = (".edges.toml",)
    begins = r"[A-Za-z_\"'-]+\s*="
    contains = r"^\s*tiles\s*="
    first_line = "key = value"
    puzzle_type = EdgePuzzle

    def read_puzzle(self, file: TextFile) -> EdgePuzzle:
        from dovetail.files.validation import read_table
        from dovetail.puzzles.formats.json_documents import SignedEdgeObject, puzzle_of

        with file.at(None):
            return puzzle_of(read_table(file, SignedEdgeObject), file.stem)

    def write_puzzle(self, puzzle: EdgePuzzle) -> str:
        """Return `puzzle` as TOML, with a line for every tile and every key of a hint.

        Raises `PuzzleError` as `EdgeJson` does, and for a text that is too long.
        """
        from dovetail.files.validation import MAX_CHARACTERS  # imports pydantic

        check_size(puzzle)
        members = _members(puzzle)
        lines = [f"{key} = {json.dumps(members[key], ensure_ascii=False)}" for key in members]
        lines += ["tiles = [", *(f"  {json.dumps(tile)}," for tile in puzzle.tiles), "]"]
        for hint in puzzle.hints:
            lines += ["", "[[hints]]", *(f"{key} = {getattr(hint, key)}" for key in HINT_KEYS)]
        text = "\n".join(lines) + "\n"
        if len(text) > MAX_CHARACTERS or max(len(line.encode()) for line in lines) > LONGEST_LINE:
            raise PuzzleError(
                f"too large for TOML: more than {MAX_CHARACTERS:,} characters, or a line too long; "
                "use JSON (.json)"
            )
        return text


def _members(puzzle: EdgePuzzle) -> dict[str, object]:
    """Return the values of a puzzle by key, except its tiles and hints."""
    keys = ["name", "width", "height", *["signed"] * puzzle.signed, *puzzle.variants]
    return {key: getattr(puzzle, key) for key in keys}


def check_size(puzzle: EdgePuzzle) -> None:
    """Raise `PuzzleError` for too many tiles, and for a name that is too long or not printable."""
    if len(puzzle.tiles) > MAX_TILES:
        raise PuzzleError(f"{len(puzzle.tiles):,} tiles; expected at most {MAX_TILES:,} in a file")
    check_name(puzzle.name)
    length = len(json.dumps(puzzle.name))
    if length > LONGEST_LINE // 2:
        raise PuzzleError(f"the name has {length:,} characters, too many for a line")


def object_text(members: dict[str, object], lists: dict[str, Sequence[object]]) -> str:
    """Return a JSON object with `members`, and then `lists` with a line for every entry."""
    head = json.dumps(members, indent=2).removesuffix("\n}")
    for key, entries in lists.items():
        lines = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
        head += f',\n  "{key}": [\n{lines}\n  ]'
    return f"{head}\n}}\n"


CONTENT = "an object with a board"
EMPTY = -1
ETERNITY2 = "the format of eternity2.dev"
FNV_OFFSET, FNV_PRIME = 0xCBF2_9CE4_8422_2325, 0x100_0000_01B3


class Eternity2Json(Format):
    """Puzzles of eternity2.dev."""

    name = "eternity2"
    summary = "edge matching: JSON of eternity2.dev, with hints"
    suffixes = (".e2.json",)
    begins = r"\{"
    contains = r'"pieces"\s*:'
    first_line = "{"
    puzzle_type = EdgePuzzle

    def read_puzzle(self, file: TextFile) -> EdgePuzzle:
        from dovetail.files.validation import read_json
        from dovetail.puzzles.formats.json_documents import Eternity2Object

        read = read_json(file, Eternity2Object, "an object with width, height and pieces")
        name = read.id if "id" in read.model_fields_set else file.stem
        hints = []
        for number, hint in enumerate(read.hints):
            row, column = divmod(hint.pos, read.width)
            if row >= read.height:
                raise file.error(
                    f"hints[{number}].pos is {hint.pos}; expected less than "
                    f"{read.width * read.height}, the number of cells"
                )
            hints.append(Hint(column, read.height - 1 - row, hint.piece, -hint.rot % 4))
        tiles = tuple(map(tuple, read.pieces))
        return EdgePuzzle(name, read.width, read.height, tiles, tuple(hints))

    def write_puzzle(self, puzzle: EdgePuzzle) -> str:
        """Return `puzzle` as JSON in ASCII, with a line for every tile.

        Raises `PuzzleError` for signed colours, variants and too many tiles, and for a name that is
        too long or not printable.
        """
        check_plain(puzzle, "JSON of eternity2.dev", "; use json")
        check_size(puzzle)
        members = {
            "id": puzzle.name,
            "width": puzzle.width,
            "height": puzzle.height,
            "numColors": len({colour for tile in puzzle.tiles for colour in tile} | {0}),
            "hints": [
                {"pos": number, "piece": hint.tile, "rot": turns}
                for hint in puzzle.hints
                for number, turns in [hint_place(puzzle, hint)]
            ],
            "maxScore": max_score(puzzle),
        }
        return object_text(members, {"pieces": puzzle.tiles})


class BoardDoc(Format):
    """Boards of eternity2.dev as JSON.

    If the viewer can show the tiles, a board also has the letters of its edges, the digits of its
    tiles and a URL.
    """

    name = "board"
    summary = "boards: JSON of eternity2.dev"
    suffixes = (".json",)
    begins = r"\{"
    contains = r'"board"\s*:'
    holds_boards = True

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        """Return True for edge puzzles, if JSON has `board` and neither `cells` nor `solutions`."""
        from dovetail.files.validation import parse_json

        if not (isinstance(puzzle, EdgePuzzle) and super().recognise(file)):
            return False
        text = "\n".join(file.lines)
        try:
            keys = set(cast("dict[str, object]", parse_json(file, text, CONTENT)))
        except FormatError:  # invalid JSON, or JSON lines
            keys = set(re.findall(r'"(\w+)"\s*:', text))
        return "board" in keys and keys.isdisjoint({"cells", "solutions"})

    def read_boards(self, file: TextFile, puzzle: EdgePuzzle) -> Iterator[tuple[int, PartialBoard]]:
        with file.at(None):
            check_plain(puzzle, ETERNITY2, lacks=["lattice"])
        yield 1, _read_board(file, puzzle)

    def write_boards(self, puzzle: EdgePuzzle, boards: Sequence[PartialBoard]) -> str:
        check_plain(puzzle, ETERNITY2, lacks=["lattice", "flippable"])
        return "".join(_board_doc(puzzle, board) for board in boards)


def _board_doc(puzzle: EdgePuzzle, board: PartialBoard) -> str:
    """Return `board` as JSON, with letters, digits and a URL if a viewer can show it.

    The JSON is a single line unless readers refuse a line of its length.
    """
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
        text = json.dumps(values) + "\n"
        if len(text) <= LONGEST_LINE:
            return text
        return json.dumps(values, separators=(",\n", ": ")) + "\n"
    shown = {
        "board_edges": edge_letters(puzzle, laid),
        "board_pieces": tile_digits(puzzle, laid),
        "url": eternity2_url_of(puzzle, laid),
    }
    return json.dumps(values | shown) + "\n"


def board_hash(numbers: Iterable[int]) -> int:
    """Return the 64-bit hash FNV-1a of the numbers as little-endian int32."""
    found = FNV_OFFSET
    for number in numbers:
        for byte in number.to_bytes(4, "little", signed=True):
            found = (found ^ byte) * FNV_PRIME % 2**64
    return found


def _read_board(file: TextFile, puzzle: EdgePuzzle) -> PartialBoard:
    from dovetail.files.validation import read_json
    from dovetail.puzzles.formats.json_documents import BoardObject

    numbers = read_json(file, BoardObject, CONTENT).board
    cells, largest = puzzle.width * puzzle.height, 4 * len(puzzle.tiles) - 1
    if len(numbers) != cells:
        raise file.error(f"board has {how_many(len(numbers), 'number')}; expected {cells}")
    for cell, number in enumerate(numbers):
        if not EMPTY <= number <= largest:
            raise file.error(f"board[{cell}] is {number}; expected {EMPTY} to {largest}")
    rows = [
        tuple(map(_laid, numbers[start : start + puzzle.width]))
        for start in range(0, cells, puzzle.width)
    ]
    return PartialBoard(tuple(reversed(rows)))


def _laid(number: int) -> Laid | None:
    """Return the tile and its anticlockwise rotation; None for an empty cell."""
    return None if number == EMPTY else (number // 4, -number % 4)


def _number(laid: Laid | None) -> int:
    return EMPTY if laid is None else laid[0] * 4 + -laid[1] % 4
