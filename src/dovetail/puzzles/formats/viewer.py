"""URLs of the community's viewers of Eternity boards: puzzles, solutions and boards.

    https://e2.bucas.name/#puzzle=NAME&board_w=2&board_h=2&board_edges=aaba…&board_pieces=001…
    https://eternity2.dev/viewer?puzzle=NAME&puzzle_size=2&board_edges=aaba…&hints=2.1-3.0

After `#` (or `?`) come keys with values, joined by `&`, in any order:

* `puzzle`: the name, percent-encoded, optional.
* `board_w`, `board_h`: the size, or `puzzle_size` for both.
* `board_edges`: four letters per cell for its top, right, bottom and left. `a` is the frame
  (colour 0), `b` colour 1, …, and `aaaa` an empty cell.
* `board_pieces`: three digits per cell, the number of its tile from 1, or `000` for an empty
  cell. Optional.
* `hints`, of eternity2.dev only: `CELL.TURNS` for each hinted tile, joined by `-`. CELL is the
  number of its cell, from 0, and TURNS its quarter turns clockwise. Optional.
* `motifs_order`: the choice of a drawing for each letter, ignored.

Cells go row by row, from the top left to the right and down. Other keys are ignored. A file has one
URL per line; blank lines and lines that begin with `#` are ignored.

A puzzle is read from the tiles of a board, which need not match. Its tiles are turned as they are
shown, and are in the order of their numbers if the URL has numbers, otherwise in the order of the
cells. A hinted tile is turned back by its hint. A puzzle is written with its hinted tiles in their
cells, turned as hinted. The other tiles follow in their order from the top left, not turned, so
that the URL is read as the same puzzle. A solution or a board is the board that the URL shows.

Source: the URLs of the viewers and of the community's solvers; the modules `format.rs` and
`bucas.ts` of eternity2.dev (github.com/raphael-anjou/eternity2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase, digits
from typing import TypeVar
from urllib.parse import quote, unquote

from dovetail.errors import PuzzleError, how_many, shorten
from dovetail.files.text_file import LONGEST_LINE, TextFile, check_name, whole_number
from dovetail.models.boards.edges import BORDER, EdgePuzzle, Hint, Tile, canonical_turn, turned
from dovetail.models.boards.partial_board import Laid, PartialBoard
from dovetail.models.solution import EdgeSolution, Solution
from dovetail.models.task import Puzzle
from dovetail.puzzles.formats.base import Format, UnboundedWriter, check_plain

VIEWER = "https://e2.bucas.name/"
ETERNITY2_VIEWER = "https://eternity2.dev/viewer"
# Name of the drawings for boards whose letters b, c, … have no gap, as in URLs of most solvers.
MOTIFS_ORDER = "jblackwood"
BEGINS = r"https?://"
MAX_TILES = 999
MAX_SIDE = LONGEST_LINE // 4  # each cell has four letters
LARGEST_COLOUR = len(ascii_lowercase) - 1

REQUIRED = ("board_w", "board_h", "board_edges")
SQUARE = "puzzle_size"  # key that stands for board_w and board_h
KEYS = ("puzzle", SQUARE, *REQUIRED, "board_pieces", "hints")
WORD_LENGTHS = {"board_edges": 4, "board_pieces": 3}  # number of characters for a cell
_HINT = re.compile(r"([0-9]{1,6})\.([0-3])")
EMPTY = (BORDER,) * 4

Position = tuple[int, int]
Result = TypeVar("Result")


class Viewer(Format):
    """URLs of e2.bucas.name; URLs of eternity2.dev can be read, too."""

    name = "viewer"
    summary = "edge matching: URLs of the viewer e2.bucas.name"
    suffixes = (".url",)
    begins = BEGINS
    first_line = "http"
    several = holds_solutions = holds_boards = True
    shows_hints = False  # whether URLs have hints
    puzzle_type = EdgePuzzle

    def recognise(self, file: TextFile, puzzle: Puzzle | None = None) -> bool:
        return isinstance(puzzle, EdgePuzzle | None) and super().recognise(file)

    def read_puzzles(self, file: TextFile) -> Sequence[EdgePuzzle]:
        return [puzzle for _, puzzle in _read_urls(file, partial(_puzzle, file.stem))]

    def read_boards(self, file: TextFile, puzzle: EdgePuzzle) -> Iterator[tuple[int, PartialBoard]]:
        return _read_urls(file, partial(_partial_board, puzzle))

    def write_puzzles(self, puzzles: Sequence[EdgePuzzle]) -> str:
        """Return a URL for each puzzle.

        Raises `PuzzleError` for puzzles that a URL cannot express: signed colours or variants,
        colours above 25, more than 999 tiles, names that are too long or not printable, and hints
        except for eternity2.dev.
        """
        for puzzle in puzzles:
            if puzzle.hints and not self.shows_hints:
                raise PuzzleError(
                    "a URL of e2.bucas.name does not support hints; use one of eternity2.dev "
                    "(.e2.url) or JSON (.json)"
                )
            check_showable(puzzle)
        return "".join(self._url(puzzle, _tiles_in_order(puzzle)) + "\n" for puzzle in puzzles)

    def write_boards(self, puzzle: EdgePuzzle, boards: Sequence[PartialBoard]) -> str:
        check_showable(puzzle)
        return "".join(self._url(puzzle, board.laid) + "\n" for board in boards)

    def solution_writer(self, puzzle: Puzzle, source: TextFile | None) -> UnboundedWriter:
        if not isinstance(puzzle, EdgePuzzle):
            raise PuzzleError(
                f"a viewer URL shows boards; {puzzle.name} is not an edge-matching puzzle"
            )
        check_showable(puzzle)
        return UnboundedWriter(
            "", lambda _, solution: self._url(puzzle, _laid(puzzle, solution)) + "\n"
        )

    def _url(self, puzzle: EdgePuzzle, laid: Mapping[Position, Laid]) -> str:
        size = f"board_w={puzzle.width}&board_h={puzzle.height}"
        return f"{VIEWER}#{_content(puzzle, laid, size)}&motifs_order={MOTIFS_ORDER}"


class Eternity2Viewer(Viewer):
    """URLs of eternity2.dev, which show hints; URLs of e2.bucas.name can be read, too."""

    name = "eternity2-viewer"
    summary = "edge matching: URLs of the viewer of eternity2.dev, with hints"
    suffixes = (".e2.url",)
    begins = r"https?://eternity2\.dev/"
    shows_hints = True

    def _url(self, puzzle: EdgePuzzle, laid: Mapping[Position, Laid]) -> str:
        return eternity2_url_of(puzzle, laid)


def eternity2_url_of(puzzle: EdgePuzzle, laid: Mapping[Position, Laid]) -> str:
    """Return the URL of a board for the viewer of eternity2.dev, with the puzzle's hints."""
    width, height = puzzle.width, puzzle.height
    size = f"{SQUARE}={width}" if width == height else f"board_w={width}&board_h={height}"
    places = (hint_place(puzzle, hint) for hint in puzzle.hints)
    hints = "-".join(f"{number}.{turns}" for number, turns in places)
    return f"{ETERNITY2_VIEWER}?{_content(puzzle, laid, size)}" + (hints and f"&hints={hints}")


