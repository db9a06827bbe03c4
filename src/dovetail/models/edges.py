"""Edge-matching puzzles: square tiles in a frame, equal colours on either side of an edge.

Also the geometry of the board, the frame, and orders of the cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import product

from dovetail.errors import ConfigError, PuzzleError, how_many, shorten
from dovetail.models.arrays import content_digest
from dovetail.printable import Shown, printable


class TileClass(StrEnum):
    """Class of cells by their sides on the frame, and of tiles by their sides with its colour.

    Turning does not change the class. `INNER`: none; `BORDER`: one; `CORNER`: two that meet;
    `PASSAGE`: two opposite sides; `END`: three; `LONE`: four. The last three occur on boards with a
    single row or column.
    """

    CORNER = "corner"
    BORDER = "border"
    INNER = "inner"
    END = "end"
    PASSAGE = "passage"
    LONE = "lone"


class Place(StrEnum):
    """Position of an edge between two cells: ending at the frame or away from it."""

    AT_FRAME = "ending at the frame"
    AWAY = "away from the frame"


def class_of_tile(tile: Tile) -> TileClass:
    """Return the class of the cells that a tile fits."""
    return class_of_frame(frame_of(tile))


def frame_of(shown: Tile) -> Frame:
    """Return the sides that have to lie on the frame for a tile that shows these colours."""
    north, east, south, west = (colour == BORDER for colour in shown)
    return north, east, south, west


def class_of_frame(frame: Frame) -> TileClass:
    """Return the class of cells with these sides on the frame, equal for all turns."""
    match sum(frame):
        case 0:
            return TileClass.INNER
        case 1:
            return TileClass.BORDER
        case 2:
            return TileClass.PASSAGE if frame[NORTH] == frame[SOUTH] else TileClass.CORNER
        case 3:
            return TileClass.END
        case _:
            return TileClass.LONE


def tiles_by_class(puzzle: EdgePuzzle) -> Counter[TileClass]:
    """Count the tiles of each class; classes without any are left out."""
    return Counter(map(class_of_tile, puzzle.tiles))


def cells_by_class(puzzle: EdgePuzzle) -> Counter[TileClass]:
    """Count the cells of each class; classes without any are left out."""
    width, height = puzzle.width, puzzle.height
    if width > 1 and height > 1:
        inner = (width - 2) * (height - 2)
        cells = {
            TileClass.CORNER: 4,
            TileClass.BORDER: width * height - 4 - inner,
            TileClass.INNER: inner,
        }
    elif width * height > 1:
        cells = {TileClass.END: 2, TileClass.PASSAGE: width * height - 2}
    else:
        cells = {TileClass.LONE: 1}
    return +Counter(cells)


def edges_by_place(puzzle: EdgePuzzle) -> dict[Place, int]:
    """Return the numbers of edges between two cells by place."""
    width, height = puzzle.width, puzzle.height
    at_frame = (width - 1) * min(height, 2) + (height - 1) * min(width, 2)
    every = (width - 1) * height + (height - 1) * width
    return {Place.AT_FRAME: at_frame, Place.AWAY: every - at_frame}


def colours_facing(tile: Tile, place: Place) -> list[int]:
    """Return the colours of the sides that face edges of a place, with repetition."""
    return [
        colour
        for side, colour in enumerate(tile)
        if colour != BORDER
        and (BORDER in (tile[side - 1], tile[(side + 1) % 4])) == (place == Place.AT_FRAME)
    ]


def sides_facing(puzzle: EdgePuzzle, place: Place) -> Counter[int]:
    """Count the sides of all tiles that face edges of a place, by colour, least colour first."""
    shown = Counter(colour for tile in puzzle.tiles for colour in colours_facing(tile, place))
    return Counter({colour: shown[colour] for colour in sorted(shown, key=_by_size)})


def _by_size(colour: int) -> tuple[int, int]:
    """Return the sort key of a colour, for the order 1, −1, 2, −2 and so on."""
    return abs(colour), -colour


Tile = tuple[int, int, int, int]

BORDER = 0
LARGEST_COLOUR = 1_000_000_000
NORTH, EAST, SOUTH, WEST = range(4)


@dataclass(frozen=True, repr=False)
class Hint(Shown):
    """Tile number `tile`, turned by `rotation`, lies at column `x`, row `y` (from the bottom).

    >>> tiles = (0, 1, 0, 0), (0, 0, 0, 1)
    >>> wrong = EdgePuzzle("pair", 2, 1, tiles, hints=(Hint(x=0, y=0, tile=0, rotation=2),))
    >>> has_solution(wrong)  # colour 1 would lie on the frame
    False
    """

    x: int
    y: int
    tile: int
    rotation: int


@dataclass(frozen=True, repr=False)
class EdgePuzzle(Shown):
    """A board of `width` x `height` cells and as many tiles.

    A tile is (north, east, south, west); rotation r makes side s show `tile[(s + r) % 4]`, a
    quarter turn anticlockwise for each step. Colour 0 belongs to the frame: exactly the sides on
    the frame show it. Colours on the two sides of an inner edge must be equal or, in a `signed`
    puzzle, each other's negative. Cell (0, 0) is at the bottom left.

    Raises `PuzzleError` for a tile without four sides, a negative colour in an unsigned puzzle, a
    number of tiles that is not width · height, or a hint outside the board.

    >>> count(EdgePuzzle("pair", 2, 1, ((0, 1, 0, 0), (0, 0, 0, 1)))).count
    1
    """

    name: str
    width: int
    height: int
    tiles: tuple[Tile, ...]
    hints: tuple[Hint, ...] = ()
    signed: bool = False

    def __str__(self) -> str:
        return f"{shorten(printable(self.name))}: edge matching, {self.sizes}"

    @property
    def sizes(self) -> str:
        """The size of the board and the numbers of colours and hints, in words."""
        colours = {abs(colour) for tile in self.tiles for colour in tile}
        return (
            f"{self.width} wide, {self.height} high, "
            f"{how_many(len(colours), 'colour')} including the frame's, "
            f"{how_many(len(self.hints), 'hint')}{', signed colours' if self.signed else ''}"
        )

    def __post_init__(self) -> None:
        tiles = tuple(tuple(int(colour) for colour in tile) for tile in self.tiles)
        object.__setattr__(self, "tiles", tiles)
        object.__setattr__(self, "hints", tuple(self.hints))
        if self.width < 1 or self.height < 1:
            raise PuzzleError(f"a board of {self.width} x {self.height}; expected at least 1 x 1")
        if len(tiles) != self.width * self.height:
            raise PuzzleError(
                f"{how_many(len(tiles), 'tile')}; expected width · height = {self.width} · "
                f"{self.height} = {self.width * self.height}"
            )
        for number, tile in enumerate(tiles):
            if len(tile) != 4:
                raise PuzzleError(f"tile {number} has {how_many(len(tile), 'side')}; expected 4")
            if max(map(abs, tile)) > LARGEST_COLOUR:
                raise PuzzleError(f"tile {number} has a colour beyond {LARGEST_COLOUR:,}")
            if min(tile) < 0 and not self.signed:
                raise PuzzleError(f"tile {number} has the negative colour {min(tile)}")
        self._check_hints()

    @cached_property
    def digest(self) -> str:
        """Digest of the content without the name."""
        return content_digest(
            {
                "kind": "edges",
                "size": (self.width, self.height),
                "tiles": self.tiles,
                "hints": [(hint.x, hint.y, hint.tile, hint.rotation) for hint in self.hints],
                "signed": self.signed,
            }
        )

    @cached_property
    def geometry(self) -> BoardGeometry:
        """Geometry of the board."""
        return BoardGeometry(self.width, self.height)

    def mate(self, colour: int) -> int:
        """Return the colour that matches `colour` on the other side of an edge."""
        return -colour if self.signed else colour

    def _check_hints(self) -> None:
        for hint in self.hints:
            valid = (
                (hint.x, hint.y) in self.geometry
                and 0 <= hint.tile < len(self.tiles)
                and 0 <= hint.rotation < 4
            )
            if not valid:
                raise PuzzleError(
                    f"{hint} is impossible; expected x below {self.width}, y below "
                    f"{self.height}, tile below {len(self.tiles)}, rotation below 4"
                )
        for what, given in (
            ("cell", [(hint.x, hint.y) for hint in self.hints]),
            ("tile", [hint.tile for hint in self.hints]),
        ):
            if len(set(given)) != len(given):
                ((twice, _),) = Counter(given).most_common(1)
                raise PuzzleError(f"two hints name the same {what}: {twice}")


def turned(tile: Tile, rotation: int) -> Tile:
    """Return the four sides that `tile` shows after `rotation` quarter turns anticlockwise."""
    north, east, south, west = tile[rotation:] + tile[:rotation]
    return north, east, south, west


def canonical_turn(tile: Tile) -> Tile:
    """Return the lexicographically least turn of `tile`: equal for tiles that look alike."""
    return min(turned(tile, rotation) for rotation in range(4))


Position = tuple[int, int]  # x, y; (0, 0) is at the bottom left
Frame = tuple[bool, bool, bool, bool]  # True for each side of a cell that lies on the frame

SIDES = range(4)
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # to the neighbour at each side


def beyond(position: Position, side: int) -> Position:
    """Return the position on the other side of an edge, inside the board or not."""
    (x, y), (right, up) = position, STEPS[side]
    return x + right, y + up


def opposite(side: int) -> int:
    """Return the opposite side: the neighbour's side of the same edge."""
    return (side + 2) % 4


