"""From a URL to the board it shows, and back; see the package for the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase, digits
from urllib.parse import quote, unquote

from dovetail.errors import FormatError, PuzzleError, shorten
from dovetail.files.text_file import LONGEST_LINE, TextFile
from dovetail.models.edges import BORDER, EdgePuzzle, Tile, turned
from dovetail.printable import is_printable

VIEWER = "https://e2.bucas.name/"
ETERNITY2_VIEWER = "https://eternity2.dev/viewer"
# The order that most solvers of the community write: b, c, … without a gap.
MOTIFS_ORDER = "jblackwood"
BEGINS = r"https?://"
MAX_TILES = 999
LARGEST_COLOUR = len(ascii_lowercase) - 1

REQUIRED = ("board_w", "board_h", "board_edges")
SQUARE = "puzzle_size"  # in place of width and height
KEYS = ("puzzle", SQUARE, *REQUIRED, "board_pieces", "hints")
_HINT = re.compile(r"([0-9]{1,6})\.([0-3])")
EMPTY = (BORDER,) * 4

Position = tuple[int, int]


@dataclass(frozen=True)
class ViewerBoard:
    """What a URL shows. Position (0, 0) is at the bottom left, as everywhere.

    `sides` has what the tile in each cell shows: top, right, bottom, left. `tiles` has the
    numbers of these tiles, from 0, where the URL tells them. Both are in the order of the URL,
    and empty cells are left out. `hints` has the cells of tiles that the URL calls hints, and by
    how many quarter turns anticlockwise these are turned. `name` is None where the URL has none.
    """

    name: str | None
    width: int
    height: int
    sides: dict[Position, Tile]
    tiles: dict[Position, int] | None
    hints: dict[Position, int] = field(default_factory=dict)

    def empty_cell(self) -> Position | None:
        """The first cell without a tile."""
        cells = reading_order(self.width, self.height)
        return next((cell for cell in cells if cell not in self.sides), None)


def reading_order(width: int, height: int) -> Iterator[Position]:
    """The cells as a URL goes through them: from the top left to the right and down."""
    return ((x, y) for y in reversed(range(height)) for x in range(width))


def read_boards(file: TextFile) -> Iterator[tuple[int, ViewerBoard]]:
    """The boards of the URLs in `file`, and their lines; `FormatError` at the first mistake."""
    for number, text in enumerate(file.lines, start=1):
        line = text.strip()
        if line and not line.startswith("#"):
            yield number, _Url(file, number, line).board()


def url_of(puzzle: EdgePuzzle, laid: Mapping[Position, tuple[int, int]]) -> str:
    """The URL of a board: `laid` has the tile in each cell, and how often it is turned.

    Cells that it leaves out are empty. The puzzle is a showable one.
    """
    values = {
        "puzzle": quote(puzzle.name, safe=""),
        "board_w": puzzle.width,
        "board_h": puzzle.height,
        "board_edges": edge_letters(puzzle, laid),
        "board_pieces": tile_digits(puzzle, laid),
        "motifs_order": MOTIFS_ORDER,
    }
    return f"{VIEWER}#" + "&".join(f"{key}={value}" for key, value in values.items())


def eternity2_url_of(puzzle: EdgePuzzle, laid: Mapping[Position, tuple[int, int]]) -> str:
    """The same URL for the viewer of eternity2.dev, with the puzzle's hints.

    Hinted tiles lie where their hints say.
    """
    width, height = puzzle.width, puzzle.height
    size = {SQUARE: width} if width == height else {"board_w": width, "board_h": height}
    values = {
        "puzzle": quote(puzzle.name, safe=""),
        **size,
        "board_edges": edge_letters(puzzle, laid),
        "board_pieces": tile_digits(puzzle, laid),
    }
    if puzzle.hints:
        values["hints"] = "-".join(
            f"{(height - 1 - hint.y) * width + hint.x}.{-hint.rotation % 4}"
            for hint in puzzle.hints
        )
    return f"{ETERNITY2_VIEWER}?" + "&".join(f"{key}={value}" for key, value in values.items())


def edge_letters(puzzle: EdgePuzzle, laid: Mapping[Position, tuple[int, int]]) -> str:
    """Four letters for each cell of a board in reading order, `aaaa` for an empty one."""
    cells = (laid.get(cell) for cell in reading_order(puzzle.width, puzzle.height))
    shown = (EMPTY if one is None else turned(puzzle.tiles[one[0]], one[1]) for one in cells)
    return "".join(ascii_lowercase[colour] for sides in shown for colour in sides)


def tile_digits(puzzle: EdgePuzzle, laid: Mapping[Position, tuple[int, int]]) -> str:
    """Three digits for each cell of a board in reading order, `000` for an empty one."""
    cells = (laid.get(cell) for cell in reading_order(puzzle.width, puzzle.height))
    return "".join("000" if one is None else f"{one[0] + 1:03}" for one in cells)


def check_showable(puzzle: EdgePuzzle) -> None:
    """Raises `PuzzleError` for a puzzle whose name or tiles a URL cannot show."""
    if not is_printable(puzzle.name):
        raise PuzzleError(
            f"the name {puzzle.name!a} is not printable; expected a printable name in a URL"
        )
    name = quote(puzzle.name, safe="")
    if len(name) > LONGEST_LINE // 2:
        raise PuzzleError(f"the name has {len(name):,} characters in a URL, too many for a line")
    if puzzle.signed:
        raise PuzzleError("a viewer URL does not support signed colours")
    largest = max(map(max, puzzle.tiles))
    if largest > LARGEST_COLOUR:
        raise PuzzleError(f"a viewer URL supports colours up to {LARGEST_COLOUR}, not {largest}")
    if len(puzzle.tiles) > MAX_TILES:
        raise PuzzleError(
            f"a viewer URL supports at most {MAX_TILES} tiles, not {len(puzzle.tiles):,}"
        )


class _Url:
    """One URL of a file: its keys and values."""

    def __init__(self, file: TextFile, line: int, text: str) -> None:
        self._file, self._line = file, line
        if not re.match(BEGINS, text):
            raise self._error(f"{shorten(text)!r}; expected a URL: http:// or https://")
        # After the first `#`, or else after the first `?`.
        _, _, query = text.partition("#" if "#" in text else "?")
        self._values: dict[str, str] = {}
        for member in query.split("&"):
            key, _, value = member.partition("=")
            if key in self._values:
                raise self._error(f"{key} twice in the URL; expected it once")
            if key in KEYS:
                self._values[key] = unquote(value)
        if SQUARE in self._values:
            for key in ("board_w", "board_h"):
                self._values.setdefault(key, self._values[SQUARE])
        for key in REQUIRED:
            if key not in self._values:
                raise self._error(
                    f"no {key} in the URL; expected {', '.join(REQUIRED)}, or {SQUARE} for the "
                    "first two"
                )

    def board(self) -> ViewerBoard:
        """The board that the URL shows."""
        width, height = self._side("board_w"), self._side("board_h")
        words = self._words("board_edges", width, height, 4, ascii_lowercase)
        sides = {cell: _sides(word) for cell, word in words}
        name = self._values.get("puzzle")
        if name is not None:
            self._file.check_name(name, self._line)
        if "board_pieces" not in self._values:
            single = width == height == 1  # whose only tile looks like an empty cell
            filled = {cell: shown for cell, shown in sides.items() if shown != EMPTY or single}
            hints = self._hints(width, height, filled)
            return ViewerBoard(name, width, height, filled, None, hints)
        words = self._words("board_pieces", width, height, 3, digits)
        tiles = {cell: int(word) - 1 for cell, word in words if int(word)}
        for cell, shown in sides.items():
            if shown != EMPTY and cell not in tiles:
                raise self._error(f"cell {cell} shows tile number 000; expected 001 or higher")
        filled = {cell: sides[cell] for cell in tiles}
        hints = self._hints(width, height, filled)
        return ViewerBoard(name, width, height, filled, tiles, hints)

    def _hints(
        self, width: int, height: int, filled: Mapping[Position, Tile]
    ) -> dict[Position, int]:
        """The cells of hints, each with the quarter turns of its tile."""
        hints = dict[Position, int]()
        words = self._values.get("hints", "")
        for word in words.split("-") if words else ():
            found = _HINT.fullmatch(word)
            if found is None:
                raise self._error(f"hint {shorten(word)!r}; expected cell.turns, as in 135.2")
            if int(found[1]) >= width * height:
                raise self._error(f"hint {word}: expected a cell from 0 to {width * height - 1}")
            row, column = divmod(int(found[1]), width)
            cell = column, height - 1 - row
            if cell in hints:
                raise self._error(f"hint {word}: cell {cell} has two hints; expected one")
            if cell not in filled:
                raise self._error(f"hint {word}: cell {cell} is empty; expected a tile")
            hints[cell] = -int(found[2]) % 4
        return hints

    def _side(self, key: str) -> int:
        value = self._file.integer(self._values[key], self._line, key)
        if value < 1:
            raise self._error(f"{key} is {value}; expected 1 or more")
        return value

    def _words(
        self, key: str, width: int, height: int, length: int, alphabet: str
    ) -> Iterator[tuple[Position, str]]:
        """The cells, each with its part of a value: `length` marks of the `alphabet`."""
        value = self._values[key]
        if len(value) != length * width * height:
            raise self._error(
                f"{key} has {len(value):,} characters; expected {length} for each of "
                f"{width} x {height} cells"
            )
        for mark in value:
            if mark not in alphabet:
                raise self._error(f"{key} has {mark!r}; expected {alphabet[0]} to {alphabet[-1]}")
        for number, cell in enumerate(reading_order(width, height)):
            yield cell, value[number * length : (number + 1) * length]

    def _error(self, message: str) -> FormatError:
        return self._file.error(message, self._line)


def _sides(word: str) -> Tile:
    top, right, bottom, left = map(ascii_lowercase.index, word)
    return top, right, bottom, left