def hint_place(puzzle: EdgePuzzle, hint: Hint) -> tuple[int, int]:
    """Return the number of a hint's cell in reading order, and its quarter turns clockwise."""
    return (puzzle.height - 1 - hint.y) * puzzle.width + hint.x, -hint.rotation % 4


def _content(puzzle: EdgePuzzle, laid: Mapping[Position, Laid], size: str) -> str:
    """Return the keys and values of a board in a URL; cells without a tile in `laid` are empty."""
    return (
        f"puzzle={quote(puzzle.name, safe='')}&{size}"
        f"&board_edges={edge_letters(puzzle, laid)}&board_pieces={tile_digits(puzzle, laid)}"
    )


def reading_order(width: int, height: int) -> Iterator[Position]:
    """Yield the cells of a board in the order of a URL: from the top left to the right and down."""
    return ((x, y) for y in reversed(range(height)) for x in range(width))


def edge_letters(puzzle: EdgePuzzle, laid: Mapping[Position, Laid]) -> str:
    """Return four letters for each cell of a board in reading order, `aaaa` for an empty cell."""
    cells = (laid.get(cell) for cell in reading_order(puzzle.width, puzzle.height))
    shown = (EMPTY if tile is None else turned(puzzle.tiles[tile[0]], tile[1]) for tile in cells)
    return "".join(ascii_lowercase[colour] for sides in shown for colour in sides)


