"""Edge-matching text: `W H`, then W·H lines `top right bottom left`, 0 being the frame.

    2 2
    0 0 1 1       # the first tile: top and right on the frame
    …

Blank lines and what follows a `#` are passed over. Files without the line of sizes, and with
the sides in another order, are read when asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from dovetail.errors import ConfigError, FormatError, PuzzleError, shorten
from dovetail.models.edges import EdgePuzzle, Tile
from dovetail.puzzles.formats.text_file import TextFile

MOST_SIDE = 256
LARGEST_COLOUR = 999_999_999
SIDES = {"t": "top", "r": "right", "b": "bottom", "l": "left"}


def read_edge_text(
    file: TextFile,
    *,
    size: tuple[int, int] | None = None,
    header: bool = True,
    sides: str = "trbl",
) -> EdgePuzzle:
    """The puzzle in `file`, named after it.

    A file without the line `W H` is read with its `size` (width, height) given, or with
    `header=False`, which makes a square of a square number of tiles. `sides` is the order of
    the four numbers of a tile, each of the letters t r b l once.

    Raises `FormatError` at the first mistake, and `ConfigError` for a size or an order that
    cannot be.
    """
    if sorted(sides) != sorted(SIDES):
        raise ConfigError(f"sides in the order {shorten(sides)!r}; valid: t r b l, each once")
    if size is not None and not _possible(*size):
        raise ConfigError(f"a board of {size[0]} x {size[1]}; valid: sides of 1 to {MOST_SIDE}")
    lines = file.content()
    first = 1
    if header and size is None:
        first, size = _header(file, lines)
    tiles, last = _tiles(file, lines, sides, size)
    if size is None:
        side = isqrt(len(tiles))
        if not tiles or side**2 != len(tiles):
            raise file.error(
                f"{len(tiles)} tiles and no size; expected a square number, or the size", last
            )
        size = side, side
    try:
        return EdgePuzzle(file.path.stem, *size, tiles)
    except PuzzleError as error:
        raise FormatError(str(error), file.path, first) from None


def write_edge_text(puzzle: EdgePuzzle) -> str:
    """`puzzle` with its size, and the sides of its tiles in the order top right bottom left.

    Raises `PuzzleError` for what the format cannot say: hints and signed colours.
    """
    if puzzle.hints:
        raise PuzzleError("edge-matching text cannot say where a tile must lie: it has no hints")
    if puzzle.signed:
        raise PuzzleError("edge-matching text cannot say that colours are signed")
    if not _possible(puzzle.width, puzzle.height):
        raise PuzzleError(
            f"edge-matching text holds no board of {puzzle.width} x {puzzle.height}, "
            f"only sides of 1 to {MOST_SIDE}"
        )
    largest = max(max(tile) for tile in puzzle.tiles)
    if largest > LARGEST_COLOUR:
        raise PuzzleError(f"edge-matching text holds no colour beyond {LARGEST_COLOUR:,}")
    rows = [(puzzle.width, puzzle.height), *puzzle.tiles]
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def parse_board_size(text: str) -> tuple[int, int]:
    """`8` or `4x5`, height x width, as (width, height); `ConfigError` for anything else."""
    found = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", text)
    if found is None:
        raise ConfigError(f"size {shorten(text)!r}; expected N, or HEIGHTxWIDTH such as 4x5")
    height, width = found[1], found[2] or found[1]
    return int(width), int(height)


def _possible(width: int, height: int) -> bool:
    return 1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE


def _header(file: TextFile, lines: Iterator[tuple[int, str]]) -> tuple[int, tuple[int, int]]:
    """The first line that says something, and the size it says."""
    line, text = next(lines, (len(file.lines), ""))
    words = text.split()
    if len(words) != 2:
        raise file.error(f"{shorten(text)!r}; expected two numbers: width height", line)
    width, height = (file.integer(word, line, "the size") for word in words)
    if not _possible(width, height):
        raise file.error(f"a board of {width} x {height}; expected sides of 1 to {MOST_SIDE}", line)
    return line, (width, height)


def _tiles(
    file: TextFile,
    lines: Iterator[tuple[int, str]],
    order: str,
    size: tuple[int, int] | None,
) -> tuple[tuple[Tile, ...], int]:
    """The tiles, and the last line of the file."""
    if size is None:
        most, expected = MOST_SIDE**2, f"at most {MOST_SIDE} · {MOST_SIDE}"
    else:
        most, expected = size[0] * size[1], f"{size[0]} · {size[1]}"
    named = " ".join(SIDES[side] for side in order)
    tiles: list[Tile] = []
    for line, text in lines:
        words = text.split()
        if len(words) != 4:
            raise file.error(f"{len(words)} numbers; expected four: {named}", line)
        if len(tiles) == most:
            raise file.error(f"a tile too many; expected {expected} = {most} tiles", line)
        numbers = [file.integer(word, line, "a colour") for word in words]
        if min(numbers) < 0:
            raise file.error(f"colour {min(numbers)}; expected 0 (the frame) or more", line)
        top, right, bottom, left = (numbers[order.index(side)] for side in SIDES)
        tiles.append((top, right, bottom, left))
    last = len(file.lines)
    if size is not None and len(tiles) < most:
        raise file.error(
            f"the file ends after {len(tiles)} tiles; expected {expected} = {most}", last
        )
    return tuple(tiles), last
