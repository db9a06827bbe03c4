"""Edge-matching puzzles as JSON: the one of their formats that says everything.

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
by `rotation` quarter turns. `"signed": true` says that colours meet their negatives.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from dovetail.errors import PuzzleError, shorten
from dovetail.files.json_file import JsonReader
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.models.edges import LARGEST_COLOUR, EdgePuzzle, Hint, Tile
from dovetail.models.task import Puzzle
from dovetail.printable import is_printable
from dovetail.puzzles.formats.base import Document, Format

KEYS = ("name", "width", "height", "signed", "tiles", "hints")
REQUIRED = ("width", "height", "tiles")
HINT_KEYS = ("x", "y", "tile", "rotation")
MAX_TILES = 250_000
LONGEST_ENTRY = 1_000  # characters of a tile or a hint

# A value as it stands in the file, and its line.
Placed = tuple[int, object]


class EdgeJson(Format):
    """Edge-matching JSON."""

    name = "json"
    summary = "edge matching: JSON, with hints and signed colours"
    suffixes = (".json",)
    begins = r"\{"
    first_line = "{"
    puzzle_type = EdgePuzzle

    def read(self, file: TextFile, puzzle: Puzzle | None = None) -> Document:
        return Document([read_edge_json(file)])

    def write(self, document: Document) -> str:
        return write_edge_json(*document.puzzles)


def read_edge_json(file: TextFile) -> EdgePuzzle:
    """The puzzle in `file`, by its own name or else named after the file.

    Raises `FormatError` at the first mistake.
    """
    return _Reader(file).puzzle()


def write_edge_json(puzzle: EdgePuzzle) -> str:
    """`puzzle` with a line for every tile and every hint, as ASCII.

    Raises `PuzzleError` when it has too many tiles, or a name too long or not printable, to be
    read back.
    """
    if len(puzzle.tiles) > MAX_TILES:
        raise PuzzleError(f"{len(puzzle.tiles):,} tiles; expected at most {MAX_TILES:,} in JSON")
    name = json.dumps(puzzle.name)
    if not is_printable(puzzle.name):
        raise PuzzleError(f"the name {name} is not printable; expected a printable name in JSON")
    if len(name) > LONGEST_LINE // 2:
        raise PuzzleError(f"the name has {len(name):,} characters, too many for a line of JSON")
    members = [f'"name": {name}', f'"width": {puzzle.width}', f'"height": {puzzle.height}']
    if puzzle.signed:
        members.append('"signed": true')
    members.append(_list("tiles", puzzle.tiles))
    if puzzle.hints:
        hints = [{key: getattr(hint, key) for key in HINT_KEYS} for hint in puzzle.hints]
        members.append(_list("hints", hints))
    return "{\n  " + ",\n  ".join(members) + "\n}\n"


class _Reader:
    """What a file says under each key, with lines, and the checks that need several keys."""

    def __init__(self, file: TextFile) -> None:
        self._file = file
        self._lines: dict[str, int] = {}
        self._values: dict[str, object] = {}
        self._lists: dict[str, list[Placed]] = {"tiles": [], "hints": []}
        reader = JsonReader(file, "an object with width, height and tiles")
        for line, key in reader.members():
            if key not in KEYS:
                valid = ", ".join(KEYS)
                raise file.error(f"unknown key {shorten(key)!r}; expected one of {valid}", line)
            if key in self._lines:
                raise file.error(f"a second {key!r}; expected one", line)
            self._lines[key] = line
            if key in self._lists:
                self._lists[key].extend(_entries(reader))
            else:
                self._values[key] = reader.value()
        reader.end()
        for key in REQUIRED:
            if key not in self._lines:
                raise reader.error(f"no {key!r}; expected {', '.join(REQUIRED)}")

    def puzzle(self) -> EdgePuzzle:
        """The puzzle; `FormatError` names the line of what does not fit."""
        name = self._values.get("name", self._file.stem)
        if not isinstance(name, str):
            raise self._file.error(
                f"the name is {_shown(name)}; expected a string", self._lines["name"]
            )
        if "name" in self._lines:
            self._file.check_name(name, self._lines["name"])
        signed = self._values.get("signed", False)
        if not isinstance(signed, bool):
            raise self._file.error(
                f"signed is {_shown(signed)}; expected true or false", self._lines["signed"]
            )
        width, height = (
            self._whole(side, (self._lines[side], self._values[side]), 1, MAX_TILES)
            for side in ("width", "height")
        )
        tiles = tuple(self._tile(entry, signed) for entry in self._lists["tiles"])
        hints = tuple(self._hints(width, height, len(tiles)))
        try:
            return EdgePuzzle(name, width, height, tiles, hints, signed)
        except PuzzleError as error:  # the number of tiles
            raise self._file.error(str(error), self._lines["tiles"]) from None

    def _tile(self, entry: Placed, signed: bool) -> Tile:
        line, value = entry
        if not isinstance(value, list) or len(value) != 4:
            raise self._file.error(
                f"{_shown(value)} is not a tile; expected four colours: [top, right, bottom, left]",
                line,
            )
        min_value = -LARGEST_COLOUR if signed else 0
        top, right, bottom, left = (
            self._whole("a colour", (line, colour), min_value, LARGEST_COLOUR) for colour in value
        )
        return top, right, bottom, left

    def _hints(self, width: int, height: int, tiles: int) -> Iterator[Hint]:
        """The hints, each possible, and no two for one cell or one tile."""
        bounds = dict(zip(HINT_KEYS, (width, height, tiles, 4), strict=True))
        seen: set[object] = set()
        for line, value in self._lists["hints"]:
            if not isinstance(value, dict) or set(value) != set(HINT_KEYS):
                raise self._file.error(
                    f"{_shown(value)} is not a hint; expected an object with the keys "
                    f"{', '.join(HINT_KEYS)}",
                    line,
                )
            x, y, tile, rotation = (
                self._whole(f"{key} of a hint", (line, value[key]), 0, bounds[key] - 1)
                for key in HINT_KEYS
            )
            for what in (f"cell ({x}, {y})", f"tile {tile}"):
                if what in seen:
                    raise self._file.error(f"a second hint for {what}; expected one", line)
                seen.add(what)
            yield Hint(x, y, tile, rotation)

    def _whole(self, what: str, entry: Placed, min_value: int, max_value: int) -> int:
        line, value = entry
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not min_value <= value <= max_value
        ):
            raise self._file.error(
                f"{what} is {_shown(value)}; "
                f"expected a whole number from {min_value} to {max_value}",
                line,
            )
        return value


def _entries(reader: JsonReader) -> Iterator[Placed]:
    """The items of a list with their lines."""
    for number, line in enumerate(reader.entries()):
        if number == MAX_TILES:
            raise reader.error(f"too many entries; expected at most {MAX_TILES:,}")
        yield line, reader.value(LONGEST_ENTRY)


def _shown(value: object) -> str:
    """`value` as it may have stood in the file."""
    return shorten(json.dumps(value))


def _list(key: str, entries: Sequence[object]) -> str:
    """A list with a line for every entry."""
    lines = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
    return f'"{key}": [\n{lines}\n  ]'
