"""Edge-matching puzzles as JSON, with everything that a puzzle has.

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
from collections.abc import Sequence

from dovetail.errors import PuzzleError
from dovetail.files.text_file import LONGEST_LINE, TextFile, check_name
from dovetail.models.edges import EdgePuzzle, Hint
from dovetail.puzzles.formats.base import PuzzleFormat

HINT_KEYS = ("x", "y", "tile", "rotation")
MAX_TILES = 250_000


class EdgeJson(PuzzleFormat):
    """JSON of edge-matching puzzles."""

    name = "json"
    summary = "edge matching: JSON, with hints and signed colours"
    suffixes = (".json",)
    begins = r"\{"
    first_line = "{"
    puzzle_type = EdgePuzzle

    def read_puzzle(self, file: TextFile) -> EdgePuzzle:
        from dovetail.files.validation import check_json, parse_json
        from dovetail.puzzles.formats.json_documents import EdgeObject, SignedEdgeObject

        content = "an object with width, height and tiles"
        value = parse_json(file, "\n".join(file.lines), content)
        is_signed = isinstance(value, dict) and value.get("signed") is True
        read = check_json(value, SignedEdgeObject if is_signed else EdgeObject)
        name = read.name if "name" in read.model_fields_set else file.stem
        tiles = tuple((top, right, bottom, left) for top, right, bottom, left in read.tiles)
        hints = tuple(Hint(hint.x, hint.y, hint.tile, hint.rotation) for hint in read.hints)
        return EdgePuzzle(name, read.width, read.height, tiles, hints, read.signed)

    def write_puzzle(self, puzzle: EdgePuzzle) -> str:
        """Return `puzzle` with a line for every tile and every hint, as ASCII.

        Raises `PuzzleError` for too many tiles, and for a name that is too long or not printable.
        """
        check_size(puzzle)
        members = {"name": puzzle.name, "width": puzzle.width, "height": puzzle.height}
        if puzzle.signed:
            members["signed"] = True
        hints = [{key: getattr(hint, key) for key in HINT_KEYS} for hint in puzzle.hints]
        return object_text(members, {"tiles": puzzle.tiles} | ({"hints": hints} if hints else {}))


def check_size(puzzle: EdgePuzzle) -> None:
    """Raise `PuzzleError` for a puzzle that would not be read from JSON."""
    if len(puzzle.tiles) > MAX_TILES:
        raise PuzzleError(f"{len(puzzle.tiles):,} tiles; expected at most {MAX_TILES:,} in JSON")
    check_name(puzzle.name)
    length = len(json.dumps(puzzle.name))
    if length > LONGEST_LINE // 2:
        raise PuzzleError(f"the name has {length:,} characters, too many for a line of JSON")


def object_text(members: dict[str, object], lists: dict[str, Sequence[object]]) -> str:
    """Return an object with `members`, and then `lists` with a line for every entry."""
    head = json.dumps(members, indent=2).removesuffix("\n}")
    for key, entries in lists.items():
        lines = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
        head += f',\n  "{key}": [\n{lines}\n  ]'
    return f"{head}\n}}\n"