def tile_digits(puzzle: EdgePuzzle, laid: Mapping[Position, Laid]) -> str:
    """Return three digits for each cell of a board in reading order, `000` for an empty cell."""
    cells = (laid.get(cell, (-1, 0)) for cell in reading_order(puzzle.width, puzzle.height))
    return "".join(f"{tile + 1:03}" for tile, _ in cells)


def check_showable(puzzle: EdgePuzzle) -> None:
    """Raise `PuzzleError` for a puzzle whose name, tiles or variants a URL cannot show."""
    check_name(puzzle.name)
    name = quote(puzzle.name, safe="")
    if len(name) > LONGEST_LINE // 2:
        raise PuzzleError(f"the name has {len(name):,} characters in a URL, too many for a line")
    check_plain(puzzle, "a viewer URL")
    largest = max(map(max, puzzle.tiles))
    if largest > LARGEST_COLOUR:
        raise PuzzleError(f"a viewer URL supports colours up to {LARGEST_COLOUR}, not {largest}")
    if len(puzzle.tiles) > MAX_TILES:
        raise PuzzleError(
            f"a viewer URL supports at most {MAX_TILES} tiles, not {len(puzzle.tiles):,}"
        )


def _tiles_in_order(puzzle: EdgePuzzle) -> dict[Position, Laid]:
    """Return hinted tiles in their cells, and the other tiles in reading order, not turned."""
    laid = {(hint.x, hint.y): (hint.tile, hint.rotation) for hint in puzzle.hints}
    cells = (cell for cell in reading_order(puzzle.width, puzzle.height) if cell not in laid)
    hinted = {hint.tile for hint in puzzle.hints}
    others = (tile for tile in range(len(puzzle.tiles)) if tile not in hinted)
    return laid | {cell: (tile, 0) for tile, cell in zip(others, cells, strict=True)}


def _laid(puzzle: EdgePuzzle, solution: Solution) -> dict[Position, Laid]:
    """Return the laid tiles of a solution; raise `PuzzleError` for an unknown tile or rotation."""
    assert isinstance(solution, EdgeSolution)
    laid = PartialBoard(solution.cells).laid
    for cell, (tile, rotation) in laid.items():
        if not (0 <= tile < len(puzzle.tiles) and 0 <= rotation < 4):
            raise PuzzleError(f"tile {tile} with rotation {rotation} cannot be at {cell}")
    return laid


@dataclass(frozen=True)
class _Shown:
    """The board of a URL, its cells in the order of the URL."""

    name: str | None
    width: int
    height: int
    # Colours on top, right, bottom and left of each cell that is not empty.
    sides: dict[Position, Tile]
    # Number of the tile in each cell that is not empty, from 0; None if the URL has no numbers.
    tiles: dict[Position, int] | None
    # Quarter turns anticlockwise of the tile in each hinted cell.
    hints: dict[Position, int]


