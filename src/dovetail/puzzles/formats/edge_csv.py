"""Edge-matching puzzles as the community's CSV: the size, then a line for each tile.

    2
    1111111111111111,0000000000000001,0000000000000010,1111111111111111
    1111111111111111,1111111111111111,0000000000000010,0000000000000001,1,0,2
    …

The first line has the side of a square board, or `width,height`. A tile is its colours on top,
right, bottom and left as words of 16 binary digits, the frame being sixteen ones; a hint follows
its tile: column from the left, row from the top, quarter turns clockwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dovetail.errors import PuzzleError, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.edges import BORDER, EdgePuzzle, Hint, Tile
from dovetail.puzzles.formats.base import PuzzleFormat

MAX_SIDE = 256
BITS = 16
FRAME = 2**BITS - 1

_COLOUR = re.compile(f"[01]{{{BITS}}}")
_NUMBER = re.compile(r"[0-9]{1,4}")


class EdgeCsv(PuzzleFormat[EdgePuzzle]):
    """The community's CSV."""

    name = "csv"
    summary = "edge matching: CSV with colours in binary, with hints"
    suffixes = (".csv",)
    begins = r"[0-9]"
    contains = rf"[01]{{{BITS}}},"
    first_line = "a number, and then tiles in binary"
    writes = EdgePuzzle

    def read(self, file: TextFile) -> tuple[EdgePuzzle, ...]:
        return (read_edge_csv(file),)

    def write(self, puzzles: Sequence[EdgePuzzle]) -> str:
        return write_edge_csv(*puzzles)


def read_edge_csv(file: TextFile) -> EdgePuzzle:
    """The puzzle in `file`, named after it; raises `FormatError` at the first mistake."""
    lines = file.content()
    line, first = next(lines, (None, ""))
    size = [_whole(file, line, word, 1, MAX_SIDE) for word in first.split(",")]
    if len(size) > 2:
        raise file.error(f"{shorten(first)!r}; expected the size, such as 16 or 12,6", line)
    width, height = size[0], size[-1]
    tiles: list[Tile] = []
    hints: list[Hint] = []
    for line, content in lines:
        words = [word.strip() for word in content.split(",")]
        if len(words) not in (4, 7):
            raise file.error(
                f"{len(words)} values; expected top,right,bottom,left, and for a hint also "
                "column,row,turns",
                line,
            )
        hints += _hints(file, line, words[4:], len(tiles), height)
        north, east, south, west = (_colour(file, line, word) for word in words[:4])
        tiles.append((north, east, south, west))
    try:
        return EdgePuzzle(file.stem, width, height, tuple(tiles), tuple(hints))
    except PuzzleError as error:
        raise file.error(str(error)) from None


def write_edge_csv(puzzle: EdgePuzzle) -> str:
    """`puzzle` with a line for each tile; `PuzzleError` for what the format cannot express."""
    largest = max(abs(colour) for tile in puzzle.tiles for colour in tile)
    if puzzle.signed:
        raise PuzzleError("CSV does not support signed colours; use JSON (.json)")
    if largest >= FRAME:
        raise PuzzleError(f"CSV does not support colours above {FRAME - 1}; use JSON (.json)")
    if max(puzzle.width, puzzle.height) > MAX_SIDE:
        raise PuzzleError(f"CSV does not support boards with sides above {MAX_SIDE}")
    square = puzzle.width == puzzle.height
    lines = [f"{puzzle.width}" if square else f"{puzzle.width},{puzzle.height}"]
    hints = {hint.tile: hint for hint in puzzle.hints}
    for number, tile in enumerate(puzzle.tiles):
        words = [f"{FRAME if colour == BORDER else colour:0{BITS}b}" for colour in tile]
        if number in hints:
            hint = hints[number]
            place = hint.x, puzzle.height - 1 - hint.y, -hint.rotation % 4
            words += map(str, place)
        lines.append(",".join(words))
    return "\n".join(lines) + "\n"


def _colour(file: TextFile, line: int | None, word: str) -> int:
    if not _COLOUR.fullmatch(word):
        raise file.error(f"{shorten(word)!r}; expected a colour of {BITS} binary digits", line)
    colour = int(word, 2)
    if colour == BORDER:
        raise file.error(f"colour {word}; expected 1 or higher, or ones for the frame", line)
    return BORDER if colour == FRAME else colour


def _hints(
    file: TextFile, line: int | None, words: Sequence[str], tile: int, height: int
) -> Iterator[Hint]:
    if words:
        column, row, turns = (
            _whole(file, line, word, 0, max_value)
            for word, max_value in zip(words, (MAX_SIDE, height - 1, 3), strict=True)
        )
        yield Hint(column, height - 1 - row, tile, -turns % 4)


def _whole(file: TextFile, line: int | None, word: str, min_value: int, max_value: int) -> int:
    if not _NUMBER.fullmatch(word.strip()) or not min_value <= int(word) <= max_value:
        raise file.error(
            f"{shorten(word)!r}; expected a whole number from {min_value} to {max_value}", line
        )
    return int(word)