@dataclass(frozen=True)
class BoardGeometry:
    """A board of `width` x `height` cells; the cell at (x, y) has the number x · height + y."""

    width: int
    height: int

    def __contains__(self, position: Position) -> bool:
        x, y = position
        return 0 <= x < self.width and 0 <= y < self.height

    @property
    def positions(self) -> list[Position]:
        """Positions of all cells, by cell number."""
        return [(x, y) for x in range(self.width) for y in range(self.height)]

    def cell(self, position: Position) -> int:
        """Return the number of the cell at a position."""
        x, y = position
        return x * self.height + y

    def position(self, cell: int) -> Position:
        """Return the position (x, y) of a cell."""
        return divmod(cell, self.height)

    def frame_at(self, position: Position) -> Frame:
        """Return for each side of a cell whether it lies on the frame."""
        north, east, south, west = (beyond(position, side) not in self for side in SIDES)
        return north, east, south, west

    @property
    def edge_numbers(self) -> dict[tuple[int, int], int]:
        """Numbers of the inner edges, from 0, by (cell, side): each edge has two keys."""
        numbers = dict[tuple[int, int], int]()
        for cell in range(self.width * self.height):
            for side, neighbour in self.neighbours(cell):
                if side < opposite(side):
                    numbers[cell, side] = numbers[neighbour, opposite(side)] = len(numbers) // 2
        return numbers

    def neighbours(self, cell: int) -> Iterator[tuple[int, int]]:
        """Yield (side, neighbour) for each side of a cell that is not on the frame."""
        position = self.position(cell)
        for side in SIDES:
            if beyond(position, side) in self:
                yield side, self.cell(beyond(position, side))