def _read_urls(file: TextFile, read: Callable[[_Shown], Result]) -> Iterator[tuple[int, Result]]:
    """Yield the line of each URL, and the result of reading its board."""
    for line, text in enumerate(map(str.strip, file.lines), start=1):
        if text and not text.startswith("#"):
            with file.at(line):
                result = read(_board(_values(text)))
            yield line, result


def _values(url: str) -> dict[str, str]:
    """Return the percent-decoded values of a URL by known key.

    `puzzle_size` also gives `board_w` and `board_h`. Raises `PuzzleError` for a text that is not a
    URL, and for a key that is missing or repeated.
    """
    if not re.match(BEGINS, url):
        raise PuzzleError(f"{shorten(url)!r}; expected a URL: http:// or https://")
    # The keys follow the first `#`, or else the first `?`.
    _, _, query = url.partition("#" if "#" in url else "?")
    values: dict[str, str] = {}
    for key, _, value in (member.partition("=") for member in query.split("&")):
        if key in values:
            raise PuzzleError(f"{key} twice in the URL; expected it once")
        if key in KEYS:
            values[key] = unquote(value)
    if SQUARE in values:
        values = {"board_w": values[SQUARE], "board_h": values[SQUARE]} | values
    for key in REQUIRED:
        if key not in values:
            raise PuzzleError(
                f"no {key} in the URL; expected {', '.join(REQUIRED)} ({SQUARE} for the first two)"
            )
    return values


def _board(values: Mapping[str, str]) -> _Shown:
    """Return the board that the values of a URL show."""
    width, height = (whole_number(values[key], key, (1, MAX_SIDE)) for key in REQUIRED[:2])
    sides = {
        cell: tuple(map(ascii_lowercase.index, word))
        for cell, word in _words(values, "board_edges", width, height, ascii_lowercase)
    }
    if "puzzle" in values:
        check_name(values["puzzle"])
    tiles: dict[Position, int] | None = None
    if "board_pieces" in values:
        words = _words(values, "board_pieces", width, height, digits)
        tiles = {cell: int(word) - 1 for cell, word in words if int(word)}
        for cell, tile in sides.items():
            if tile != EMPTY and cell not in tiles:
                raise PuzzleError(f"cell {cell} shows tile number 000; expected 001 or higher")
        sides = {cell: sides[cell] for cell in tiles}
    elif width * height > 1:  # the only tile of a board of one cell looks like an empty cell
        sides = {cell: tile for cell, tile in sides.items() if tile != EMPTY}
    hints = _hints(values.get("hints", ""), width, height, sides)
    return _Shown(values.get("puzzle"), width, height, sides, tiles, hints)


def _hints(
    text: str, width: int, height: int, sides: Mapping[Position, Tile]
) -> dict[Position, int]:
    """Return the quarter turns anticlockwise of each hinted tile, by its cell."""
    hints = dict[Position, int]()
    for word in text.split("-") if text else ():
        found = _HINT.fullmatch(word)
        if found is None:
            raise PuzzleError(f"hint {shorten(word)!r}; expected cell.turns, as in 135.2")
        row, column = divmod(int(found[1]), width)
        cell = column, height - 1 - row
        if row >= height:
            raise PuzzleError(f"hint {word}: expected a cell from 0 to {width * height - 1}")
        if cell in hints:
            raise PuzzleError(f"hint {word}: cell {cell} has two hints; expected one")
        if cell not in sides:
            raise PuzzleError(f"hint {word}: cell {cell} is empty; expected a tile")
        hints[cell] = -int(found[2]) % 4
    return hints


def _words(
    values: Mapping[str, str], key: str, width: int, height: int, alphabet: str
) -> Iterator[tuple[Position, str]]:
    """Yield each cell with its characters in the value of `key`, which are in `alphabet`."""
    value, length = values[key], WORD_LENGTHS[key]
    if len(value) != length * width * height:
        raise PuzzleError(
            f"{key} has {len(value):,} characters; expected {length} for each of "
            f"{width} x {height} cells"
        )
    bad = next((mark for mark in value if mark not in alphabet), None)
    if bad is not None:
        raise PuzzleError(f"{key} has {bad!r}; expected {alphabet[0]} to {alphabet[-1]}")
    for number, cell in enumerate(reading_order(width, height)):
        yield cell, value[number * length : (number + 1) * length]


