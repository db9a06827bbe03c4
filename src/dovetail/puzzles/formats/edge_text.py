"""Edge-matching text: `W H`, then W·H lines `top right bottom left`, 0 being the frame.

    2 2
    0 0 1 1       # the first tile: top and right on the frame
    …

Blank lines and what follows a `#` are passed over. The first line has other forms:

* `bounded signed W H`: words before the size, each at most once. `bounded` says that there is
  a frame, as there always is; `signed` that colours meet their negatives, `unsigned` not;
* `0`: a mark that some files begin with, without a meaning; the tiles make a square;
* four numbers: it is already the first tile, and the tiles make a square.

Files whose tiles do not make a square state their size, and the sides may come in another
order, when asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from math import isqrt

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.files.text_file import TextFile
from dovetail.models.edges import EdgePuzzle, Tile
from dovetail.puzzles.formats.base import PuzzleFormat

MAX_SIDE = 256
LARGEST_COLOUR = 999_999_999
SIDES = {"t": "top", "r": "right", "b": "bottom", "l": "left"}

MARK = "0"

Lines = Iterator[tuple[int, str]]


class EdgeText(PuzzleFormat[EdgePuzzle]):
    """Edge-matching text: it begins with a number, or a word before the size."""

    name = "edges"
    summary = "edge matching: text, W H and then the colours of each tile"
    suffixes = (".txt",)
    begins = r"[+-]?\d|(?i:(un)?(bounded|signed)\b)(?!\s*=)"  # that is TOML
    first_line = "two numbers"
    writes = EdgePuzzle

    def read(self, file: TextFile) -> tuple[EdgePuzzle, ...]:
        return (read_edge_text(file),)

    def write(self, puzzles: Sequence[EdgePuzzle]) -> str:
        return write_edge_text(*puzzles)


@dataclass(frozen=True)
class _Head:
    """What a file says before its tiles: `size` is None where they make a square."""

    size: tuple[int, int] | None
    signed: bool = False


def read_edge_text(
    file: TextFile,
    *,
    size: tuple[int, int] | None = None,
    header: bool = True,
    sides: str = "trbl",
) -> EdgePuzzle:
    """The puzzle in `file`, named after it.

    A file whose first line says no size makes a square of a square number of tiles, unless
    its `size` (width, height) is given. With `header=False` the first line is a tile whatever
    it looks like. `sides` is the order of the four numbers of a tile, each of the letters
    t r b l once.

    Raises `FormatError` at the first mistake, and `ConfigError` for a size or an order that
    cannot be.
    """
    if sorted(sides) != sorted(SIDES):
        raise ConfigError(f"sides in the order {shorten(sides)!r}; valid: t r b l, each once")
    if size is not None and not _possible(*size):
        raise ConfigError(f"a board of {size[0]} x {size[1]}; valid: sides of 1 to {MAX_SIDE}")
    lines = file.content()
    head = _Head(size)
    if header:
        head, lines = _head(file, lines, size)
    tiles, last = _tiles(file, lines, sides, head)
    size = head.size
    if size is None:
        side = isqrt(len(tiles))
        if not tiles or side**2 != len(tiles):
            raise file.error(
                f"{how_many(len(tiles), 'tile')} and no size; expected a square number, or the "
                "size",
                last,
            )
        size = side, side
    return EdgePuzzle(file.stem, *size, tiles, signed=head.signed)


def write_edge_text(puzzle: EdgePuzzle) -> str:
    """`puzzle` with its size, and the sides of its tiles in the order top right bottom left.

    Raises `PuzzleError` for what the format cannot say: hints, large boards and colours.
    """
    if puzzle.hints:
        raise PuzzleError("edge-matching text does not support hints; use JSON (.json)")
    if not _possible(puzzle.width, puzzle.height):
        raise PuzzleError(
            f"edge-matching text does not support a board of {puzzle.width} x {puzzle.height}; "
            f"expected sides of 1 to {MAX_SIDE}"
        )
    largest = max(abs(colour) for tile in puzzle.tiles for colour in tile)
    if largest > LARGEST_COLOUR:
        raise PuzzleError(f"edge-matching text does not support colours above {LARGEST_COLOUR:,}")
    words = "bounded signed " if puzzle.signed else ""
    tiles = "".join(" ".join(map(str, tile)) + "\n" for tile in puzzle.tiles)
    return f"{words}{puzzle.width} {puzzle.height}\n{tiles}"


def parse_board_size(text: str) -> tuple[int, int]:
    """`8` or `4x5`, height x width, as (width, height); `ConfigError` for anything else."""
    found = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", text)
    if found is None:
        raise ConfigError(f"size {shorten(text)!r}; expected N, or HEIGHTxWIDTH such as 4x5")
    height, width = found[1], found[2] or found[1]
    return int(width), int(height)


def _possible(width: int, height: int) -> bool:
    return 1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE


def _head(file: TextFile, lines: Lines, size: tuple[int, int] | None) -> tuple[_Head, Lines]:
    """What the first line says that says something, and the lines of the tiles."""
    first = next(lines, None)
    line, text = first or (len(file.lines), "")
    words = text.split()
    if words == [MARK]:
        return _Head(size), lines
    if size is not None or (len(words) == 4 and not words[0][0].isalpha()):
        return _Head(size), chain([] if first is None else [first], lines)
    kinds = [word.lower() for word in takewhile(lambda word: word[0].isalpha(), words)]
    signed = _signed(file, line, kinds)
    numbers = words[len(kinds) :]
    if len(numbers) != 2:
        raise file.error(
            f"{shorten(text)!r}; expected width and height, or the four colours of a tile", line
        )
    width, height = (file.integer(number, line, "the size") for number in numbers)
    if not _possible(width, height):
        raise file.error(f"a board of {width} x {height}; expected sides of 1 to {MAX_SIDE}", line)
    return _Head((width, height), signed), lines


def _signed(file: TextFile, line: int, kinds: list[str]) -> bool:
    """Whether the words before the size say that colours are signed."""
    if "unbounded" in kinds:
        raise file.error("an unbounded board; expected a board with a frame (bounded)", line)
    signs = [kind for kind in kinds if kind in ("signed", "unsigned")]
    others = [kind for kind in kinds if kind not in signs]
    if len(signs) > 1 or others not in ([], ["bounded"]):
        raise file.error(
            f"{shorten(' '.join(kinds))!r} before the size; expected bounded, and signed or "
            "unsigned, each at most once",
            line,
        )
    return signs == ["signed"]


def _tiles(file: TextFile, lines: Lines, order: str, head: _Head) -> tuple[tuple[Tile, ...], int]:
    """The tiles, and the last line of the file."""
    if head.size is None:
        max_cells, expected = MAX_SIDE**2, f"at most {MAX_SIDE} · {MAX_SIDE}"
    else:
        max_cells, expected = head.size[0] * head.size[1], f"{head.size[0]} · {head.size[1]}"
    named = " ".join(SIDES[side] for side in order)
    tiles: list[Tile] = []
    for line, text in lines:
        words = text.split()
        if len(words) != 4:
            raise file.error(f"{how_many(len(words), 'number')}; expected four: {named}", line)
        if len(tiles) == max_cells:
            raise file.error(f"too many tiles; expected {expected} = {max_cells} tiles", line)
        numbers = [file.integer(word, line, "a colour") for word in words]
        if min(numbers) < 0 and not head.signed:
            raise file.error(
                f"colour {min(numbers)}; expected 0 (the frame) or more, or a first line "
                "bounded signed W H",
                line,
            )
        top, right, bottom, left = (numbers[order.index(side)] for side in SIDES)
        tiles.append((top, right, bottom, left))
    last = len(file.lines)
    if head.size is not None and len(tiles) < max_cells:
        raise file.error(
            f"the file ends after {how_many(len(tiles), 'tile')}; expected {expected} = "
            f"{max_cells}",
            last,
        )
    return tuple(tiles), last
