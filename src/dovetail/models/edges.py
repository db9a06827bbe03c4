"""Edge-matching puzzles: square tiles in a frame, equal colours on either side of an edge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from dovetail.errors import PuzzleError, how_many
from dovetail.models.board_geometry import BoardGeometry
from dovetail.models.digest import content_digest

Tile = tuple[int, int, int, int]

BORDER = 0
LARGEST_COLOUR = 1_000_000_000
NORTH, EAST, SOUTH, WEST = range(4)


@dataclass(frozen=True)
class Hint:
    """Tile number `tile`, turned by `rotation`, lies at column `x`, row `y` (from the bottom)."""

    x: int
    y: int
    tile: int
    rotation: int


@dataclass(frozen=True)
class EdgePuzzle:
    """A board of `width` x `height` cells and as many tiles.

    A tile is (north, east, south, west); rotation r makes side s show `tile[(s + r) % 4]`, a
    quarter turn anticlockwise for each step. Colour 0 belongs to the frame: exactly the sides on
    the frame show it. Colours on the two sides of an inner edge must be equal or, in a `signed`
    puzzle, each other's negative. Cell (0, 0) is at the bottom left.

    Raises `PuzzleError` for a tile without four sides, a negative colour in an unsigned puzzle, a
    number of tiles that is not width · height, or a hint outside the board.
    """

    name: str
    width: int
    height: int
    tiles: tuple[Tile, ...]
    hints: tuple[Hint, ...] = ()
    signed: bool = False

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