NAMES = ("bottom-up", "top-down", "columns", "spiral")
BEST = "best"  # resolved by the caller with a model

_STRIP = re.compile(r"bottom-up@([0-9]{1,6})")
_CELL = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})")


def check_order(words: Sequence[str]) -> None:
    """Raise `ConfigError` unless `words` name an order or list cells."""
    if len(words) == 1 and (words[0] in (*NAMES, BEST) or _STRIP.fullmatch(words[0])):
        return
    for word in words or ("",):
        if _CELL.fullmatch(word) is None:
            raise ConfigError(
                f"order {shorten(word)!r}; valid: {', '.join(NAMES)}, bottom-up@ROWS, {BEST}, or "
                "every cell as x.y, separated by commas, as in 0.0,1.0"
            )


def cells_in_order(words: Sequence[str], width: int, height: int) -> list[Position]:
    """Return the cells (x, y) of a board in an order that `check_order` accepts.

    `top-down` and `bottom-up` go row by row, each from the left. `columns` goes from the left, each
    column upwards. `spiral` goes from the bottom left along the bottom row and around, inwards.
    `bottom-up@12` goes through 12 rows and then through the remaining cells by columns. Raises
    `ConfigError` for a list that does not have each cell once, and for `best`, which the caller has
    to resolve first.
    """
    strip = _STRIP.fullmatch(words[0]) if len(words) == 1 else None
    if strip is not None:
        rows = min(int(strip[1]), height)
        first = [(x, y) for y in range(rows) for x in range(width)]
        return first + list(product(range(width), range(rows, height)))
    match tuple(words):
        case ("top-down",):
            return [(x, y) for y in reversed(range(height)) for x in range(width)]
        case ("bottom-up",):
            return [(x, y) for y in range(height) for x in range(width)]
        case ("columns",):
            return list(product(range(width), range(height)))
        case ("spiral",):
            return list(_spiral(width, height))
    if tuple(words) == (BEST,):
        raise ConfigError(f"order {BEST} has no cells by itself; valid: {', '.join(NAMES)}")
    listed = [_cell(word) for word in words]
    _check_list(listed, width, height)
    return listed


def named_orders(height: int) -> list[str]:
    """Return the names of all orders of a board of this height."""
    return [*NAMES, *strips(height)[:-1]]


def strips(height: int) -> list[str]:
    """Return the names of the orders by rows and then columns; the last is by rows alone."""
    return [*(f"bottom-up@{rows}" for rows in range(1, height)), "bottom-up"]


def _spiral(width: int, height: int) -> Iterator[Position]:
    """Yield the cells of the rim anticlockwise, then of the next rim inwards, and so on."""
    left, right, bottom, top = 0, width - 1, 0, height - 1
    while left <= right and bottom <= top:
        yield from ((x, bottom) for x in range(left, right + 1))
        yield from ((right, y) for y in range(bottom + 1, top + 1))
        if bottom < top:
            yield from ((x, top) for x in range(right - 1, left - 1, -1))
        if left < right:
            yield from ((left, y) for y in range(top - 1, bottom, -1))
        left, right, bottom, top = left + 1, right - 1, bottom + 1, top - 1


def _cell(word: str) -> Position:
    x, y = word.split(".")
    return int(x), int(y)


def _check_list(listed: Sequence[Position], width: int, height: int) -> None:
    """Raise `ConfigError` unless each cell of the board is listed once."""
    board = set(product(range(width), range(height)))
    for what, cells in (
        ("outside the board", [cell for cell in listed if cell not in board]),
        ("listed twice", [cell for cell, times in Counter(listed).items() if times > 1]),
        ("missing", sorted(board.difference(listed))),
    ):
        if cells:
            named = ", ".join(f"{x}.{y}" for x, y in cells)
            raise ConfigError(
                f"order: {shorten(named)} {what}; expected each cell of the {width} x {height} "
                "board once"
            )