def _puzzle(stem: str, board: _Shown) -> EdgePuzzle:
    """Return the puzzle of a full board, with the name in the URL or else the file's `stem`."""
    for cell in reading_order(board.width, board.height):
        if cell not in board.sides:
            raise PuzzleError(
                f"cell {cell} is empty, so its tile is unknown; expected a full board"
            )
    count = len(board.sides)
    tiles = board.tiles or {cell: tile for tile, cell in enumerate(board.sides)}
    cells: dict[int, Position] = {}
    for cell, tile in tiles.items():
        if tile >= count or tile in cells:
            raise PuzzleError(
                f"cell {cell} has tile number {tile + 1:03}; expected the numbers 001 to "
                f"{count:03}, each once"
            )
        cells[tile] = cell
    turns = {cell: -board.hints.get(cell, 0) % 4 for cell in tiles}
    return EdgePuzzle(
        stem if board.name is None else board.name,
        board.width,
        board.height,
        tuple(turned(board.sides[cell], turns[cell]) for _, cell in sorted(cells.items())),
        tuple(Hint(*cell, tiles[cell], rotation) for cell, rotation in board.hints.items()),
    )


def _partial_board(puzzle: EdgePuzzle, shown: _Shown) -> PartialBoard:
    """Return the board that a URL shows.

    If the URL has no numbers, tiles are recognised by their sides. A hinted tile is assigned to its
    cell, and other identical tiles in ascending order to their cells in the order of the URL.
    Raises `PuzzleError` for a board of another size, and for a cell whose sides do not match the
    tile with its number or any remaining tile.
    """
    if (shown.width, shown.height) != (puzzle.width, puzzle.height):
        raise PuzzleError(
            f"the size of the board is not {puzzle.width} x {puzzle.height}; expected a board of "
            f"{puzzle.name}"
        )
    tiles = _tiles_by_sides(puzzle, shown) if shown.tiles is None else shown.tiles
    laid = {cell: (tile, _rotation(puzzle, shown, tile, cell)) for cell, tile in tiles.items()}
    columns = range(puzzle.width)
    return PartialBoard(
        tuple(tuple(laid.get((x, y)) for x in columns) for y in range(puzzle.height))
    )


def _rotation(puzzle: EdgePuzzle, shown: _Shown, tile: int, cell: Position) -> int:
    """Return the rotation in which `tile` shows the sides of `cell`."""
    if tile >= len(puzzle.tiles):
        raise PuzzleError(
            f"cell {cell} has tile number {tile + 1}; "
            f"the puzzle has {how_many(len(puzzle.tiles), 'tile')}"
        )
    for rotation in range(4):
        if turned(puzzle.tiles[tile], rotation) == shown.sides[cell]:
            return rotation
    raise PuzzleError(f"cell {cell} shows sides that tile number {tile + 1} does not have")


def _tiles_by_sides(puzzle: EdgePuzzle, shown: _Shown) -> dict[Position, int]:
    unused: dict[Tile, list[int]] = {}
    for number, tile in enumerate(puzzle.tiles):
        unused.setdefault(canonical_turn(tile), []).append(number)
    alike = {cell: unused.get(canonical_turn(sides), []) for cell, sides in shown.sides.items()}
    known: dict[Position, int] = {}
    for hint in puzzle.hints:
        cell = hint.x, hint.y
        if hint.tile in alike.get(cell, ()):
            alike[cell].remove(hint.tile)
            known[cell] = hint.tile
    for cell, numbers in alike.items():
        if cell not in known:
            if not numbers:
                raise PuzzleError(f"cell {cell} shows sides that no remaining tile has")
            known[cell] = numbers.pop(0)
    return known
