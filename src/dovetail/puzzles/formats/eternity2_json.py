"""`Puzzle`, the JSON in which eternity2.dev keeps edge-matching puzzles.

    {
      "id": "e2-16x16-v00", "width": 16, "height": 16,
      "pieces": [[0, 0, 1, 3], [0, 0, 1, 4], …],
      "hints": [{"pos": 135, "piece": 138, "rot": 0}, …]
    }

A tile is its colours on top, right, bottom and left, 0 being the frame. A hint says that tile
number `piece`, from 0, lies in cell `pos`, row by row from the top left, turned clockwise by `rot`
quarter turns. `numColors` (with the frame's), `maxScore` (the number of inner edges) and other keys
follow from these or describe them; they are written where known and not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from dovetail.errors import FormatError, PuzzleError, shorten
from dovetail.files.json_file import JsonReader
from dovetail.files.text_file import TextFile
from dovetail.models.edges import LARGEST_COLOUR, EdgePuzzle, Hint, Tile
from dovetail.models.partial_board import max_score
from dovetail.models.task import Puzzle
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Document, Format

REQUIRED = ("width", "height", "pieces")
HINT_KEYS = ("pos", "piece", "rot")
MAX_TILES = 250_000


class Eternity2Json(Format):
    """JSON of eternity2.dev."""

    name = "eternity2"
    summary = "edge matching: JSON of eternity2.dev, with hints"
    suffixes = (".e2.json",)
    begins = r"\{"
    contains = r'"pieces"\s*:'
    first_line = "{"
    puzzle_type = EdgePuzzle

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        return Document([_Reader(file).puzzle()])

    def write(self, document: Document) -> str:
        return write_eternity2(*document.puzzles)


def write_eternity2(puzzle: EdgePuzzle) -> str:
    """`puzzle` with a line for every tile, as ASCII.

    Raises `PuzzleError` for signed colours, too many tiles, and a name that is not printable.
    """
    if puzzle.signed:
        raise PuzzleError("JSON of eternity2.dev does not support signed colours; use json")
    if len(puzzle.tiles) > MAX_TILES:
        raise PuzzleError(f"{len(puzzle.tiles):,} tiles; expected at most {MAX_TILES:,} in JSON")
    if not is_printable(puzzle.name):
        raise PuzzleError(f"the name {puzzle.name!a} is not printable; expected a printable name")
    colours = {colour for tile in puzzle.tiles for colour in tile} | {0}
    hints = [
        {
            "pos": (puzzle.height - 1 - hint.y) * puzzle.width + hint.x,
            "piece": hint.tile,
            "rot": -hint.rotation % 4,
        }
        for hint in puzzle.hints
    ]
    members = {
        "id": puzzle.name,
        "width": puzzle.width,
        "height": puzzle.height,
        "numColors": len(colours),
        "hints": hints,
        "maxScore": max_score(puzzle),
    }
    tiles = ",\n".join(f"    {json.dumps(tile)}" for tile in puzzle.tiles)
    head = json.dumps(members, indent=2).removesuffix("\n}")
    return f'{head},\n  "pieces": [\n{tiles}\n  ]\n}}\n'


class _Reader:
    """What a file has under each key, and the checks."""

    def __init__(self, file: TextFile) -> None:
        self._file = file
        self._values: dict[str, object] = {}
        self._lines: dict[str, int] = {}
        reader = JsonReader(file, "an object with width, height and pieces")
        for line, key in reader.members():
            if key in self._lines:
                raise file.error(f"a second {shorten(key)!r}; expected one", line)
            self._lines[key], self._values[key] = line, reader.value()
        reader.end()
        for key in REQUIRED:
            if key not in self._values:
                raise reader.error(f"no {key!r}; expected {', '.join(REQUIRED)}")

    def puzzle(self) -> EdgePuzzle:
        """The puzzle; `FormatError` names the line of the key with a mistake."""
        name = self._values.get("id", self._file.stem)
        if not isinstance(name, str):
            raise self._error("id", "the id is not a string")
        if "id" in self._lines:
            self._file.check_name(name, self._lines["id"])
        width, height = (self._whole(key, self._values[key], 1, MAX_TILES) for key in REQUIRED[:2])
        pieces = self._list("pieces")
        if len(pieces) != width * height:
            raise self._error(
                "pieces", f"{len(pieces):,} pieces; expected width · height = {width * height:,}"
            )
        tiles = tuple(self._tile(piece) for piece in pieces)
        hints = tuple(self._hints(width, height)) if "hints" in self._values else ()
        try:
            return EdgePuzzle(name, width, height, tiles, hints)
        except PuzzleError as error:  # two hints for one cell or tile
            raise self._error("hints", str(error)) from None

    def _tile(self, piece: object) -> Tile:
        if not isinstance(piece, list) or len(piece) != 4:
            raise self._error("pieces", f"{_shown(piece)} is not a piece; expected four colours")
        top, right, bottom, left = (
            self._whole("pieces", colour, 0, LARGEST_COLOUR) for colour in piece
        )
        return top, right, bottom, left

    def _hints(self, width: int, height: int) -> Iterator[Hint]:
        for hint in self._list("hints"):
            if not isinstance(hint, dict) or not set(HINT_KEYS) <= set(hint):
                keys = ", ".join(HINT_KEYS)
                raise self._error("hints", f"{_shown(hint)} is not a hint; expected {keys}")
            last = width * height - 1
            position, piece, turns = (
                self._whole("hints", hint[key], 0, max_value)
                for key, max_value in zip(HINT_KEYS, (last, last, 3), strict=True)
            )
            row, column = divmod(position, width)
            yield Hint(column, height - 1 - row, piece, -turns % 4)

    def _list(self, key: str) -> list[object]:
        value = self._values[key]
        if not isinstance(value, list):
            raise self._error(key, f"{key} is not a list")
        return value

    def _whole(self, key: str, value: object, min_value: int, max_value: int) -> int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not min_value <= value <= max_value:  # type: ignore[operator]
            raise self._error(
                key,
                f"{_shown(value)} in {key}; expected a whole number from {min_value} to "
                f"{max_value:,}",
            )
        return int(value)  # type: ignore[call-overload, no-any-return]

    def _error(self, key: str, message: str) -> FormatError:
        return self._file.error(message, self._lines.get(key))


def _shown(value: object) -> str:
    return shorten(json.dumps(value))
